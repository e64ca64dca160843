"""Values that say by themselves what a column is, whatever it is called."""

import polars as pl
import pytest
from propose_roles import proposed, repeated

import shoal
from shoal.table import infer_roles, read_table


def test_values_decide_where_names_mislead():
    rows = 200
    frame = pl.DataFrame(
        {
            "address": ["U", "R"] * 100,
            "phone": ["yes", "no"] * 100,
            "name": ["red", "green"] * 100,
            "color": [
                f"{first} {last}" for first in ("Anna", "Paul") for last in map(str.title, _words())
            ],
            "lucky": [f"user{n}@mail.example" for n in range(rows)],
            "JobSatisfaction": ["1", "2", "3", "4"] * 50,
            "stroke": ["0", "1"] * 100,
        }
    )
    roles = proposed(frame)
    assert roles["address"] != "identifier"
    assert roles["phone"] == roles["name"] == "other"
    assert roles["JobSatisfaction"] == "sensitive"  # how content people are is their own
    assert roles["color"] == roles["lucky"] == "identifier"
    assert roles["stroke"] == "sensitive"


def _words():
    ends = ("ander", "illin", "orrow", "ucker", "endal", "irath", "osten", "urban", "eller", "ath")
    return [letter + end for letter in "bcdfghklmp" for end in ends]


def test_amounts_of_money_are_secrets_whatever_the_column_is_called():
    amounts = [f"${i % 90 + 20}k" for i in range(200)]
    mixed = [f"{'$€'[i % 2]}{i % 70 + 20}" for i in range(200)]
    proposal = shoal.propose(pl.DataFrame({"age": [*range(20, 70)] * 4, "x": amounts, "y": mixed}))
    columns = {part.name: part for part in proposal.columns}
    assert (columns["x"].role, columns["x"].kind) == ("sensitive", "numeric")
    assert (columns["y"].role, columns["y"].kind) == ("sensitive", "nominal")
    assert proposal.plan.formats == {"x": {"unit": "$", "short": True}}
    assert "currencies" in proposal.formats["y"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Have you ever been diagnosed with a mental health disorder?", ["Yes", "No"]),
        ("Nehmen Sie derzeit regelmäßig Medikamente gegen Beschwerden ein?", ["ja", "nein"]),
        ("Avez-vous déjà été en traitement pour une maladie de longue durée ?", ["oui", "non"]),
        ("x", ["C07AB02", "N02BE01", "A10BA02"]),
        ("hemoglobin", ["12.1", "13.4", "9.8"]),
        ("Fehltage", ["0", "3", "21"]),
        ("math score", [str(n) for n in range(40, 52)]),
        ("insurance_type", ["none", "private", "public"]),
    ],
)
def test_secrets_are_known_by_words_and_by_values(name, values):
    cells = [values[i % len(values)] for i in range(240)]
    proposal = shoal.propose(pl.DataFrame({"age": [*range(20, 60)] * 6, name: cells}))
    assert {part.name: part.role for part in proposal.columns}[name] == "sensitive"


def test_numbered_names_of_made_up_patients_are_names():
    frame = pl.DataFrame({"LAST": [f"Casper{i % 90 + 100}" for i in range(300)]})
    assert proposed(frame) == {"LAST": "identifier"}


SPEAKING = {  # values that say by themselves what they are, under names that say nothing
    "x1": ("mild", "moderate", "severe"),
    "x2": ("leicht", "schwer", "kritisch"),
    "x3": ("guilty", "not guilty", "probation"),
    "x4": ("absuelto", "condenado", "multa"),
    "x5": ("paid", "overdue", "defaulted"),
    "x6": ("aprobado", "reprobado"),
    "x7": ("vivant", "décédé"),
    "x8": ("A", "A-", "B+", "B", "B-", "C+", "C", "D"),
    "x9": ("izquierda", "centro", "derecha"),
    "x10": ("obesity_type_I", "overweight_level_I", "normal_weight"),
}


@pytest.mark.parametrize("name", SPEAKING)
def test_values_speak_of_what_people_keep_to_themselves(name):
    assert proposed(repeated({name: SPEAKING[name], "zzz": ("x", "y")}))[name] == "sensitive"


def test_years_are_not_taken_for_secrets():
    years = tuple(str(year) for year in range(1981, 1995))
    columns = {"tumor": ("0", "1"), "asthma": ("0", "1"), "qqqq": years, "zzz": ("x", "y")}
    roles = proposed(repeated({"age": ("31", "45"), **columns}))
    assert (roles["zzz"], roles["qqqq"]) == ("sensitive", "other")


def test_yes_or_no_is_no_age():
    columns = {"Alternative_discussed": ("true", "false"), "sex": ("f", "m")}
    assert proposed(repeated(columns))["Alternative_discussed"] == "other"


def test_marks_that_differ_in_a_small_class_are_no_keys():
    marks = [str(n) for n in (51, 88, 62, 97, 73, 55, 91, 60, 84, 79)]
    marks += [str(n) for n in (58, 95, 66, 70, 99, 81, 53, 77, 86, 64, 92)]
    frame = repeated({"qqq": marks, "sex": ("f", "m")}, rows=len(marks))
    assert proposed(frame)["qqq"] == "quasi_identifier"


def test_measures_are_kept_however_exact_they_are():
    rows = [(n, f"{0.4 + n / 97:.2f}") for n in range(60)]
    frame = pl.DataFrame(
        {"age": [str(20 + n) for n, _ in rows], "creatinine": [v for _, v in rows]}
    )
    assert proposed(frame)["creatinine"] == "sensitive"


def test_times_of_day_are_no_keys():
    times = [f"{n % 24:02}:{7 * n % 60:02}:{13 * n % 60:02}" for n in range(200)]
    frame = pl.DataFrame({"heure": times, "sex": ["f", "m"] * 100})
    assert proposed(frame)["heure"] == "quasi_identifier"


def test_a_day_on_which_many_rows_were_entered_tells_nothing():
    frame = pl.DataFrame({"entry": ["2020-01-01", "2021-01-01"] * 150, "sex": ["f", "m"] * 150})
    assert proposed(frame)["entry"] in ("other", "sensitive")


def test_pressures_of_blood_are_no_keys():
    pressures = [f"{100 + n % 61}/{60 + n % 37}" for n in range(300)]
    found = infer_roles(read_table(pl.DataFrame({"aks": pressures, "age": ["31", "45"] * 150})))
    assert (found["aks"].choice, found["aks"].reason) == (
        "sensitive",
        "Its values are blood pressures.",
    )


def test_scores_of_matches_are_results_not_keys():
    scores = tuple(f"21/{a} {b}/21" for a in range(20) for b in range(20))
    columns = {"Resultat": scores, "Kategori": ("U15 A", "U17 A"), "sex": ("f", "m")}
    roles = proposed(repeated(columns, rows=500))
    assert roles["Resultat"] == "sensitive"
    assert roles["Kategori"] == "quasi_identifier"


@pytest.mark.parametrize("name", ["created_at", "updated_at", "aggiornamento"])
def test_when_many_records_were_entered_at_once_tells_nothing(name):
    seconds = tuple(f"2025-05-25 07:38:{n}" for n in range(50, 55))
    columns = {name: seconds, "age": ("31", "45"), "sex": ("f", "m")}
    assert proposed(repeated(columns, rows=500))[name] == "other"
    assert proposed(repeated(columns, rows=20))[name] == "quasi_identifier"


@pytest.mark.parametrize("name", ["sms_sent", "appels_mois", "llamadas", "roaming_mb"])
def test_how_much_customers_used_is_their_own(name):
    columns = {
        "customer_id": [f"C{n}" for n in range(450)],
        name: [str(n * n % 97) for n in range(90)],
        "city": ["Graz", "Linz", "Wien", "Bern", "Rom", "Ulm", "Pisa"],
    }
    assert proposed(repeated(columns, rows=900))[name] == "sensitive"
