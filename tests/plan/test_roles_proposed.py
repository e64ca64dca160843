"""Roles proposed for made-up tables: nobody is published, and little is missed or taken."""

import random

import polars as pl
import pytest
from battery import frame_of, names
from scoring import Score

import shoal
from shoal.table import infer_roles, read_table
from shoal.table.recognizing import bare

TABLES = names()


def proposed(frame):
    return {name: guess.choice for name, guess in infer_roles(read_table(frame)).items()}


def test_the_battery_is_large_and_its_roles_are_met():
    score = Score()
    for name in TABLES:
        frame, letters = frame_of(name)
        score.add(name, letters, proposed(frame))
    assert len(TABLES) >= 25
    assert score.leaked == []
    assert score.share("I") == 1.0
    assert score.share("Q") >= 0.95, score.misjudged
    assert score.share("S") >= 0.95, score.misjudged
    assert score.taken <= 0.15, score.misjudged


def test_a_second_opinion_may_find_harmless_what_only_stood_among_secrets():
    frame, letters = frame_of("clinical_trial")
    assert letters["VISITNUM"] == "H"
    assert proposed(frame)["VISITNUM"] == "other"


@pytest.mark.parametrize("name", TABLES)
def test_what_singles_people_out_is_never_left_as_it_is(name):
    frame, _ = frame_of(name)
    for column, role in proposed(frame).items():
        alone = (frame[column].drop_nulls().value_counts()["count"] == 1).sum() / frame.height
        assert role not in ("other", "publish_as_is") or alone <= 0.05, column


@pytest.mark.parametrize("name", TABLES)
def test_reasons_are_sentences_without_a_value(name):
    frame, _ = frame_of(name)
    for column, guess in infer_roles(read_table(frame)).items():
        assert guess.reason.endswith(".")
        long = [v for v in frame[column].drop_nulls().unique().head(20) if len(v) > 6]
        assert not any(value in guess.reason for value in long)


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("hospital_stays", "patient_nbr"),
        ("german_clinic", "Patientennummer"),
        ("members_of_congress", "bioguide"),
        ("donors", "donor_id"),
        ("library_users", "card_no"),
    ],
)
def test_several_rows_of_a_person_are_noticed(name, person):
    frame, _ = frame_of(name)
    assert [column for column, role in proposed(frame).items() if role == "person"] == [person]


@pytest.mark.parametrize("name", ["staff", "pupils", "survey", "census", "columns_without_names"])
def test_rows_are_people_where_no_key_repeats(name):
    frame, _ = frame_of(name)
    assert "person" not in proposed(frame).values()


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
    assert roles["phone"] == roles["name"] == roles["JobSatisfaction"] == "other"
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


@pytest.mark.parametrize(
    "shape",
    ["{:08d}Z", "{:03d}.123.456-09", "{:03d}-12-3456", "12.345.{:03d}-k"],
)
def test_numbers_of_identity_papers_are_identifiers(shape):
    frame = pl.DataFrame({"x": [shape.format(i) for i in range(100, 200)] * 2})
    assert proposed(frame) == {"x": "identifier"}


def repeated(columns, rows=120):
    return pl.DataFrame({name: (list(v) * rows)[:rows] for name, v in columns.items()})


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


def test_numbered_questions_are_kept_to_the_people():
    health = {"tumor": ("0", "1"), "asthma": ("0", "1")}
    asked = {f"Q{n}": ("1", "2", "3", "4", *(["5"] if n % 2 else [])) for n in range(1, 9)}
    roles = proposed(repeated({"age": ("31", "45"), **health, **asked}))
    assert {roles[name] for name in asked} == {"sensitive"}
    few = {name: asked[name] for name in ("Q1", "Q2")}
    roles = proposed(repeated({"age": ("31", "45"), **health, **few}))
    assert {roles[name] for name in few} == {"sensitive"}


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


NAMED = {
    "sensitive": """genhlth rincom16 PriorFelonyConviction union_member manager_rating
        Testergebnis foodstamps partyid packyears Schuldenstand fumador""",
    "other": "JobSatisfaction Begleitungstage wave channel",
    "quasi_identifier": "Behandlungsort Herkunftsland ServiceYears",
}


@pytest.mark.parametrize(
    ("role", "name"), [(role, name) for role, names in NAMED.items() for name in names.split()]
)
def test_names_speak_of_what_people_keep_to_themselves(role, name):
    assert proposed(repeated({name: ("1", "2", "3")}))[name] == role


def test_a_question_is_known_by_its_label():
    asked = "Ansiedad: en una escala de 0 a 10, ¿cuánta ha tenido en los últimos meses?"
    assert proposed(repeated({asked: ("1", "2", "3")}))[asked] == "sensitive"


def test_numbers_under_the_subjects_of_a_school_are_marks():
    marks = dict.fromkeys(("Matemáticas", "Ciencias", "Lenguaje"), ("4", "7", "9"))
    assert set(proposed(repeated(marks)).values()) == {"sensitive"}


def test_the_name_of_a_file_says_what_a_table_is_about(tmp_path):
    repeated({"arrests": ("0", "1"), "qqq": ("0", "1")}).write_csv(tmp_path / "recidivism.csv")
    guesses = infer_roles(read_table(tmp_path / "recidivism.csv"))
    assert guesses["qqq"].choice == "sensitive"


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


def test_years_are_not_taken_for_secrets():
    years = tuple(str(year) for year in range(1981, 1995))
    columns = {"tumor": ("0", "1"), "asthma": ("0", "1"), "qqqq": years, "zzz": ("x", "y")}
    roles = proposed(repeated({"age": ("31", "45"), **columns}))
    assert (roles["zzz"], roles["qqqq"]) == ("sensitive", "other")


SAYINGS = (
    "Slept badly and it shows in everything I do.",
    "The new coach helps more than I thought.",
    "Nobody at home asks how the season goes.",
    "Best week since the knee was mended.",
    "I want to stop and cannot say so!",
    "We lost again, and I was late twice.",
    "My brother came to watch from far away.",
    "The doctor says two more weeks of rest.",
)


@pytest.mark.parametrize("name", ["text", "qqq", "mood_today"])
def test_sentences_are_never_published_however_often_they_repeat(name):
    frame = repeated({name: SAYINGS, "age": ("31", "45")}, rows=100)
    assert proposed(frame)[name] == "drop"


def test_few_long_answers_may_have_been_offered():
    assert proposed(repeated({"effort": SAYINGS[:5], "age": ("31", "45")}))["effort"] != "drop"


def test_several_answers_that_were_ticked_are_no_remarks():
    question = "Which of these do you or your household have in the place where you live?"
    things = ("a warm room to read", "a garden with some trees", "a very fast connection", "a car")
    ticked = [f"{a}, {b}, {c}" for a in things for b in things for c in things if a != b != c]
    frame = repeated({question: ticked, "age": ("31", "45")}, rows=60)
    assert proposed(frame)[question] == "quasi_identifier"


def test_long_answers_to_a_question_are_no_remarks():
    question = "Which of these sentences about the season would you agree with most?"
    roles = proposed(repeated({question: SAYINGS, "age": ("31", "45")}, rows=100))
    assert roles[question] in ("other", "sensitive")


@pytest.mark.parametrize("name", ["ModifiedBy", "entered_by", "written by"])
def test_who_did_something_is_never_published(name):
    keys = tuple(str(n) for n in (60211, 41877, 52034, 41902, 60555))
    columns = {name: keys, "tumor": ("0", "1"), "asthma": ("0", "1"), "age": ("31", "45")}
    assert proposed(repeated(columns, rows=100))[name] in ("identifier", "person")


def test_questions_about_a_subject_are_no_marks():
    scale = tuple(str(n) for n in range(11))
    asked = [f"I wish I could {what} the language I learn better" for what in ("read", "hear")]
    columns = {**dict.fromkeys(asked, scale), "years_of_sport": scale, "gender": ("f", "m")}
    roles = proposed(repeated(columns, rows=220))
    assert [roles[name] for name in asked] == ["other"] * 2
    assert roles["years_of_sport"] != "sensitive"


@pytest.mark.parametrize("name", ["stage", "condition", "room_temperature"])
def test_a_word_of_several_meanings_needs_company(name):
    columns = {name: ("a", "b", "c"), "age": ("31", "45")}
    assert proposed(repeated(columns))[name] == "other"
    for company in ("tumor", "patient_type"):
        assert proposed(repeated({**columns, company: ("0", "1")}))[name] == "sensitive"


def test_names_of_employees_are_names():
    letters = "abcdefghij"
    names = [f"{a}{b}".capitalize() + "wun" for a in letters for b in letters]
    frame = repeated({"NAMA KARYAWAN": names, "age": ("31", "45")}, rows=100)
    assert proposed(frame)["NAMA KARYAWAN"] == "identifier"


@pytest.mark.parametrize(
    "question",
    [
        "1. What age range do you fall in on the day of this survey?",
        "What year of study are you in at the moment?",
        "Are you an international or domestic student at this place?",
    ],
)
def test_questions_for_a_fact_are_read(question):
    roles = proposed(repeated({question: ("a", "b", "c"), "zzz": ("x", "y")}))
    assert roles[question] == "quasi_identifier"


def test_yes_or_no_is_no_age():
    columns = {"Alternative_discussed": ("true", "false"), "sex": ("f", "m")}
    assert proposed(repeated(columns))["Alternative_discussed"] == "other"


def test_marks_that_differ_in_a_small_class_are_no_keys():
    marks = [str(n) for n in (51, 88, 62, 97, 73, 55, 91, 60, 84, 79)]
    marks += [str(n) for n in (58, 95, 66, 70, 99, 81, 53, 77, 86, 64, 92)]
    frame = repeated({"qqq": marks, "sex": ("f", "m")}, rows=len(marks))
    assert proposed(frame)["qqq"] == "quasi_identifier"


def test_a_question_is_read_behind_its_heading():
    question = "About yourself and your home - What is your current occupation?"
    roles = proposed(repeated({question: ("a", "b", "c"), "zzz": ("x", "y")}))
    assert roles[question] == "quasi_identifier"


def test_suggestions_are_remarks_whatever_is_asked_about():
    question = "Have you any suggestions for the help with mental health at this school?"
    words = ("more", "quiet", "rooms", "open", "doors", "kind", "people")
    texts = [
        " ".join(words[(n + i) % 7] + str(n % 90) * (i == 2) for i in range(6)) for n in range(90)
    ]
    frame = repeated({question: [*texts, *texts[:40]], "age": ("31", "45")}, rows=130)
    assert proposed(frame)[question] == "drop"


def test_lists_of_codes_of_illnesses_are_no_remarks():
    codes = [f"{a}{n}.{n % 7}, {b}{n + 1}.1" for n in range(10, 40) for a, b in ("IM", "EF")]
    columns = {"diagnosis_codes": [*codes, *codes[:20]], "age": ("31", "45")}
    assert proposed(repeated(columns, rows=80))["diagnosis_codes"] == "sensitive"


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


def test_what_people_answered_is_kept_to_them():
    scale = tuple(str(n) for n in range(1, 8))
    felt = "I often feel that I have no strength left for my family"
    items = {f"neuro{n}": scale for n in range(1, 10)}
    numbered = {f"q{n}": scale for n in range(1, 10)}
    columns = {"sex": ("f", "m"), felt: ("never", "at times", "often"), **items, **numbered}
    roles = proposed(repeated(columns, rows=210))
    assert roles[felt] == roles["neuro3"] == roles["q3"] == "sensitive"


def test_reasons_in_own_words_are_dropped():
    asked = "If your answer to the last question was no, please explain why"
    said = [f"because of number {n}" if n < 12 else None for n in range(120)]
    frame = pl.DataFrame({asked: said, "sex": ["f", "m"] * 60})
    assert proposed(frame)[asked] == "drop"


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


def test_columns_like_those_of_other_tables_are_given_their_roles():
    people = {"age": ("31", "45"), "sex": ("f", "m")}
    asked = repeated({**people, "housing_situation_now": ("aa", "bb", "cc")})
    found = infer_roles(read_table(asked))["housing_situation_now"]
    assert (found.choice, found.reason.startswith("Columns like it")) == ("quasi_identifier", True)


def test_pressures_of_blood_are_no_keys():
    pressures = [f"{100 + n % 61}/{60 + n % 37}" for n in range(300)]
    found = infer_roles(read_table(pl.DataFrame({"aks": pressures, "age": ["31", "45"] * 150})))
    assert (found["aks"].choice, found["aks"].reason) == (
        "sensitive",
        "Its values are blood pressures.",
    )


def test_parties_of_people_in_public_offices_are_no_secrets():
    columns = {"party": ("SPD", "CDU", "FDP"), "sex": ("f", "m"), "age": ("31", "45")}
    assert proposed(repeated(columns))["party"] == "sensitive"
    assert proposed(repeated({**columns, "constituency": ("1", "2")}))["party"] == (
        "quasi_identifier"
    )


def pupils(**more):
    first = ["Anna", "Paul", "Lena", "Max", "Mia", "Ben", "Emma", "Jonas", "Marie", "Felix"]
    numbers = {"Matrikelnummer": [str(410_000 + 7 * (i * 37 % 120)) for i in range(120)]}
    names = {"Vorname": [first[i * 7 % 10] for i in range(120)]}
    return pl.DataFrame({**numbers, **names, **more})


@pytest.mark.parametrize("begun", ["Frage ", "Q", "pregunta_", "Вопрос "])
@pytest.mark.parametrize("more", [{}, {"Alter": [str(19 + i % 23) for i in range(120)]}])
def test_numbered_answers_are_their_own_even_if_they_single_out_together(begun, more):
    answers = {
        f"{begun}{n}": ["abcdef"[(i * n + i // 7) % (3 + n % 4)] for i in range(120)]
        for n in range(1, 26)
    }
    scale = {
        f"{begun}{n}": [str((i * n + i // 7) % (3 + n % 4)) for i in range(120)]
        for n in range(1, 26)
    }
    for asked in (answers, scale):
        columns = shoal.propose(pupils(**more, **asked)).columns
        roles = {part.name: part.role for part in columns}
        assert {roles[name] for name in asked} == {"sensitive"}


def test_a_table_of_nothing_but_answers_says_that_it_has_no_crowds():
    asked = {f"Frage {n}": [str((i + n) % 5) for i in range(120)] for n in range(1, 12)}
    proposal = shoal.propose(pupils(**asked))
    assert proposal.plan.roles.quasi_identifiers == ()
    assert "no crowds to form" in proposal.notes[0]


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
