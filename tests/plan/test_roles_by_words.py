"""Words of column names, in several languages."""

import polars as pl
import pytest
from propose_roles import proposed, repeated

from shoal.table import infer_roles, read_table

LANGUAGES = {
    "Grupo sanguíneo": (["A+", "O-", "B+", "AB+"], "sensitive"),
    "rh": (["0 pos", "A neg", "B pos"], "sensitive"),
    "CP": (["28001", "08012", "41004", "46001"], "quasi_identifier"),
    "cp": (["0", "1", "2", "3"], "sensitive"),  # of chest pain
    "CEP": (["01310-100", "20040-020", "70040-010"], "quasi_identifier"),
    "cell": (["SW1A 1AA", "M1 1AE", "EC1A 1BB"], "quasi_identifier"),
    "Observaciones": (["viene mañana", "sin novedad", "llama luego"], "drop"),
    "Commentaires": (["à revoir", "rien à dire", "voir dossier"], "drop"),
    "Estado civil": (["soltero", "casado", "viudo"], "quasi_identifier"),
    "état civil": (["A", "B", "C"], "quasi_identifier"),
    "cidade": (["Recife", "Natal", "Belém"], "quasi_identifier"),
    "Profissão": (["x", "y", "z"], "quasi_identifier"),
    "wer": (["Lehrer", "Ingenieurin", "Rentner"], "quasi_identifier"),
    "Doença": (["x", "y", "z"], "sensitive"),
    "renda_mensal": (["1", "2", "3"], "sensitive"),
    "Jahreseinkommen": (["1", "2", "3"], "sensitive"),
    "Schwerbehinderung": (["ja", "nein"], "sensitive"),
    "tratamiento": (["a", "b"], "sensitive"),
    "trattamento": (["a", "b"], "sensitive"),
    "prêt": (["oui", "non"], "sensitive"),
    "Antécédents": (["oui", "non"], "sensitive"),
    "tabagisme": (["oui", "non"], "sensitive"),
    "x": (["never smoked", "smokes", "formerly smoked"], "sensitive"),
    "Sindicato": (["sí", "no"], "sensitive"),
    "color": (["rojo", "verde"], "other"),
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_words_and_shapes_of_several_languages_are_known(name):
    values, role = LANGUAGES[name]
    frame = pl.DataFrame({name: values * 40})
    assert proposed(frame) == {name: role}


NAMED = {
    "sensitive": """genhlth rincom16 PriorFelonyConviction union_member manager_rating
        Testergebnis foodstamps partyid packyears Schuldenstand fumador""",
    "other": "Begleitungstage wave channel",
    "quasi_identifier": "Behandlungsort Herkunftsland ServiceYears",
}


@pytest.mark.parametrize(
    ("role", "name"), [(role, name) for role, names in NAMED.items() for name in names.split()]
)
def test_names_speak_of_what_people_keep_to_themselves(role, name):
    assert proposed(repeated({name: ("1", "2", "3")}))[name] == role


def test_the_name_of_a_file_says_what_a_table_is_about(tmp_path):
    repeated({"arrests": ("0", "1"), "qqq": ("0", "1")}).write_csv(tmp_path / "recidivism.csv")
    guesses = infer_roles(read_table(tmp_path / "recidivism.csv"))
    assert guesses["qqq"].choice == "sensitive"


@pytest.mark.parametrize("name", ["stage", "condition", "room_temperature"])
def test_a_word_of_several_meanings_needs_company(name):
    columns = {name: ("a", "b", "c"), "age": ("31", "45")}
    assert proposed(repeated(columns))[name] == "other"
    for company in ("tumor", "patient_type"):
        assert proposed(repeated({**columns, company: ("0", "1")}))[name] == "sensitive"


def test_parties_of_people_in_public_offices_are_no_secrets():
    columns = {"party": ("SPD", "CDU", "FDP"), "sex": ("f", "m"), "age": ("31", "45")}
    assert proposed(repeated(columns))["party"] == "sensitive"
    assert proposed(repeated({**columns, "constituency": ("1", "2")}))["party"] == (
        "quasi_identifier"
    )


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("pointure", "quasi_identifier"),
        ("Czy pracujesz?", "quasi_identifier"),
        ("çalışma şekli", "quasi_identifier"),
        ("prosjek ocjena", "sensitive"),
        ("満足度", "sensitive"),
        ("удовлетворенность", "sensitive"),
    ],
)
def test_concepts_are_known_in_many_languages(name, role):
    assert proposed(repeated({name: ("b", "c", "d"), "wiek": ("31", "45")}))[name] == role


def test_how_data_were_gathered_is_left_where_it_tells_nobody_apart():
    assert proposed(repeated({"UserLanguage": ("EN", "DE", "FR")}))["UserLanguage"] == "other"


@pytest.mark.parametrize(
    "name", ["kanał sprzedaży", "sales_channel_device", "qc_pass", "登録経路", "тип устройства"]
)
def test_a_channel_of_sales_is_a_channel_also_among_secrets(name):
    health = {"patient_id": ("1", "2"), "tumor": ("0", "1"), "diagnosis": ("flu", "gout")}
    assert proposed(repeated({name: ("a", "b", "c"), **health}))[name] == "other"


def test_abbreviations_of_a_laboratory_are_read_where_people_are_patients():
    exact = {name: tuple(str(60 + i * n % 83) for i in range(83)) for n, name in ((7, "pas"),)}
    frame = repeated({"id_paciente": tuple(map(str, range(166))), **exact}, rows=166)
    assert proposed(frame)["pas"] == "sensitive"
    assert proposed(frame.rename({"id_paciente": "fila"}))["pas"] != "sensitive"


def test_codes_that_share_no_land_are_no_regions():
    models = ("AW-S9", "HW-G4", "SG-W6", "GR-V3")
    assert proposed(repeated({"xyz": models}))["xyz"] != "quasi_identifier"
    assert proposed(repeated({"xyz": ("AT-1", "AT-2", "AT-3")}))["xyz"] == "quasi_identifier"


def test_groups_of_a_parliament_are_known_to_all():
    people = {
        "circonscription": ("1", "2", "3"),
        "mandats": ("1", "2"),
        "législature": ("15", "16"),
    }
    groups = {"groupe_politique": ("LR", "PS", "RN")}
    assert proposed(repeated({**people, **groups}))["groupe_politique"] == "quasi_identifier"


def test_names_of_those_who_work_on_a_case_are_names():
    adjusters = ("Zorn Ulm", "Prib Vark", "Mex Tol", "Wib Karn", "Tor Pal", "Lum Zet")
    frame = repeated({"adjuster_name": adjusters, "league_name": ("Premier Liga", "Alpha Cup")})
    assert proposed(frame)["adjuster_name"] == "identifier"
    assert proposed(frame)["league_name"] != "identifier"
