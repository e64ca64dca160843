"""``shoal attack`` as it is typed."""

from __future__ import annotations

import json

import polars as pl
import pytest

from conftest import CANARY
from shoal.risk import ATTACKS

QUASI = "age,sex,zip,education"


@pytest.fixture(scope="module")
def halves(tmp_path_factory, town):
    """A released half of the town, and one that was held out."""
    folder = tmp_path_factory.mktemp("halves")
    frame = pl.read_csv(town / "data.csv", infer_schema=False)
    frame[:200].write_csv(folder / "original.csv")
    frame[200:].write_csv(folder / "held_out.csv")
    return folder


@pytest.fixture
def release(here, halves, town, shoal):
    ask = f"anonymize {halves / 'original.csv'} -k 5 --quasi {QUASI} --sensitive diagnosis"
    told = shoal(
        f"{ask} --identifier name,person_id --hierarchies {town / 'hierarchies'}", "-o", "release"
    )
    assert told.code == 0, told.err
    return here / "release"


def test_the_contract(shoal, release, halves, town):
    told = shoal(
        f"attack {release} --original {halves / 'original.csv'} --json",
        *("--control", halves / "held_out.csv", "--hierarchies", town / "hierarchies"),
    )
    assert told.code in (0, 1)
    assert told.code == (0 if told.json["holds"] else 1)
    assert len(told.json["attacks"]) == len(ATTACKS)
    for attack in told.json["attacks"]:
        assert {"name", "rate", "baseline", "control", "interval", "people"} <= {*attack}
        low, high = attack["interval"]
        assert 0 <= low <= attack["rate"] <= high <= 1
    rates = {attack["name"]: attack for attack in told.json["attacks"]}
    assert rates["exact_linkage"]["rate"] <= 1 / 5 + 1e-9
    assert rates["exact_linkage"]["people"] == 200
    assert rates["membership"]["applies"]
    assert rates["file_metadata"]["rate"] == 0


def test_exits_1_when_an_attack_gains_more_than_the_preset_accepts(shoal, release, halves):
    ask = f"attack {release} --original {halves / 'original.csv'} --attacks attribute_inference"
    assert shoal(f"{ask} --preset internal").code == 0
    told = shoal(f"{ask} --json --preset public")
    assert told.code == 1
    assert told.json["exceeding"] == ["attribute_inference"]


def test_the_raw_table_is_the_positive_control(shoal, here, halves):
    original = halves / "original.csv"
    told = shoal(
        f"attack {original} --original {original} --quasi {QUASI} --sensitive diagnosis --json"
    )
    assert told.code == 1
    assert "exact_linkage" in told.json["exceeding"]


def test_an_attacker_may_know_less(shoal, release, halves):
    def rate(*more):
        told = shoal(f"attack {release} --original {halves / 'original.csv'} --json", *more)
        return told.json["attacks"][0]["rate"]

    one = ("--attacks", "exact_linkage")
    assert rate(*one, "--aux", "sex") < rate(*one)


def test_text_and_page(shoal, release, halves, here):
    told = shoal(f"attack {release} --original {halves / 'original.csv'} --page page.html")
    assert "attacks were tried" in told.out
    assert "Not tried: membership" in told.out
    page = (here / "page.html").read_text()
    assert page.count("<svg") >= 10
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("attack", "Which release"),
        ("attack nowhere --original original.csv", "no release"),
        ("attack original.csv --original original.csv", "manifest"),
        ("attack release --original original.csv --attacks magic", "no attack named"),
        ("attack release --original original.csv --preset magic", "no threshold"),
        ("attack release --original gone.csv", "gone.csv"),
        ("attack --plan plan.toml --quasi age", "give one of them"),
        ("attack release --original original.csv --hold-out 0.1", "goes with --plan"),
        ("attack --plan gone.toml", "gone.toml"),
    ],
)
def test_wrong_usage(shoal, release, halves, here, line, words):
    (here / "original.csv").write_bytes((halves / "original.csv").read_bytes())
    told = shoal(line)
    assert (told.code, told.out) == (2, "")
    assert words in told.err


def test_a_damaged_manifest_is_explained(shoal, release, halves):
    (release / "manifest.json").write_text("{}")
    told = shoal(f"attack {release} --original {halves / 'original.csv'}")
    assert (told.code, told.out) == (2, "")


def test_no_value_leaves_a_cell(shoal, release, halves, here):
    frame = pl.read_csv(halves / "original.csv", infer_schema=False)
    zips = pl.Series("zip", [CANARY, *frame["zip"][1:]])
    frame.with_columns(zips).write_csv(here / "planted.csv")
    told = shoal(f"attack {release} --original planted.csv --json --page page.html")
    assert json.loads(told.out)
    assert CANARY not in told.out + told.err + (here / "page.html").read_text()


def test_people_held_out_are_read_like_the_original(shoal, here):
    """Codes of a few people may look like numbers; they are not."""
    pl.DataFrame({"zip": ["0801", "080A", "1190", "119B"]}).write_csv(here / "original.csv")
    pl.DataFrame({"zip": ["0801", "1190"]}).write_csv(here / "held_out.csv")
    told = shoal(
        "attack original.csv --original original.csv --quasi zip --control held_out.csv --json",
        *("--attacks", "exact_linkage"),
    )
    assert told.json["attacks"][0]["control"] == 1.0


def test_links_to_values_that_were_moved_are_claims(shoal, here, patients):
    ask = f"anonymize {patients} -k 5 --quasi age,visits --sensitive diagnosis --method quantize"
    assert shoal(f"{ask} --identifier name,person_id -o moved").code == 0
    told = shoal(f"attack moved --original {patients} --json --attacks exact_linkage,relinking")
    assert told.code == 0
    assert all(attack["upper_bound"] for attack in told.json["attacks"])
    assert "claimed, not right" in told.json["attacks"][0]["note"]
    raw = f"attack {patients} --original {patients} --quasi age,visits --attacks exact_linkage"
    assert shoal(f"{raw} --json").json["attacks"][0]["upper_bound"] is False


def test_a_plan_is_attacked_with_people_held_out(shoal, here, patients):
    quasi = 'quasi_identifiers = ["age", "visits"]'
    (here / "plan.toml").write_text(
        f'[table]\nsource = "{patients}"\n[roles]\n{quasi}\nsensitive = ["diagnosis"]\n'
        'identifiers = ["name", "person_id"]\n[privacy]\nk = 5\n'
    )
    few = ("--attacks", "exact_linkage,membership")
    told = shoal("attack --plan plan.toml --json", *few)
    assert told.code == 0, told.err
    linkage, membership = told.json["attacks"]
    rows = pl.read_csv(patients).height
    assert linkage["people"] == rows - round(0.2 * rows)
    assert membership["applies"]
    assert linkage["control"] is not None
    assert linkage["rate"] <= 1 / 5 + 1e-9
    assert {path.name for path in here.iterdir()} == {"plan.toml"}
    assert shoal("ledger show --json").json["releases"] == []
    assert shoal("attack --plan plan.toml --hold-out 1", *few).code == 2


def test_all_rows_of_a_person_are_held_out_together(tmp_path):
    from shoal.plan import Plan, rehearse
    from shoal.table import Roles

    frame = pl.DataFrame(
        {"who": [f"p{i // 3}" for i in range(300)], "age": [i % 40 for i in range(300)]}
    )
    frame.write_csv(tmp_path / "visits.csv")
    plan = Plan(
        source=str(tmp_path / "visits.csv"),
        roles=Roles(quasi_identifiers="age", person="who"),
        k=5,
    )
    found = rehearse(plan, ["exact_linkage"], hold_out=0.3)
    assert found.held_out == 90
    assert found.released == 210
    away, there = (set(t.text("who")) for t in (found.scene.control, found.scene.original))
    assert len(away) == 30
    assert not away & there


def test_labels_of_ready_ladders_are_understood(shoal, here):
    codes = [f"{letter}{i}" for letter in "EJ" for i in range(10, 40)] * 4
    frame = pl.DataFrame({"dx": codes, "age": [str(20 + i % 7) for i in range(240)]})
    frame.write_csv("t.csv")
    made = shoal("anonymize t.csv --quasi dx,age -k 5 --hierarchy dx=icd10 -o out")
    assert made.code == 0, made.err
    asked = "attack out --original t.csv --attacks exact_linkage --json"
    blind, told = (shoal(f"{asked} {more}") for more in ("", "--hierarchy dx=icd10"))
    assert "dx were not understood" in blind.json["attacks"][0]["note"]
    assert told.json["attacks"][0]["note"] == ""
