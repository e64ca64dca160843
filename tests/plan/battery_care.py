"""Made-up tables of care: clinics, insurers, trials, nurseries."""

from __future__ import annotations

from battery import Drawn, table
from made_up import Columns


@table
def hospital_stays() -> Drawn:
    c = Columns(2, 2000)
    return {
        "encounter_id": ("I", c.keys(2278392, 7)),
        "patient_nbr": ("I", c.repeated(900, 8222157)),
        "race": ("Q", c.pick("Caucasian|AfricanAmerican|Asian|?")),
        "gender": ("Q", c.pick("Female|Male")),
        "age": ("Q", c.pick("[40-50)|[50-60)|[60-70)|[70-80)|[80-90)")),
        "admission_type": ("QH", c.pick("Emergency|Urgent|Elective")),
        "time_in_hospital": ("QH", c.whole(1, 14)),
        "diag_1": ("S", c.digits("###")),
        "insulin": ("SH", c.pick("No|Steady|Up|Down")),
        "num_lab_procedures": ("H", c.whole(1, 90)),
        "readmitted": ("TS", c.pick("NO|>30|<30")),
    }


@table
def german_clinic() -> Drawn:
    c = Columns(10, 700, "de")
    labs = {
        f"Labor_{n}": ("HS", [round(v) for v in c.measures(middle, 8, 0)])
        for n, middle in {
            "Hb": 14,
            "Leuko": 30,
            "Na": 140,
            "K": 40,
            "CRP": 30,
            "GOT": 28,
            "GPT": 30,
        }.items()
    }
    yes = {f"Frage_{n}": ("HS", c.pick("ja|nein")) for n in range(1, 16)}
    return {
        "Fallnummer": ("I", c.digits("20########")),
        "Patientennummer": ("I", c.repeated(400, 700000)),
        "Nachname": ("I", c.last()),
        "Vorname": ("I", c.first()),
        "Geburtsdatum": ("Q", c.dates("1930-01-01", "2005-12-31", "%d.%m.%Y")),
        "Geschlecht": ("Q", c.pick("männlich|weiblich|divers", [0.49, 0.5, 0.01])),
        "PLZ": ("Q", c.digits("80##")),
        "Wohnort": ("Q", c.pick("Graz|Leoben|Bruck|Weiz|Feldbach|Liezen")),
        "Strasse": ("I", c.streets("{0} {1}", "gasse|straße|weg")),
        "Telefon": ("I", c.digits("+43 664 #######")),
        "SVNR": ("I", c.digits("#### ######")),
        "Beruf": ("Q", c.pick("Lehrerin|Tischler|Pensionist|Köchin|Student")),
        "Familienstand": ("Q", c.pick("ledig|verheiratet|geschieden|verwitwet")),
        "Staatsbürgerschaft": (
            "Q",
            c.pick("Österreich|Deutschland|Kroatien|Türkei", [0.9, 0.05, 0.03, 0.02]),
        ),
        "Aufnahmedatum": ("Q", c.dates("2020-01-01", "2023-12-31", "%d.%m.%Y")),
        "Entlassungsdatum": ("Q", c.dates("2020-01-01", "2023-12-31", "%d.%m.%Y")),
        "Hauptdiagnose": ("S", c.pick("I10|E11.9|J18.9|C50.9|F32.1|K35.8")),
        "Medikament": ("S", c.pick("Metformin|Ramipril|Ibuprofen|Sertralin")),
        "Religion": ("S", c.pick("rk|evang|islam|o.B.")),
        "Anamnese": ("I", c.notes(12)),
        **labs,
        **yes,
    }


@table
def health_insurance() -> Drawn:
    c = Columns(12, 1000)
    return {
        "policy_number": ("I", c.digits("POL-########")),
        "insured_name": ("I", c.full()),
        "age": ("Q", c.ages(18, 64)),
        "sex": ("Q", c.pick("male|female")),
        "bmi": ("SQ", c.measures(30, 6, 1)),
        "children": ("Q", c.counts(1)),
        "smoker": ("SH", c.pick("yes|no")),
        "region": ("Q", c.pick("northeast|northwest|southeast|southwest")),
        "pre_existing_condition": ("S", c.pick("none|diabetes|asthma|hypertension")),
        "claims": ("HS", c.counts(0.5)),
        "charges": ("SQ", c.amounts(9000, 2)),
    }


@table
def clinical_trial() -> Drawn:
    c = Columns(20, 400)
    return {
        "SUBJID": ("I", c.digits("ABC-01-####")),
        "SITEID": ("QH", c.pick("101|102|103|104")),
        "AGE": ("Q", c.ages(18, 85)),
        "SEX": ("Q", c.pick("M|F")),
        "RACE": ("Q", c.pick("WHITE|BLACK|ASIAN")),
        "COUNTRY": ("Q", c.pick("AUT|DEU|USA")),
        "ARM": ("H", c.pick("Placebo|Drug A 10 mg|Drug A 20 mg")),
        "RFSTDTC": ("Q", c.dates("2019-01-01", "2021-12-31")),
        "HIVSTATUS": ("S", c.pick("negative|positive", [0.97, 0.03])),
        "ADVERSE_EVENT": ("SH", c.pick("none|nausea|headache|rash")),
        "VISITNUM": ("H", c.whole(1, 6)),
    }


@table
def vaccination() -> Drawn:
    c = Columns(21, 1500)
    return {
        "nhs_number": ("I", c.digits("### ### ####")),
        "full_name": ("I", c.full()),
        "date_of_birth": ("Q", c.dates("1935-01-01", "2010-12-31")),
        "postcode": ("Q", c.digits("M## #@@")),
        "ethnic_group": ("Q", c.pick("White British|Indian|Pakistani|Black African")),
        "vaccine": ("HS", c.pick("Pfizer|Moderna|AstraZeneca")),
        "dose": ("H", c.pick("1|2|3")),
        "vaccinated_at": ("QI", c.times("2021-01-01", "2021-12-31")),
        "batch": ("HQ", c.pick("FE1573|FF4222|ABV4678|AB0012")),
        "covid_positive": ("S", c.pick("yes|no", [0.1, 0.9])),
        "gp_notes": ("I", c.holes(c.notes(), 0.5)),
    }


@table
def maternity_ward() -> Drawn:
    c = Columns(26, 700)
    return {
        "MRN": ("I", c.digits("########")),
        "mother_age": ("Q", c.ages(16, 46)),
        "ethnicity": ("Q", c.pick("Hispanic|Non-Hispanic")),
        "zip3": ("Q", c.pick("021|022|023|024")),
        "admitted": ("Q", c.dates("2019-01-01", "2021-12-31")),
        "discharged": ("Q", c.dates("2019-01-01", "2021-12-31")),
        "parity": ("H", c.counts(1.2)),
        "birth_weight": ("QS", [round(v) for v in c.measures(3300, 500, 0)]),
        "apgar_5": ("H", c.whole(6, 10)),
        "icd10": ("S", c.pick("O80|O82|O14.1|O24.4|O60.1")),
        "smoking_status": ("SH", c.pick("never|former|current")),
        "insurance_type": ("QH", c.pick("private|public|none")),
    }


@table
def heart_study() -> Drawn:
    c = Columns(28, 1300)
    return {
        "age": ("Q", c.ages(29, 77)),
        "sex": ("Q", c.pick("0|1")),
        "hypertension": ("S", c.pick("0|1", [0.9, 0.1])),
        "heart_disease": ("S", c.pick("0|1", [0.95, 0.05])),
        "ever_married": ("Q", c.pick("Yes|No")),
        "work_type": ("Q", c.pick("Private|Self-employed|Govt_job|children")),
        "trestbps": ("HS", [10 * round(v / 10) for v in c.measures(130, 15, 0)]),
        "chol": ("HS", [5 * round(v / 5) for v in c.measures(245, 45, 0)]),
        "avg_glucose_level": ("SQ", c.measures(105, 40, 2)),
        "stroke": ("ST", c.pick("0|1", [0.95, 0.05])),
    }


@table
def spanish_nurseries() -> Drawn:
    c = Columns(11, 900, "es")
    return {
        "folio": ("I", c.keys(9796046, 3)),
        "nombre": ("I", c.first()),
        "apellidos": ("I", c.full("{1} {0}")),
        "fecha_nacimiento": ("Q", c.dates("2008-01-01", "2015-12-31", "%d/%m/%Y")),
        "sexo": ("Q", c.pick("H|M")),
        "edad": ("Q", c.whole(0, 6)),
        "municipio": ("Q", c.pick("Mérida|Toluca|Puebla|León|Oaxaca")),
        "codigo_postal": ("Q", c.digits("97###")),
        "telefono": ("I", c.digits("55 #### ####")),
        "escolaridad": ("Q", c.pick("primaria|secundaria|universidad")),
        "estado_civil": ("Q", c.pick("soltera|casada|viuda")),
        "satisfaccion": ("HS", c.whole(1, 5)),
        "recomendaria": ("HS", c.pick("sí|no")),
        "enfermedad": ("S", c.pick("ninguna|asma|alergia|diabetes")),
        "ingreso": ("SQ", c.amounts(9000)),
    }
