"""Columns that refer to people by their keys, and those that say who did something."""

import polars as pl
import pytest
from propose_roles import proposed, repeated


def family(numbers, **more):
    mothers = [numbers[i // 3] for i in range(len(numbers))]
    fathers = [numbers[-1 - i // 4] if i % 5 else None for i in range(len(numbers))]
    ages = [str(20 + i % 61) for i in range(len(numbers))]
    named = {"person_id": numbers, "xyz": mothers, "qrs": fathers, "age": ages}
    return pl.DataFrame({**named, **more})


@pytest.mark.parametrize(
    "numbers",
    [
        [f"P{i * 37 % 997:03d}-{'abcdefg'[i % 7]}" for i in range(150)],
        [str(100 + i * 7919 % 90_001) for i in range(150)],
        [str(5001 + i) for i in range(150)],  # one after another, but large
    ],
)
def test_what_refers_to_people_is_an_identifier_whatever_it_is_called(numbers):
    roles = proposed(family(numbers))
    assert roles["xyz"] == roles["qrs"] == "identifier"
    assert roles["age"] == "quasi_identifier"


def test_few_numbered_references_are_found_by_those_that_are_called_alike():
    numbers = [str(102 + i * 7919 % 3_600) for i in range(200)]
    strangers = [str(50 + i * 613 % 3_700) for i in range(200)]
    second = [numbers[3], "9", *[None] * 198]
    with_1 = [numbers[i] if i % 2 else strangers[i] for i in range(200)]
    with_all = [f"{numbers[i]}, {numbers[-i]}" if i % 3 else "alone" for i in range(200)]
    roles = proposed(family(numbers, went_1=with_1, went_2=second, went_how=with_all))
    assert {roles[n] for n in ("went_1", "went_2", "went_how")} == {"identifier"}


@pytest.mark.parametrize("numbers", [range(1, 151), range(1901, 2051), range(3, 50_000, 331)])
def test_ages_counts_years_and_amounts_refer_to_nobody(numbers):
    numbers = [str(n) for n in numbers][:150]
    columns = {
        "visits": [str(1 + i % 9) for i in range(len(numbers))],
        "abc": [str(3 + i * 7 % 90) for i in range(len(numbers))],
        "born": [str(1950 + i * 7 % 60) for i in range(len(numbers))],
        "salary": [str(1_905 + i * 331 % 45_000) for i in range(len(numbers))],
    }
    frame = pl.DataFrame({"person_id": numbers, **columns})
    assert not {name for name in columns if proposed(frame)[name] in ("identifier", "person")}


def test_whoever_is_over_others_is_not_the_person_whom_rows_are_about():
    numbers = [f"E-{i * 37 % 997:04d}" for i in range(150)]
    over = [numbers[i // 10] for i in range(150)]
    frame = pl.DataFrame({"staff_id": numbers, "chefe": over, "dept": [o[-1] for o in over]})
    assert proposed(frame)["chefe"] == "identifier"


@pytest.mark.parametrize(
    "name",
    [
        "审核人",
        "经办人",
        "申请人",
        "负责人",
        "联系人",
        "操作人",
        "承認者",
        "担当",
        "담당자",
        "승인자",
    ],
)
def test_who_did_something_is_a_person_however_few_they_are(name):
    columns = {name: ("Wx12(a: 25)", "Ky-zed"), "状态": ("a1", "b2", "c3")}
    assert proposed(repeated(columns))[name] == "identifier"


@pytest.mark.parametrize("name", ["選手名", "选手名", "患者名", "社員名"])
def test_names_behind_a_word_for_a_person_are_names(name):
    columns = {name: [f"{i:02d}かx{i}" for i in range(60)], "x": ("1", "2")}
    assert proposed(repeated(columns))[name] in ("identifier", "person")


def test_pupils_of_czech_schools_are_people():
    columns = {"zak": [f" {n * 7}" for n in range(1, 90)], "seminar": [str(n) for n in range(9)]}
    assert proposed(repeated(columns, rows=300))["zak"] in ("identifier", "person")
