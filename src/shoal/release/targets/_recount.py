"""What a database counts in a table by its own SQL: every measure that a release claims.

The queries are written a second time, in SQL that PostgreSQL, SQLite and DuckDB all speak; they
share nothing with those of `shoal.verifier`, whose numbers they are held against. ``cells`` has for
every group g and value v that occur together: c, the times they do; n, the sum of c over the group;
p, the times v occurs in the table; ``total``, the sum of p; ``heads``, the rows of the group.
Where pseudonyms tell people apart, people are counted and not rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.table.sources import quote
from shoal.verifier import Claim

_HAIR = "1e-12"


@dataclass(frozen=True)
class CountingQueries:
    """SQL that counts a table.

    Parameters
    ----------
    table : str
        The table, quoted.
    quasi : sequence of str
        Rows that are equal on all of these are a group.
    person : str, optional
        The column of pseudonyms that tells people apart.
    places : str, optional
        A table with the ``value`` and the ``place`` of an order that was given, quoted.
    """

    table: str
    quasi: Sequence[str]
    person: str | None = None
    places: str = "places"

    def groups(self) -> str:
        """Rows, groups and the smallest group.

        >>> print(CountingQueries("t", []).groups())
        SELECT sum(n), count(*), min(k) FROM (SELECT count(*) AS n, count(*) AS k FROM t) AS g
        """
        by = f" GROUP BY {', '.join(map(quote, self.quasi))}" if self.quasi else ""
        inner = f"SELECT count(*) AS n, {self._once()} AS k FROM {self.table}{by}"
        return f"SELECT sum(n), count(*), min(k) FROM ({inner}) AS g"

    def measure(self, claim: Claim) -> str:
        """One number, to be held against a claim; NULL means that no bound would hold."""
        query = T_ORDERED if claim.name == "t_ordered" else QUERIES[claim.name]
        return self._cells(claim) + query.format(l=claim.l, hair=_HAIR)

    def _once(self) -> str:
        return "count(*)" if self.person is None else f"count(DISTINCT {quote(self.person)})"

    def _cells(self, claim: Claim) -> str:
        """The tables that a measure reads."""
        group = f"dense_rank() OVER (ORDER BY {', '.join(map(quote, self.quasi))})"
        cell = f"t.{quote(claim.column)}"
        value, joined = cell, ""
        if claim.order == "numeric":
            value = f"CAST({cell} AS FLOAT8)"
        elif claim.order:
            value, joined = "o.place", f" LEFT JOIN {self.places} AS o ON o.value = {cell}"
        who = "" if self.person is None else f", t.{quote(self.person)} AS who"
        once = "count(*)" if self.person is None else "count(DISTINCT who)"
        return f"""WITH base AS (SELECT {group if self.quasi else 1} AS g,
    dense_rank() OVER (ORDER BY {value} NULLS LAST) - 1 AS v,
    CASE WHEN {cell} IS NULL THEN 1 ELSE 0 END AS missing{who} FROM {self.table} AS t{joined}),
counts AS (SELECT g, v, {once} AS c, max(missing) AS missing FROM base GROUP BY g, v),
domain AS (SELECT v, {once} AS p FROM base GROUP BY v),
sizes AS (SELECT g, {once} AS heads FROM base GROUP BY g),
cells AS (SELECT counts.g, counts.v, missing, c, sum(c) OVER (PARTITION BY counts.g) AS n, p, heads,
    (SELECT sum(p) FROM domain) AS total
    FROM counts JOIN domain ON counts.v = domain.v JOIN sizes ON counts.g = sizes.g)
"""


def _ratio(up: str, down: str) -> str:
    return f"CAST({up} AS FLOAT8) / CAST({down} AS FLOAT8)"


_GAIN = _ratio("(c * total - n * p)", "(n * p)")
_LIFT = _ratio("(c * total)", "(n * p)")

QUERIES = {
    "distinct_l": "SELECT min(l) FROM (SELECT sum(1 - missing) AS l FROM cells GROUP BY g) AS x",
    "entropy_l": """SELECT exp(min(h)) FROM (SELECT ln(CAST(max(n) AS FLOAT8))
    - sum(CAST(c AS FLOAT8) * ln(CAST(c AS FLOAT8))) / CAST(max(n) AS FLOAT8) AS h
    FROM cells GROUP BY g) AS x""",
    "recursive_c": f"""SELECT CASE WHEN count(*) = (SELECT count(*) FROM sizes)
    THEN max({_ratio("top", "tail")}) END
FROM (SELECT row_number() OVER (PARTITION BY g ORDER BY c DESC, v) AS l,
        max(c) OVER (PARTITION BY g) AS top,
        sum(c) OVER (PARTITION BY g ORDER BY c DESC, v
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS tail
    FROM cells) AS x WHERE l = {{l}}""",
    "t_equal": f"""SELECT max({_ratio("up", "down")}) FROM
    (SELECT sum(abs(c * total - n * p) - n * p) + max(n * total) AS up, 2 * max(n * total) AS down
    FROM cells GROUP BY g) AS x""",
    "alpha": f"SELECT max({_ratio('c', 'heads')}) FROM cells",
    "basic_beta": f"SELECT max({_GAIN}) FROM cells",
    "enhanced_beta": f"""SELECT CASE WHEN max(CASE WHEN {_GAIN} > 0
    AND {_GAIN} >= -ln({_ratio("p", "total")}) - {{hair}} THEN 1 ELSE 0 END) = 0
    THEN max({_GAIN}) END FROM cells""",
    "delta_disclosure": f"""SELECT CASE WHEN (SELECT count(*) FROM cells)
    = (SELECT count(*) FROM sizes) * (SELECT count(*) FROM domain)
    THEN max(abs(ln({_LIFT}))) END FROM cells""",
    "delta_disclosure_present": f"SELECT max(abs(ln({_LIFT}))) FROM cells",
}

#: The sum over the values in their order of |Q - P|, both cumulated. Between two values of a group
#: Q does not move; P passes it at the value j, which sorting both together tells.
T_ORDERED = f""",
line AS (SELECT v, sum(p) OVER (ORDER BY v) AS upto FROM domain),
area AS (SELECT v, sum(upto) OVER (ORDER BY v) - upto AS before FROM line
    UNION ALL SELECT max(v) + 1, sum(upto) FROM line),
stretches AS (SELECT g, n, total, v AS a, sum(c) OVER (PARTITION BY g ORDER BY v) AS mine,
        coalesce(lead(v) OVER (PARTITION BY g ORDER BY v), (SELECT count(*) FROM domain)) AS b
    FROM cells
    UNION ALL SELECT g, max(n), max(total), 0, 0, min(v) FROM cells GROUP BY g),
levels AS (SELECT g, n, total, a, b, mine, 0 AS passed, {_ratio("(mine * total)", "n")} AS level
    FROM stretches
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, 1, CAST(upto AS FLOAT8) FROM line),
passed AS (SELECT g, n, total, a, b, mine, sum(passed) OVER
        (ORDER BY level, passed DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS j
    FROM levels),
split AS (SELECT g, n, total, a, b, mine, CASE WHEN j < a THEN a WHEN j > b THEN b ELSE j END AS j
    FROM passed WHERE g IS NOT NULL)
SELECT max({_ratio("up", "down")}) FROM (SELECT
        sum(mine * total * ((j - a) - (b - j)) + n * (x.before + y.before - 2 * z.before)) AS up,
        max(n * total) * (SELECT CASE WHEN count(*) > 1 THEN count(*) - 1 ELSE 1 END FROM domain)
            AS down
    FROM split JOIN area AS x ON x.v = a JOIN area AS y ON y.v = b JOIN area AS z ON z.v = j
    GROUP BY g) AS w"""
