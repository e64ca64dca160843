"""Counting what was written, by Spark SQL: of the whole release, never of a fragment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from shoal.exceptions import EmptyTableError
from shoal.spark._errors import understood
from shoal.verifier import Claim, Recount

_EXACT = "decimal(38, 0)"


def recount_frame(
    frame: Any, quasi_identifiers: Sequence[str], claims: Sequence[Claim]
) -> tuple[Recount, dict[int, int]]:
    """Count groups, and the measures of every sensitive column that something is claimed of.

    Returns the recount and how many groups have which size. A missing cell is a value like any
    other when groups are told apart.
    """
    with understood():
        written = frame.select(
            *(frame[name].alias(f"q{i}") for i, name in enumerate(quasi_identifiers)),
            *(frame[name].alias(f"s{i}") for i, name in enumerate(_sensitive(claims))),
        )
        sizes = _sizes(written, len(quasi_identifiers))
        if not sizes:
            raise EmptyTableError("The release has no rows to count.")
        measures = {
            name: _measure(written, len(quasi_identifiers), i, _order_of(name, claims))
            for i, name in enumerate(_sensitive(claims))
        }
    rows = sum(size * groups for size, groups in sizes.items())
    return Recount(rows, sum(sizes.values()), min(sizes), False, measures), sizes


def _sensitive(claims: Sequence[Claim]) -> list[str]:
    return list(dict.fromkeys(claim.column for claim in claims if claim.column))


def _order_of(name: str, claims: Sequence[Claim]) -> str | tuple[str, ...]:
    return next((c.order for c in claims if c.column == name and c.order), ())


def _sizes(written: Any, width: int) -> dict[int, int]:
    from pyspark.sql import functions as sf

    keys = [f"q{i}" for i in range(width)]
    sizes = written.groupBy(*keys).agg(sf.count("*").alias("size"))
    found = sizes.groupBy("size").count().collect()
    return {int(size): int(groups) for size, groups in found if size}


def _measure(written: Any, width: int, column: int, order: str | tuple[str, ...]) -> dict[str, Any]:
    """Measure one sensitive column; the formulas are those of `shoal.verifier`."""
    spark = written.sparkSession
    keys = ", ".join(f"q{i}" for i in range(width)) or "0"
    written.createOrReplaceTempView("x_written")
    spark.sql(
        f"SELECT struct({keys}) AS g, s{column} AS s, count(*) AS c FROM x_written GROUP BY ALL"
    ).persist().createOrReplaceTempView("x_counts")
    spark.sql(
        f"""SELECT s, CAST(sum(c) AS {_EXACT}) AS p FROM x_counts GROUP BY s"""
    ).createOrReplaceTempView("x_domain")
    spark.sql(
        f"""SELECT a.g, a.s, CAST(a.c AS {_EXACT}) AS c, b.p,
            CAST(sum(a.c) OVER (PARTITION BY a.g) AS {_EXACT}) AS n,
            CAST((SELECT sum(p) FROM x_domain) AS {_EXACT}) AS total
        FROM x_counts a JOIN x_domain b ON a.s <=> b.s"""
    ).createOrReplaceTempView("x_cells")
    try:
        return _measures(spark, order)
    finally:
        for view in ("x_cells", "x_domain", "x_written"):
            spark.catalog.dropTempView(view)
        spark.table("x_counts").unpersist()
        spark.catalog.dropTempView("x_counts")


def _measures(spark: Any, order: str | tuple[str, ...]) -> dict[str, Any]:
    values = int(spark.sql("SELECT count(*) FROM x_domain").first()[0])
    group = spark.sql(
        """SELECT min(l) AS l, min(h) AS h, min(present) AS present FROM (
            SELECT count_if(s IS NOT NULL) AS l, count(*) AS present,
                ln(first(n)) - sum(c * ln(c)) / first(n) AS h FROM x_cells GROUP BY g)"""
    ).first()
    shown = float(_one(spark, "SELECT max(abs(ln(c * total / (n * p)))) FROM x_cells") or 0.0)
    basic = _largest(spark, "SELECT c * total - n * p AS up, n * p AS down FROM x_cells")
    passed = _one(
        spark,
        """SELECT count_if(c * total > n * p AND
            CAST((c * total - n * p) / (n * p) AS double) >= -ln(p / total) - 1e-12)
        FROM x_cells""",
    )
    found = {
        "distinct_l": int(group["l"]),
        "entropy_l": _lowest_entropy(spark, float(group["h"])),
        "recursive_c": _recursive(spark, values),
        "t_equal": _largest(spark, _T_EQUAL),
        "alpha": _largest(spark, "SELECT c AS up, n AS down FROM x_cells"),
        "basic_beta": basic,
        "enhanced_beta": math.inf if passed else basic,
        "delta_disclosure": math.inf if int(group["present"]) < values else shown,
        "delta_disclosure_present": shown,
    }
    return found | ({"t_ordered": _t_ordered(spark, order)} if order else {})


_T_EQUAL = """SELECT sum(abs(c * total - n * p) - n * p) + first(n) * first(total) AS up,
    2 * first(n) * first(total) AS down FROM x_cells GROUP BY g"""


def _one(spark: Any, query: str) -> Any:
    return spark.sql(query).first()[0]


def _largest(spark: Any, query: str) -> Fraction:
    """Largest ratio, as two whole numbers: no rounding stands between a count and its bound."""
    up, down = spark.sql(
        f"""SELECT CAST(w.up AS {_EXACT}), CAST(w.down AS {_EXACT}) FROM (
            SELECT max_by(struct(up, down), CAST(up AS double) / CAST(down AS double)) AS w
            FROM ({query}))"""
    ).first()
    return Fraction(int(up), int(down))


def _lowest_entropy(spark: Any, lowest: float) -> tuple[tuple[int, ...], ...]:
    rows = spark.sql(
        f"""SELECT DISTINCT counts FROM (
            SELECT sort_array(collect_list(CAST(c AS bigint))) AS counts,
                ln(first(n)) - sum(c * ln(c)) / first(n) AS h FROM x_cells GROUP BY g)
        WHERE h <= {lowest!r} + 1e-9"""
    ).collect()
    return tuple(sorted(tuple(int(c) for c in counts) for (counts,) in rows))


def _recursive(spark: Any, values: int) -> Mapping[int, Fraction | float]:
    groups = int(_one(spark, "SELECT count(DISTINCT g) FROM x_cells"))
    rows = spark.sql(
        f"""SELECT l, max_by(struct(top, tail), CAST(top AS double) / CAST(tail AS double)) AS w,
            count(*) AS held FROM (
            SELECT row_number() OVER falling AS l, max(c) OVER falling AS top,
                CAST(sum(c) OVER (PARTITION BY g ORDER BY c DESC, s
                    ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS {_EXACT}) AS tail
            FROM x_cells WINDOW falling AS (PARTITION BY g ORDER BY c DESC, s))
        GROUP BY l"""
    ).collect()
    bounds = {
        int(l): Fraction(int(worst["top"]), int(worst["tail"])) if held == groups else math.inf
        for l, worst, held in rows
    }
    return {l: bounds.get(l, math.inf) for l in range(1, values + 1)}


def _t_ordered(spark: Any, order: str | tuple[str, ...]) -> Fraction:
    """Sum over the values in order of |Q - P|, cumulated, over their number less one."""
    spark.sql(f"SELECT s, p, {_rank(order)} AS v FROM x_domain").createOrReplaceTempView("x_rank")
    ranks = int(_one(spark, "SELECT count(DISTINCT v) FROM x_rank"))
    if ranks == 1:
        return Fraction(0)
    worst = _largest(
        spark,
        f"""WITH line AS (SELECT v, CAST(sum(sum(p)) OVER (ORDER BY v) AS {_EXACT}) AS upto
                FROM x_rank GROUP BY v),
            grid AS (SELECT g, n, total, v, upto FROM
                (SELECT DISTINCT g, n, total FROM x_cells) CROSS JOIN line),
            own AS (SELECT g, v, sum(c) AS c FROM x_cells a JOIN x_rank b ON a.s <=> b.s
                GROUP BY g, v),
            both AS (SELECT grid.g, n, total, upto, CAST(sum(coalesce(c, 0)) OVER
                    (PARTITION BY grid.g ORDER BY grid.v) AS {_EXACT}) AS mine
                FROM grid LEFT JOIN own ON grid.g = own.g AND grid.v = own.v)
        SELECT sum(abs(mine * total - upto * n)) AS up, first(n) * first(total) AS down
        FROM both GROUP BY g""",
    )
    return worst / (ranks - 1)


def _rank(order: str | tuple[str, ...]) -> str:
    if order == "numeric":
        return "dense_rank() OVER (ORDER BY CAST(s AS double) NULLS LAST)"
    known = ", ".join("'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'" for text in order)
    return f"if(s IS NULL, 1000000000, array_position(array({known}), CAST(s AS string)))"
