"""The measures of one sensitive column, each a short SQL query over counts.

``cells`` holds for every group g and value v that occur together: c, the times they do; n, the
sum of c over the group; p, the times v occurs in the table; ``total``, the sum of p; and
``heads``, the people in the group (n, unless people were given).
Ratios come back as two integers, so that no rounding stands between a count and its bound.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from shoal.exceptions import InputError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from shoal.verifier._claims import Order


_ONCE_PER_PERSON = "count(DISTINCT person)"


def prepare(connection: DuckDBPyConnection, column: int, order: Order, *, people: bool) -> None:
    """Build ``domain`` (the values in order, with their counts) and ``cells`` for one column."""
    once = _ONCE_PER_PERSON if people else "count(*)"
    connection.execute(
        f"""CREATE OR REPLACE TABLE ranked AS SELECT s, {_rank(connection, column, order)} AS v
        FROM (SELECT DISTINCT s{column} AS s FROM members)"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TABLE counts AS
        SELECT g, v, {once} AS c, bool_or(s IS NULL) AS missing
        FROM members JOIN ranked ON s{column} IS NOT DISTINCT FROM s GROUP BY g, v"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TABLE domain AS SELECT v, p,
            CAST(sum(p) OVER (ORDER BY v) AS HUGEINT) AS upto
        FROM (SELECT v, CAST({once} AS HUGEINT) AS p
            FROM members JOIN ranked ON s{column} IS NOT DISTINCT FROM s GROUP BY v)"""
    )
    connection.execute(
        f"""CREATE OR REPLACE TABLE cells AS SELECT g, v, missing, CAST(c AS HUGEINT) AS c, n, p,
            heads, (SELECT max(upto) FROM domain) AS total
        FROM counts JOIN domain USING (v)
        JOIN (SELECT g, CAST(sum(c) AS HUGEINT) AS n FROM counts GROUP BY g) USING (g)
        JOIN (SELECT g, CAST({once} AS HUGEINT) AS heads FROM members GROUP BY g) USING (g)"""
    )


def distinct_l(connection: DuckDBPyConnection) -> int:
    """Fewest distinct values of a group; a missing value is none."""
    (fewest,) = connection.execute(
        "SELECT min(l) FROM (SELECT count(*) FILTER (NOT missing) AS l FROM cells GROUP BY g)"
    ).fetchall()[0]
    return int(fewest)


def lowest_entropy(connection: DuckDBPyConnection) -> tuple[tuple[int, ...], ...]:
    """Counts of the groups whose entropy is lowest, or too close to the lowest to tell."""
    rows = connection.execute(
        """WITH entropies AS (
            SELECT any_value(ln(n)) - sum(c * ln(c)) / any_value(n) AS h,
                list(CAST(c AS BIGINT) ORDER BY c) AS counts
            FROM cells GROUP BY g)
        SELECT DISTINCT counts FROM entropies WHERE h <= (SELECT min(h) FROM entropies) + 1e-9
        ORDER BY counts"""
    ).fetchall()
    return tuple(tuple(int(c) for c in counts) for (counts,) in rows)


def recursive_c(connection: DuckDBPyConnection) -> dict[int, Fraction | float]:
    """For each l, the number c must exceed: largest r1 / (r_l + ... + r_m); inf if m < l somewhere.

    A missing value counts among the r like any other.
    """
    rows = connection.execute(
        """SELECT l, arg_max(top, top / tail), arg_max(tail, top / tail), count(*)
        FROM (SELECT row_number() OVER falling AS l, max(c) OVER falling AS top,
                sum(c) OVER (PARTITION BY g ORDER BY c DESC, v
                             ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS tail
            FROM cells WINDOW falling AS (PARTITION BY g ORDER BY c DESC, v))
        GROUP BY l ORDER BY l"""
    ).fetchall()
    groups = rows[0][3]
    bounds = {
        int(l): Fraction(int(top), int(tail)) if held == groups else math.inf
        for l, top, tail, held in rows
    }
    values = _one(connection, "SELECT count(*) FROM domain")
    return {l: bounds.get(l, math.inf) for l in range(1, values + 1)}


def alpha(connection: DuckDBPyConnection) -> Fraction:
    """Largest share of a group that has one value (Wong et al., 2006)."""
    return _largest(connection, "SELECT c AS up, heads AS down FROM cells")


def t_equal(connection: DuckDBPyConnection) -> Fraction:
    """Largest distance of a group from the table, all values equally far apart (Li et al., 2007).

    Half the sum of |q - p|; a value absent from the group adds its p, which is 1 less the p
    of those present.
    """
    return _largest(
        connection,
        """SELECT sum(abs(c * total - n * p) - n * p) + any_value(n * total) AS up,
            2 * any_value(n * total) AS down FROM cells GROUP BY g""",
    )


def t_ordered(connection: DuckDBPyConnection) -> Fraction:
    """Largest distance of a group from the table, values on a line (Li et al., 2007).

    The sum over values of |Q - P|, Q and P cumulated, over m - 1. Between two values of a group
    Q does not move while P rises, so the sum over such a stretch [a, b) splits at the value j
    where P passes Q; ``area`` holds prefix sums of P to add up each side at once.
    """
    values = _one(connection, "SELECT count(*) FROM domain")
    if values == 1:
        return Fraction(0)
    connection.execute(
        """CREATE OR REPLACE TABLE area AS
        SELECT v, sum(upto) OVER (ORDER BY v) - upto AS before FROM domain
        UNION ALL SELECT max(v) + 1, sum(upto) FROM domain"""
    )
    worst = _largest(connection, _STRETCHES.format(values=values))
    return worst / (values - 1)


_STRETCHES = """
WITH stretches AS (
    SELECT g, n, total, v AS a, lead(v, 1, {values}) OVER line AS b, sum(c) OVER line AS upto
    FROM cells WINDOW line AS (PARTITION BY g ORDER BY v)
    UNION ALL SELECT g, any_value(n), any_value(total), 0, min(v), 0 FROM cells GROUP BY g
), crossed AS (
    SELECT s.*, greatest(a, least(b, coalesce(d.v + 1, 0))) AS j
    FROM stretches AS s ASOF LEFT JOIN domain AS d ON (s.upto * s.total) // s.n >= d.upto
)
SELECT any_value(n * total) AS down, sum(
    crossed.upto * total * ((j - a) - (b - j)) + n * (at_a.before + at_b.before - 2 * at_j.before)
) AS up
FROM crossed JOIN area AS at_a ON at_a.v = a JOIN area AS at_b ON at_b.v = b
JOIN area AS at_j ON at_j.v = j
GROUP BY g"""


def basic_beta(connection: DuckDBPyConnection) -> Fraction:
    """Largest relative gain (q - p) / p of a value (Cao and Karras, 2012)."""
    return _largest(connection, "SELECT c * total - n * p AS up, n * p AS down FROM cells")


def enhanced_beta(connection: DuckDBPyConnection) -> Fraction | float:
    """As `basic_beta`; inf where a gain passes -ln p, which no beta then allows.

    Within a hair of -ln p counts as passed: doubt means refuse.
    """
    passed = _one(
        connection,
        """SELECT count(*) FROM cells WHERE c * total > n * p
        AND (c * total - n * p) / (n * p) >= -ln(p / total) - 1e-12""",
    )
    return math.inf if passed else basic_beta(connection)


def delta_disclosure(connection: DuckDBPyConnection) -> float:
    """Largest abs(ln(q / p)); inf if a value of the table is absent from a group.

    The definition is Brickell and Shmatikov's (2008), with the natural logarithm.
    """
    absent = _one(
        connection,
        """SELECT count(*) FROM (SELECT count(*) AS present FROM cells GROUP BY g)
        WHERE present < (SELECT count(*) FROM domain)""",
    )
    return math.inf if absent else delta_disclosure_present(connection)


def delta_disclosure_present(connection: DuckDBPyConnection) -> float:
    """As `delta_disclosure`, over the values that a group does show."""
    up, down = connection.execute(
        """SELECT c * total, n * p FROM cells
        ORDER BY abs(ln(CAST(c * total AS DOUBLE) / CAST(n * p AS DOUBLE))) DESC LIMIT 1"""
    ).fetchall()[0]
    return abs(math.log(Fraction(int(up), int(down))))


def _rank(connection: DuckDBPyConnection, column: int, order: Order) -> str:
    """SQL that numbers the values 0, 1, ... in their order, a missing one last."""
    if not order:
        return "dense_rank() OVER (ORDER BY s NULLS LAST) - 1"
    if order == "numeric":
        _refuse_strangers(
            connection, f"s{column} IS NOT NULL AND TRY_CAST(s{column} AS DOUBLE) IS NULL"
        )
        # The second key tells apart integers that are too large for a double.
        number, digits = "TRY_CAST(s AS DOUBLE)", "TRY_CAST(s AS DECIMAL(38, 0))"
        return f"dense_rank() OVER (ORDER BY {number} NULLS LAST, {digits} NULLS LAST) - 1"
    import pyarrow as pa

    table = pa.table({"value": pa.array(order, pa.string()), "place": range(len(order))})
    connection.register("order_given", table)
    _refuse_strangers(
        connection,
        f"s{column} IS NOT NULL AND s{column} NOT IN (SELECT value FROM order_given)",
    )
    place = "(SELECT min(place) FROM order_given WHERE value = s)"
    return f"dense_rank() OVER (ORDER BY {place} NULLS LAST) - 1"


def _refuse_strangers(connection: DuckDBPyConnection, condition: str) -> None:
    strangers = _one(connection, f"SELECT count(*) FROM members WHERE {condition}")
    if strangers:
        raise InputError(f"{strangers} cells of a sensitive column have no place in its order.")


def _largest(connection: DuckDBPyConnection, query: str) -> Fraction:
    """Take the largest of the ratios up / down that a query gives."""
    up, down = connection.execute(
        f"""SELECT CAST(up AS HUGEINT), CAST(down AS HUGEINT) FROM ({query})
        ORDER BY CAST(up AS DOUBLE) / CAST(down AS DOUBLE) DESC LIMIT 1"""
    ).fetchall()[0]
    return Fraction(int(up), int(down))


def _one(connection: DuckDBPyConnection, query: str) -> int:
    (value,) = connection.execute(query).fetchall()[0]
    return int(value)
