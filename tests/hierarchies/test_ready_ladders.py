"""Ready ladders: every value has one way up, what is unknown is counted, and the right one fits."""

from __future__ import annotations

import csv
import pickle
from importlib.resources import files

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.cli import run
from shoal.exceptions import HierarchyGapError, InvalidParameterError
from shoal.hierarchies import READY, Taxonomy, ready_ladder, recognize_ladder
from shoal.hierarchies.ready import OTHER, ReadyLadder
from shoal.hierarchies.ready._icd10 import _RANGES
from shoal.utility import GeneralizedEncoder

SAMPLES = {
    "icd10": ["E11.9", "e10", "J45.0", "C7A.1", "M54", "U07.1", "Z99", "S72.00", "A09"],
    "icd9": ["250.83", "8", "V57", "E885.9", "999"],
    "us_states": ["CA", "New York", "texas", "DC"],
    "atc": ["A10BA02", "A10BB01", "C09AA05", "N02BE01", "A10"],
    "countries": ["AT", "DEU", "Österreich", "Viet-Nam", "United-States", "Peru", "Nigeria"],
    "education": [
        "Bachelors",
        "HS-grad",
        "Doctorate",
        "1st-4th",
        "Hauptschule",
        "Matura",
        "basic.9y",
    ],
    "isco": ["2221", "2211", "9112", "0110", "5", "51"][:4],
    "postal:us": ["90210", "90211-1234", "10001"],
    "postal:gb": ["SW1A 1AA", "SW1A 2BB", "M1 1AE", "EC1A1BB"],
    "postal:de": ["80331", "D-10115", "01067"],
    "postal:at": ["8010", "A-1190"],
    "postal:ca": ["K1A 0B1", "V6B 4N6"],
    "postal:nl": ["1012 AB", "1011CD"],
    "postal:cz": ["580 43", "11000", "811 01"],
    "postal:se": ["113 20", "SE-41101", "97231"],
    "postal:dk": ["1050", "DK-8000", "0150"],
    "postal:br": ["01310-100", "20040020"],
    "postal:jp": ["100-0001", "5300001"],
}


@pytest.mark.parametrize("word", SAMPLES)
def test_known_values_climb_as_many_steps_as_the_ladder_has(word):
    ladder = ready_ladder(word)
    assert isinstance(ladder, ReadyLadder)
    for value in SAMPLES[word]:
        assert len(ladder.climb(value) or ()) == len(ladder.steps), value
    assert ladder.climb("no such thing 17x") is None
    tree = ladder.arrange(SAMPLES[word])
    assert tree.height == len(ladder.steps) + 1
    assert pickle.loads(pickle.dumps(ladder)) == ladder  # workers of Spark get it


LETTERS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-* ", min_size=1, max_size=9)


@given(st.sampled_from(sorted(SAMPLES)), st.lists(LETTERS, min_size=1, unique=True), st.data())
def test_every_label_has_one_parent(word, odd, data):
    """A ladder that sent one label two ways would be refused as no tree."""
    ladder = ready_ladder(word)
    known = data.draw(st.lists(st.sampled_from(SAMPLES[word]), min_size=1, unique=True))
    values = sorted({*odd, *known})
    Taxonomy.from_ladder(ladder.ladder_rows(values))
    ladder.published_tree([*values, *(ladder.climb(known[0]) or ())])


def test_blocks_of_icd10_ascend_inside_their_chapters():
    last = ""
    for chapter, blocks in _RANGES.items():
        assert blocks[0][:3] >= chapter[:3]
        assert blocks[-1][4:] <= chapter[4:]
        for block in blocks:
            assert last < block[:3] <= block[4:], block
            last = block[4:]
    assert ready_ladder("icd10").climb("D48.9") == ("D48", "D37-D49", "C00-D49")
    assert ready_ladder("icd10").climb("B14") == ("B14", "A00-B99", "A00-B99")  # in no block


def test_countries_are_all_of_iso_3166_and_each_name_is_one():
    text = (files("shoal.hierarchies.ready") / "countries.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    spellings = [
        s for row in rows for s in (row["alpha2"], row["alpha3"], *row["names"].split("|"))
    ]
    assert len(rows) == 250  # 249, and Kosovo
    assert len(spellings) == len(set(spellings))
    climb = ready_ladder("countries").climb
    assert {climb(spelling)[1] for spelling in spellings} == {
        *("Africa", "Americas", "Antarctica", "Asia", "Europe", "Oceania")
    }


@pytest.mark.parametrize(
    ("name", "values", "word"),
    [
        ("dx", SAMPLES["icd10"], "icd10"),
        ("what", SAMPLES["atc"], "atc"),
        ("seat", ["A10", "B12", "C03"], None),
        ("native-country", ["Peru", "Cuba", "Japan", "India"], "countries"),
        ("country", ["AT", "DE", "IT"], "countries"),
        ("state", ["CA", "IN", "GA"], "us_states"),
        ("code", ["AT", "DE", "IT"], None),
        ("diag_1", ["250.83", "276", "648", "8", "V27", "E885"], "icd9"),
        ("room", ["250", "276", "648"], None),
        ("schooling", SAMPLES["education"], "education"),
        ("occupation", SAMPLES["isco"], "isco"),
        ("room", SAMPLES["isco"], None),
        ("zip", ["90210", "10001", "60601"], "postal:us"),
        ("PLZ", ["80331", "10115", "01067"], "postal:de"),
        ("plz", ["8010", "1190", "4020"], "postal:at"),
        ("where", SAMPLES["postal:gb"], "postal:gb"),
        ("PSČ", ["580 43", "110 00", "602 00"], "postal:cz"),
        ("Postnummer", ["113 20", "411 01", "972 31"], "postal:se"),
        ("postnr", ["1050", "8000", "0150"], "postal:dk"),
        ("Postinumero", ["00100", "33100", "90100"], "postal:fi"),
        ("irányítószám", ["1011", "6720", "9021"], "postal:hu"),
        ("Почтовый индекс", ["101000", "443001", "420012"], "postal:ru"),
        ("CEP", ["01310-100", "20040020", "30110-008"], "postal:br"),
        ("郵便番号", ["100-0001", "530-0001", "060-0001"], "postal:jp"),
        ("count", ["10100", "44300", "42001"], None),
        ("cabin", ["A22", "A45", "C85", "E90"], None),
        ("student", ["S200003", "S200028", "S200051"], None),
        ("reason", ["E11.9", "J45.0", "I10"], "icd10"),
        ("grade", ["A", "B", "C", "D"], None),
        ("colour", ["red", "green", "blue"], None),
        ("dx", ["E11.9", "E10"], None),  # two values are not worth a ladder
        ("dx", [*SAMPLES["icd10"], "flu", "cold", "cough"], None),
    ],
)
def test_the_right_ladder_is_recognized(name, values, word):
    found = recognize_ladder(name, values)
    assert (found and found.word) == word


def test_what_is_not_covered_is_counted_and_hangs_under_other():
    codes = [f"E{i}.1" for i in range(10, 30)]
    found = recognize_ladder("dx", [*codes, "unclear"])
    assert (found.covered, found.total) == (20, 21)
    assert "1 of 21 are not" in found.reason
    tree = ready_ladder("icd10").arrange([*codes, "unclear", "lost"])
    odd = [int(tree.position[i]) for i in (20, 21)]
    assert tree.node_labels[tree.lca(*odd)] == OTHER
    with pytest.raises(HierarchyGapError, match="2 of 3") as error:
        ready_ladder("icd10").arrange(["E11", "canary", "sparrow"], column="dx")
    assert "canary" not in f"{error.value} {error.value.hint}"
    with pytest.raises(InvalidParameterError, match="no ready ladder 'icd8'"):
        ready_ladder("icd8")


def patients(n=400):
    rng = np.random.default_rng(4)
    codes = [f"{c}{d}.{e}" for c in "EIJM" for d in range(10, 60, 3) for e in range(2)]
    return pl.DataFrame(
        {
            "dx": rng.choice(codes, n),
            "country": rng.choice(["Austria", "Germany", "Peru", "Japan", "Kenya"], n),
            "age": rng.integers(20, 80, n),
            "readmitted": rng.choice(["yes", "no"], n),
        }
    )


def test_a_release_by_ready_ladders_can_be_learned_from():
    trees = {"dx": ready_ladder("icd10"), "country": ready_ladder("countries")}
    quasi = ["dx", "country", "age"]
    release = shoal.anonymize(
        patients(), quasi_identifiers=quasi, target="readmitted", hierarchies=trees, k=5
    )
    encoder = GeneralizedEncoder(trees, quasi_identifiers=quasi).fit(release.data)
    raw = encoder.transform(patients())
    assert np.isfinite(raw).all()
    assert max(encoder.n_unseen_.values()) == 0


def test_init_proposes_them_and_the_plan_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    patients().drop("readmitted").write_csv("patients.csv")
    assert run(["init", "patients.csv"]) == 0
    written = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    assert 'country = "countries"' in written
    asked = "anonymize patients.csv --quasi dx,country,age --hierarchy dx=icd10,country=countries"
    assert run([*asked.split(), "-k", "5", "-o", "out"]) == 0
    above = {label for code in patients()["dx"] for label in ready_ladder("icd10").climb(code)}
    released = {*pl.read_csv("out/data.csv")["dx"]}
    assert released & above
    assert released <= {*patients()["dx"], *above, "*"}
    asked = "anonymize patients.csv --quasi dx --hierarchy dx=icd8 -o again"
    assert run(asked.split()) == 2
    assert "icd10" in capsys.readouterr().err


def test_a_plan_takes_every_word():
    plan = shoal.Plan(hierarchies={f"c{i}": word for i, word in enumerate(READY)})
    assert 'c0 = "icd10"' in plan.to_toml()


def test_only_calendars_lose_by_other_than_height():
    """By what was measured (decision 27)."""
    trees = [*READY.values(), shoal.Mask(), Taxonomy.from_parents({"a": "*", "b": "*"})]
    assert {tree.loss for tree in trees} == {"height"}
    assert shoal.Calendar().loss == "leaves"
