"""Keys and names of people, which are never published."""

import random

import polars as pl
import pytest
from propose_roles import proposed, pupils, repeated

from shoal.table import infer_roles, read_table
from shoal.table.recognizing import bare


@pytest.mark.parametrize(
    "shape",
    ["{:08d}Z", "{:03d}.123.456-09", "{:03d}-12-3456", "12.345.{:03d}-k"],
)
def test_numbers_of_identity_papers_are_identifiers(shape):
    frame = pl.DataFrame({"x": [shape.format(i) for i in range(100, 200)] * 2})
    assert proposed(frame) == {"x": "identifier"}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("dipendente_id", [str(n) for n in range(1, 14)]),  # thirteen people, with many rows each
        ("subject", [str(n) for n in range(1, 67)]),
        ("telefono_celular", [f"+519759{n}" for n in range(23000, 23120)]),
        ("caseid", [f"2:{n // 3}:{n % 3}" for n in range(120)]),
    ],
)
def test_keys_of_people_are_never_published(name, values):
    role = proposed(repeated({name: values, "age": ("31", "45")}, rows=360))[name]
    assert role in ("identifier", "person")


@pytest.mark.parametrize(
    "name",
    [
        "Participant",
        "Teilnehmer_Nr",
        "Sujet",
        "codice_partecipante",
        "résztvevő",
        "участник",
        "参与者",
    ],
)
@pytest.mark.parametrize(
    "values",
    [("1", "2", "3", "4"), ("KX5KP", "KX6P8", "KXABC", "KX8YO"), tuple(map(str, range(40)))],
)
def test_words_for_a_person_are_keys_of_people_however_few(name, values):
    columns = {name: values, "age": ("31", "45"), "duration": ("5", "6")}
    assert proposed(repeated(columns, rows=360))[name] in ("identifier", "person")


def test_words_for_a_person_are_no_keys_where_they_are_answered_by_yes_or_no():
    columns = {"participant": ("0", "1"), "age": ("31", "45", "52")}
    assert proposed(repeated(columns, rows=360))["participant"] not in ("identifier", "person")


@pytest.mark.parametrize(
    ("name", "beside"),
    [("apt", "colour"), ("Hausnummer", "colour"), ("unit", "address"), ("piano", "indirizzo")],
)
def test_parts_of_addresses_are_never_published(name, beside):
    columns = {name: ("1", "2", "3A", "4"), beside: ("red", "green"), "age": ("31", "45")}
    assert proposed(repeated(columns, rows=360))[name] == "drop"


@pytest.mark.parametrize("name", ["product_id", "id_forfait", "tariff_id", "panier_id", "seat_no"])
def test_keys_of_things_are_no_keys_of_people(name):
    columns = {name: [f"P{n:03}" for n in range(7)], "city": ("Graz", "Linz"), "sex": ("f", "m")}
    assert proposed(repeated(columns, rows=350))[name] not in ("identifier", "person")


def test_names_of_firms_and_functions_are_known_to_others():
    firms = [
        f"{a}{b}en {c}" for a in "BDFG" for b in "aeiou" for c in ("Academy", "Border", "Farm")
    ]
    columns = {"CompanyName": firms, "age": ("31", "45"), "sex": ("f", "m", "f")}
    assert proposed(repeated(columns, rows=130))["CompanyName"] == "quasi_identifier"


def test_numbers_beside_names_number_people():
    names = [f"Anna {a}{b}nov" for a in "BDFGKLMNPR" for b in "aeiouy"]
    numbers = tuple(f"{n}" for n in range(1, 61))
    frame = repeated({"Nr1": numbers, "Name1": names, "court": ("1", "2")}, rows=240)
    assert proposed(frame)["Nr1"] in ("identifier", "person")


@pytest.mark.parametrize("name", ["ModifiedBy", "entered_by", "usuario_registro", "erfasst von"])
def test_who_did_something_is_never_published(name):
    keys = tuple(str(n) for n in (60211, 41877, 52034, 41902, 60555))
    columns = {name: keys, "tumor": ("0", "1"), "asthma": ("0", "1"), "age": ("31", "45")}
    assert proposed(repeated(columns, rows=100))[name] in ("identifier", "person")


def test_names_of_employees_are_names():
    letters = "abcdefghij"
    names = [f"{a}{b}".capitalize() + "wun" for a in letters for b in letters]
    frame = repeated({"NAMA KARYAWAN": names, "age": ("31", "45")}, rows=100)
    assert proposed(frame)["NAMA KARYAWAN"] == "identifier"


def test_keys_of_whoever_does_something_are_identifiers():
    keys = tuple(f"{100 + n}" for n in range(12))
    named = ("jugador_id", "id_suspect", "validateur_id", "klienci_id_klienta", "booking_id")
    columns = {**dict.fromkeys(named, keys), "city": ("Graz", "Linz"), "sex": ("f", "m")}
    roles = proposed(repeated(columns, rows=240))
    assert {roles[name] for name in named} <= {"identifier", "person"}


def test_a_key_that_was_typed_twice_is_one():
    codes = [f"A-{10_000 + 7 * max(n, 1)}" for n in range(60)]
    frame = pl.DataFrame({"admission_id": codes, "sex": ["f", "m"] * 30})
    assert proposed(frame)["admission_id"] == "identifier"


def test_names_are_known_in_any_language_by_the_addresses_they_are_part_of():
    first = ["Vytautas", "Rūta", "Eglė", "Jonas", "Daiva", "Kęstutis"]
    last = ["Žukauskas", "Butkienė", "Šimkutė", "Balčius", "Rimkienė"]
    rows = [(first[n % 6], last[n % 5], n) for n in range(120)]
    frame = pl.DataFrame(
        {
            "vrds": [one for one, _, _ in rows],
            "pvrd": [other for _, other, _ in rows],
            "pst": [f"{bare(a)}.{bare(b)}{n}@pastas.lt".lower() for a, b, n in rows],
            "gyd": [f"Dr. {first[n // 5 % 6]} {last[n // 7 % 5]}" for *_, n in rows],
            "mst": [["Kaunas", "Utena", "Alytus", "Rietavas", "Joniškis"][n % 5] for *_, n in rows],
        }
    )
    found = infer_roles(read_table(frame))
    assert [found[name].choice for name in ("vrds", "pvrd", "pst")] == ["identifier"] * 3
    assert found["vrds"].reason == "It is spelled again in 'pst', as names are."
    assert found["gyd"].reason == "Its values hold names that stand in 'vrds', too."
    assert found["mst"].choice != "identifier"


def test_a_first_name_is_no_persons_key_beside_a_number():
    towns = [f"Town {'ABCDEFGHIJ'[i * 7 % 10]}{i * 7 % 10}" for i in range(120)]
    days = [f"19{60 + i * 7 % 10}-0{1 + i * 7 % 9}-1{i * 7 % 10}" for i in range(120)]
    roles = proposed(pupils(Geburtsdatum=days, Wohnort=towns))
    assert roles["Vorname"] == roles["Matrikelnummer"] == "identifier"


def members(number: str, rows: int = 400) -> pl.DataFrame:
    """Two rows each, with columns whose names say nothing of what lasts; a code that is drawn."""
    drawn = random.Random(15)
    people = [drawn.sample(range(10_000, 99_999), 4) for _ in range(rows // 2)]
    order = [person for person in people for _ in range(2)]
    drawn.shuffle(order)
    return pl.DataFrame(
        {
            number: [person[0] for person in order],
            "modalidade": [drawn.choice(["judo", "natacao", "xadrez"]) for _ in order],
            "código": [f"C{drawn.randrange(100, 104)}" for _ in order],
            "zaza": [f"v{person[1] % 40}" for person in order],
            "concelho": [f"w{person[2] % 25}" for person in order],
            "epoca": [drawn.randrange(2015, 2024) for _ in order],
        }
    )


@pytest.mark.parametrize(
    "number", ["nº sócio", "num socio", "numer członka", "номер члена", "lidnummer"]
)
def test_a_number_that_other_columns_follow_is_a_persons(number):
    roles = proposed(members(number))
    assert [name for name, role in roles.items() if role == "person"] == [number]


def test_a_code_that_nothing_follows_is_no_persons_key():
    assert "person" not in proposed(members("nº sócio").drop("nº sócio")).values()


def test_a_count_of_members_is_no_key():
    frame = members("id").with_columns(pl.Series("num socios", [n % 12 for n in range(400)]))
    assert proposed(frame)["num socios"] not in ("person", "identifier")
