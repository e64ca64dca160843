"""Shifted dates: distances exact, days secret, and nothing beside them that tells the shift."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.cli import run
from shoal.datasets import hospital
from shoal.exceptions import InvalidParameterError, ValueKindError
from shoal.projects import DateShift, ProjectKey, rotate_key
from shoal.release import attack_release
from shoal.risk import AttackScene, run_attacks
from shoal.table import Roles, read_table

KEY = ProjectKey("trial", bytes(range(32)))
DATES = ("admitted", "discharged")


def stays(n=80, **more):
    return hospital(n, **more)["stays"]


def table(frame, **roles):
    return read_table(frame, roles=Roles(person="patient_no", **roles))


def shifted(frame, shift=None, **more):
    made = (shift or DateShift(DATES)).apply(table(frame), key=KEY, **more)
    return made.frame


def moves(before, after, column="admitted"):
    return (after[column] - before[column]).dt.total_days()


def test_everything_of_a_person_moves_by_one_amount_and_gaps_are_exact():
    before = stays()
    after = shifted(before)
    by = before.with_columns(moved=moves(before, after)).group_by("patient_no")
    assert by.agg(pl.col("moved").n_unique())["moved"].max() == 1
    assert (moves(before, after) == moves(before, after, "discharged")).all()
    assert moves(before, after).n_unique() > 30
    assert (moves(before, after) != 0).all()
    assert after.drop(DATES).equals(before.drop(DATES))


def test_the_shift_is_the_same_in_every_table_and_another_under_another_key():
    tables = hospital(60)
    lab = DateShift(("taken",)).apply(table(tables["labs"]), key=KEY).frame
    moved = dict(
        zip(tables["labs"]["patient_no"], moves(tables["labs"], lab, "taken"), strict=True)
    )
    after = shifted(tables["stays"])
    for who, days in zip(tables["stays"]["patient_no"], moves(tables["stays"], after), strict=True):
        assert moved.get(who, days) == days
    other = DateShift(DATES).apply(table(tables["stays"]), key=ProjectKey("other", KEY._key)).frame
    same = (moves(tables["stays"], other) == moves(tables["stays"], after)).mean()
    assert same < 0.05


def test_shifts_are_uniform_on_all_days_but_none():
    shift = DateShift(("admitted",), days=10)
    drawn = Counter(shift.draw([str(i) for i in range(20_000)], b"secret").tolist())
    assert set(drawn) == {*range(-10, 11)} - {0}
    expected = 1000
    chi = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert chi < 50  # 19 degrees of freedom: one in ten thousand is above


def test_week_days_and_seasons_stay_if_asked():
    before = stays()
    weekly = shifted(before, DateShift(DATES, keeps="weekday"))
    assert (weekly["admitted"].dt.weekday() == before["admitted"].dt.weekday()).all()
    yearly = moves(before, shifted(before, DateShift(DATES, days=800, keeps="season")))
    assert (yearly.abs() % 365.25).map_elements(
        lambda d: min(d, 365.25 - d), return_dtype=pl.Float64
    ).max() <= 14.5
    assert yearly.abs().min() > 300
    for days, keeps in ((6, "weekday"), (300, "season"), (0, None)):
        with pytest.raises(InvalidParameterError):
            DateShift(DATES, days=days, keeps=keeps)


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.dates(date(1990, 1, 1), date(2030, 1, 1))), min_size=2
    ),
    st.integers(1, 400),
)
def test_any_distances_of_any_person_survive(rows, days):
    frame = pl.DataFrame(
        {"patient_no": [str(p) for p, _ in rows], "admitted": [d for _, d in rows]}
    )
    after = shifted(frame, DateShift(("admitted",), days=days))["admitted"].to_list()
    for (p, one), new in zip(rows, after, strict=True):
        assert timedelta(0) < abs(new - one) <= timedelta(days=days)
        for (q, two), other in zip(rows, after, strict=True):
            assert p != q or two - one == other - new


def test_times_stay_and_whoever_is_nobody_has_no_date():
    frame = pl.DataFrame(
        {
            "patient_no": ["a", None, "b"],
            "admitted": ["2020-01-01T08:30:00", "2020-01-02T09:00:00", None],
        }
    )
    after = shifted(frame, DateShift(("admitted",)))["admitted"]
    assert after.dt.strftime("%H:%M").to_list() == ["08:30", None, None]
    odd = pl.DataFrame({"patient_no": ["a"], "admitted": ["last winter"]})
    with pytest.raises(ValueKindError, match="no dates that can be shifted"):
        shifted(odd, DateShift(("admitted",)))


@pytest.mark.parametrize(
    ("column", "made", "what"),
    [
        ("year", pl.col("admitted").dt.year(), "is the year of 'admitted'"),
        ("month", pl.col("admitted").dt.month(), "is the month of 'admitted'"),
        ("age", 2024 - pl.col("admitted").dt.year() - (pl.col("admitted").dt.month() > 6), "age"),
        ("recorded", pl.col("admitted") + pl.duration(days=3), "holds dates that are not shifted"),
    ],
)
def test_what_contradicts_a_shifted_date_is_refused(column, made, what):
    frame = stays().with_columns(
        admitted=pl.col("admitted") - pl.duration(days=365 * (pl.col("patient_no").hash() % 40)),
    )
    frame = frame.drop("discharged").with_columns(made.alias(column))
    shift = DateShift(("admitted",))
    with pytest.raises(InvalidParameterError, match=what):
        shift.apply(table(frame), key=KEY)
    dropped = shift.apply(table(frame, drop=column), key=KEY)
    assert dropped.n_rows == frame.height
    assert DateShift(("admitted",)).apply(
        table(frame.with_columns(**{column: pl.lit(7)})), key=KEY
    )  # a number that has nothing to do with it


def test_what_cannot_be_shifted_is_a_sentence():
    frame = stays()
    with pytest.raises(InvalidParameterError, match="nothing tells people apart"):
        DateShift(DATES).apply(read_table(frame), key=KEY)
    with pytest.raises(InvalidParameterError, match="generalized, not shifted"):
        DateShift(DATES).apply(table(frame, quasi_identifiers="admitted"), key=KEY)
    with pytest.raises(InvalidParameterError, match="no column named"):
        DateShift(("admited",)).apply(table(frame), key=KEY)
    with pytest.raises(InvalidParameterError, match="is left out"):
        DateShift(DATES).apply(table(frame, drop="admitted"), key=KEY)


def test_a_release_says_that_dates_are_shifted_and_counts_them_as_published(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = hospital(120)["stays"].join(hospital(120)["patients"], on="patient_no")
    frame.write_csv("stays.csv")
    line = (
        "anonymize stays.csv --quasi age,sex --sensitive diagnosis --drop zip,ward -k 4"
        " --person patient_no --shift-dates admitted,discharged --shift-days 90 --no-bound -o out"
    )
    assert run(line.split()) == 0
    manifest = json.loads(Path("out/manifest.json").read_text())
    assert manifest["shifted_dates"] == {
        "columns": ["admitted", "discharged"],
        "days": 90,
        "keeps": None,
        "shifts": 180,
    }
    assert any(told.startswith("Shifted dates") for told in manifest["not_promised"])
    assert "admitted" in manifest["singling_out"]["columns"]
    assert "Safe Harbor" in Path("out/report.html").read_text()
    out = pl.read_csv("out/data.csv", try_parse_dates=True)
    assert sorted((out["discharged"] - out["admitted"]).to_list()) == sorted(
        (frame["discharged"] - frame["admitted"]).to_list()
    )
    code = run([*line.replace("-o out", "--preset partner -o other").split(), "-k", "11"])
    assert code == 1  # nobody accepted them
    assert not Path("other").exists()


def test_two_dates_find_a_person_by_their_distance():
    """Positive control: everybody has a distance of their own. Equal ones hide."""
    frame = pl.DataFrame(
        {
            "patient_no": [str(i) for i in range(40)],
            "age": [30] * 40,
            "admitted": [date(2020, 1, 1) + timedelta(days=i) for i in range(40)],
            "discharged": [date(2020, 1, 1) + timedelta(days=7 * i + 1) for i in range(40)],
        }
    )
    asked = {"quasi_identifiers": "age", "person": "patient_no", "k": 4, "bound": False}
    release = shoal.anonymize(frame, shift=DateShift(DATES), **asked)
    found = attack_release(release, ["date_gaps"]).results[0]
    assert found.rate == 1.0
    same = frame.with_columns(discharged=pl.col("admitted") + pl.duration(days=4))
    hidden = shoal.anonymize(same, shift=DateShift(DATES), **asked)
    scene = AttackScene(
        read_table(hidden.frame, roles=Roles(quasi_identifiers="age")),
        table(same, quasi_identifiers="age"),
        table(frame, quasi_identifiers="age"),
    )
    nobody = run_attacks(scene, ["date_gaps"]).results[0]
    assert nobody.rate == pytest.approx(nobody.baseline)
    assert nobody.baseline == 1 / 40
    assert nobody.control is not None
    assert nobody.control <= nobody.rate


def test_stays_joined_by_a_pseudonym_are_found_by_the_time_between_them():
    frame = stays(150).select("patient_no", "admitted").with_columns(age=pl.lit(30))
    made = shoal.anonymize(
        frame,
        quasi_identifiers="age",
        person="patient_no",
        pseudonyms={"patient_no": "project"},
        shift=DateShift(("admitted",)),
        k=4,
        bound=False,
    )
    found = attack_release(made, ["date_gaps"]).results[0]
    assert found.rate > 0.3
    before = set(made.frame["patient_no"])
    rotate_key("default")
    assert before.isdisjoint(np.array(frame["patient_no"]))


def test_the_page_tells_how_many_shifts_are_left():
    page = (Path(__file__).parents[2] / "docs" / "dates.md").read_text("utf-8")
    found = {
        keeps: [
            f"{DateShift(DATES, days, keeps).choices.size:,}"
            for days in (182, 730)
            if not (keeps == "season" and days == 182)  # too short for a year
        ]
        for keeps in (None, "weekday", "season")
    }
    for numbers in found.values():
        assert f"{', '.join(numbers)} |" in page
