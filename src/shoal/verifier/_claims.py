"""What a release claims of itself: each measure of a sensitive column with its SQL, and its bound.

The queries read ``cells``, which holds for every group g and value v that occur together: c, the
times they do; n, the sum of c over the group; p, the times v occurs in the table; ``total``, the
sum of p; and ``heads``, the people in the group (n, unless people were given); and ``domain``,
the values v in their order with their counts p, and ``upto``, the sum of p so far.
Ratios come back as two integers, so that no rounding stands between a count and its bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from shoal.exceptions import InvalidParameterError

Number: TypeAlias = int | float | Fraction
Row: TypeAlias = tuple[Any, ...]
Order: TypeAlias = str | tuple[str, ...]
_HAIR = 1e-12  # logarithms are floats: this close to a bound counts as past it
_LARGEST_EXACT_GROUP = 20_000


@dataclass(frozen=True)
class Measure:
    """One number of a column: the largest of the ratios that its query gives.

    ``keeps`` says on which side of a bound it must stay; ``ordered``, that it needs the order of
    the values. What reads other rows, or compares otherwise, is a subclass.
    """

    name: str
    query: str
    keeps: str = "at most"
    ordered: bool = False

    def read(self, rows: Sequence[Row]) -> Any:
        """Make of the rows of the query what a recount keeps."""
        ((up, down),) = rows
        return Fraction(int(up), int(down)) if down else math.inf

    def value(self, found: Any, l: int) -> Number:
        """Say what was found as one number; ``l`` is that of recursive (c, l)-diversity."""
        return found  # type: ignore[no-any-return]

    def judge(self, found: Any, bound: float, l: int) -> tuple[Number, bool]:
        """Say what was found as one number, and whether it keeps a bound, without rounding."""
        value = self.value(found, l)
        if bound == math.inf or self.keeps == "below":
            return value, value < (bound if bound == math.inf else as_fraction(bound))
        return value, value <= as_fraction(bound)


class CountMeasure(Measure):
    """A whole number that must be large enough."""

    def read(self, rows: Sequence[Row]) -> int:
        """Take the only number."""
        return int(rows[0][0])

    def judge(self, found: int, bound: float, l: int) -> tuple[int, bool]:
        """Compare whole numbers."""
        return found, found >= bound


class LogarithmMeasure(Measure):
    """The logarithm of the ratio farthest from 1."""

    def read(self, rows: Sequence[Row]) -> float:
        """Take the logarithm; where no bound holds it is infinite."""
        return abs(math.log(super().read(rows)))

    def judge(self, found: float, bound: float, l: int) -> tuple[float, bool]:
        """Compare floats, with a hair of doubt."""
        return found, found < (bound if bound == math.inf else bound - _HAIR)


class RecursionMeasure(Measure):
    """For each l the number that c must exceed; inf if a group has fewer than l values."""

    def read(self, rows: Sequence[Row]) -> dict[int, Fraction | float]:
        """Keep the ratios of those l that every group reaches."""
        everywhere = {
            int(l): Fraction(int(top), int(tail))
            for l, top, tail, held, groups, _ in rows
            if held == groups
        }
        return {l: everywhere.get(l, math.inf) for l in range(1, rows[0][-1] + 1)}

    def value(self, found: Mapping[int, Number], l: int) -> Number:
        """Look up what c must exceed."""
        return found.get(l, math.inf)


class EntropyMeasure(Measure):
    """Counts of the groups whose entropy is lowest, or too close to the lowest to tell."""

    def read(self, rows: Sequence[Row]) -> tuple[tuple[int, ...], ...]:
        """Take the counts of each group."""
        return tuple(tuple(int(c) for c in counts) for (counts,) in rows)

    def value(self, found: Sequence[Sequence[int]], l: int) -> float:
        """Give the exponential of the lowest entropy."""
        return min(math.exp(entropy(counts)) for counts in found)

    def judge(self, found: Sequence[Sequence[int]], bound: float, l: int) -> tuple[float, bool]:
        """Compare in integers: all groups must reach the bound."""
        return self.value(found, l), all(entropy_reaches(counts, bound) for counts in found)


def largest(query: str, size: str = "{}") -> str:
    """SQL for the largest ratio up / down of a query; where down is 0 no bound holds."""
    ratio = size.format("CAST(up AS DOUBLE) / CAST(down AS DOUBLE)")
    return f"""SELECT CAST(up AS HUGEINT), CAST(down AS HUGEINT) FROM ({query})
        ORDER BY down = 0 DESC, {ratio} DESC LIMIT 1"""


#: Fewest distinct values of a group; a missing value is none.
DISTINCT = CountMeasure(
    "distinct_l",
    "SELECT min(l) FROM (SELECT count(*) FILTER (NOT missing) AS l FROM cells GROUP BY g)",
    "at least",
)
ENTROPY = EntropyMeasure(
    "entropy_l",
    """WITH entropies AS (
        SELECT any_value(ln(n)) - sum(c * ln(c)) / any_value(n) AS h,
            list(CAST(c AS BIGINT) ORDER BY c) AS counts
        FROM cells GROUP BY g)
    SELECT DISTINCT counts FROM entropies WHERE h <= (SELECT min(h) FROM entropies) + 1e-9
    ORDER BY counts""",
    "at least",
)
#: Largest r1 / (r_l + ... + r_m) for each l; a missing value counts among the r like any other.
RECURSIVE = RecursionMeasure(
    "recursive_c",
    """SELECT l, arg_max(top, top / tail), arg_max(tail, top / tail), count(*),
        max(count(*)) OVER (), (SELECT count(*) FROM domain)
    FROM (SELECT row_number() OVER falling AS l, max(c) OVER falling AS top,
            sum(c) OVER (PARTITION BY g ORDER BY c DESC, v
                         ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS tail
        FROM cells WINDOW falling AS (PARTITION BY g ORDER BY c DESC, v))
    GROUP BY l""",
    "below",
)
#: Largest distance of a group from the table, all values equally far apart (Li et al., 2007): half
#: the sum of |q - p|; a value absent from the group adds its p, which is 1 less the p of those
#: present.
T_EQUAL = Measure(
    "t_equal",
    largest(
        """SELECT sum(abs(c * total - n * p) - n * p) + any_value(n * total) AS up,
            2 * any_value(n * total) AS down FROM cells GROUP BY g"""
    ),
)
#: The same with values on a line: the sum over values of |Q - P|, Q and P cumulated, over m - 1.
#: Between two values of a group Q does not move while P rises, so the sum over such a stretch
#: [a, b) splits at the value j where P passes Q; ``area`` has prefix sums of P to add up each side.
T_ORDERED = Measure(
    "t_ordered",
    largest(
        """WITH area AS (
            SELECT v, sum(upto) OVER (ORDER BY v) - upto AS before FROM domain
            UNION ALL SELECT max(v) + 1, sum(upto) FROM domain
        ), stretches AS (
            SELECT g, n, total, v AS a, sum(c) OVER line AS upto,
                coalesce(lead(v) OVER line, (SELECT count(*) FROM domain)) AS b
            FROM cells WINDOW line AS (PARTITION BY g ORDER BY v)
            UNION ALL
            SELECT g, any_value(n), any_value(total), 0, 0, min(v) FROM cells GROUP BY g
        ), crossed AS (
            SELECT s.*, greatest(a, least(b, coalesce(d.v + 1, 0))) AS j
            FROM stretches AS s ASOF LEFT JOIN domain AS d ON (s.upto * s.total) // s.n >= d.upto
        )
        SELECT any_value(n * total) * greatest(1, (SELECT count(*) FROM domain) - 1) AS down,
            sum(crossed.upto * total * ((j - a) - (b - j))
                + n * (at_a.before + at_b.before - 2 * at_j.before)) AS up
        FROM crossed JOIN area AS at_a ON at_a.v = a JOIN area AS at_b ON at_b.v = b
        JOIN area AS at_j ON at_j.v = j
        GROUP BY g"""
    ),
    ordered=True,
)
#: Largest share of a group that has one value (Wong et al., 2006).
ALPHA = Measure("alpha", largest("SELECT c AS up, heads AS down FROM cells"))
#: Largest relative gain (q - p) / p of a value (Cao and Karras, 2012).
BASIC_BETA = Measure(
    "basic_beta", largest("SELECT c * total - n * p AS up, n * p AS down FROM cells")
)
#: No beta allows a gain that passes -ln p; within a hair counts as passed: doubt means refuse.
ENHANCED_BETA = Measure(
    "enhanced_beta",
    largest(
        """SELECT c * total - n * p AS up,
            CASE WHEN c * total > n * p AND (c * total - n * p) / (n * p) >= -ln(p / total) - 1e-12
            THEN 0 ELSE n * p END AS down FROM cells"""
    ),
)
#: Largest abs(ln(q / p)) over the values that a group shows.
DELTA_PRESENT = LogarithmMeasure(
    "delta_disclosure_present",
    largest("SELECT c * total AS up, n * p AS down FROM cells", "abs(ln({}))"),
    "below",
)
#: By Brickell and Shmatikov's definition (2008) no value of the table may be absent either.
DELTA = LogarithmMeasure(
    "delta_disclosure",
    largest(
        """SELECT c * total AS up, CASE WHEN count(*) OVER (PARTITION BY g)
            < (SELECT count(*) FROM domain) THEN 0 ELSE n * p END AS down FROM cells""",
        "abs(ln({}))",
    ),
    "below",
)

_ALL = (DISTINCT, ENTROPY, RECURSIVE, T_EQUAL, T_ORDERED, ALPHA, BASIC_BETA, ENHANCED_BETA)
MEASURES: Mapping[str, Measure] = {m.name: m for m in (*_ALL, DELTA, DELTA_PRESENT)}


def as_fraction(bound: float) -> Fraction:
    """Read a bound as the simple fraction its author meant: 0.3 is 3/10, not its nearest double.

    >>> as_fraction(0.3), as_fraction(1 / 3)
    (Fraction(3, 10), Fraction(1, 3))
    """
    return Fraction(bound).limit_denominator(10**12)


def entropy(counts: Sequence[int]) -> float:
    """Entropy of a group in natural units."""
    n = sum(counts)
    return math.log(n) - math.fsum(c * math.log(c) for c in counts) / n


def entropy_reaches(counts: Sequence[int], l: float) -> bool:
    """Tell whether the entropy of ``counts`` is at least log(l), in integers.

    With n the sum of the counts, H >= log l means n**n >= l**n * product of c**c. A group too
    large for that which is also too close to call by floats is refused: doubt means no.

    >>> entropy_reaches([5, 5, 5], 3), entropy_reaches([5, 5, 4], 3), entropy_reaches([2, 1], 1.8)
    (True, False, True)
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    n, reached = sum(counts), entropy(counts)
    if abs(reached - math.log(l)) > 1e-9:
        return reached > math.log(l)
    if n > _LARGEST_EXACT_GROUP:
        return False
    bound = as_fraction(l)
    spread = math.prod(count**count for count in counts)
    return bool((n * bound.denominator) ** n >= bound.numerator**n * spread)


TABLE_CLAIMS = ("rows", "k")


@dataclass(frozen=True)
class Claim:
    """One thing a release promises: a measure, and the bound it keeps.

    Parameters
    ----------
    name : str
        ``"rows"`` (exactly so many), ``"k"``, or for a sensitive column ``"distinct_l"``,
        ``"entropy_l"``, ``"recursive_c"``, ``"t_equal"``, ``"t_ordered"``, ``"alpha"``,
        ``"basic_beta"``, ``"enhanced_beta"``, ``"delta_disclosure"`` and
        ``"delta_disclosure_present"`` (over the values a group shows).
    bound : float
        The number asked for.
    column : str
        The sensitive column; empty for ``rows`` and ``k``.
    l : int
        The l of recursive (c, l)-diversity, where ``bound`` is c.
    order : str or sequence of str
        How the values of the column are ordered: ``"numeric"``, or all of them from low to
        high. Empty: they are names without an order.
    label : str
        What people call it, such as ``"10-anonymity"``; made from the rest if left out.

    >>> str(Claim("k", 10))
    'k at least 10'
    >>> str(Claim("recursive_c", 3, "disease", l=2))
    "recursive (c, 2) of 'disease' below 3"
    """

    name: str
    bound: float
    column: str = ""
    l: int = 0
    order: Order = ()
    label: str = ""

    def __post_init__(self) -> None:
        if self.name not in TABLE_CLAIMS and self.name not in MEASURES:
            known = ", ".join([*TABLE_CLAIMS, *MEASURES])
            raise InvalidParameterError(
                f"No claim is named {self.name!r}.", hint=f"Known: {known}."
            )
        if (self.name in MEASURES) != bool(self.column):
            raise InvalidParameterError(f"The claim {self.name!r} needs a column, k needs none.")
        if math.isnan(self.bound) or (self.name == "recursive_c" and self.l < 1):
            raise InvalidParameterError(f"The claim {self.name!r} has no bound or no l.")
        if not isinstance(self.order, str):
            object.__setattr__(self, "order", tuple(self.order))

    def __str__(self) -> str:
        if self.label:
            return self.label
        if not self.column:
            return f"{self.name} {'exactly' if self.name == 'rows' else 'at least'} {self.bound:g}"
        name = f"recursive (c, {self.l})" if self.name == "recursive_c" else self.name
        return f"{name} of {self.column!r} {MEASURES[self.name].keeps} {self.bound:g}"


@dataclass(frozen=True)
class Outcome:
    """A claim beside what was recounted."""

    claim: Claim
    recounted: Number
    holds: bool

    def to_dict(self) -> dict[str, Any]:
        """Give plain data for a manifest; no cell value is in it."""
        data: dict[str, Any] = {"model": str(self.claim), "measure": self.claim.name}
        if self.claim.column:
            data["column"] = self.claim.column
        if self.claim.l:
            data["l"] = self.claim.l
        asked, recounted = plain_number(self.claim.bound), plain_number(self.recounted)
        return {**data, "asked": asked, "recounted": recounted, "holds": self.holds}


def plain_number(number: Number) -> int | float | str:
    """Turn a measure into what JSON can hold: an int, a short float, or ``"inf"``.

    >>> plain_number(1 / 3), plain_number(7.0), plain_number(math.inf)
    (0.333333333333, 7, 'inf')
    """
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if number == int(number):
        return int(number)
    return float(f"{float(number):.12g}")
