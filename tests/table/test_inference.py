"""Kinds and roles, proposed with a reason."""

import polars as pl
import pytest

from shoal.table import Guess, Roles, infer_kinds, infer_roles, read_table

KINDS = {
    "numeric": ["1", "-2.5", "3e4", "+7", " 8"],
    "date": ["2020-01-31", "1999-12-01T10:00"],
    "nominal": ["a", "b"],
    "code": ["01234", "99999"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_text(kind):
    guess = infer_kinds(read_table(pl.DataFrame({"x": KINDS[kind]})))["x"]
    assert guess.choice == kind
    assert guess.reason.endswith(".")
    assert not any(value in guess.reason for value in KINDS[kind] if len(value) > 1)


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("zip", ["12345", "54321"], "code"),
        ("homePostcode", [8010, 1010], "code"),
        ("zipper", ["12345", "54321"], "numeric"),
        ("diagnosis", ["A01.2", "B20", "Z99.1"], "code"),
        ("x", ["NA", "1"], "nominal"),
        ("x", ["inf", "1"], "nominal"),
        ("x", ["1_000", "1"], "nominal"),
        ("x", ["1e400", "1"], "nominal"),
        ("x", ["01/02/2003"], "nominal"),
        ("x", ["13/02/2003", "01/02/2003"], "date"),
        ("x", ["2024-02-30", "2024-02-28"], "nominal"),
        ("x", [True, False], "nominal"),
        ("x", [None, None], "nominal"),
        ("x", ["1"] * 300 + ["one"], "nominal"),
        ("x", [str(i) for i in range(300)] + ["one"], "nominal"),
    ],
)
def test_kinds_of_odd_columns(name, values, kind):
    assert read_table(pl.DataFrame({name: values})).kinds[name] == kind


def test_a_kind_given_wins():
    table = read_table(pl.DataFrame({"x": ["1", "2"]}), kinds={"x": "nominal"})
    assert table.kinds["x"] == "nominal"
    assert infer_kinds(table)["x"].choice == "numeric"


def test_scales_and_decimal_commas_are_pointed_out():
    table = read_table(pl.DataFrame({"pain": ["low", "High"], "price": ["1,5", "2,0"]}))
    guesses = infer_kinds(table)
    assert "scale" in guesses["pain"].reason
    assert "comma" in guesses["price"].reason


def test_roles_by_name_and_by_value():
    n = 30
    frame = pl.DataFrame(
        {
            "patient_id": [i // 2 for i in range(n)],
            "eMail": [f"p{i}@x.org" for i in range(n)],
            "token": [f"{i:x}-q" for i in range(n)],
            "TAJ": [100_000_007 * i % 999_999_937 for i in range(1, n + 1)],
            "reading": [i / 7 for i in range(n)],
            "Age": list(range(n)),
            "marital-status": ["single", "married"] * 15,
            "wage": list(range(n)),
            "package": ["a"] * n,
            "seen": ["2020-01-01", "2020-02-01"] * 15,
            "exported": ["2020-01-01"] * n,
            "class of worker": ["a", "b"] * 15,
            "readmitted": [0, 1] * 15,
        }
    )
    guesses = infer_roles(read_table(frame))
    assert {name: guess.choice for name, guess in guesses.items()} == {
        "patient_id": "person",
        "eMail": "identifier",
        "token": "identifier",
        "TAJ": "identifier",  # whole numbers that all differ are numbers of people
        "reading": "sensitive",  # no two are alike: told, and asked about before others get it
        "Age": "quasi_identifier",
        "marital-status": "quasi_identifier",
        "wage": "sensitive",
        "package": "other",
        "seen": "quasi_identifier",
        "exported": "other",
        "class of worker": "quasi_identifier",
        "readmitted": "target",
    }
    assert all(guess.reason.endswith(".") for guess in guesses.values())
    roles = Roles.from_choices({name: guess.choice for name, guess in guesses.items()})
    assert roles.person == "patient_id"
    assert roles.target == "readmitted"


def test_only_one_target_and_one_person_are_proposed():
    frame = pl.DataFrame(
        {
            "label": [0, 1] * 4,
            "class": [0, 1] * 4,
            "user_id": [1, 1, 2, 2, 3, 3, 4, 4],
            "client_id": [5, 5, 5, 6, 6, 7, 7, 8],
        }
    )
    guesses = infer_roles(read_table(frame))
    assert [guess.choice for guess in guesses.values()] == [
        "target",
        "other",
        "person",
        "identifier",
    ]


def test_a_guess_prints_its_reason():
    assert str(Guess("code", "Digits.")) == "code (Digits.)"


def test_adult_roles_and_kinds(data_dir):
    path = data_dir / "adult_malle_experiment" / "original_data_5000_rows.csv"
    table = read_table(path)
    names = {name.strip(): name for name in table.column_names}
    assert table.kinds[names["age"]] == "numeric"
    assert table.kinds[names["race"]] == "nominal"
    guesses = infer_roles(table)
    assert guesses[names["age"]].choice == "quasi_identifier"
    assert guesses[names["income"]].choice == "sensitive"


def test_a_column_of_names_is_one_however_few_names_there_are():
    frame = pl.DataFrame(
        {
            "Nachname": ["Huber", "Gruber", "Bauer", "Moser", "Mayer", "Berger"] * 20,
            "Station": ["A", "B", "C", "D", "E", "F"] * 20,
        }
    )
    found = infer_roles(read_table(frame))
    assert found["Nachname"].choice == "identifier"
    assert found["Station"].choice != "identifier"
