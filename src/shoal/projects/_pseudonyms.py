"""Pseudonyms: what a column of names becomes under a key."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import polars as pl

from shoal._checks import choice, did_you_mean, text
from shoal._words import plural
from shoal.exceptions import InvalidParameterError, ReleaseRefusedError
from shoal.projects._ff1 import FF1
from shoal.projects._keys import ProjectKey
from shoal.table import fold_texts

SCOPES = ("release", "project")
LOOKS = ("hex", "digits")
HEX_DIGITS = 32  # 128 bits: two of a billion people collide with a chance of 1 in 10^21
_DIGITS = re.compile("[0-9]+")
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,15}|")


@dataclass(frozen=True)
class Pseudonym:
    """What is published in the place of a column of names.

    Parameters
    ----------
    scope : {"release", "project"}
        How far the same person has the same pseudonym: in one release, under a key that nobody
        keeps; or in every table and release of the project, under its key.
    domain : str
        Columns of one domain name the same people; the column's own name if not given.
    look : {"hex", "digits"}
        32 hex digits; or digits, as many as the name has: a permutation under the key (FF1, NIST
        SP 800-38G), for names that are digits alone, six or more.
    prefix : str
        Letters in front, such as ``"P-"``.

    >>> Pseudonym.of("project").scope, Pseudonym.of({"scope": "release", "prefix": "P-"}).prefix
    ('project', 'P-')
    """

    scope: str = "release"
    domain: str = ""
    look: str = "hex"
    prefix: str = ""

    def __post_init__(self) -> None:
        choice(SCOPES)("A pseudonym", self.scope)
        choice(LOOKS)("The look of a pseudonym", self.look)
        if not isinstance(self.prefix, str) or not _PREFIX.fullmatch(self.prefix):
            raise InvalidParameterError(
                "A prefix is a letter and at most 15 letters, digits, dots and dashes."
            )
        if self.domain:
            text("domain", self.domain)

    @classmethod
    def of(cls, value: Pseudonym | str | Mapping[str, Any]) -> Pseudonym:
        """Take what a plan says: a word, or a table of settings."""
        if isinstance(value, Pseudonym):
            return value
        if isinstance(value, str):
            return cls(value)
        if not isinstance(value, Mapping):
            raise InvalidParameterError('A pseudonym is "release", "project" or a table of both.')
        for key in value:
            if key not in cls.__dataclass_fields__:
                hint = did_you_mean(str(key), cls.__dataclass_fields__)
                raise InvalidParameterError(f"A pseudonym has no {key!r}.", hint=hint)
        return cls(**value)


def check_pseudonym(name: str, value: Any) -> str | dict[str, str]:
    """Take what ``[pseudonyms]`` says of a column, as plain values for the file of a plan."""
    try:
        made = Pseudonym.of(value)
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{name}: {error}", hint=error.hint) from None
    told = {key: part for key, part in asdict(made).items() if part and part != "hex"}
    return made.scope if set(told) == {"scope"} else told


def make_pseudonyms(
    texts: pl.Series,
    key: ProjectKey,
    domain: str,
    *,
    look: str = "hex",
    prefix: str = "",
    clean: Sequence[str] = (),
) -> pl.Series:
    """Make the pseudonym of each text under the key of this project and domain.

    It is HMAC-SHA-256, or FF1 for digits. ``clean`` says which spellings are one name (``trim``,
    ``case``, ``accents``); without it leading zeros, blanks and case tell people apart.

    >>> key = ProjectKey("trial", b"k" * 32)
    >>> one, two = make_pseudonyms(pl.Series(["A1 ", "a1"]), key, "patient")
    >>> one == two
    False
    >>> one, two = make_pseudonyms(pl.Series(["A1 ", "a1"]), key, "patient", clean=["trim", "case"])
    >>> one == two, len(one)
    (True, 32)
    >>> [len(made) for made in make_pseudonyms(pl.Series(["004711"]), key, "bed", look="digits")]
    [6]
    """
    names = fold_texts(texts, clean).to_list()
    distinct = list(dict.fromkeys(names))
    words = _digests(distinct, key, domain) if look == "hex" else _digits(distinct, key, domain)
    made = {name: prefix + word for name, word in zip(distinct, words, strict=True)}
    if len({*made.values()}) < len(made):
        raise ReleaseRefusedError("Not released: two people would have one pseudonym.")
    return pl.Series(texts.name, [made[name] for name in names], dtype=pl.String)


def _digests(names: Sequence[str], key: ProjectKey, domain: str) -> list[str]:
    secret = key.derive("pseudonym", domain)
    return [
        hmac.digest(secret, name.encode("utf-8", "surrogatepass"), sha256).hex()[:HEX_DIGITS]
        for name in names
    ]


def _digits(names: Sequence[str], key: ProjectKey, domain: str) -> list[str]:
    """Permute the digits of each name among all numbers of its length."""
    permuted = FF1(key.derive("pseudonym of digits", domain))
    odd = sum(not _DIGITS.fullmatch(name) or len(name) < permuted.shortest for name in names)
    if odd:
        raise InvalidParameterError(
            f"Pseudonyms of digits stand for {permuted.shortest} digits or more, and"
            f" {plural(odd, 'name')} are something else.",
            hint='Use the look "hex", with a prefix if one is needed.',
        )
    made: dict[str, str] = {}
    for length in sorted({len(name) for name in names}):
        some = [name for name in names if len(name) == length]
        made |= zip(some, permuted.encrypt(some), strict=True)
    return [made[name] for name in names]
