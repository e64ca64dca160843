"""Columns that name or reach a person: by the shape of their values, then by their name."""

from __future__ import annotations

import re
import unicodedata

from shoal.table._header import numbers_rows
from shoal.table._kinds import Guess
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._known import FACTS, WHERE
from shoal.table.recognizing._look import MANY, SINGLES_OUT, Look, split_name, tokens
from shoal.table.recognizing._secrets import SECRETS
from shoal.table.recognizing._tongues import words_in_cells
from shoal.table.recognizing._values import FIRST_NAMES
from shoal.table.recognizing._vocabulary import (
    ALONE,
    ARRANGED,
    COUNTS,
    KEYS,
    LASTING,
    NAMES,
    NAMING,
    OF_A_STUDY,
    PEOPLE,
    PEOPLES_NAMES,
    REMARKED,
    REMARKS,
    THAT_DO,
    THINGS,
    WHO_DO,
    any_of,
)

NEARLY_ALL = 0.9  # of the distinct values
NEARLY_NEW = 0.95  # of the rows: an entry that was typed twice makes no key less of one
#: Of Spain, Italy, Brazil, the United States, Chile, Mexico and the United Kingdom.
IDENTITY = (
    r"(?i)^(\d{8}-?[a-z]|[xyz]-?\d{7}-?[a-z]|[a-z]{6}\d{2}[a-z]\d{2}[a-z]\d{3}[a-z]"
    r"|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{3}-\d{2}-\d{4}|\d{1,2}\.?\d{3}\.?\d{3}-[\dk]"
    r"|[a-z]{4}\d{6}[hm][a-z]{5}[a-z\d]\d|[a-z]{2} ?(\d{2} ?){3}[a-d])$"
)
SHAPES = {
    r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$": "e-mail addresses",
    r"(?i)^(https?://|www\.)": "addresses of pages",
    r"^\d{1,3}(\.\d{1,3}){3}$|^[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{0,4}){3,7}$": "network addresses",
    r"(?i)^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$": "unique keys",
    r"^[0-9a-f]{16,}$": "hashes or keys",
    r"^[A-Z]{2}\d{2} ?([A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4}$": "account numbers (IBAN)",
    IDENTITY: "numbers of identity papers",
}
GROUPED_DIGITS = r"^\+?[(\d][\d ()/.-]{7,}\d$"
NINE_DIGITS = r"^(\D*\d){9,}\D*$"
SEPARATED = r"^\+|[ ()/-]"
HOUSE = r"^\d+[a-zA-Z]? \pL[\pL.' -]*[\pL.' -]{3}$|^\pL[\pL.' -]+ \d+[a-zA-Z]?$"
NUMBER_FIRST = r"^\d+[a-zA-Z]?,? \pL[\pL.' -]*[\pL.' -]{3}$"
LIKE_A_NAME = r"^[\p{Lu}\p{Lo}][\pL.'’ -]+$"
NAME_WITH_NUMBER = r"^\p{Lu}\p{Ll}[\pL.'’ -]*\d+$"  # as made-up patients have
NAME_IN_CHARACTERS = r"^[\p{Han}\p{Hangul}]{2,4}( ?[\p{Han}\p{Hangul}\p{Hiragana}]{1,4})?$"
WORDS_LIKE_NAMES = r"^\pL[\pL.'’-]*,?( \pL[\pL.'’-]*\.?,?){1,4}$"
KEY_SHAPE = r"^[A-Za-z]{0,12}[-./_: ]?\d[\dA-Za-z./_:-]*( [\dA-Za-z./_:-]+)*$"
LONG_NUMBER = r"^[1-9]\d{10,}$"
MANY_DIGITS, ROUNDED = r"^[1-9]\d{7,9}$", 0.2  # sums of money may be longer
LONG_KEY = r"^[A-Z]{1,4}[-/ ]?\d{6,}$"
CAPITALS = r"^[A-Z0-9][A-Z0-9._/-]*$"
OF_STUDIES = frozenset(bare(OF_A_STUDY).lower().split())  # alone, they are keys
OF_MANY = OF_STUDIES.union(bare(ALONE).lower().split())
FEW_NAMES = 5  # distinct values; fewer are no column of names
NAMED_OFTEN = 0.25  # of the rows: a common first name somewhere in the cell
SAID = "Its name is that of remarks, which may say anything about anybody."
BELONGS = Guess("quasi_identifier", "It is the key of something that a person belongs to.")
TICKED = Guess("sensitive", "Its values are lists of answers, of which several could be ticked.")
NEVER = Guess("identifier", "Its name is that of a key, and its values never repeat.")
HARDLY = Guess("identifier", "Its name is that of a key, and its values hardly repeat.")
FREE_TEXT = 5  # words
NAMES_OF_PEOPLE = frozenset((*FIRST_NAMES.split(), *words_in_cells("names").split()))
CODE = (
    "id code* cod codice codigo kod kode kodu no nr nro nummer number num numero kennung cislo key"
)
CODE_BEHIND = r"(code|nummer|number|nr|id|kennung|kod|kode|kodu|codes|kurzel)$"
CODED, PAIR = "cod code kod kode", 3  # before whose it is: two words, and both as one
NUMBER = "n no nr nro num number numero nummer nb nbr nombre"
SEVERAL_ROWS = 0.1  # distinct values, of the rows that have one
MOST_OF_A_CROWD = 0.8  # of people, whom a value tells from nine others
STREETS = 50  # distinct addresses; fewer that begin with a number may be classes
SCORED = 100  # the largest of marks and shares
SOME_CODED = 0.3  # with a digit: words in capitals have none
SOME_LISTED = 0.5  # with digits, or like whole names: more are lists of codes or of people
FEWEST_ROWS = 20  # in fewer, values may all differ by chance


def recognize_shapes(look: Look) -> Guess | None:
    """E-mails, pages, networks, accounts, telephone numbers: nobody else looks like that."""
    if not look.has_many:
        return None
    for shape, what in SHAPES.items():
        if look.like(shape) >= NEARLY_ALL:
            return Guess("identifier", f"Its values look like {what}.")
    known = look.named(FACTS) or look.named(WHERE) or look.named(SECRETS)
    if look.like(LONG_NUMBER) == 1.0 and look.sample.str.len_chars().n_unique() == 1 and not known:
        return Guess("identifier", "Its values are long numbers of one length, as keys are.")
    grouped = look.like(GROUPED_DIGITS) >= NEARLY_ALL and look.like(NINE_DIGITS) >= NEARLY_ALL
    if look.kind not in ("numeric", "date") and grouped and look.like(SEPARATED) >= NEARLY_ALL:
        return Guess("identifier", "Its values are grouped digits, as telephone numbers are.")
    return None


def recognize_free_text(look: Look) -> Guess | None:
    """Remarks: whatever somebody wrote, names included."""
    if look.kind == "nominal" and look.named(REMARKED) and look.words_each >= 2 and look.varies:
        return Guess("drop", SAID)
    if look.kind == "nominal" and look.asks_why and look.told_apart > SINGLES_OUT:
        return Guess("drop", "It asks for something in one's own words.")
    written = look.kind == "nominal" and look.has_many and look.singles_out
    known = (look.named(FACTS) or look.named(SECRETS)) and not look.nearly_unique
    known &= not look.is_question or look.are_chosen  # words of a question are about anything
    if written and look.words_each >= FREE_TEXT and not (known or _is_ticked(look)):
        return Guess("drop", "Its values are free text, which may say anything about anybody.")
    if written and look.words_each >= 2 and look.named(REMARKS):
        return Guess("drop", SAID)
    return None


def recognize_ticked(look: Look) -> Guess | None:
    """Lists of answers of which several could be ticked, as many as people may combine them."""
    return TICKED if look.kind == "nominal" and _is_ticked(look) else None


def _is_ticked(look: Look) -> bool:
    """Whether values are lists of what was offered, which is neither codes nor people."""
    if not look.are_ticked or look.like(r"\d") > SOME_LISTED or look.named(NAMING):
        return False
    named = sum(part.istitle() and " " in part for part in look.parts)  # as whole names are
    return look.is_question or named <= SOME_LISTED * len(look.parts)


def recognize_people(look: Look) -> Guess | None:
    """Names of people: words like names, hardly repeated, or first names that are common."""
    if look.kind != "nominal" or (look.size < FEW_NAMES < look.filled):
        return None
    if look.is_question and look.are_chosen:
        return None
    if len(look.words) == 1 and look.named(NAMES) and look.like(NAME_WITH_NUMBER) >= NEARLY_ALL:
        return Guess("identifier", "Its name is that of names, and its values are numbered names.")
    if look.like(r"\d") > 0.1:
        return None
    if look.named(FACTS) and not look.named(NAMES):
        return None
    if common_names(look) > NAMED_OFTEN or named_characters(look):
        return Guess("identifier", "Many of its values hold a common first name.")
    whose = look.named(PEOPLE) or not look.named(FACTS)  # an employee's, not a school's
    told = look.named(NAMES) and whose and not look.named(SECRETS)
    enough = look.has_many or look.like(LIKE_A_NAME) >= NEARLY_ALL
    if told and enough and (look.singles_out or len(look.words) == 1):
        return Guess("identifier", "Its name is that of names, and its values are words like them.")
    if look.nearly_unique and look.like(WORDS_LIKE_NAMES) >= NEARLY_ALL and not look.named(SECRETS):
        return Guess(
            "identifier", "Its values are a few words each and hardly repeat, as names do."
        )
    return None


def recognize_naming(look: Look) -> Guess | None:
    """Columns whose name says that they name or reach a person, with values enough to do so."""
    if look.is_question or look.size < FEW_NAMES:
        return None
    if look.named(PEOPLES_NAMES) and look.kind not in ("date", "numeric"):
        return Guess("identifier", "Its name says that it holds people's names.")
    if not look.has_many:
        return None
    whole = look.are_whole or look.like(r"^\+\d+$") >= NEARLY_ALL  # a prefix is no sign
    number = look.kind != "numeric" or (whole and (look.nearly_unique or _spread(look)))
    if look.named(NAMING) and look.kind != "date" and number:
        return Guess("identifier", "Its name says that it names or reaches a person.")
    many = look.size >= STREETS and look.like(NUMBER_FIRST) >= NEARLY_ALL
    if look.kind == "nominal" and (many or (look.nearly_unique and look.like(HOUSE) >= NEARLY_ALL)):
        return Guess("identifier", "Its values look like addresses with a house number.")
    return None


def recognize_record_numbers(look: Look) -> Guess | None:
    """Keys by their name that are new in nearly every row, whatever else is in the name."""
    if look.kind == "date" or look.is_question or look.filled < FEWEST_ROWS:
        return None
    if look.alone < NEARLY_NEW or not (is_key(look) and _is_keyed(look)):
        return None
    if look.named(WHERE) and not look.distinct.all_differ:
        return None  # the code of a small place
    return NEVER if look.distinct.all_differ else HARDLY


def recognize_keys(look: Look) -> Guess | None:
    """Record keys: unique, nearly unique, or shared by the rows of one person."""
    if look.kind == "date" or look.is_question:
        return None
    named = look.size > 2 and len(look.words) > 1 and is_persons_key(look)
    if (named and _is_keyed(look)) or _stands_for_somebody(look):
        return Guess("identifier", "Its name is that of a person's key.")
    if look.size > 2 and _called(look) in OF_MANY and _is_keyed(look):
        return BELONGS
    if not look.has_many:
        belongs = look.size > 2 and len(look.words) > 1 and _is_called_id(look)
        known = look.named(ARRANGED) or look.named(SECRETS) or look.named(THINGS)
        return BELONGS if belongs and _is_keyed(look) and not known else None
    keyed = _is_keyed(look)
    if keyed and is_key(look):
        return _named_key(look)
    if not keyed or look.filled < FEWEST_ROWS or look.named(FACTS) or look.named(SECRETS):
        return None
    if look.distinct.all_differ and numbers_rows(look.distinct.texts):
        return Guess("drop", "It only numbers the rows.")
    if look.runs:
        return Guess("identifier", "Its whole numbers run from row to row, as record numbers do.")
    if look.kind != "numeric" and (look.nearly_unique or (look.kind == "code" and _spread(look))):
        return Guess("identifier", "Its values are codes that hardly repeat, as record keys do.")
    if look.kind != "numeric" and _spread(look) and look.like(LONG_KEY) >= NEARLY_ALL:
        return Guess("identifier", "Its values are long codes, as keys of contracts or cases are.")
    if look.kind == "numeric" and _spread(look) and _are_long(look):
        return Guess("identifier", "Its whole numbers are long, and few share them, as keys are.")
    if (look.distinct.all_differ and _may_number(look)) or (
        look.alone > 0.95 and look.like(r"^\d{5,}$") == 1.0
    ):
        return Guess("identifier", "Its whole numbers differ from row to row, as record keys do.")
    return None


def _stands_for_somebody(look: Look) -> bool:
    """Whether codes stand under nothing but a word for a person, as in a study of a few."""
    enough = look.has_many if _called(look) not in OF_STUDIES else look.size > 2
    if not enough or _called(look) not in OF_MANY:
        return False
    codes = look.like(CAPITALS) >= NEARLY_ALL and look.like(r"\d") > SOME_CODED
    return _is_keyed(look) or (look.kind != "numeric" and codes)


def _called(look: Look) -> str:
    """Return the name of a column as one word, without digits and words for a code."""
    written = (word for word in split_name(look.name) if not any_of(CODE, [word]))
    whole = re.sub(r"[\W\d_]", "", "".join(written))
    return whole if whole in OF_MANY else re.sub(CODE_BEHIND, "", whole)


def _is_keyed(look: Look) -> bool:
    """Whether values are digits with some letters, as keys are, and no measures."""
    return look.like(KEY_SHAPE) >= NEARLY_ALL and (look.are_whole or look.kind != "numeric")


def _are_long(look: Look) -> bool:
    """Whether whole numbers have many digits, and are neither days nor rounded amounts."""
    plain = max(look.like(r"^(19|20)\d{6}$"), look.like(r"000$")) < ROUNDED
    return plain and look.like(MANY_DIGITS) >= NEARLY_ALL


def _may_number(look: Look) -> bool:
    """Whether numbers that all differ are long, or as many as the rows they would number."""
    return look.most > SCORED or look.most <= look.filled + 1


def lasts(look: Look) -> bool:
    """Tell whether the name of a column is that of what never changes of a person."""
    return look.named(LASTING)


def is_key(look: Look) -> bool:
    """Tell whether the name of a column ends as names of keys do (a number *of* visits is none)."""
    last = look.words[-2:-1] or look.words
    counts = any_of(COUNTS, look.words[:1]) and not _numbers_somebody(look)
    coded = any_of(CODED, look.words[:1]) and len(look.words) <= PAIR and is_of_somebody(look)
    return not counts and (coded or any_of(KEYS, (*last, *look.words[:1])) or _is_called_id(look))


def _numbers_somebody(look: Look) -> bool:
    """Tell whether a number *of* somebody is theirs (``nº sócio``), since it counts nothing."""
    somebodys = any_of(NUMBER, look.words[:1]) and is_of_somebody(look)
    return somebodys and look.size >= MANY and look.are_whole and _stands_for_many(look)


def _stands_for_many(look: Look) -> bool:
    """Whether numbers are as many as people would be who have some rows each."""
    return look.size >= SEVERAL_ROWS * look.filled and look.in_a_crowd > MOST_OF_A_CROWD


def _is_called_id(look: Look) -> bool:
    """Tell whether its name says *id*, wherever: ``clients_id_client`` is a key of clients."""
    return "id" in look.words or any_of("ids *id", look.words[-2:-1])


def is_persons_key(look: Look) -> bool:
    """Tell whether the name of a column is that of a person's key."""
    alone = _called(look) in OF_STUDIES or _stands_for_somebody(look)
    whose = is_of_somebody(look) or len(look.words) == 1
    return alone or (is_key(look) and whose)


def is_of_somebody(look: Look) -> bool:
    """Tell whether a word of its name stands for a person, by itself or by how it ends."""
    words = (word for word in look.words if not any_of(THAT_DO, [word]))
    return look.named(PEOPLE) or any_of(WHO_DO, words)


def _named_key(look: Look) -> Guess | None:
    somebody = is_persons_key(look)
    if look.named(FACTS) and not (somebody and look.nearly_unique):
        return None
    if look.nearly_unique or look.runs:
        return HARDLY
    if somebody and look.size > 2:
        return Guess("identifier", "Its name is that of a person's key.")
    return None if is_of_a_thing(look) else BELONGS


def is_of_a_thing(look: Look) -> bool:
    """Tell whether the name of a column is the key of goods, offers, seats or competitions."""
    return is_key(look) and look.named(THINGS) and not is_of_somebody(look)


def _spread(look: Look) -> bool:
    """Whether codes are so many that they stand for people rather than for kinds of things."""
    return look.size >= 0.05 * look.filled


def common_names(look: Look) -> float:
    """Tell the share of the values, on a sample, with a word that is a common first name."""
    texts = look.sample.head(300).to_list()
    known = NAMES_OF_PEOPLE
    return sum(bool(known.intersection(tokens([text]))) for text in texts) / max(1, len(texts))


def named_characters(look: Look) -> bool:
    """Tell whether most values are Chinese, Japanese or Korean names of people, by surname."""
    if look.like(NAME_IN_CHARACTERS) < NEARLY_ALL:
        return False
    begins = "|".join(words_in_cells("surnames").split())
    texts = look.sample.head(300).to_list()
    found = (re.match(begins, unicodedata.normalize("NFKD", text)) is not None for text in texts)
    return sum(found) / max(1, len(texts)) > 0.5
