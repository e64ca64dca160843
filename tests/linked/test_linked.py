"""Linked tables: what is published of a person in any row is shared by k people, joined."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from families import ROLES, family_of, little, plan_of, slow_k, slow_km
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.datasets import hospital
from shoal.exceptions import (
    ImpossibleError,
    InputError,
    InvalidParameterError,
    ReleaseRefusedError,
)
from shoal.ledger import Ledger
from shoal.linked import (
    LinkedPlan,
    anonymize_linked,
    attack_linked,
    check_family,
    read_linked,
    run_linked,
)
from shoal.plan import Plan
from shoal.risk import WAYS_OUT
from shoal.table import Roles

HOSPITAL = {
    "patients": Roles(quasi_identifiers=["age", "sex", "zip"], person="patient_no"),
    "stays": Roles(
        quasi_identifiers=["admitted", "ward"],
        sensitive="diagnosis",
        person="patient_no",
        drop="discharged",
    ),
    "labs": Roles(quasi_identifiers=["taken", "test"], sensitive="result", person="patient_no"),
}


def released(tables=None, roles=None, **asked):
    tables = little() if tables is None else tables
    plan = plan_of(tables, roles, **asked)
    return anonymize_linked(family_of(tables, plan, roles), plan)


PEOPLE = st.integers(6, 14)


@st.composite
def families(draw):
    n = draw(PEOPLE)
    who = [f"p{i}" for i in range(n)]
    ages = draw(st.lists(st.integers(20, 40), min_size=n, max_size=n))
    sexes = draw(st.lists(st.sampled_from("fm"), min_size=n, max_size=n))
    stays = draw(
        st.lists(
            st.tuples(st.sampled_from(who), st.integers(0, 20), st.sampled_from("AB")),
            min_size=n,
            max_size=4 * n,
        )
    )
    labs = draw(st.lists(st.tuples(st.sampled_from(who), st.sampled_from("xyz")), max_size=2 * n))
    return {
        "patients": pl.DataFrame({"patient_no": who, "age": ages, "sex": sexes}),
        "stays": pl.DataFrame(
            {
                "patient_no": [s[0] for s in stays],
                "day": [s[1] for s in stays],
                "ward": [s[2] for s in stays],
                "ill": ["flu"] * len(stays),
            }
        ),
        "labs": pl.DataFrame(
            {"patient_no": [one[0] for one in labs], "test": [one[1] for one in labs]},
            schema={"patient_no": pl.String, "test": pl.String},
        ),
    }


@settings(max_examples=12)
@given(families(), st.integers(2, 4))
def test_whatever_one_row_tells_is_shared_by_k_people(tables, k):
    if not tables["labs"].height:
        tables.pop("labs")
    release = released(tables, k=k)
    assert slow_k(release) >= k
    root = release.tables["patients"].frame
    assert root["patient_no"].n_unique() == root.height == tables["patients"].height
    for made in release.tables.values():  # keys intact: nobody's row became somebody else's
        assert set(made.frame[made.person]) <= set(root["patient_no"])
    gone = sum(frame.height for frame in tables.values()) - sum(
        made.frame.height for made in release.tables.values()
    )
    assert gone == release.suppressed


@settings(max_examples=6)
@given(families())
def test_every_pair_of_rows_is_shared_where_that_is_asked_for(tables):
    tables.pop("labs")
    release = released(tables, k=2, km=2)
    assert slow_km(release, 2) >= 2


def test_rows_stay_with_their_person_and_values_inside_what_is_published():
    tables = little(24)
    release = released(tables, k=3)
    who = dict(
        zip(
            tables["patients"].sort("age")["patient_no"],
            release.tables["patients"].frame["patient_no"],
            strict=True,
        )
    )
    assert len(set(who.values())) == 24
    before = tables["stays"].group_by("patient_no").len()["len"].sort()
    after = release.data["stays"].group_by("patient_no").len()["len"].sort()
    assert release.suppressed > 0 or before.equals(after)


def test_three_tables_of_a_hospital_lose_few_rows():
    tables = hospital(400)
    release = released(tables, HOSPITAL, k=5, max_suppression=0.1)
    assert release.share_suppressed <= 0.1
    assert slow_k(release) >= 5
    assert all(loss < 0.75 for loss in release.losses.values())
    assert set(release.alone) == set(tables)
    assert all(release.losses[name] >= 0.9 * release.alone[name] for name in tables)
    sizes = [trial.crowd for trial in release.trials]
    assert sizes == [5 * 2**i for i in range(len(sizes))]


def test_the_size_of_crowds_may_be_said_and_rows_capped():
    tables = little(24)
    fixed = released(tables, crowd=12)
    assert fixed.trials == ()
    assert fixed.crowds.n_groups <= 2
    capped = released(tables, max_rows=1)
    assert capped.data["stays"].group_by("patient_no").len()["len"].max() == 1
    with pytest.raises(InvalidParameterError, match="smaller than k"):
        plan_of(tables, crowd=2)


def test_what_is_known_of_a_person_reads_the_same_in_every_table():
    tables = little(24)
    tables["stays"] = tables["stays"].join(tables["patients"], on="patient_no")
    stays = Roles(quasi_identifiers=["day", "ward", "age"], person="patient_no", sensitive="ill")
    release = released(tables, ROLES | {"stays": stays})
    people = release.data["patients"].select("patient_no", "age", "sex")
    joined = release.data["stays"].join(people, on="patient_no")
    assert joined["age"].equals(joined["age_right"])
    assert joined["sex"].equals(joined["sex_right"])  # though nobody said so of this table
    moved = tables["stays"].with_columns(age=pl.col("age") + 1)
    with pytest.raises(InputError, match="'age' of 'stays' differs"):
        released(tables | {"stays": moved}, ROLES | {"stays": stays})


def test_singletons_that_only_a_join_shows_are_all_found():
    n = 40
    who = [str(i) for i in range(n)]
    tables = {
        "patients": pl.DataFrame(
            {"patient_no": who, "age": [30 + 10 * (i % 2) for i in range(n)], "sex": ["f"] * n}
        ),
        "stays": pl.DataFrame(
            {
                "patient_no": who,
                "day": [1 if i % 2 else 2 for i in range(n)],
                "ward": ["A"] * n,
                "ill": ["flu"] * n,
            }
        ),
    }
    planted = {3, 8, 21}  # the other day for their age
    days = [d if i not in planted else 3 - d for i, d in enumerate(tables["stays"]["day"])]
    tables["stays"] = tables["stays"].with_columns(day=pl.Series(days))
    found = check_family(family_of(tables, plan_of(tables)))
    assert found.k_alone == {"patients": 20, "stays": 19}
    assert found.k == 1
    odd = {i for i in planted if i % 2}
    expected = len(odd) if len(odd) == 1 else 0
    expected += 1 if len(planted - odd) == 1 else 0
    assert found.only_joined == found.singled == expected == 1
    two = dict(tables, stays=tables["stays"].with_columns(ward=pl.Series([str(d) for d in who])))
    assert check_family(family_of(two, plan_of(two))).singled == n


def test_orphans_duplicates_and_keys_of_another_type_are_a_sentence():
    tables = little()
    strange = tables["stays"].with_columns(
        patient_no=pl.when(pl.col("day") == 0).then(pl.lit("X")).otherwise(pl.col("patient_no"))
    )
    with pytest.raises(InputError, match="1 row of 'stays' belong to nobody in 'patients'"):
        released(tables | {"stays": strange})
    kept = released(tables | {"stays": strange}, orphans="drop")
    assert "1 rows of nobody were left out." in kept.notes
    numbers = tables["stays"].with_columns(patient_no=pl.int_range(pl.len()))
    with pytest.raises(InputError, match="they are text there and numbers here"):
        released(tables | {"stays": numbers})
    twice = {"stays": tables["stays"], "labs": pl.concat([tables["labs"]] * 2)}
    with pytest.raises(InputError, match="No table has one row for each person"):
        released(twice)


@pytest.mark.parametrize("size", ["one", "many"])
def test_one_person_and_ten_thousand_rows_of_one(size):
    tables = little(24)
    if size == "one":
        few = {name: frame.filter(pl.col("patient_no") == "K000") for name, frame in tables.items()}
        with pytest.raises((ImpossibleError, InputError)):
            released(few)
        return
    extra = pl.DataFrame(
        {
            "patient_no": ["K000"] * 10_000,
            "day": np.arange(10_000) % 90,
            "ward": ["A"] * 10_000,
            "ill": ["flu"] * 10_000,
        }
    )
    release = released(tables | {"stays": pl.concat([tables["stays"], extra])})
    assert slow_k(release) >= 3
    with pytest.raises(InvalidParameterError, match="too many to bound"):
        released(tables | {"stays": pl.concat([tables["stays"], extra])}, km=2)


def test_one_folder_one_manifest_and_anybody_recounts_it(tmp_path):
    release = released(little(24), pseudonyms={"patient_no": "project"})
    written = release.write(tmp_path / "out", ledger="refuse")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("patients.csv", "stays.csv", "labs.csv", "manifest.json", "report.html", "verify.py")
    }
    assert manifest["k"] == {"asked": 3, "recounted": slow_k(release)}
    assert manifest["stamps"][0].startswith("pseudonymous")
    for path in (tmp_path / "out").iterdir():
        assert b"K00" not in path.read_bytes()
    with Ledger.open() as book:
        people, *parts = book.releases()
        assert [part.id for part in parts] == [f"{people.id}-1", f"{people.id}-2"]
        assert {entry.status for entry in (people, *parts)} == {"released"}
        assert {entry.folder for entry in (people, *parts)} == {"out"}
    verified = subprocess.run(
        [sys.executable, str(tmp_path / "out" / "verify.py")], capture_output=True, text=True
    )
    assert verified.returncode == 0, verified.stdout
    assert check_family(read_linked(tmp_path / "out")[0]).k == written.recount.k
    stays = tmp_path / "out" / "stays.csv"
    lines = stays.read_text().splitlines(keepends=True)
    stays.write_text("".join(lines[:-1]))
    broken = subprocess.run(
        [sys.executable, str(tmp_path / "out" / "verify.py")], capture_output=True, text=True
    )
    assert broken.returncode == 1
    assert "SHA-256" in broken.stdout


def test_a_row_in_the_wrong_cell_is_refused_before_the_folder_has_its_name(tmp_path):
    release = released(little(24))
    frame = release.data["stays"].with_columns(
        day=pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("[7, 9]")).otherwise(pl.col("day"))
    )
    bad = replace(
        release, tables=release.tables | {"stays": replace(release.tables["stays"], frame=frame)}
    )
    with pytest.raises(ReleaseRefusedError, match="some row is shared by 1 people"):
        bad.write(tmp_path / "out", ledger="off")
    assert not (tmp_path / "out").exists()


def test_joins_hold_across_two_releases_of_a_project_and_the_ledger_knows(tmp_path):
    tables = little(24)
    one = released(tables, crowd=4, pseudonyms={"patient_no": "project"})
    two = released(tables, crowd=4, pseudonyms={"patient_no": "project"})
    other = released(tables)
    assert set(one.data["patients"]["patient_no"]) == set(two.data["stays"]["patient_no"])
    assert one.alignment == two.alignment != ""
    one.write(tmp_path / "one", ledger="refuse")
    two.write(tmp_path / "two", ledger="refuse")  # the same crowds add nothing
    torn = released(little(24), crowd=5, pseudonyms={"patient_no": "project"})
    with pytest.raises(ReleaseRefusedError, match="Pseudonyms of an earlier release come back"):
        torn.write(tmp_path / "torn", ledger="refuse")
    assert other.alignment == ""
    assert not set(one.data["patients"]["patient_no"]) & set(other.data["patients"]["patient_no"])


def test_whoever_knows_several_rows_finds_more_and_km_bounds_it():
    tables = hospital(300)
    plan = plan_of(tables, HOSPITAL, k=5)
    raw = attack_linked(family_of(tables, plan, HOSPITAL))
    assert raw.rates[1] > 0.9  # positive control: nothing is hidden there
    made = released(tables, HOSPITAL, k=5)
    roles = {
        name: Roles(quasi_identifiers=table.quasi_identifiers, person=table.person)
        for name, table in made.tables.items()
    }
    found = attack_linked(family_of(made.data, plan_of(made.data, roles), roles))
    assert found.rates[1] <= 1 / 5
    assert found.rates[1] == found.control[1]
    assert found.rates[1] < found.rates[2] <= found.rates[3]
    assert found.control[3] < found.rates[3] / 2
    bounded = released(
        {n: tables[n] for n in ("patients", "stays")}, HOSPITAL, k=5, km=2, max_rows=3
    )
    assert slow_km(bounded, 2) >= 5
    held = attack_linked(family_of(bounded.data, plan_of(bounded.data, roles), roles))
    assert held.rates[2] <= 1 / 5


def test_dates_of_all_tables_shift_together():
    tables = hospital(200)
    roles = HOSPITAL | {
        "stays": Roles(quasi_identifiers=["ward"], sensitive="diagnosis", person="patient_no"),
        "labs": Roles(quasi_identifiers=["test"], sensitive="result", person="patient_no"),
    }
    columns = {"admitted": "shift", "discharged": "shift", "taken": "shift"}
    made = released(tables, roles, k=5, dates=columns, pseudonyms={"patient_no": "project"})
    out = made.data["stays"]
    lengths = (out["discharged"] - out["admitted"]).sort()
    assert lengths.len() <= tables["stays"].height
    assert set(lengths) <= set(tables["stays"]["discharged"] - tables["stays"]["admitted"])
    labs = made.data["labs"].join(out, on="patient_no")
    gaps = set((labs["taken"] - labs["admitted"]).to_list())
    before = tables["labs"].join(tables["stays"], on="patient_no")
    assert gaps <= set((before["taken"] - before["admitted"]).to_list())


def test_a_release_for_others_accounts_for_every_column():
    tables = sick(60)
    tables["stays"] = tables["stays"].with_columns(case=pl.int_range(pl.len()))
    with pytest.raises(ReleaseRefusedError, match="in 'stays'") as refused:
        released(tables, k=11, preset="partner")
    assert refused.value.hint == WAYS_OUT


def test_a_cluster_is_refused_before_anything_is_read():
    plan = LinkedPlan({n: Plan(source="nowhere.csv", roles=ROLES[n]) for n in ROLES}, k=3)
    with pytest.raises(InvalidParameterError, match="local engine alone"):
        run_linked(plan, engine="spark")


def sick(n=48):
    """Little tables whose sensitive values differ, and one crowd of values that do not."""
    tables = little(n)
    rows = tables["stays"].height
    ill = [("flu", "gout", "cold", "ache")[(i * 7 + i // 5) % 4] for i in range(rows)]
    tables["stays"] = tables["stays"].with_columns(ill=pl.Series(ill))
    tables["patients"] = tables["patients"].with_columns(
        blood=pl.Series(["A", "B", "0"] * (n // 3))
    )
    return tables


def slow_values(release, name, column):
    """Slow twin: who has which sensitive value in each cell, joined, from the frames alone."""
    root, table = release.tables[release.root], release.tables[name]
    homes = {r[root.person]: tuple(r[n] for n in root.own) for r in root.frame.rows(named=True)}
    own = () if name == release.root else table.own
    held = defaultdict(lambda: defaultdict(set))
    for row in table.frame.rows(named=True):
        held[homes[row[table.person]], tuple(row[n] for n in own)][row[column]].add(
            row[table.person]
        )
    return [{value: len(who) for value, who in cell.items()} for cell in held.values()]


MODELLED = {
    "patients": Roles(quasi_identifiers=["age", "sex"], person="patient_no", sensitive="blood"),
    "stays": ROLES["stays"],
}


@pytest.mark.parametrize("km", [1, 2])
def test_models_of_sensitive_columns_hold_in_every_cell_joined(km, tmp_path):
    tables = {name: frame for name, frame in sick().items() if name != "labs"}
    parts = {
        "patients": Plan(roles=MODELLED["patients"], l=2),
        "stays": Plan(roles=MODELLED["stays"], l=3, t=0.5, alpha=0.6),
    }
    plan = LinkedPlan(parts, k=3, km=km, max_suppression=1.0)
    release = anonymize_linked(family_of(tables, plan, MODELLED), plan)
    assert release.data["stays"].height > 40
    assert min(len(cell) for cell in slow_values(release, "patients", "blood")) >= 2
    cells = slow_values(release, "stays", "ill")
    assert min(map(len, cells)) >= 3
    assert max(max(cell.values()) / sum(cell.values()) for cell in cells) <= 0.6
    shown = release.data["stays"].select("ill", "patient_no").unique()
    everybody = Counter(shown["ill"].to_list())
    total = sum(everybody.values())
    for cell in cells:
        n = sum(cell.values())
        assert sum(abs(cell.get(v, 0) / n - everybody[v] / total) for v in everybody) / 2 <= 0.5
    written = release.write(tmp_path / "out", ledger="off")
    told = {p["name"]: [c["measure"] for c in p["holds"]] for p in written.manifest["tables"]}
    assert told == {"patients": ["distinct_l"], "stays": ["distinct_l", "t_equal", "k", "alpha"]}
    assert all(o.holds for outcomes in written.recount.outcomes.values() for o in outcomes)
    script = [sys.executable, str(tmp_path / "out" / "verify.py")]
    verified = subprocess.run(script, capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout
    assert "l: in stays, every cell shows" in verified.stdout
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    manifest["tables"][1]["holds"][0]["recounted"] += 1
    (tmp_path / "out" / "manifest.json").write_text(json.dumps(manifest))
    assert subprocess.run(script, capture_output=True).returncode == 1


def test_a_sensitive_value_in_the_wrong_cell_is_refused(tmp_path):
    tables = {name: frame for name, frame in sick().items() if name != "labs"}
    parts = {n: Plan(roles=MODELLED[n], **({"l": 3} if n == "stays" else {})) for n in tables}
    plan = LinkedPlan(parts, k=3, max_suppression=1.0)
    release = anonymize_linked(family_of(tables, plan, MODELLED), plan)
    frame = release.data["stays"].with_columns(ill=pl.lit("flu"))
    bad = replace(
        release, tables=release.tables | {"stays": replace(release.tables["stays"], frame=frame)}
    )
    with pytest.raises(ReleaseRefusedError, match="in 'stays', distinct 3-diversity of 'ill'"):
        bad.write(tmp_path / "out", ledger="off")


def test_presets_ask_linked_tables_for_l_and_a_grid():
    tables = {name: frame for name, frame in sick(60).items() if name != "labs"}
    plan = plan_of(tables, MODELLED, k=5, preset="partner")
    release = anonymize_linked(family_of(tables, plan, MODELLED), plan)
    assert [str(claim) for claim in release.claims["stays"]] == ["distinct 2-diversity of 'ill'"]
    flat = tables | {"stays": tables["stays"].with_columns(ill=pl.lit("flu"))}
    with pytest.raises(ImpossibleError):
        anonymize_linked(family_of(flat, plan, MODELLED), plan)


def _papers_of(tables, tmp_path, name):
    """Manifest and report, without what is drawn anew for each release."""
    plan = plan_of(tables, crowd=6)
    release = anonymize_linked(family_of(tables, plan), plan)
    release.write(tmp_path / name, ledger="off")
    manifest = json.loads((tmp_path / name / "manifest.json").read_text("utf-8"))
    manifest.pop("files")
    page = (tmp_path / name / "report.html").read_text("utf-8")
    cells = {n: t.frame.drop(t.person).sort(pl.all()).rows() for n, t in release.tables.items()}
    return release, (manifest, page, cells)


def test_whoever_is_left_out_of_a_table_shows_in_no_paper(tmp_path):
    """Of the old crowd two people have a stay, fewer than k: their years are nobody's business."""
    who = [f"K{i:02}" for i in range(12)]
    patients = {
        "patient_no": who,
        "age": [*range(30, 36), *range(80, 86)],
        "sex": ["f"] * 12,
    }
    found = []
    for name, years in (("a", ["2100", "2101"]), ("b", ["2900", "2999"]), ("c", ["2100.25", "1"])):
        stays = {
            "patient_no": [*who[:6], *who[6:8]],
            "day": [*["2001", "2001", "2001", "2004", "2004", "2004"], *years],
            "ward": ["A"] * 8,
            "ill": ["flu"] * 8,
        }
        tables = {"patients": pl.DataFrame(patients), "stays": pl.DataFrame(stays)}
        release, papers = _papers_of(tables, tmp_path, name)
        assert release.suppressed == 2
        assert papers[0]["tables"][1]["loss"] == 0.0  # every row that is released is exact
        assert release.losses["stays"] > 0.1  # whoever is left out lost everything: for the owner
        found.append(papers)
    assert found[0] == found[1] == found[2]
