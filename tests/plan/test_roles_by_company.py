"""Roles that values, neighbours and words of a service give, where names alone say too little."""

import polars as pl
import pytest
from propose_roles import proposed, repeated

import shoal
from shoal.table import infer_roles, read_table

OFFERED = ("novels", "crime stories", "poems", "comics", "travel guides", "cook books")


def ticked(offered: tuple[str, ...], rows: int = 200) -> list[str]:
    """Draw lists of what was offered: any of them may be ticked, at least one is."""
    return [
        ";".join(text for n, text in enumerate(offered) if n == i % len(offered) or i >> n & 1)
        for i in range(rows)
    ]


@pytest.mark.parametrize(
    "name", ["What do you like to read most of all, in these years?", "reads_2"]
)
def test_answers_that_were_ticked_are_kept_however_they_are_combined(name):
    assert proposed(pl.DataFrame({name: ticked(OFFERED)}))[name] == "sensitive"


def test_lists_of_people_are_no_answers_that_were_ticked():
    people = tuple(f"{a} {b}" for a in ("Ulwe", "Orm") for b in ("Tarnek", "Posk", "Varnit"))
    assert proposed(pl.DataFrame({"team": ticked(people)}))["team"] != "sensitive"


def test_what_is_kept_stays_so_where_nothing_is_known_of_others():
    marks = {
        name: [str(i * n % 41 / 4) for i in range(120)] for n, name in ((7, "Toan"), (3, "Ly"))
    }
    columns = shoal.propose(pl.DataFrame({**marks, "Diem Hoa": marks["Ly"]})).columns
    assert {part.role for part in columns} == {"sensitive"}


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (("activo", "retirado", "egresado"), "sensitive"),
        (("NORMAL", "CRÍTICO"), "sensitive"),
        (("Puebla", "Jalisco", "Colima"), "quasi_identifier"),
    ],
)
def test_a_state_is_one_of_people_or_of_a_land_as_its_values_are(values, role):
    frame = repeated({"estado": values, "edad": ("31", "45")}, rows=220)
    assert proposed(frame)["estado"] == role


@pytest.mark.parametrize("end", ["_x", "_y", ".1"])
def test_what_was_added_to_a_name_where_tables_were_joined_says_nothing(end):
    frame = repeated({f"Wohnort{end}": ("a", "b", "c"), f"Einkommen{end}": ("1", "2", "3")})
    assert list(proposed(frame).values()) == ["quasi_identifier", "sensitive"]


@pytest.mark.parametrize(
    "name", ["canal_acquisition", "tipo_dispositivo", "Kundensegment", "cihaz tipi", "is_active"]
)
def test_devices_channels_and_segments_of_a_service_tell_nothing_of_people(name):
    assert proposed(repeated({name: ("a", "b", "c"), "age": ("31", "45")}))[name] == "other"


@pytest.mark.parametrize("name", ["tętno", "PLT", "売上", "GGTP", "avg_monthly_transactions"])
def test_measures_and_sums_are_kept_however_exact_they_are_in_other_languages(name):
    exact = {name: tuple(str(60 + i * 7 % 83) for i in range(83)), "WBC": ("4.1", "5.2")}
    columns = {**exact, "RBC": ("4.4", "5.1"), "wiek": ("31", "45"), "płeć": ("k", "m")}
    assert proposed(repeated(columns, rows=166))[name] == "sensitive"


def test_a_code_of_somebody_is_a_key():
    codes = [str(30_000 + i * 17 % 4_000) for i in range(300)]
    frame = pl.DataFrame({"COD_ALUMNO": codes, "NOTA": [str(i % 20) for i in range(300)]})
    assert proposed(frame)["COD_ALUMNO"] == "identifier"


def test_answers_among_columns_about_health_are_kept_to_the_people():
    rows = 120
    health = {"tumor": ["0", "1"], "pregnant": ["0", "1"], "cholesterol": ["180", "201"]}
    strange = {"goitre": ["0", "1"], "sat_by": ["a", "b", "c"], "age": ["31", "45"]}
    alone = {"ward_bed": ["1", "2"], "age": ["31", "45"], "sex": ["f", "m"], "tumor": ["0", "1"]}

    def filled(columns):
        return pl.DataFrame({name: (values * rows)[:rows] for name, values in columns.items()})

    among = proposed(filled({**health, **strange, "zzz": ["x", "y"]}))
    assert among["zzz"] == "sensitive"
    assert among["age"] == "quasi_identifier"
    assert proposed(filled({**alone, "zzz": ["x", "y"]}))["zzz"] == "other"  # one is no company


def test_two_about_health_and_the_name_of_patients_keep_what_is_unknown():
    known = {"age": ("31", "45"), "sex": ("f", "m"), "town": ("Graz", "Linz"), "zzz": ("x", "y")}
    two = {"tumor": ("0", "1"), "asthma": ("0", "1")}
    assert proposed(repeated({**known, **two}))["zzz"] == "sensitive"
    assert proposed(repeated({**known, "patient_group": ("1", "2")}))["zzz"] == "sensitive"
    many = {f"shelf {letter}": (letter, "-") for letter in "abcdefghijkl"}
    assert proposed(repeated({**known, **two, **many}))["zzz"] == "other"


def test_numbers_beside_marks_or_money_are_others_of_them():
    numbers = tuple(str(number) for number in range(20, 40))
    for known in (("exam", "gpa"), ("salary", "debt")):
        columns = {**dict.fromkeys(known, numbers), "zzz": numbers, "age": numbers}
        many = {f"shelf {letter}": (letter, "-") for letter in "abcdef"}
        roles = proposed(repeated({**columns, **many}))
        assert roles["zzz"] in ("sensitive", "quasi_identifier"), known


def test_texts_of_a_secret_are_secrets_elsewhere_too():
    rulings = ("guilty", "not guilty", "probation", "jail", "felony", "warning")
    frame = repeated({"age": ("31", "45"), "first": rulings, "second": rulings[::-1]})
    assert proposed(frame)["second"] == "sensitive"


def test_numbers_under_the_subjects_of_a_school_are_marks():
    marks = dict.fromkeys(("Matemáticas", "Ciencias", "Lenguaje"), ("4", "7", "9"))
    assert set(proposed(repeated(marks)).values()) == {"sensitive"}


def test_columns_like_those_of_other_tables_are_given_their_roles():
    people = {"age": ("31", "45"), "sex": ("f", "m")}
    asked = repeated({**people, "housing_situation_now": ("aa", "bb", "cc")})
    found = infer_roles(read_table(asked))["housing_situation_now"]
    assert (found.choice, found.reason.startswith("Columns like it")) == ("quasi_identifier", True)
