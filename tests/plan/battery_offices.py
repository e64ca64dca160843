"""Made-up tables of offices: courts, police, census, congress, asylum, libraries."""

from __future__ import annotations

from battery import Drawn, table
from made_up import Columns


@table
def court_records() -> Drawn:
    c = Columns(1, 1200)
    return {
        "id": ("I", c.keys()),
        "first": ("I", c.first()),
        "last": ("I", c.last()),
        "dob": ("Q", c.dates("1940-01-01", "1998-12-31")),
        "sex": ("Q", c.pick("Male|Female", [0.8, 0.2])),
        "race": ("Q", c.pick("African-American|Caucasian|Hispanic|Other", [0.5, 0.35, 0.1, 0.05])),
        "screening_date": ("Q", c.dates("2013-01-01", "2014-12-31")),
        "jail_in": ("Q", c.times("2013-01-01", "2014-12-31")),
        "case_number": ("I", c.digits("130#####CF10A")),
        "charge_desc": (
            "S",
            c.pick("Battery|Grand Theft|Possession of Cocaine|Driving Under The Influence"),
        ),
        "charge_degree": ("S", c.pick("F|M")),
        "decile_score": ("HS", c.whole(1, 10)),
        "type_of_assessment": ("H", c.pick("Risk of Recidivism")),
        "two_year_recid": ("TS", c.pick("0|1")),
    }


@table
def police_stops() -> Drawn:
    c = Columns(4, 900)
    return {
        "name": ("I", c.full()),
        "date": ("Q", c.dates("2015-01-01", "2022-12-31")),
        "manner": ("SH", c.pick("shot|shot and Tasered")),
        "armed": ("SH", c.pick("gun|knife|unarmed")),
        "age": ("Q", c.holes(c.ages(14, 80), 0.05)),
        "gender": ("Q", c.pick("M|F", [0.9, 0.1])),
        "race": ("Q", c.pick("W|B|H|A")),
        "city": ("Q", c.last()),
        "state": ("Q", c.pick("CA|TX|FL|AZ|NY|OH")),
        "streetaddress": ("I", c.streets()),
        "latitude": ("Q", c.measures(35, 5, 6)),
        "longitude": ("Q", c.measures(-95, 9, 6)),
        "signs_of_mental_illness": ("S", c.pick("True|False")),
        "body_camera": ("H", c.pick("True|False")),
    }


@table
def census() -> Drawn:
    c = Columns(9, 3000)
    return {
        "age": ("Q", c.ages(0, 90)),
        "class of worker": (
            "Q",
            c.pick("Private|Self-employed|Federal government|Not in universe"),
        ),
        "education": (
            "Q",
            c.pick("High school graduate|Bachelors degree|Masters degree|7th grade"),
        ),
        "wage per hour": ("SQ", c.holes(c.whole(400, 3000), 0.9)),
        "marital stat": ("Q", c.pick("Never married|Married|Widowed|Divorced")),
        "race": ("Q", c.pick("White|Black|Asian", [0.8, 0.12, 0.08])),
        "sex": ("Q", c.pick("Male|Female")),
        "capital gains": ("SH", c.pick("0|0|0|0|7298|15024")),
        "country of birth self": (
            "Q",
            c.pick("United-States|Mexico|Germany|Cuba", [0.9, 0.06, 0.02, 0.02]),
        ),
        "weeks worked in year": ("QH", c.whole(0, 52)),
        "year": ("H", c.pick("94|95")),
        "income": ("TS", c.pick("- 50000.|50000+.", [0.9, 0.1])),
    }


@table
def members_of_congress() -> Drawn:
    c = Columns(8, 1500)
    people = c.repeated(500, 0)
    names = [
        f"{a} {b}" for a, b in zip(Columns(80, 500).first(), Columns(81, 500).last(), strict=True)
    ]
    born = Columns(82, 500).dates("1890-01-01", "1960-12-31")
    return {
        "congress": ("QH", c.whole(80, 113)),
        "bioguide": ("I", [f"B{p:06}" for p in people]),
        "bioname": ("I", [names[p] for p in people]),
        "birthday": ("Q", [born[p] for p in people]),
        "state": ("Q", c.pick("CA|NY|TX|PA|OH|IL|FL|MI")),
        "party": ("SQ", c.pick("D|R|I", [0.55, 0.43, 0.02])),
        "chamber": ("QH", c.pick("house|senate")),
        "incumbent": ("H", c.pick("Yes|No")),
    }


@table
def asylum() -> Drawn:
    c = Columns(22, 500)
    return {
        "case_no": ("I", c.digits("A-2021-#####")),
        "applicant": ("I", c.full("{1} {0}")),
        "nationality": ("Q", c.pick("Syria|Afghanistan|Somalia|Iraq|Iran")),
        "date_of_birth": ("Q", c.dates("1955-01-01", "2004-12-31")),
        "family_size": ("QH", c.counts(3)),
        "language": ("Q", c.pick("Arabic|Dari|Somali|Farsi|Kurdish")),
        "religion": ("S", c.pick("Sunni|Shia|Christian|Yazidi")),
        "ground_of_persecution": ("S", c.pick("political|religious|sexual orientation|ethnic")),
        "decision": ("TS", c.pick("granted|rejected|subsidiary")),
        "interview_date": ("Q", c.dates("2021-01-01", "2022-12-31")),
    }


@table
def housing_office() -> Drawn:
    c = Columns(29, 650, "de")
    return {
        "Aktenzeichen": ("I", c.digits("W-####/2022")),
        "Name": ("I", c.full("{1}, {0}")),
        "E-Mail": ("I", c.emails()),
        "Alter": ("Q", c.ages(18, 90)),
        "Bezirk": ("Q", c.pick("Innere Stadt|Gries|Lend|Geidorf|Andritz")),
        "Haushaltsgröße": ("Q", c.whole(1, 7)),
        "Einkommen": ("SQ", c.amounts(2100)),
        "Behinderung": ("S", c.pick("nein|ja", [0.93, 0.07])),
        "Antragsdatum": ("Q", c.dates("2022-01-01", "2022-12-31", "%d.%m.%Y")),
        "Wartepunkte": ("H", c.whole(0, 20)),
        "Zimmerwunsch": ("H", c.whole(1, 5)),
        "Bemerkung": ("I", c.holes(c.notes(), 0.6)),
    }


@table
def italian_residents() -> Drawn:
    c = Columns(25, 800, "it")
    return {
        "codice_fiscale": ("I", c.digits("@@@@@@##@##@###@")),
        "cognome": ("I", c.last()),
        "nome": ("I", c.first()),
        "data_nascita": ("Q", c.dates("1935-01-01", "2010-12-31", "%d/%m/%Y")),
        "sesso": ("Q", c.pick("M|F")),
        "comune": ("Q", c.pick("Milano|Torino|Bologna|Bari|Palermo")),
        "cap": ("Q", c.digits("20###")),
        "indirizzo": ("I", c.streets("{0} {1}", "Via|Piazza|Corso")),
        "stato_civile": ("Q", c.pick("celibe|coniugato|vedovo")),
        "titolo_studio": ("Q", c.pick("licenza media|diploma|laurea")),
        "professione": ("Q", c.pick("operaio|impiegato|pensionato|studente")),
        "reddito": ("SQ", c.amounts(24000)),
        "componenti": ("QH", c.whole(1, 6)),
        "riscaldamento": ("H", c.pick("gas|elettrico|legna")),
    }


@table
def donors() -> Drawn:
    c = Columns(16, 800)
    return {
        "donor_id": ("I", c.repeated(500, 10000)),
        "donor_name": ("I", c.full()),
        "zip": ("Q", c.digits("606##")),
        "city": ("Q", c.pick("Chicago|Evanston|Oak Park|Cicero")),
        "occupation": ("Q", c.pick("Retired|Attorney|Teacher|Physician|Engineer")),
        "employer": ("Q", c.last()),
        "amount": ("SH", c.pick("25|50|100|250|500|1000|2700")),
        "donation_date": ("Q", c.dates("2016-01-01", "2016-12-31")),
        "political_party": ("S", c.pick("DEM|REP|LIB")),
        "payment_method": ("H", c.pick("card|check|transfer")),
    }


@table
def survey() -> Drawn:
    c = Columns(3, 800)
    answers = "Often|Sometimes|Rarely|Never"
    questions = {f"q{n:04}": ("HS", c.pick(answers)) for n in range(1, 21)}
    return {
        "RespondentID": ("I", c.keys(3292953864, -31)),
        "StartDate": ("QI", c.times("2018-05-10", "2018-05-20", "%m/%d/%y %H:%M")),
        **questions,
        "satisfaction_overall": ("HS", c.whole(1, 5)),
        "Gender": ("Q", c.pick("Male|Female")),
        "Age": ("Q", c.pick("18-29|30-44|45-60|> 60")),
        "Education": ("Q", c.pick("High school|Bachelor degree|Graduate degree")),
        "Household Income": (
            "SQ",
            c.pick("$0 - $24,999|$25,000 - $49,999|$50,000 - $99,999|$150,000+"),
        ),
        "Religion": ("S", c.pick("Catholic|Protestant|Jewish|Muslim|None")),
        "Region": ("Q", c.pick("Pacific|Mountain|South Atlantic|New England")),
        "comments": ("I", c.holes(c.notes(), 0.4)),
    }


@table
def library_users() -> Drawn:
    c = Columns(23, 1000)
    return {
        "card_no": ("I", c.repeated(350, 210000)),
        "borrower": ("I", c.full()),
        "home_branch": ("QH", c.pick("Central|North|East|Harbour")),
        "patron_type": ("QH", c.pick("adult|child|senior")),
        "birth_date": ("Q", c.dates("1940-01-01", "2015-12-31")),
        "item_title": ("QSI", c.notes(3)),
        "borrowed_at": ("QI", c.times("2022-01-01", "2022-12-31")),
        "genre": ("H", c.pick("novel|crime|travel|science|comics")),
        "renewals": ("H", c.counts(0.6)),
    }
