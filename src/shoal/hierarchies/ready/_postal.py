"""Postal codes: by the areas that their first characters name."""

from __future__ import annotations

import re
from functools import partial

from shoal.hierarchies.ready._base import ReadyLadder

# By country: how its codes look, and how many characters name each area, finest first. The shape
# has one group, of which these are the first characters; blanks inside are left out before.
SYSTEMS = {
    "us": ("the United States", r"(\d{5})(?:-?\d{4})?", (3, 1)),
    "de": ("Germany", r"(?:D-)?(\d{5})", (3, 2, 1)),
    "at": ("Austria", r"(?:A-)?([1-9]\d{3})", (3, 2, 1)),
    "ch": ("Switzerland", r"(?:CH-)?([1-9]\d{3})", (2, 1)),
    "fr": ("France", r"(\d{5})", (3, 2)),
    "es": ("Spain", r"([0-5]\d{4})", (3, 2)),
    "it": ("Italy", r"(\d{5})", (3, 2, 1)),
    "nl": ("the Netherlands", r"([1-9]\d{3}[A-Z]{2})", (4, 2, 1)),
    "pt": ("Portugal", r"([1-9]\d{3}-\d{3})", (4, 2, 1)),
    "pl": ("Poland", r"(\d{2}-\d{3})", (4, 2, 1)),
    "ca": ("Canada", r"([A-Z]\d[A-Z]\d[A-Z]\d)", (3, 2, 1)),
    "cz": ("Czechia and Slovakia", r"(\d{5})", (3, 2, 1)),
    "se": ("Sweden", r"(?:S(?:E)?-)?([1-9]\d{4})", (3, 2, 1)),
    "dk": ("Denmark and Norway", r"(?:(?:DK|NO?)-)?(\d{4})", (2, 1)),
    "fi": ("Finland", r"(?:FI?-)?(\d{5})", (3, 2)),
    "hu": ("Hungary", r"(?:HU?-)?([1-9]\d{3})", (2, 1)),
    "ro": ("Romania", r"(\d{6})", (3, 2, 1)),
    "gr": ("Greece", r"([1-8]\d{4})", (3, 2, 1)),
    "tr": ("Turkey", r"(\d{5})", (3, 2)),
    "ru": ("Russia", r"([1-6]\d{5})", (3, 2, 1)),
    "be": ("Belgium", r"(?:B-)?([1-9]\d{3})", (2, 1)),
    "br": ("Brazil", r"(\d{5})-?\d{3}", (3, 2, 1)),
    "in": ("India", r"([1-9]\d{5})", (3, 2, 1)),
    "jp": ("Japan", r"(\d{3})-?\d{4}", (2, 1)),
    "au": ("Australia", r"(\d{4})", (2, 1)),
}
# What the name of a column must say, where codes look alike in several countries.
NAMED = {
    "us": r"zip",
    "de": r"\bplz|postleit",
    "at": r"\bplz|postleit",
    "ch": r"^npa\b|schweiz|suisse|svizzera|swiss",
    "fr": r"code ?postal",
    "es": r"codigo ?postal|\bcp\b",
    "it": r"\bcap\b",
    "cz": r"\bpsc\b|smerovaci",
    "se": r"\bpostnr|postnummer",
    "dk": r"\bpostnr|postnummer",
    "fi": r"postinumero",
    "hu": r"\birsz|iranyitoszam",
    "ro": r"cod ?postal",
    "gr": r"\bτκ\b|\bt ?k\b|ταχυδρομικο",
    "tr": r"posta ?kodu",
    "ru": r"индекс",
    "be": r"code ?postal|post ?code",
    "br": r"\bcep\b",
    "in": r"\bpin ?code|\bpin\b",
    "jp": r"郵便",
    "au": r"post ?code",
}
_BRITISH = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\d)[A-Z]{2}")


def postal_steps(shape: str, lengths: tuple[int, ...], value: str) -> tuple[str, ...] | None:
    """Take the first characters of a code, and stars for the others.

    >>> postal_steps(r"(\\d{5})(?:-?\\d{4})?", (3, 1), "90210-1234")
    ('902**', '9****')
    """
    code = re.fullmatch(shape, value.replace(" ", "").upper())
    if code is None:
        return None
    return tuple(code[1][:length].ljust(len(code[1]), "*") for length in lengths)


def british_steps(value: str) -> tuple[str, ...] | None:
    """Sector, district and area of a British code.

    >>> british_steps("SW1A 1AA"), british_steps("m11ae"), british_steps("8010")
    (('SW1A 1**', 'SW1A ***', 'SW*'), ('M1 1**', 'M1 ***', 'M*'), None)
    """
    code = _BRITISH.fullmatch(value.replace(" ", "").upper())
    if code is None:
        return None
    area, district, sector = code.groups()
    return f"{area}{district} {sector}**", f"{area}{district} ***", f"{area}*"


POSTAL = (
    ReadyLadder(
        "postal:gb",
        "postal codes of the United Kingdom",
        ("sector", "district", "area"),
        british_steps,
    ),
    *(
        ReadyLadder(
            f"postal:{word}",
            f"postal codes of {country}",
            tuple(f"first {length}" for length in lengths),
            partial(postal_steps, shape, lengths),
            named=NAMED.get(word, ""),
        )
        for word, (country, shape, lengths) in SYSTEMS.items()
    ),
)
