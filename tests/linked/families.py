"""Small families of tables, and a slow twin that joins and counts them."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import polars as pl

from shoal.linked import Family, LinkedPlan
from shoal.plan import Plan
from shoal.table import Roles, read_table

ROLES = {
    "patients": Roles(quasi_identifiers=["age", "sex"], person="patient_no"),
    "stays": Roles(quasi_identifiers=["day", "ward"], person="patient_no", sensitive="ill"),
    "labs": Roles(quasi_identifiers=["test"], person="patient_no"),
}


def plan_of(tables, roles=None, **settings):
    """A plan for tables in memory."""
    parts = {name: Plan(roles=(roles or ROLES)[name]) for name in tables}
    return LinkedPlan(parts, **({"k": 3, "max_suppression": 1.0} | settings))


def family_of(tables, plan, roles=None):
    """Join frames."""
    read = {n: read_table(f, roles=(roles or ROLES)[n]) for n, f in tables.items()}
    return Family.join(read, plan)


def items_of(release):
    """Slow twin: each person's published rows as (table, crowd, cell), from the frames alone."""
    root = release.tables[release.root]
    homes = {
        row[root.person]: tuple(row[name] for name in root.own)
        for row in root.frame.iter_rows(named=True)
    }
    held = {who: Counter() for who in homes}
    for name, table in release.tables.items():
        if name == release.root:
            continue
        for row in table.frame.iter_rows(named=True):
            who = row[table.person]
            held[who][(name, homes[who], tuple(row[n] for n in table.own))] += 1
    return homes, held


def slow_k(release):
    """Fewest people who share a crowd, or a row joined with its person."""
    homes, held = items_of(release)
    sharing = defaultdict(set)
    for who, items in held.items():
        for item in items:
            sharing[item].add(who)
    return min([*Counter(homes.values()).values(), *map(len, sharing.values())])


def slow_km(release, m):
    """Fewest people who share any combination of up to m rows of one person."""
    _, held = items_of(release)
    counts = Counter()
    for items in held.values():
        each = sorted(((item, nth) for item, n in items.items() for nth in range(n)), key=repr)
        for size in range(1, m + 1):
            counts.update(combinations(each, size))
    return min(counts.values(), default=10**9)


def little(n=12):
    """Twelve patients, one to three stays each, some results."""
    who = [f"K{i:03d}" for i in range(n)]
    return {
        "patients": pl.DataFrame(
            {"patient_no": who, "age": [30 + i for i in range(n)], "sex": ["f", "m"] * (n // 2)}
        ),
        "stays": pl.DataFrame(
            {
                "patient_no": [w for i, w in enumerate(who) for _ in range(1 + i % 3)],
                "day": [i * 7 + j for i in range(n) for j in range(1 + i % 3)],
                "ward": ["AB"[(i + j) % 2] for i in range(n) for j in range(1 + i % 3)],
                "ill": ["flu", "gout", "cold"][: 1 + 0] * sum(1 + i % 3 for i in range(n)),
            }
        ),
        "labs": pl.DataFrame({"patient_no": who[::2], "test": ["blood", "liver"] * (n // 4)}),
    }
