"""Pseudonyms: the same person, the same name; nobody else's, and nobody's own."""

from __future__ import annotations

import hmac
from hashlib import sha256

import numpy as np
import polars as pl
import pytest
from hospital import CANARY, hospital
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.cli import run
from shoal.exceptions import InvalidParameterError, ReleaseRefusedError, RoleConflictError
from shoal.ledger import Ledger, Trace, compose
from shoal.ledger._alignment import count_split
from shoal.projects import (
    Disguise,
    ProjectKey,
    Pseudonym,
    destroy_key,
    make_pseudonyms,
    new_key,
    rotate_key,
)
from shoal.projects import _pseudonyms as module

KNOWN = ("age", "sex")
KEY = ProjectKey("trial", bytes(range(32)))


def release(frame, scope="project", **more):
    asked = {
        "quasi_identifiers": KNOWN,
        "sensitive": "ill",
        "person": "patient_no",
        "publish_as_is": "ward",
        "k": 4,
        "bound": False,
    }
    return shoal.anonymize(frame, pseudonyms={"patient_no": scope}, **(asked | more))


def pseudonyms(made):
    return set(made.frame["patient_no"])


def test_a_pseudonym_is_the_hmac_of_the_name_under_a_key_of_project_and_domain():
    """Golden: written down here a second time, from RFC 2104 and the framing of parts."""
    parts = ["shoal 1", "trial", "pseudonym", "patient"]
    framed = b"".join(len(p).to_bytes(8, "little") + p.encode() for p in parts)
    own = hmac.new(hmac.new(KEY._key, framed, sha256).digest(), b"0017", sha256).hexdigest()
    made = make_pseudonyms(pl.Series(["0017"]), KEY, "patient", prefix="P-")
    assert made.to_list() == [f"P-{own[:32]}"]


@settings(max_examples=25)
@given(names=st.lists(st.text(max_size=8), unique=True, max_size=30), one=st.text(), two=st.text())
def test_different_names_differ_and_domains_share_nothing(names, one, two):
    texts = pl.Series(names, dtype=pl.String)
    made = make_pseudonyms(texts, KEY, one).to_list()
    assert len(set(made)) == len(names)
    assert make_pseudonyms(texts.reverse(), KEY, one).to_list() == made[::-1]
    if one != two:
        assert not set(made) & set(make_pseudonyms(texts, KEY, two).to_list())


def test_a_collision_is_refused(monkeypatch):
    monkeypatch.setattr(module, "HEX_DIGITS", 1)
    with pytest.raises(ReleaseRefusedError, match="one pseudonym"):
        make_pseudonyms(pl.Series([str(i) for i in range(40)]), KEY, "patient")


def test_spellings_are_one_only_if_that_is_declared():
    texts = pl.Series(["AB7 ", "ab7", "0ab7"])
    assert make_pseudonyms(texts, KEY, "p").n_unique() == 3
    assert make_pseudonyms(texts, KEY, "p", clean=["trim", "case"]).n_unique() == 2
    frame = hospital(20).with_columns(
        patient_no=pl.Series([f" ab{i // 2}" if i % 2 else f"AB{i // 2}" for i in range(20)])
    )
    plain = release(frame, k=2)
    assert len(pseudonyms(plain)) == 20
    assert any("blanks or case" in warning for warning in plain.summary.warnings)
    cleaned = release(frame, k=2, clean={"patient_no": ["trim", "case"]})
    assert len(pseudonyms(cleaned)) == 10
    other = frame.with_columns(pl.col("patient_no").str.to_lowercase().str.strip_chars())
    again = release(other, k=2, clean={"patient_no": ["trim", "case"]})
    assert pseudonyms(again) == pseudonyms(cleaned)


def test_project_pseudonyms_join_across_tables_and_releases_byte_for_byte():
    frame = hospital()
    first = release(frame)
    second = release(frame.sample(fraction=1, shuffle=True, seed=3), quasi_identifiers="age")
    assert pseudonyms(first) == pseudonyms(second)
    other = frame.rename({"patient_no": "pat_id"})
    asked = {"quasi_identifiers": KNOWN, "person": "pat_id", "k": 4, "bound": False}
    shared = {"scope": "project", "domain": "patient_no"}
    joined = shoal.anonymize(other, pseudonyms={"pat_id": shared}, **asked)
    apart = shoal.anonymize(other, pseudonyms={"pat_id": "project"}, **asked)
    assert set(joined.frame["pat_id"]) == pseudonyms(first)
    assert not set(apart.frame["pat_id"]) & pseudonyms(first)
    new_key("other")
    assert not pseudonyms(release(frame, project="other")) & pseudonyms(first)
    rotate_key("default")
    assert not pseudonyms(release(frame)) & pseudonyms(first)
    destroy_key("default")
    with pytest.raises(InvalidParameterError, match="destroyed"):
        release(frame)


def test_release_pseudonyms_join_nothing_and_leave_no_key(house):
    one, two = release(hospital(), "release"), release(hospital(), "release")
    assert len(pseudonyms(one)) == 60
    assert not pseudonyms(one) & pseudonyms(two)
    assert not (house / "keys" / "project-default").exists()
    assert not one.summary.stamps


def test_each_person_keeps_their_rows_and_k_counts_people():
    frame = pl.concat([hospital(30), hospital(30, seed=2)])  # everybody twice
    made = release(frame)
    assert made.frame["patient_no"].value_counts()["count"].to_list() == [2] * 30
    groups = made.frame.group_by(KNOWN).agg(pl.col("patient_no").n_unique())
    assert groups["patient_no"].min() >= 4
    assert any("Pseudonyms join the rows of a person" in told for told in made.summary.warnings)
    assert not any("join the rows" in told for told in release(hospital(30)).summary.warnings)


def test_a_row_that_names_nobody_has_no_pseudonym():
    frame = hospital(40).with_columns(
        patient_no=pl.when(pl.col("age") > 60).then(None).otherwise(pl.col("patient_no"))
    )
    made = release(frame)
    assert made.frame["patient_no"].null_count() == frame["patient_no"].null_count() > 0


def test_the_canary_is_in_nothing_that_leaves(tmp_path):
    made = release(hospital())
    written = made.write(tmp_path / "out", ledger="warn", provenance=True)
    assert written.manifest["counts"] == "people"
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes(), path.name
    key = (tmp_path / "house" / "keys" / "project-default").read_bytes()
    for path in (*(tmp_path / "out").rglob("*"), *(tmp_path / "house").glob("*")):
        if path.is_file():
            assert key not in path.read_bytes(), path.name
            assert key.hex().encode() not in path.read_bytes(), path.name


def test_the_release_says_what_it_is(tmp_path):
    made = release(hospital())
    made.write(tmp_path / "out", ledger="off")
    stamp = "pseudonymous: personal data under the GDPR for whoever can get the key"
    assert made.manifest["stamps"] == [stamp]
    assert stamp in (tmp_path / "out" / "report.html").read_text()
    told = made.manifest["pseudonyms"]
    assert [(p["column"], p["of"], p["scope"]) for p in told] == [
        ("patient_no", "person", "project")
    ]
    assert {"name": "patient_no", "role": "pseudonym"} in made.manifest["columns"]
    assert made.manifest["columns_dropped"] == 0
    assert "patient_no" not in made.manifest["singling_out"]["open"]
    opened = shoal.read_release(tmp_path / "out")
    assert opened.roles.person == "patient_no"


def test_a_release_for_others_accounts_for_the_pseudonyms(tmp_path):
    made = release(hospital(200), k=None, preset="partner", sensitive=(), drop="ill")
    assert made.verdict.holds


def test_a_pseudonym_that_people_share_is_published_and_counted():
    """The doctor: whoever knows whose patient somebody is, sees who else is."""
    frame = hospital().with_columns(doctor=pl.Series([f"{CANARY}D{i % 50}" for i in range(60)]))
    made = shoal.anonymize(
        frame,
        quasi_identifiers=KNOWN,
        person="patient_no",
        identifiers="doctor",
        drop=["ward", "ill"],
        pseudonyms={"doctor": "release"},
        k=4,
        bound=False,
    )
    assert made.frame.columns == ["age", "sex", "doctor"]
    assert made.frame["doctor"].n_unique() == 50
    assert not made.frame["doctor"].str.contains(CANARY).any()
    assert made.manifest["singling_out"]["columns"]["doctor"] > 0.5
    assert made.manifest["singling_out"]["accepted"] == ["doctor"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("forever", "cannot be 'forever'"),
        ({"scope": "project", "look": "runes"}, "cannot be 'runes'"),
        ({"scope": "project", "looks": "hex"}, "has no 'looks'"),
        ({"scope": "project", "prefix": "=1"}, "prefix"),
        (7, "release"),
    ],
)
def test_what_is_no_pseudonym_is_a_sentence(value, sentence):
    with pytest.raises(InvalidParameterError, match=sentence):
        Pseudonym.of(value)


def test_columns_that_name_nobody_get_no_pseudonym():
    with pytest.raises(RoleConflictError, match="must name somebody"):
        shoal.anonymize(
            hospital(), quasi_identifiers="age", k=4, pseudonyms={"patient_no": "release"}
        )
    twice = pl.concat([hospital(30), hospital(30)])
    with pytest.raises(InvalidParameterError, match="k would count rows"):
        shoal.anonymize(
            twice,
            quasi_identifiers="age",
            identifiers="patient_no",
            k=4,
            pseudonyms={"patient_no": "release"},
        )
    with pytest.raises(InvalidParameterError, match="no column named"):
        Disguise({"patient": "release"}).prepare(shoal.read_table(hospital()))


def test_the_ledger_refuses_crowds_that_pseudonyms_tear_apart(tmp_path):
    frame = hospital(120)
    release(frame).write(tmp_path / "one", ledger="refuse")
    release(frame).write(tmp_path / "same", ledger="refuse")  # identical crowds add nothing
    other = release(frame, quasi_identifiers=("age", "ward"), publish_as_is="sex", sensitive="ill")
    with pytest.raises(ReleaseRefusedError, match="Pseudonyms of an earlier release come back"):
        other.write(tmp_path / "other", ledger="refuse")
    with Ledger.open() as book:
        assert len(book.releases()) == 2
    plain = release(frame, "release", quasi_identifiers=("age", "ward"), publish_as_is="sex")
    with Ledger.open() as book:
        found = book.score(plain.lineage.table, plain.lineage.grouping, k=4)
    assert found.shrunk  # is told, and no reason to refuse where rows cannot be aligned
    assert not found.split


def test_kept_crowds_let_pseudonyms_come_back(tmp_path, monkeypatch):
    """Who leaves takes the crowd along, who comes waits: then nothing is torn apart."""
    monkeypatch.chdir(tmp_path)
    frame = hospital(120)
    ways = "--quasi age,sex --sensitive ill --publish-as-is ward --person patient_no -k 4"
    line = f"{ways} --pseudonym patient_no=project --ledger refuse --no-bound --json"
    frame.write_csv("one.csv")
    assert run(["anonymize", "one.csv", *line.split(), "-o", "one"]) == 0
    frame.slice(1).write_csv("two.csv")
    assert run(["anonymize", "two.csv", *line.split(), "-o", "two"]) == 1
    assert run(["anonymize", "two.csv", *line.split(), "--hide-changes", "-o", "two"]) == 0
    one, two = (set(pl.read_csv(f"{n}/data.csv")["patient_no"]) for n in ("one", "two"))
    assert two < one


def test_who_came_and_who_left_need_company_too():
    def trace(people, groups, key="x"):
        numbers = np.array(people, dtype=np.uint64)
        return Trace(numbers, numbers, np.array(groups, dtype=np.int32), k=2, alignment=key)

    first = trace([1, 2, 3, 4], [0, 0, 1, 1])
    assert count_split(trace([1, 2, 3, 4], [5, 5, 5, 5]), [first]) == 0
    assert count_split(trace([1, 2, 3, 4], [0, 1, 0, 1]), [first]) == 4
    assert count_split(trace([1, 2, 3, 4], [0, 1, 0, 1], key="y"), [first]) == 0
    assert count_split(trace([1, 2, 3], [0, 0, 0]), [first]) == 2  # 4 left, and 3 is left alone
    assert count_split(trace([1, 2, 3, 4, 5], [0, 0, 1, 1, 1]), [first]) == 1  # 5 came alone
    assert count_split(trace([1, 2], [0, 0]), [first]) == 0  # a whole crowd left
    torn = trace([1, 2, 3, 4], [0, 1, 0, 1])
    assert count_split(torn, [first, torn]) == 0  # what was torn before is not counted again
    assert compose(torn, []).split == 0
    back = Trace.from_bytes(first.to_bytes())
    assert back.alignment == "x"
