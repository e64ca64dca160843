"""Two linked tables made by hand, and the manifest that tells of them truly."""

from __future__ import annotations

PEOPLE = [
    ("person", "age", "sex", "blood"),
    *[(f"P{i}", "[30, 39]", "f", "AB0"[i % 3]) for i in range(4)],
    *[(f"P{i}", "[40, 49]", "", "AB0"[i % 3]) for i in range(4, 9)],
]
STAYS = [  # in crowd one two cells, shared by four and by three; in crowd two one, by five
    ("person", "day", "age", "ill"),
    *[(f"P{i}", "1", "[30, 39]", "flu" if i % 2 else "gout") for i in range(4)],
    *[(f"P{i}", "2", "[30, 39]", "flu" if i % 2 else "cold") for i in range(3)],
    *[(f"P{i}", "1", "[40, 49]", ("flu", "gout", "")[i % 3]) for i in range(4, 9)],
]


def told(name, role_of, own, facts, rows, k, claims=(), unique=0.0):
    return {
        "name": name,
        "file": f"{name}.csv",
        "rows": rows,
        "person": "person",
        "columns": [{"name": column, "role": role} for column, role in role_of.items()],
        "quasi_identifiers": own,
        "person_facts": facts,
        "k_joined": k,
        "holds": list(claims),
        "loss": 0.1,
        "share_unique": unique,
        "open": [],
    }


def l_of(column, asked, found):
    said = {"model": f"distinct {asked}-diversity of {column!r}", "measure": "distinct_l"}
    return {**said, "column": column, "asked": asked, "recounted": found, "holds": True}


HIDDEN = "quasi-identifier"
MANIFEST = {
    "people_table": "people",
    "people": 9,
    "crowds": 2,
    "k": {"asked": 3, "recounted": 3},
    "km": {"m": 2, "asked": 3, "recounted": 3},
    "draft": False,
    "tables": [
        told(
            "people",
            {"person": "pseudonym", "age": HIDDEN, "sex": HIDDEN, "blood": "sensitive"},
            ["age", "sex"],
            [],
            9,
            4,
            [l_of("blood", 2, 3)],
            0.33,  # of each crowd one with B or 0, or one with A
        ),
        told(
            "stays",
            {"person": "pseudonym", "day": HIDDEN, "age": HIDDEN, "ill": "sensitive"},
            ["day"],
            ["age"],
            12,
            3,
            [l_of("ill", 2, 2)],
            0.22,  # P1 on the second day, and P6
        ),
    ],
}
