"""Quasi-identifiers and secrets: by the values themselves, then by the name of the column."""

from __future__ import annotations

import re

from shoal.table._kinds import Guess
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._known import FACTS
from shoal.table.recognizing._look import CROWD, Look, split_name
from shoal.table.recognizing._secrets import HEALTH, LAW, MEASURED, SECRETS
from shoal.table.recognizing._secrets import MONEY as EARNED
from shoal.table.recognizing._tongues import words_in_cells
from shoal.table.recognizing._values import (
    ANATOMY,
    COUNTRIES,
    DUES,
    ENDINGS,
    FAITHS,
    FINDINGS,
    HABITS,
    ILLNESSES,
    LOVES,
    MARRIAGES,
    PARTIES,
    PASSES,
    RACES,
    RULINGS,
    SCHOOLING,
    SECTORS,
    SEVERITIES,
    SEXES,
    STANDINGS,
    STATES,
    TRADES,
    VOTES,
)
from shoal.table.recognizing._vocabulary import (
    AGE,
    AGE_PARTS,
    ASKED,
    ASKED_FACTS,
    CALENDAR,
    CLASSES,
    DEMOGRAPHIC,
    FATES,
    FEELINGS,
    INSTRUMENTS,
    NAMING,
    NO_AGES,
    OPINIONS,
    PATIENTS,
    PLACES,
    POSTAL,
    STAMPED,
    STATUSES,
    TAKEN_AMISS,
    TARGETS,
    TO_A_PERSON,
    any_of,
)

DATE = (
    r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ]\d{1,2}:\d{2}.*)?$|^\d{4}年\d{1,2}月\d{1,2}日$"
    r"|^\d{1,2}[-/. ]+(de )?\pL{3,10}\.?[-/., ]+(de )?\d{2,4}$|^\pL{3,10}\.? \d{1,2},? \d{4}$"
)
DAYS = "date dates datum data fecha dt tarih day birthdate"
AGE_CLASSES = r"(?i)^[uü][ -]?\d{1,2}\b"  # under fifteen, as in sports
AGES = r"^[\[(]?\s*(\d{1,2}\s*[-–,]\s*\d{1,3}|[<>]=?\s*\d{2}|\d{2}\s*\+|\d{2} and up)\s*[)\]]?$"
GROWN = r"\b([3-9]\d|1[01]\d)\b"  # spans of smaller numbers are counts
SIGN = r"(?:[$€£¥₹]|eur|usd|gbp|chf)"
MONEY = rf"(?i)^[<>]?\s*{SIGN}\s?\d|\d\s?(?:k|m|bn|tsd\.?|mio\.?)?\s?{SIGN}$"
ATC = r"^[A-DG-HJ-NPR-SV]\d{2}[A-Z]{2}\d{2}$"
ICD_10 = r"^[A-TV-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$"
TREATED_AT = "*ungsort *ungsstadt *ungsland"  # a place, not what is done there
LETTERS = r"^[A-F][+−-]?$"
FEWEST_MARKS = 6  # A to F; with + and - there are more
GRADED = "grade grades *grade mark marks note nota voto final"
MARKED = "note noten nota notas voto voti cijfer*"  # a remark where values are words
BLOOD = r"(?i)^(a|b|ab|o|0)\s*(rh)?\s*([+−-]|pos\w*|neg\w*)$"
PRESSURE = r"^(?:[6-9]\d|1\d\d|2[0-6]\d) ?/ ?(?:[3-9]\d|1[0-5]\d)$"
#: Of the United Kingdom, Canada, the Netherlands and Brazil, which look like nothing else.
POSTAL_CODE = (
    r"^([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2}|\d{5}-\d{3})$"
)
POSTAL_DIGITS = r"^\d{4,5}(-?\d{3})?$"
#: Questions for a fact whose words alone say too little.
ASKED_EXACTLY = (
    r"\b(your|what|which) (current )?(age|year of (study|birth))\b|\bage (range|group|bracket)\b"
    r"|\b(where|city|country|district|town|area|region)\b.*\byou\b.*\b(live|reside)\b"
    r"|\bano de (estudio|carrera)|\bano do curso|annee d.etude|studienjahr|\banno di (corso|studi)"
    r"|\b(international|domestic|foreign) student\b"
)
MOST = 0.5  # of the distinct values
MOST_PRESSURES = 0.95  # of the distinct values
MOST_OF_A_CROWD = 0.8  # of people; at 5 % half of the harmless columns would be taken
VARIED = 50  # distinct words or codes: rather places, employers or titles than answers
FEW = 11  # distinct values of an answer on a scale
SPELLED = 4  # letters of a value that is the name of a column; fewer are codes for many things
NEARLY_ALL = 0.9  # of the distinct values
TIME = r"^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp]\.?[Mm]\.?)?$"
#: Man and woman, in languages whose words for them begin with other letters than m, f and w.
SEX_LETTERS = frozenset(map(frozenset, ("km", "mz", "hm", "ek", "lp", "мж", "чж")))
GENDER = "sex gender sexo sexe sesso geschlecht genero genere geslacht"
ROUND = 50  # rows of one day
HOURS = "hour hours hora heure ora stunde uhrzeit uur saat jam"
HALF_A_DAY, DAY = 12, 24  # hours
YEARS = "years yrs anos jahre annees anni"  # of service, of marriage, at a place
WORKED = 70  # years
FEW_FATES = 4  # distinct answers to whether somebody died
FEWEST_AGES = 5  # distinct numbers; fewer are groups or answers
OLDEST = 125  # years
LANDS = 0.5  # countries, of the codes of regions
SUBDIVISION = r"^[A-Z]{2}-[A-Z0-9]{1,3}\s?$"  # ISO 3166-2

SCHOOLED = f"{SCHOOLING} {words_in_cells('schooling')}"
BELIEVED = f"{FAITHS} {words_in_cells('faiths')}"
ILL = f"{ILLNESSES} {words_in_cells('illnesses')}"
RULED = f"{RULINGS} {words_in_cells('rulings')}"
OWED = f"{DUES} {words_in_cells('dues')}"
TRAVELED, HOURLY = words_in_cells("travel"), words_in_cells("hours")
FARED = f"{STANDINGS} {SEVERITIES} {FINDINGS} {ENDINGS} {PASSES} {OWED}"

#: Values that mean much else as names.
LOOSE = (
    HABITS,
    SEVERITIES,
    FINDINGS,
    ENDINGS,
    PASSES,
    OWED,
    TRADES,
    SCHOOLED,
    SECTORS,
    ANATOMY,
    TRAVELED,
    HOURLY,
)

#: Values -> what they are; two of them are enough, if most values are among them.
KNOWN = {
    f"{SEXES} {words_in_cells('sexes')}": "sexes",
    RACES: "ethnic groups",
    f"{MARRIAGES} {words_in_cells('marriages')}": "marriages",
    SCHOOLED: "degrees of schooling",
    STATES: "states or regions",
    COUNTRIES: "countries",
    TRADES: "occupations",
    SECTORS: "branches of industry",
    TRAVELED: "ways to travel",
    HOURLY: "hours of work",
}
KEPT = {BELIEVED: "faiths", LOVES: "whom people love", PARTIES: "parties", HABITS: "habits"}
KEPT |= {ILL: "illnesses", SEVERITIES: "degrees of an illness", FINDINGS: "findings"}
KEPT |= {ENDINGS: "how people fared", RULED: "crimes or sentences", PASSES: "results of exams"}
KEPT |= {OWED: "debts or decisions about them", VOTES: "political leanings"}
KEPT |= {ANATOMY: "parts of the body"}
#: What is said of values -> what a table is about that has them.
KEPT_BY_VALUE = {
    f"Its values are {KEPT[words]}.": subject
    for subject, vocabularies in {
        "health": (ILL, SEVERITIES, FINDINGS, ENDINGS, ANATOMY),
        "crimes and courts": (RULED,),
        "beliefs": (BELIEVED, LOVES, PARTIES, VOTES),
        "marks and exams": (PASSES,),
        "money": (OWED,),
    }.items()
    for words in vocabularies
} | {"Its values are marks.": "marks and exams", "Its values are blood groups.": "health"}
KEPT_BY_VALUE["Its values are blood pressures."] = "health"
OPINION = Guess("other", "Its name is that of an opinion, and its values are few.")
WHICH = "which others may know about a person"
SECRET_NAME = Guess("sensitive", "Its name is that of something people keep to themselves.")
MEASURE_NAME = Guess("sensitive", "Its name is that of something that is measured of people.")
SAID = (SECRET_NAME, MEASURE_NAME)
ENTERED = Guess("other", "It tells when records were entered or changed, many at a time.")
BY_NAME = Guess("quasi_identifier", "Its name is that of something others may know about a person.")


def recognize_dates(look: Look) -> Guess | None:
    """Days and moments, whatever they are called."""
    if look.size == 2 and not look.singles_out and look.filled > ROUND * look.size:
        return None  # when rows were gathered, in two rounds
    stamped = (
        any_of(STAMPED, ["".join(split_name(look.name))]) and look.varies and not look.singles_out
    )
    if stamped and look.filled >= ROUND * look.size:
        return ENTERED
    if look.like(TIME) >= NEARLY_ALL and look.size > 2:
        return Guess("quasi_identifier", f"Its values are times of day, {WHICH}.")
    if look.named(HOURS) and look.size >= HALF_A_DAY and look.are_whole and look.most <= DAY:
        return Guess("quasi_identifier", f"Its values are times of day, {WHICH}.")
    if look.varies and (look.kind == "date" or look.like(DATE) >= 0.9):
        exact = look.like(r"\d{1,2}:\d{2}") > MOST
        what = "Its values are exact moments" if exact else "Its values are dates"
        return Guess("quasi_identifier", f"{what}, {WHICH}.")
    called = any_of(DAYS, (*look.words[:1], *look.words[-2:])) and not look.is_question
    if called and look.kind != "numeric" and look.has_many and look.like(r"\d.*\d") >= 0.9:
        return Guess("quasi_identifier", f"Its name is that of days, {WHICH}.")
    return None


def recognize_values(look: Look) -> Guess | None:
    """Values that say by themselves what they are."""
    if look.size < 2:
        return None
    if frozenset(bare(text).strip().lower() for text in look.answers) in SEX_LETTERS:
        return Guess("quasi_identifier", f"Its values are letters for two sexes, {WHICH}.")
    if look.like(MONEY) > MOST:
        return Guess("sensitive", "Its values are amounts of money.")
    if look.kind in ("nominal", "code") and look.like(ICD_10) > 0.95 and look.like(r"\.\d") > 0.2:
        return Guess("sensitive", "Its values look like codes of diagnoses (ICD-10).")
    if look.kind in ("nominal", "code") and look.like(ATC) > 0.95:
        return Guess("sensitive", "Its values look like codes of medicines (ATC).")
    if look.kind in ("nominal", "code") and look.like(BLOOD) > 0.9:
        return Guess("sensitive", "Its values are blood groups.")
    if look.kind == "nominal" and look.size > FEW and look.like(PRESSURE) > MOST_PRESSURES:
        return Guess("sensitive", "Its values are blood pressures.")
    if look.kind in ("nominal", "code") and look.like(SUBDIVISION) > 0.9 and _share_lands(look):
        return Guess("quasi_identifier", f"Its values look like codes of regions, {WHICH}.")
    if _are_postal(look):
        return Guess("quasi_identifier", f"Its values look like postal codes, {WHICH}.")
    if look.like(LETTERS) > 0.9 and look.size > (2 if look.named(GRADED) else FEWEST_MARKS):
        return Guess("sensitive", "Its values are marks.")
    if look.named(GENDER) and _knows(look, next(iter(KNOWN))):
        return Guess("quasi_identifier", f"Its values are sexes, {WHICH}.")
    for words, what in KEPT.items():
        if _knows(look, words):
            return Guess("sensitive", f"Its values are {what}.")
    for words, what in KNOWN.items():
        if _knows(look, words) and not look.named(SECRETS):
            return Guess("quasi_identifier", f"Its values are {what}, {WHICH}.")
    if look.kind in ("nominal", "code") and look.like(AGE_CLASSES) >= NEARLY_ALL:
        return Guess("quasi_identifier", f"Its values are spans of ages, {WHICH}.")
    spans = look.like(AGES) > MOST and look.like(GROWN) > 0.3
    if spans and look.kind != "numeric" and not look.named(EARNED):
        return Guess("quasi_identifier", f"Its values are spans of ages, {WHICH}.")
    return None


def recognize_dummies(look: Look) -> Guess | None:
    """Yes or no to one value of a question: ``pacific``, ``catholic``, ``widowed``."""
    asked = "".join(look.words[-1:])
    if not look.is_binary or len(asked) < SPELLED:
        return None
    for words, what in (KEPT | KNOWN).items():
        if words not in LOOSE and any_of(words, [asked]):
            role = "sensitive" if words in KEPT else "quasi_identifier"
            return Guess(role, f"It says yes or no to one of several {what}.")
    return None


def recognize_target(look: Look) -> Guess | None:
    """A value to predict, if the last word of the name says so."""
    if look.words and not look.is_question and look.size <= 20:
        *before, last = look.words[: len(look.words) - (len(look.words) > 1)]
        if any_of(TARGETS, [last]) and not (before and any_of(CLASSES, [last])):
            return Guess("target", "Its name is that of a value to predict.")
    return None


def recognize_opinions(look: Look) -> Guess | None:
    """Answers on a scale, which nobody else knows and few people have alone."""
    if look.named(OPINIONS) and look.named(TAKEN_AMISS) and look.varies and not look.is_question:
        return Guess("sensitive", "It tells what others think of a person at work.")
    if look.named(OPINIONS) and look.size <= FEW and not look.singles_out and not _touches(look):
        return OPINION
    return None


def recognize_ages(look: Look) -> Guess | None:
    """Ages, at whatever they were told: at a diagnosis, too, and of a mother (``mthage``)."""
    if any_of(AGE, look.words[:1]) and look.varies and not look.is_binary:
        return Guess("quasi_identifier", f"Its name is that of an age, {WHICH}.")
    since = any_of(YEARS, look.words[:1]) and len(look.words) > 1 and look.kind == "numeric"
    if since and look.size > FEW and look.most <= WORKED and not look.named(SECRETS):
        return Guess("quasi_identifier", f"Its name is that of a number of years, {WHICH}.")
    part = any(any_of(AGE_PARTS, [word]) and not any_of(NO_AGES, [word]) for word in look.words)
    part &= not look.is_question
    if part and look.kind == "numeric" and look.size >= FEWEST_AGES and look.most <= OLDEST:
        return Guess("quasi_identifier", f"Its name and its numbers are those of ages, {WHICH}.")
    return None


def recognize_secrets(look: Look) -> Guess | None:
    """Columns whose name is that of a secret."""
    if look.is_question and look.size <= FEW and look.varies and _asks_how_people_are(look):
        return Guess("sensitive", "It asks people how they are or feel.")
    if look.is_question and look.size <= FEW and look.varies and look.asks(TO_A_PERSON, ASKED):
        return Guess("sensitive", "It asks people for something they keep to themselves.")
    if re.search(DEMOGRAPHIC, look.name):
        return None
    if (any_of(CALENDAR, look.words[:1]) and len(look.words) > 1) or look.named(TREATED_AT):
        return None
    amounts = look.kind == "numeric" and look.has_many  # of money, though asked for in a sentence
    if look.named(SECRETS) and look.varies and (amounts or not look.is_question):
        return SECRET_NAME
    if look.named(MARKED) and look.kind == "numeric" and look.size > 2:
        return Guess("sensitive", "Its name is that of marks, and its values are numbers.")
    if look.named(FATES) and 1 < look.size + (look.distinct.n_missing > 0) <= FEW_FATES:
        return Guess("sensitive", "It tells whether people died, not when.")
    if look.named(PATIENTS) and len(look.words) == 1 and look.is_binary:
        return Guess("sensitive", "It tells whether people were in a hospital, not in which.")
    coded = look.named(STATUSES) and (look.like(r"^-?\d$") == 1.0 or _knows(look, FARED))
    if (
        look.name.strip().lower() in ("status", "statut", "estatus") or coded
    ) and 1 < look.size <= FEW:
        return Guess("sensitive", "It tells how people are: ill or well, alive or dead, in or out.")
    if look.named(MEASURED) and look.varies:
        return MEASURE_NAME
    return None


def recognize_facts(look: Look) -> Guess | None:
    """Columns whose name is that of what others may know."""
    if look.is_question and look.varies and _asks_for_a_fact(look):
        return Guess(
            "quasi_identifier", "It asks people for something others may know about a person."
        )
    few_addresses = look.words[:1] == look.words and look.named(NAMING) and look.kind == "nominal"
    if look.is_question or not look.varies:
        return None
    exactly = "".join(look.words[-1:]) in FACTS.split()
    exactly |= bool(re.search(DEMOGRAPHIC, look.name))
    if any_of(FACTS, look.heads) or exactly or (few_addresses and any_of(PLACES, look.words)):
        return BY_NAME
    return None


def recognize_singling(look: Look) -> Guess | None:
    """Whatever tells people apart by itself is not published as it is."""
    if look.kind in ("nominal", "code") and not look.singles_out and look.size >= VARIED:
        return Guess("quasi_identifier", f"It has {look.size:,} values, which few others share.")
    if look.in_a_crowd > MOST_OF_A_CROWD and not look.singles_out:
        told = f"It tells {look.in_a_crowd:.0%} of people from all others in a crowd of {CROWD}"
        return Guess("quasi_identifier", f"{told}.")
    if not look.singles_out:
        return None
    share = f"It alone tells {look.alone:.0%} of the rows from all others"
    if look.kind == "nominal" and look.nearly_unique:
        return Guess("identifier", f"{share}.")
    return Guess("quasi_identifier", f"{share}.")


def _asks_for_a_fact(look: Look) -> bool:
    asked = look.asks(TO_A_PERSON, ASKED_FACTS)
    return asked or bool(re.search(ASKED_EXACTLY, bare(look.name).lower()))


def _asks_how_people_are(look: Look) -> bool:
    """Whether a question is one of an instrument for that, or speaks of feelings."""
    return look.named(INSTRUMENTS) or bool(re.search(FEELINGS, bare(look.name).lower()))


def _touches(look: Look) -> bool:
    """Whether an opinion is about health or crimes, or the rating of a disorder."""
    return look.named(HEALTH) or look.named(LAW)


def _are_postal(look: Look) -> bool:
    """Whether values look like postal codes: by themselves, or as a short name says."""
    written = look.kind in ("nominal", "code") and look.like(POSTAL_CODE) > 0.9
    return written or (any_of(POSTAL, look.words[:1]) and look.like(POSTAL_DIGITS) > 0.9)


def _share_lands(look: Look) -> bool:
    """Whether codes begin alike, as those of several regions of one country do."""
    return look.sample.str.head(2).n_unique() <= max(1, LANDS * len(look.sample))


def _knows(look: Look, words: str) -> bool:
    """Whether most values are among some words, and at least two of them are."""
    share = look.among(words)
    return share > MOST and share * min(look.size, 200) >= 2
