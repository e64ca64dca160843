"""Recognizers: what a column is to people, from its values first and its name second.

Each is a function of a `Look` that gives a `Guess` with its reason, or None. `RECOGNIZERS` is the
order in which they are asked: shapes that only an identifier has, dates, names of people, values
that speak for themselves, keys, what the name of the column says, and last whatever tells people
apart. To add one, write a function and list it. Then `keep_families` and `keep_company` look at
what is left beside all the others, and `guard` at whatever would be published; `ask_again` says
what columns were in other tables that are like those nothing is known of, and `keep_scales` keeps
what is answered or measured as that which is kept. What refers to people by the values of their
key is never published (`keep_references`). Words of other languages than the vocabularies' stand in
``words.toml`` and ``values.toml``.
"""

from collections.abc import Callable

from shoal.table._kinds import Guess
from shoal.table.recognizing._company import keep_company
from shoal.table.recognizing._facts import (
    recognize_ages,
    recognize_dates,
    recognize_dummies,
    recognize_facts,
    recognize_opinions,
    recognize_secrets,
    recognize_singling,
    recognize_target,
    recognize_values,
)
from shoal.table.recognizing._families import keep_families
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._guard import guard
from shoal.table.recognizing._identifiers import (
    is_of_somebody,
    is_persons_key,
    lasts,
    recognize_free_text,
    recognize_keys,
    recognize_naming,
    recognize_people,
    recognize_record_numbers,
    recognize_shapes,
    recognize_ticked,
)
from shoal.table.recognizing._look import Look, split_name
from shoal.table.recognizing._references import keep_references
from shoal.table.recognizing._scales import keep_scales
from shoal.table.recognizing._second_opinion import ask_again
from shoal.table.recognizing._tongues import languages_of, understand

RECOGNIZERS: tuple[Callable[[Look], Guess | None], ...] = (
    recognize_shapes,
    recognize_dates,
    recognize_record_numbers,
    recognize_naming,
    recognize_people,
    recognize_free_text,
    recognize_target,
    recognize_opinions,
    recognize_values,
    recognize_keys,
    recognize_ages,
    recognize_secrets,
    recognize_facts,
    recognize_dummies,
    recognize_ticked,
    recognize_singling,
)

__all__ = [
    "RECOGNIZERS",
    "Look",
    "ask_again",
    "bare",
    "guard",
    "is_of_somebody",
    "is_persons_key",
    "keep_company",
    "keep_families",
    "keep_references",
    "keep_scales",
    "languages_of",
    "lasts",
    "split_name",
    "understand",
]
