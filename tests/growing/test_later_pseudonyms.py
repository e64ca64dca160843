"""Pseudonyms over time: the same person has the same one in every delivery."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256

import polars as pl
import pytest
from registry import QUASI, asked, check_difference, people, read

import shoal
from shoal.cli import run
from shoal.exceptions import InvalidParameterError
from shoal.growing import LaterDelivery, Refounding
from shoal.ledger import Ledger
from shoal.projects import DateShift, Disguise, make_pseudonyms, new_key, project_key, rotate_key
from shoal.release import read_release
from shoal.risk import AttackScene, run_attacks

JANUARY = people(90, 1)
FEBRUARY = pl.concat([JANUARY, people(60, 2, start=90)])
WHO = {"id": "project"}


def disguised(pseudonyms=WHO, shift=None, project="default", **more):
    return asked(**more).set_params(disguise=Disguise(pseudonyms, project, {}, shift))


def first(frame, folder, anonymizer=None, **reading):
    fitted = (anonymizer or disguised()).fit(read(frame, **reading))
    return fitted.release_.write(folder, ledger="refuse")


def later(frame, after, folder, anonymizer=None, **reading):
    delivery = LaterDelivery(anonymizer or disguised(), after).fit(read(frame, **reading))
    return delivery, delivery.release_.write(folder)


def words(folder, column="id"):
    return pl.read_csv(folder / "data.csv", infer_schema=False)[column]


def test_people_keep_their_pseudonym_and_newcomers_get_theirs(house):
    first(JANUARY, house / "one")
    delivery, written = later(FEBRUARY, house / "one", house / "two")
    check_difference(house / "one", house / "two", 3, 2)
    made = make_pseudonyms(FEBRUARY["id"], project_key(), "id").to_list()
    assert {*words(house / "one")} == {*made[:90]}
    assert {*words(house / "one")} < {*words(house / "two")} <= {*made}
    assert words(house / "two").n_unique() == 150 - delivery.counts_["waiting"]
    assert written.ledger.composition.split == 0
    one, two = (json.loads((house / n / "manifest.json").read_text()) for n in ("one", "two"))
    for name in ("pseudonyms", "stamps", "columns", "columns_dropped", "not_promised"):
        assert one[name] == two[name], name
    public = b"".join(path.read_bytes() for path in (house / "two").iterdir())
    assert b"p000" not in public
    told = subprocess.run([sys.executable, house / "two" / "verify.py"], capture_output=True)
    assert told.returncode == 0
    assert b"Pseudonyms tell people apart" in told.stdout


def test_laid_over_each_other_deliveries_tell_no_more_than_one(house):
    first(JANUARY, house / "one")
    later(FEBRUARY, house / "one", house / "two")
    disguised(k=4).fit(read(FEBRUARY)).release_.write(house / "anew", ledger="off")
    one, rates = read_release(house / "one").table, {}
    for name in ("two", "anew"):
        scene = AttackScene(one, read(FEBRUARY), beside=read_release(house / name).table)
        (rates[name],) = run_attacks(scene, ["pseudonym_linkage"]).results
    assert rates["two"].rate == rates["two"].control <= 1 / 3
    scene = AttackScene(read_release(house / "two").table, read(FEBRUARY), beside=one)
    (back,) = run_attacks(scene, ["pseudonym_linkage"]).results
    assert back.rate == back.control <= 1 / 3  # as much as the first one told of its people
    assert 0 < back.details["newcomers"] <= 1 / 3  # and as their batch told of newcomers
    assert rates["anew"].rate > 1.5 * rates["anew"].control  # grouped anew: the harm
    assert ledger_split(disguised(k=4)) > 0  # and the ledger would have refused it


def test_as_typed_with_a_plan(house, capsys, monkeypatch):
    monkeypatch.chdir(house)
    JANUARY.write_csv("january.csv")
    FEBRUARY.write_csv("february.csv")
    (house / "plan.toml").write_text(
        '[roles]\nperson = "id"\nquasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\n'
        'drop = ["born", "zip", "job", "pay"]\n[privacy]\nk = 3\nl = 2\n'
        '[pseudonyms]\nid = {scope = "project", prefix = "P-"}\n'
    )
    line = "--plan plan.toml --ledger refuse --no-bound --json"
    assert run(["anonymize", "january.csv", *line.split(), "-o", "one"]) == 0
    assert run(["anonymize", "february.csv", *line.split(), "--after", "one", "-o", "two"]) == 0
    capsys.readouterr()
    assert {*words(house / "one")} < {*words(house / "two")}
    only = "--original january.csv --attacks pseudonym_linkage --beside two --json"
    assert run(["attack", "one", *only.split()]) == 0
    (attack,) = json.loads(capsys.readouterr().out)["attacks"]
    assert attack["rate"] == attack["control"] <= 1 / 3
    assert run(["check", "two", "-k", "3"]) == 0


def test_in_one_call_and_with_digits(house):
    pytest.importorskip("cryptography")
    frame = FEBRUARY.with_columns(id=pl.int_range(150).cast(pl.String).str.zfill(7))
    told = {"quasi_identifiers": ["age", "sex"], "sensitive": "ill", "person": "id", "k": 3, "l": 2}
    told |= {"drop": ["born", "zip", "job", "pay"], "bound": False}
    told["pseudonyms"] = {"id": {"scope": "project", "look": "digits"}}
    shoal.anonymize(frame[:90], **told).write(house / "one", ledger="refuse")
    shoal.anonymize(frame, **told, after=house / "one").write(house / "two")
    assert {*words(house / "one")} < {*words(house / "two")}
    assert words(house / "two").str.len_chars().unique().to_list() == [7]


REFUSED = {
    "of one release": ({"id": "release"}, "default", "key was forgotten"),
    "prefix": ({"id": {"scope": "project", "prefix": "P-"}}, "default", "in another way"),
    "domain": ({"id": {"scope": "project", "domain": "x"}}, "default", "in another way"),
    "project": (WHO, "other", "under another key"),
    "none": ({}, "default", "other columns"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_pseudonyms_that_would_not_be_the_same_are_a_sentence(house, case):
    first(JANUARY, house / "one")
    new_key("other")
    pseudonyms, project, sentence = REFUSED[case]
    with pytest.raises(InvalidParameterError, match=sentence) as told:
        later(FEBRUARY, house / "one", house / "two", disguised(pseudonyms, project=project))
    assert "p000" not in str(told.value) + str(told.value.hint)


def test_a_key_that_was_replaced_or_a_release_without_one_cannot_be_followed(house):
    first(JANUARY, house / "one")
    first(JANUARY, house / "forgetful", disguised({"id": "release"}))
    with pytest.raises(InvalidParameterError, match="key was forgotten"):
        later(FEBRUARY, house / "forgetful", house / "two")
    rotate_key("default")
    with pytest.raises(InvalidParameterError, match="under another key"):
        later(FEBRUARY, house / "one", house / "two")


def test_pseudonyms_that_were_swapped_in_the_folder_are_noticed(house):
    first(JANUARY, house / "one")
    data, manifest = house / "one" / "data.csv", house / "one" / "manifest.json"
    a, b = words(house / "one")[0], words(house / "one")[-1]
    data.write_text(data.read_text().replace(a, "?").replace(b, a).replace("?", b))
    facts = json.loads(manifest.read_text())
    facts["files"]["data.csv"]["sha256"] = sha256(data.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(facts))
    with pytest.raises(InvalidParameterError, match="in another way"):
        later(FEBRUARY, house / "one", house / "two")


def test_whoever_was_forgotten_does_not_come_back_under_the_same_pseudonym(house):
    first(JANUARY, house / "one")
    with Ledger.open() as ledger:
        ledger.forget(read(JANUARY), "id", ["p00004"])
    gone = make_pseudonyms(pl.Series(["p00004"]), project_key(), "id")[0]
    for then, now in (("one", "two"), ("two", "three")):
        delivery, _ = later(FEBRUARY, house / then, house / now)
        assert delivery.counts_["held"] == 1
        assert gone not in words(house / now).to_list()
    assert "not published under it again" in " ".join(delivery.notes())


def test_a_refounding_has_pseudonyms_that_nobody_knows_again(house):
    two_ills = (
        pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("flu")).otherwise(pl.lit("cold"))
    )
    january, february = (frame.with_columns(ill=two_ills) for frame in (JANUARY, FEBRUARY))
    first(january, house / "one", disguised(k=6))
    later(february, house / "one", house / "two", disguised(k=6))
    with pytest.raises(InvalidParameterError, match="would come back in other crowds"):
        Refounding(disguised(k=6)).fit(read(february))  # under the key of the deliveries
    before = {*words(house / "two")}
    new_key("other")
    for pseudonyms, project in (({"id": "release"}, "default"), (WHO, "other")):
        founding = Refounding(disguised(pseudonyms, project=project, k=6)).fit(read(february))
        out = house / f"draft-{project}"
        written = founding.release_.write(out, ledger="off")
        there = words(out)
        assert there.n_unique() == there.len() == 150 - founding.counts_["rows_dropped"] > 0
        assert not {*there} & before
        assert [p["of"] for p in written.manifest["pseudonyms"]] == ["person"]
    founding.release_.write(house / "anew", ledger="refuse")
    more = pl.concat([february, people(100, 3, start=500)])
    delivery = LaterDelivery(disguised(project="other", k=6), house / "anew").fit(read(more))
    delivery.release_.write(house / "next", ledger="refuse")
    assert {*words(house / "anew")} < {*words(house / "next")}


def ledger_split(anonymizer):
    """For how many people pseudonyms would tell who was with whom, were they grouped anew."""
    made = anonymizer.fit(read(FEBRUARY)).release_.lineage
    with Ledger.open() as ledger:
        trace = ledger.trace(made.table, made.grouping, k=4, alignment=made.alignment)
        return ledger.weigh(trace).split


def test_a_refounding_shifts_dates_once(house):
    shift = DateShift(("born",), days=50)
    known = tuple(name for name in QUASI if name != "born")
    roles = shoal.Roles(quasi_identifiers=known, sensitive="ill", person="id", drop="pay")
    table = shoal.read_table(JANUARY, roles=roles, kinds={"zip": "code", "born": "date"})
    Refounding(disguised(shift=shift)).fit(table).release_.write(house / "one", ledger="off")
    truth = shift.apply(table, domain="").frame["born"].cast(pl.String)
    names = make_pseudonyms(JANUARY["id"], project_key(), "id")
    found = dict(zip(words(house / "one"), words(house / "one", "born"), strict=True))
    assert found.items() <= dict(zip(names, truth, strict=True)).items()


def test_a_doctor_whom_people_share_keeps_a_pseudonym_too(house):
    doctor = pl.format("Dr. {}", pl.int_range(pl.len()) % 7)
    months = [JANUARY.with_columns(doctor=doctor), FEBRUARY.with_columns(doctor=doctor)]
    months.append(people(30, 3, start=500).with_columns(doctor=pl.format("Dr. {}", pl.col("id"))))
    both = disguised({**WHO, "doctor": "project"})
    first(months[0], house / "r0", both, identifiers="doctor")
    for number, month in enumerate(months[1:], 1):
        folder = house / f"r{number}"
        _, written = later(month, house / f"r{number - 1}", folder, both, identifiers="doctor")
        assert written.ledger.composition.disclosed == 0
        check_difference(house / f"r{number - 1}", folder, 3, 2)
    assert {*words(house / "r0", "doctor")} == {*words(house / "r1", "doctor")}
    assert words(house / "r2", "doctor").n_unique() > 20
    assert written.manifest["singling_out"]["accepted"] == ["doctor"]
    told = subprocess.run([sys.executable, house / "r2" / "verify.py"], capture_output=True)
    assert told.returncode == 0


def test_names_that_became_shared_are_a_sentence(house):
    named = JANUARY.with_columns(card=pl.format("C{}", "id"))
    both = disguised({**WHO, "card": "project"})
    first(named, house / "one", both, identifiers="card")
    more = people(30, 3, start=500).with_columns(card=pl.lit("C1"))
    with pytest.raises(InvalidParameterError, match="names some in several now"):
        later(more, house / "one", house / "two", both, identifiers="card")


def test_another_visit_has_the_pseudonym_of_its_person(house):
    visits = pl.concat([JANUARY, JANUARY.with_columns(pay=pl.col("pay") + 1)])
    first(visits, house / "one")
    again = JANUARY[:40].with_columns(pay=pl.lit(99.5))
    later(pl.concat([visits, again]), house / "one", house / "two")
    both = words(house / "two")
    assert len(both) > 180
    assert both.n_unique() == 90
    check_difference(house / "one", house / "two", 3, 2)


def test_shifted_dates_stay_shifted_by_as_much(house):
    shift = DateShift(("born",), days=50)
    known = tuple(name for name in QUASI if name != "born")
    made = disguised(shift=shift)

    def table(frame):
        roles = shoal.Roles(quasi_identifiers=known, sensitive="ill", person="id", drop="pay")
        return shoal.read_table(frame, roles=roles, kinds={"zip": "code", "born": "date"})

    made.fit(table(JANUARY)).release_.write(house / "one", ledger="refuse")
    delivery = LaterDelivery(made, house / "one").fit(table(FEBRUARY))
    delivery.release_.write(house / "two")
    assert delivery.counts_["changed"] == 0
    moved = dict(zip(words(house / "two"), words(house / "two", "born"), strict=True))
    then = dict(zip(words(house / "one"), words(house / "one", "born"), strict=True))
    assert then.items() <= moved.items()
    truth = shift.apply(table(FEBRUARY), domain="").frame["born"].cast(pl.String)
    names = make_pseudonyms(FEBRUARY["id"], project_key(), "id")
    assert moved.items() <= dict(zip(names, truth, strict=True)).items()
    with pytest.raises(InvalidParameterError, match="shifted in another way"):
        LaterDelivery(disguised(), house / "two").fit(table(FEBRUARY))
