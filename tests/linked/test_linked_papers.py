"""What the papers of linked tables say can be counted in their files, or is said in steps."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict

import polars as pl
from families import family_of, plan_of

from shoal.linked import anonymize_linked
from shoal.table import Roles

ROLES = {
    "patients": Roles(quasi_identifiers="age", person="patient_no"),
    "stays": Roles(quasi_identifiers="day", person="patient_no", sensitive="ill", drop="note"),
}


def tables(n=60, long=()):
    """People with two stays each; of some a ward that only they were on."""
    who = [f"K{i:03}" for i in range(n)]
    rows = [(w, (7 * i + 11 * j) % 60, i, j) for i, w in enumerate(who) for j in range(2)]
    rows += [(w, 9000 + j, int(w[1:]), 0) for w in long for j in range(40)]
    stays = {
        "patient_no": [w for w, *_ in rows],
        "day": [day for _, day, _, _ in rows],
        "ward": [f"own {i}" if i % 10 == 0 else "all" for _, _, i, _ in rows],
        "ill": [("flu", "gout", "cold")[(i + j) % 3] for _, _, i, j in rows],
        "note": [f"n{i}" for i, _ in enumerate(rows)],
    }
    patients = {"patient_no": who, "age": [20 + i % 40 for i in range(n)]}
    return {"patients": pl.DataFrame(patients), "stays": pl.DataFrame(stays)}


def written(found, folder, **asked):
    plan = plan_of(found, ROLES, **({"k": 4, "crowd": 12} | asked))
    release = anonymize_linked(family_of(found, plan, ROLES), plan)
    release.write(folder, ledger="off")
    return release


def read(folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lost(cells):
    """What intervals lose, over what is published."""
    ends = [[float(n) for n in re.findall(r"[\d.]+", cell)] for cell in cells]
    reach = max(e[-1] for e in ends) - min(e[0] for e in ends)
    return sum((e[-1] - e[0]) / reach for e in ends) / len(ends)


def test_the_manifest_of_linked_tables_can_be_recomputed(tmp_path):
    written(tables(), tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    people, stays = (read(tmp_path / "out", name) for name in ("patients", "stays"))
    homes = {row["patient_no"]: row["age"] for row in people}
    sharing, cells = defaultdict(set), defaultdict(set)
    for row in stays:
        who = row["patient_no"]
        cells[homes[who], row["day"]].add(who)
        sharing[homes[who], row["day"], row["ward"], row["ill"]].add(who)
    alone = {who for members in sharing.values() if len(members) == 1 for who in members}
    seen = {row["patient_no"] for row in stays}
    smallest = min(map(len, cells.values()))
    crowd = min(Counter(homes.values()).values())
    parts = manifest["tables"]
    assert [part["rows"] for part in parts] == [len(people), len(stays)]
    assert [part["k_joined"] for part in parts] == [crowd, smallest]
    assert manifest["k"] == {"asked": 4, "recounted": min(crowd, smallest)}
    assert (manifest["people"], manifest["crowds"]) == (len(homes), len({*homes.values()}))
    assert parts[1]["share_unique"] == float(f"{len(alone) / len(seen):.2g}") > 0
    assert parts[0]["share_unique"] == 0
    for part, column, rows in zip(parts, ("age", "day"), (people, stays), strict=True):
        assert part["loss"] == float(f"{lost([row[column] for row in rows]):.2g}")
    assert {*manifest} == {
        *("shoal", "format", "people_table", "people", "crowds", "k", "km", "tables"),
        *("suppressed", "pseudonyms", "preset", "draft", "stamps", "not_promised", "files"),
    }  # a new key must be recomputed above before it is published
    assert {*parts[1]} == {
        *("name", "file", "rows", "person", "columns", "quasi_identifiers", "person_facts"),
        *("k_joined", "holds", "loss", "share_unique", "open"),
    }


def test_rows_that_are_left_out_are_told_in_people(tmp_path):
    """Forty rows of one person are a third of all: told in rows, they spoke of that one person."""
    release = written(tables(long=["K007"]), tmp_path / "out", crowd=30, max_rows=5)
    assert (release.suppressed, release.rows_in) == (37, 220)
    assert release.cut == 1
    for name in ("manifest.json", "report.html"):
        assert "fewer than 10 %" in (tmp_path / "out" / name).read_text("utf-8")
    plain = written(tables(), tmp_path / "plain", crowd=30)
    assert (plain.suppressed, plain.cut) == (0, 0)
    manifest = json.loads((tmp_path / "plain" / "manifest.json").read_text("utf-8"))
    assert manifest["suppressed"] == "fewer than 10 %"
