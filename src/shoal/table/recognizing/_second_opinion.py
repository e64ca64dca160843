"""A second opinion: what columns like this one were in tables that stewards gave roles.

Vocabularies end somewhere, and the next table begins there. A small model has learned what stewards
held some thousand columns for: from pieces of their names, the words of the table, and the shape of
their values. It is asked where rules know nothing, and heard where it is sure.
`benchmarks/second_opinion.py` teaches it and says how often it is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

import numpy as np

from shoal.table._kinds import Guess
from shoal.table.recognizing._concepts import SERVICE, concepts_of
from shoal.table.recognizing._facts import BY_NAME, SECRET_NAME
from shoal.table.recognizing._identifiers import (
    BELONGS,
    MOST_OF_A_CROWD,
    is_key,
    is_of_a_thing,
    is_of_somebody,
)
from shoal.table.recognizing._known import LEARNING, WHERE, WORK
from shoal.table.recognizing._look import Look, split_name
from shoal.table.recognizing._tongues import understand
from shoal.table.recognizing._vocabulary import NAMES, PEOPLES_NAMES, any_of
from shoal.typing import FloatArray

Features: TypeAlias = dict[int, float]  # bucket -> weight

FILE = Path(__file__).with_name("second_opinion.npz")
OPINIONS = ("other", "identifier", "quasi_identifier", "sensitive")
BUCKETS = 1 << 15
QUESTION = r"([^\W\d]*[\W_]*)\d+(?:\w?$|[\W_])"  # a number, and what is before it
PIECES = (3, 4, 5)  # letters
COMPANY = 0.5  # weight of the words of all columns, where those of the name weigh 1
UNHEARD = 1e-3  # chance that no opinion falls below
LIKELY = 0.55  # that a column has a role, though rules know of none
HARMLESS = 0.5  # that a column tells nothing, though it stands among secrets
SAID_SO = 8.0  # times as likely is the role of a concept that the name speaks of
KNOWN_TO_ALL = 100.0  # the same for what is told of people in public offices
OFFICES, OFFICIAL = "people in public offices", 3  # columns about those
ARRANGED = Guess("other", "Its name says how data were gathered, and its values tell nobody apart.")
BORN = "birth* born dob geboren geburt* nacimiento* naissance* nascita nascimento"
TORN = 0.2  # chance that it tells nothing: then the likeliest other role is taken
STEPS = {
    "size": (1, 2, 3, 5, 7, 11, 20, 50, 200, 1_000),
    "alone": (0, 0.01, 0.05, 0.2, 0.5, 0.9, 0.99),
    "crowd": (0.05, 0.2, 0.4, 0.6, 0.8, 0.95),
    "words": (1.01, 1.5, 2, 3, 5, 8),
    "digits": (0, 0.2, 0.5, 0.9),
    "filled": (0.05, 0.5, 0.95, 0.999),
    "length": (1, 2, 3, 5, 8, 12, 20, 40),
    "capitals": (0.1, 0.5, 0.9),
    "named": (1, 2, 3, 4, 5),
    "most": (1, 5, 7, 10, 20, 60, 100, 125, 1_000, 10_000, 100_000, 10_000_000),
}
BY_KIND = ("size", "alone", "crowd", "words", "digits", "whole")  # mean something else by kind
TELLS_APART = ("It alone tells ", "It tells ", "It has ", BELONGS.reason)
COMPANY_ALONE = "It stands among columns about "
#: Roles whose reasons begin so -> the chance that another one must have.
NEEDED = {
    ("other", ""): LIKELY,
    **{("quasi_identifier", begun): LIKELY for begun in TELLS_APART},
    ("quasi_identifier", BY_NAME.reason): 0.8,
    ("identifier", "It alone tells "): 0.8,
    ("sensitive", COMPANY_ALONE): 0.7,
    ("sensitive", SECRET_NAME.reason): 0.8,
}
LIKE_OTHERS = {
    "other": Guess("other", "Columns like it told nothing about a person in other tables."),
    "identifier": Guess("identifier", "Columns like it named or numbered people in other tables."),
    "quasi_identifier": Guess(
        "quasi_identifier",
        "Columns like it told what others may know about a person in other tables.",
    ),
    "sensitive": Guess(
        "sensitive", "Columns like it told what people keep to themselves in other tables."
    ),
}


def ask_again(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Give a role to what rules left to be published, if columns like it mostly had one.

    Where rules know little more than that a column tells people apart, or in which company it
    stands, it also says which careful role it has.

    >>> import polars as pl
    >>> from shoal.table._cells import Distinct
    >>> people = {"age": ["31", "45"] * 60, "housing_situation_now": ["aa", "bb", "cc"] * 40}
    >>> looks = {n: Look(n, "nominal", Distinct.of(pl.Series(v))) for n, v in people.items()}
    >>> unknown = Guess("other", "Neither its name nor its values point to a person.")
    >>> print(ask_again(looks, dict.fromkeys(looks, unknown))["housing_situation_now"])
    quasi_identifier (Columns like it told what others may know about a person in other tables.)
    """
    asked = {name for name, guess in guesses.items() if _is_open(looks[name], guess)}
    if not asked:
        return dict(guesses)
    chances = dict(zip(looks, judge([*looks.values()]), strict=True))
    concepts = concepts_of(looks)
    in_offices = sum(meaning.about == OFFICES for meaning in concepts.values()) >= OFFICIAL
    for name, meaning in concepts.items():
        sure = KNOWN_TO_ALL if in_offices and meaning.about == OFFICES else SAID_SO
        weights = np.where(np.equal(OPINIONS, meaning.role), sure, 1.0)
        chances[name] = chances[name] * weights / (chances[name] @ weights)
    arranged = {n for n in concepts if concepts[n].role == "other" and not _tells(looks[n])}
    for name in asked.intersection(n for n, look in looks.items() if _names_nobody(look)):
        without = np.where(np.equal(OPINIONS, "identifier"), 0.0, chances[name])
        chances[name] = without / without.sum()
    heard = {
        n: _hear(g, chances[n], known=n in concepts) if n in asked else g
        for n, g in guesses.items()
    }
    doubted = {n for n in arranged if _is_doubted(heard[n], serves=concepts[n].about == SERVICE)}
    return heard | dict.fromkeys(doubted, ARRANGED)


def _is_doubted(guess: Guess, *, serves: bool) -> bool:
    """Whether a guess gives way to a name that says how data were gathered, or by which device."""
    weak = guess == BELONGS or guess.reason.startswith(COMPANY_ALONE)
    return guess in (BY_NAME, *LIKE_OTHERS.values()) or (serves and weak)


def _names_nobody(look: Look) -> bool:
    """Whether it is the key of a thing, of firms, trades, schools or places, or tells of births."""
    if any_of(BORN, look.words) and not (is_key(look) or look.named(f"{NAMES} {PEOPLES_NAMES}")):
        return True
    placed = look.named(NAMES) and look.named(f"{WORK} {LEARNING} {WHERE}")
    return is_of_a_thing(look) or (placed and not is_of_somebody(look))


def _tells(look: Look) -> bool:
    """Whether values tell people apart, whatever the name says."""
    return look.singles_out or look.in_a_crowd > MOST_OF_A_CROWD or not look.varies


def _is_open(look: Look, guess: Guess) -> bool:
    """Whether little stands against what is known of other tables."""
    known = guess.choice == "other" and not (look.varies and look.kind != "date")
    return _needed(guess) < 1 and not known


def _hear(guess: Guess, chances: FloatArray, *, known: bool) -> Guess:
    if guess.reason.startswith(COMPANY_ALONE) and chances[0] > HARMLESS:
        return LIKE_OTHERS["other"]
    best = OPINIONS[1 + int(chances[1:].argmax())]
    needed = LIKELY if known and guess.reason.startswith(COMPANY_ALONE) else _needed(guess)
    torn = (
        known and guess.choice == "other" and chances[0] < TORN
    )  # between roles that both are careful
    if best == guess.choice or not (torn or chances[1:].max() > needed):
        return guess
    if guess.choice == "identifier" and best != "quasi_identifier":
        return guess  # what is taken for one is generalized at least
    return LIKE_OTHERS[best]


def _needed(guess: Guess) -> float:
    """Return the chance that another role must have, so that it is believed instead."""
    known = (
        chance
        for (choice, begun), chance in NEEDED.items()
        if guess.choice == choice and guess.reason.startswith(begun)
    )
    return next(known, 1.0)


def judge(looks: Sequence[Look]) -> FloatArray:
    """Give the chance of each of the `OPINIONS` for every column of a table."""
    weights, scale, bias, beside, beside_bias = _learned()
    alone = [scale * weigh(features, weights) for features in features_of(looks)]
    chances = _shares(beside_bias + look_around(_shares(bias + np.array(alone))) @ beside)
    alike: dict[object, list[int]] = {}
    for place, look in enumerate(looks):
        numbered = re.match(QUESTION, look.name)
        asked = (numbered[1], look.kind, look.answers) if numbered else place
        alike.setdefault(asked, []).append(place)
    for places in alike.values():  # questions that differ in their number only are one
        chances[places] = chances[places].mean(axis=0)
    return chances


@cache
def _learned() -> tuple[FloatArray, ...]:
    """Read what was learned; small integers stand for weights."""
    with np.load(FILE) as file:
        return tuple(file[name] for name in ("weights", "scale", "bias", "beside", "beside_bias"))


def weigh(features: Features, weights: FloatArray) -> FloatArray:
    """Sum up the weights of some features."""
    told = weights[list(features)].astype(np.float64)
    return np.asarray(np.array([*features.values()]) @ told)


def _shares(scores: FloatArray) -> FloatArray:
    risen = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(risen / risen.sum(axis=1, keepdims=True))


def look_around(chances: FloatArray) -> FloatArray:
    """Put the chances of a column beside those of its table and of its two neighbours."""
    others = (chances.sum(axis=0) - chances + 1 / len(OPINIONS)) / len(chances)
    padded = np.vstack([chances[:1] * 0, chances, chances[:1] * 0])
    neighbours = np.maximum(1, (padded[:-2].any(axis=1) * 1.0) + padded[2:].any(axis=1))
    near = (padded[:-2] + padded[2:]) / neighbours[:, None]
    return np.hstack([np.log(chances + UNHEARD), others, near])


def features_of(looks: Sequence[Look]) -> list[Features]:
    """Describe the columns of a table: each by its name, its values, and the words of them all."""
    words = {word for look in looks for word in _meant(look)}
    company = _evenly(sorted(f"among {word}" for word in words), COMPANY)
    described = []
    for look in looks:
        features = dict(company)
        for said in (_evenly(_of_name(look)), _evenly([*_of_values(look)])):
            for bucket, weight in said.items():
                features[bucket] = features.get(bucket, 0.0) + weight
        described.append(features)
    return described


def _evenly(said: Sequence[str], weight: float = 1.0) -> Features:
    """Share a weight out among what is said, the less to each the more there is."""
    features: Features = {}
    for one in said:
        bucket = crc32(one.encode()) % BUCKETS
        features[bucket] = features.get(bucket, 0.0) + weight / len(said) ** 0.5
    return features


def _meant(look: Look) -> tuple[str, ...]:
    return understand(split_name(look.name), look.spoken)


def _of_name(look: Look) -> list[str]:
    """Take the words of a name as they are, what they mean, and the pieces they are made of."""
    written, meant = split_name(look.name), _meant(look)
    ends = [f"first {meant[0]}", f"last {meant[-1]}"] if meant else []
    words = [f"word {word}" for word in written] + [f"means {word}" for word in meant]
    pieces = [
        f"<{word}>"[start : start + size]
        for word in sorted({*written, *meant})
        for size in PIECES
        for start in range(len(word) + 3 - size)
    ]
    return [*words, *ends, *pieces]


def _of_values(look: Look) -> Iterator[str]:
    """Say roughly what values look like; never what they are."""
    numbers = {
        "size": look.size,
        "alone": look.told_apart,
        "crowd": look.in_a_crowd,
        "words": look.words_each,
        "digits": look.like(r"\d"),
        "filled": look.filled / max(1, look.distinct.n_rows),
        "length": look.letters_each,
        "capitals": look.like(r"^\p{Lu}"),
        "named": len(look.words),
    }
    if look.kind == "numeric" and np.isfinite(look.most):
        numbers["most"] = look.most
    said = {name: sum(number > step for step in STEPS[name]) for name, number in numbers.items()}
    said |= {"whole": look.are_whole, "years": look.are_years, "asks": look.is_question}
    kind = f"{look.kind} {look.is_binary}"
    yield f"kind {kind}"
    for name, step in said.items():
        yield f"{name} {int(step)}"
        if name in BY_KIND:
            yield f"{kind} {name} {int(step)}"
