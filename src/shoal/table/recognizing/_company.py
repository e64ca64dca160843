"""Columns that nothing is known of, judged by the company they keep.

A name that says nothing is no reason to publish a column: in a table about what people keep to
themselves, a careful steward keeps what is unknown, too. How the data were gathered, opinions and
long lists of questions with the same answers stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from shoal.table._kinds import Guess
from shoal.table.recognizing._facts import BY_NAME, KEPT_BY_VALUE, OPINION, SAID
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._identifiers import SCORED, is_key
from shoal.table.recognizing._look import Look
from shoal.table.recognizing._secrets import (
    ACHIEVEMENT,
    BELIEFS,
    CARE,
    HEALTH,
    ILLNESS,
    INTIMATE,
    LAW,
    MEASURED,
    MONEY,
    SECRETS,
)
from shoal.table.recognizing._vocabulary import (
    ARRANGED,
    CALENDAR,
    COUNTS,
    NUMBERED,
    PATIENTS,
    PERSONAL,
    PUPILS,
    QUESTIONS,
    TAUGHT,
    any_of,
)

COMPANY = 2  # columns: one is no company
FEWEST = 3  # columns about one thing
SHARE = 0.3  # of the columns that are published: the table is about little else
NAMED_SHARE = 0.1  # the same, if the name of the file says what the table is about
PRIVATE_SHARE = 0.15  # of the columns that are published: the unknown ones are kept, too
SCALE_SHARE = 0.1  # the same for marks, beside which only numbers are taken for others
TELLS_APART = ("It alone tells ", "It tells ")  # how the reason begins where nothing else is known
SOME = 0.2  # of the distinct values
FEW = 15  # distinct values of an answer, or of a scale
MARKED = 6  # distinct numbers that marks have at least
AMOUNTS = 16  # distinct numbers that amounts of money have at least
BLOCK = 8  # questions with the same answers, more than yes and no
ALIKE = 0.8  # of the values of a column, which another one has

SCALE = 11  # answers, from 0 to 10
POINTS = 5  # answers of a scale at least
BEGUN = 3  # letters with which names of one questionnaire begin

#: Who is in a parliament or a council, or wants to be.
OFFICES = """
    mp mps senator* senado* senat* deputy deputies deputad* diputad* depute deputes parliament*
    parlament* congress* councillor* councilor* candidat* kandidat* constituenc* electorate mandat*
    bundestag* poslan* zastupitel* riksdag* folketing* storting* kansanedustaj* milletvekil*
    assembl* legislat* legislature* nominee* elected elect? minister* ministr* politician*
    politiker* politico* kandidaat* wahlkreis* circonscription* circunscri*
"""
PARTY = """
    party parties partei* partido* partito* parti parti? partis partij* partia partie strana stran?
    partidul* parteizuordnung groupepolitique politicalgroup parliamentarygroup grupoparlamentar*
    gruppoparlamentare fraktion* groupeparlementaire grupopolitico
"""
IN_PUBLIC = Guess("quasi_identifier", "The party of people in public offices is known to all.")
SEVERAL_MEANINGS = """
    stage stages condition conditions temperature temperatures lengthofstay lengthstay
"""
DOUBTFUL = Guess("other", "Its name could be about health, but nothing else in the table is.")
ITEM = Guess("other", "Many others have the same answers: it is one question of a scale.")
ON_A_SCALE = Guess(
    "sensitive", "It is one of many questions of scales, which measure how people are."
)
NUMBERED_ANSWER = Guess(
    "sensitive", "It is one of many numbered questions, and people's answers are their own."
)
MARKS = Guess("sensitive", "It stands among other subjects of a school, so its values are marks.")
SAME_VALUES = Guess("sensitive", "Its values are those of a column that people keep to themselves.")


@dataclass(frozen=True)
class TableSubject:
    """What a table can be about: words of its columns, of its name, and the numbers it takes."""

    name: str
    words: str
    titles: str
    numbers: int = 0  # distinct values of the numbers that are taken for it; 0 takes everything
    share: float = PRIVATE_SHARE


BODY = f"{ILLNESS} {CARE} {INTIMATE} {MEASURED}"  # who smokes is asked beside anything
ABOUT_HEALTH = TableSubject("health", BODY, f"{HEALTH} {MEASURED} {PATIENTS} medic* medizin*")
ABOUT_LAW = TableSubject("crimes and courts", LAW, LAW)
ABOUT_BELIEFS = TableSubject("beliefs", BELIEFS, "")
ABOUT_MARKS = TableSubject(
    "marks and exams", f"{ACHIEVEMENT} {TAUGHT}", PUPILS, MARKED, SCALE_SHARE
)
ABOUT_MONEY = TableSubject("money", MONEY, "", AMOUNTS)
SUBJECTS = (ABOUT_HEALTH, ABOUT_LAW, ABOUT_BELIEFS, ABOUT_MARKS, ABOUT_MONEY)


def keep_company(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess], titles: Iterable[str] = ()
) -> dict[str, Guess]:
    """Keep what is unknown to the people, in a table about what they keep to themselves.

    ``goitre``, ``lithium`` and ``Thal`` are in no vocabulary that is short enough to be read, but
    they stand beside ``tumor``, ``pregnant`` and ``cholesterol``. ``titles`` are the words of the
    table's own name.
    """
    guesses = {n: _as_an_item(looks, n, guess) for n, guess in guesses.items()}
    titles = tuple(titles)
    guesses = _with_public_parties(looks, guesses, titles)
    guesses = _without_doubtful(looks, guesses, titles)
    published = [n for n, guess in guesses.items() if guess.choice not in ("identifier", "drop")]
    guesses = _keep_marks(looks, guesses, published, titles)
    about = Counter(s.name for n in published for s in _subjects_of(looks[n], guesses[n]))
    found = dict(guesses)
    for name, guess in _answers(looks, guesses, published, about, titles):
        if found[name].choice == "other" or _only_tells_apart(found[name]):
            found[name] = guess
    return found


def _with_public_parties(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess], titles: tuple[str, ...]
) -> dict[str, Guess]:
    """Let parties be facts where people hold an office, or stand for one: everybody knows them."""
    if not any_of(OFFICES, [*titles, *(word for look in looks.values() for word in look.words)]):
        return dict(guesses)
    return {
        n: IN_PUBLIC if guess.choice == "sensitive" and looks[n].named(PARTY) else guess
        for n, guess in guesses.items()
    }


def _without_doubtful(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess], titles: tuple[str, ...]
) -> dict[str, Guess]:
    """Leave what a word of several meanings says where nothing else is about health.

    A ``stage`` is one of an illness or of a sale, a ``condition`` that of a patient or of a trial.
    """
    doubtful = {n for n, guess in guesses.items() if guess in SAID and _is_doubtful(looks[n])}
    if not doubtful or any_of(ABOUT_HEALTH.titles, titles):
        return dict(guesses)
    others = (n for n, guess in guesses.items() if n not in doubtful)
    if any(ABOUT_HEALTH in _subjects_of(looks[n], guesses[n]) for n in others):
        return dict(guesses)
    if any(look.named(PATIENTS) for look in looks.values()):
        return dict(guesses)
    plain = {n for n in doubtful if not looks[n].singles_out}
    return {n: DOUBTFUL if n in plain else guess for n, guess in guesses.items()}


def _is_doubtful(look: Look) -> bool:
    """Whether every word of its name that is about health is a word for much else."""
    words = look.words[: len(look.words) - (len(look.words) > 1)]
    told = [word for word in words if any_of(f"{SECRETS} {MEASURED}", [word])] or look.words[-1:]
    return bool(told) and all(any_of(SEVERAL_MEANINGS, [word]) for word in told)


def _answers(
    looks: Mapping[str, Look],
    guesses: Mapping[str, Guess],
    published: list[str],
    about: Mapping[str, int],
    titles: tuple[str, ...],
) -> Iterator[tuple[str, Guess]]:
    """Yield what the unknown columns are taken for, the surest first."""
    unknown = [n for n in published if _is_unknown(looks[n], guesses[n])]
    for subject in (ABOUT_HEALTH, ABOUT_LAW):
        titled = any_of(subject.words, titles)
        if about[subject.name] >= (_named(published) if titled else _enough(published)):
            yield from ((n, _among(subject)) for n in unknown if looks[n].size <= FEW)
            break
    plain = [n for n in unknown if not _is_in_a_block(looks, n)]
    yield from ((n, SAME_VALUES) for n in plain if _has_values_of_a_secret(looks, guesses, n))
    yield from ((n, ON_A_SCALE) for n in published if _is_on_a_scale(looks, n))
    yield from ((n, NUMBERED_ANSWER) for n in published if _is_numbered_answer(looks, n))
    private = _private_subject(about, published, titles, looks)
    if private is not None:
        yield from ((n, _among(private)) for n in plain)
    for subject in (s for s in SUBJECTS if s.numbers):
        if _is_about(subject, about, published, titles):
            numbers = (n for n in plain if looks[n].kind == "numeric")
            yield from ((n, _among(subject)) for n in numbers if looks[n].size >= subject.numbers)
    if _is_about(ABOUT_MARKS, about, published, titles):
        exact = (n for n in published if _may_be_a_mark(looks[n], guesses[n]))
        yield from ((n, _among(ABOUT_MARKS)) for n in exact)


def _private_subject(
    about: Mapping[str, int],
    published: list[str],
    titles: tuple[str, ...],
    looks: Mapping[str, Look],
) -> TableSubject | None:
    """Find what a table is about, if that is what people keep to themselves."""
    said = (ABOUT_HEALTH, ABOUT_LAW, ABOUT_BELIEFS, ABOUT_MARKS)
    most = max(said, key=lambda subject: about[subject.name])
    if sum(about[s.name] for s in said) >= max(COMPANY, PRIVATE_SHARE * len(published)):
        return most
    patients = any(looks[n].named(PATIENTS) for n in looks if not looks[n].is_question)
    if patients or any_of(ABOUT_HEALTH.titles, titles):
        return ABOUT_HEALTH
    return ABOUT_LAW if any_of(ABOUT_LAW.titles, titles) else None


def _is_about(
    subject: TableSubject, about: Mapping[str, int], published: list[str], titles: tuple[str, ...]
) -> bool:
    enough = about[subject.name] >= max(COMPANY, subject.share * len(published))
    return enough or any_of(subject.titles, titles)


def _subjects_of(look: Look, guess: Guess) -> Iterator[TableSubject]:
    """Yield what a column is about, by its name or values; amounts of money are about nothing else.

    What is measured so exactly that it is generalized speaks of health like what is kept.
    """
    if guess.choice == "other" or look.is_question or not look.varies:
        return
    charged = look.named(MONEY) and look.kind == "numeric" and look.size >= AMOUNTS
    for subject in (ABOUT_MONEY,) if charged else SUBJECTS:
        exact = subject is ABOUT_HEALTH and look.kind == "numeric"
        known = guess.choice in ("sensitive", "target") or exact
        if known and (look.named(subject.words) or KEPT_BY_VALUE.get(guess.reason) == subject.name):
            yield subject


def _among(subject: TableSubject) -> Guess:
    reason = f"It stands among columns about {subject.name}, and its name says nothing."
    return Guess("sensitive", reason)


def _keep_marks(
    looks: Mapping[str, Look],
    guesses: Mapping[str, Guess],
    published: list[str],
    titles: tuple[str, ...],
) -> dict[str, Guess]:
    """Keep numbers under the names of what is taught at school, where several are or they vary."""
    taught = [n for n in published if _is_taught(looks[n])]
    several = len(taught) >= _enough(published)
    sure = several or any_of(PUPILS, titles)  # a reading may be that of a meter
    unknown = {n for n in taught if guesses[n].choice == "other"}
    unknown |= {n for n in taught if sure and _only_tells_apart(guesses[n])}
    unknown = {n for n in unknown if several or looks[n].size >= MARKED}
    return {name: MARKS if name in unknown else guess for name, guess in guesses.items()}


def _is_taught(look: Look) -> bool:
    """Whether numbers stand under a subject: no question about it, and no years spent on it."""
    counted = any_of(f"{COUNTS} {CALENDAR} years", look.words[:1])
    return look.kind == "numeric" and look.named(TAUGHT) and not (look.is_question or counted)


def _only_tells_apart(guess: Guess) -> bool:
    """Whether nothing is known of a column but that it tells people apart."""
    return guess.choice == "quasi_identifier" and guess.reason.startswith(TELLS_APART)


def _enough(published: list[str]) -> float:
    return max(FEWEST, SHARE * len(published))


def _named(published: list[str]) -> float:
    return max(1, NAMED_SHARE * len(published))


def _is_unknown(look: Look, guess: Guess) -> bool:
    """Whether it is published as it is, and not about how data were gathered or what is thought."""
    if guess.choice != "other" or not look.varies or look.is_question or guess == OPINION:
        return False
    if look.kind == "date":
        return False
    numbered = "id" in look.words or look.like(r"\d") > SOME
    keyed = is_key(look) and numbered  # *causa* is a case that has a number, or why one is ill
    arranged = look.named(ARRANGED) or keyed or look.are_years
    return not (arranged or any_of(COUNTS, look.words[:1]))


def _may_be_a_mark(look: Look, guess: Guess) -> bool:
    """Whether numbers of which nothing is known but that they tell people apart are up to 100."""
    if look.kind != "numeric" or not _only_tells_apart(guess) or look.is_question:
        return False
    arranged = look.named(ARRANGED) or is_key(look) or look.are_years
    arranged |= any_of(COUNTS, look.words[:1])
    return not arranged and look.most <= SCORED


def _is_in_a_block(looks: Mapping[str, Look], name: str) -> bool:
    """Whether it is one of many that are only numbered, or with answers beyond yes and no."""
    look = looks[name]
    if look.size > FEW:
        return False
    numbered = sum(other.stem == look.stem != name for other in looks.values())
    alike = sum(other.answers == look.answers for other in looks.values()) if look.size > 2 else 0
    return max(numbered, alike) >= BLOCK


def _is_on_a_scale(looks: Mapping[str, Look], name: str) -> bool:
    """Whether it is one of many numbered questions that are answered with 1 to 5, 7 or 10.

    Their names say what is measured (``neuro3``); numbered questions alone (``q3``) say nothing.
    """
    look = looks[name]
    stem = re.fullmatch(r"[\W_]*([^\W\d]{3,})[\W_]*\d{1,2}", look.name.strip())
    if stem is None or look.kind != "numeric" or not POINTS <= look.size <= SCALE:
        return False
    if any_of(NUMBERED, [bare(stem[1]).lower()]) or not look.are_whole:
        return False
    return sum(other.answers == look.answers for other in looks.values()) >= BLOCK


def _is_numbered_answer(looks: Mapping[str, Look], name: str) -> bool:
    """Whether it is one of many questions that are only numbered, answered with one of a few."""
    look = looks[name]
    asked = re.fullmatch(r"[\W_]*([^\W\d_]+)[\W_]*", look.stem)
    if asked is None or look.stem == look.name or not 1 < look.size <= FEW:
        return False
    if not any_of(f"{QUESTIONS} q", [bare(asked[1]).lower()]):
        return False
    return sum(o.stem == look.stem and o.size <= FEW for o in looks.values()) >= BLOCK


def _as_an_item(looks: Mapping[str, Look], name: str, guess: Guess) -> Guess:
    """Take back what a name says if many questions have the same scale: ``jobs`` matter, 1 to 5.

    Who somebody is may be asked with as many answers, unless the names begin alike, too.
    """
    look = looks[name]
    if guess != BY_NAME or not 2 < look.size <= SCALE:
        return guess
    alike = [n for n, other in looks.items() if other.answers == look.answers]
    begun = sum(n[:BEGUN].lower() == name[:BEGUN].lower() for n in alike)
    item = begun >= BLOCK or (len(alike) >= BLOCK and not look.named(PERSONAL))
    return ITEM if item else guess


def _has_values_of_a_secret(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess], name: str
) -> bool:
    """Whether most of its several texts are those of a column that is kept."""
    answers = looks[name].answers
    if looks[name].kind == "numeric" or len(answers) < MARKED:
        return False
    kept = (looks[n].answers for n, guess in guesses.items() if guess.choice == "sensitive")
    return any(len(answers & others) >= ALIKE * len(answers) for others in kept)
