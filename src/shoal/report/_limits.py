"""What a release does not promise, in words a steward can forward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shoal._words import listing


@dataclass(frozen=True)
class LimitNote:
    """Something that is not promised: a few words, and what they mean."""

    title: str
    meaning: str


def limits(
    *,
    quasi_identifiers: tuple[str, ...],
    others: tuple[str, ...],
    sensitive: tuple[str, ...],
    protected: tuple[str, ...],
    tight: bool,
    people: bool,
    moved: bool = False,
) -> tuple[LimitNote, ...]:
    """Collect what a release of this shape does not promise.

    Parameters
    ----------
    quasi_identifiers, others, sensitive : tuple of str
        The released columns by role; others have none.
    protected : tuple of str
        Sensitive columns with a model of their own (l-diversity, t-closeness, ...).
    tight : bool
        Whether ends of intervals may be values of real people.
    people : bool
        Whether k counts people rather than rows.
    moved : bool
        Whether published cells are values that were moved, not ranges that hold the original.
    """
    return (
        *_about_moving(moved=moved),
        *_about_columns(quasi_identifiers, others),
        *_about_sensitive(sensitive, protected),
        *_about_method(tight=tight, people=people),
        LimitNote(
            "Other releases",
            "Two releases of the same people can be combined to learn more than either tells."
            " Publish one, and keep a record of every other.",
        ),
        LimitNote(
            "Being in the data",
            "Somebody who is known to be in this data can be looked for in it; and it may be"
            " possible to tell that a person is not in it.",
        ),
    )


def _about_moving(*, moved: bool) -> Iterator[LimitNote]:
    if moved:
        yield LimitNote(
            "Any single cell",
            "Values were moved among people who are alike: a row is nobody's own. Statistics of"
            " groups survive, single rows mean nothing.",
        )
        yield LimitNote(
            "Values of real people",
            "Every published value is one that somebody has, though not in this row; the extremes"
            " of a column stay visible as far as several people share them.",
        )


def _about_columns(
    quasi_identifiers: tuple[str, ...], others: tuple[str, ...]
) -> Iterator[LimitNote]:
    yield LimitNote(
        "Columns not named as quasi-identifiers",
        f"The crowd is counted on {listing(quasi_identifiers)}. Whoever knows something else"
        f" about a person that is in the data"
        + (f" (here: {listing(others)})" if others else "")
        + " can narrow the crowd down.",
    )


def _about_sensitive(sensitive: tuple[str, ...], protected: tuple[str, ...]) -> Iterator[LimitNote]:
    bare = tuple(name for name in sensitive if name not in protected)
    if bare:
        yield LimitNote(
            f"k is not l: {listing(bare)}",
            "A crowd may share one sensitive value. Then nobody needs to know which row is whose."
            " No model that limits this was asked for here.",
        )
    if protected:
        yield LimitNote(
            "Learning from the data at large",
            f"What is typical of {listing(protected)} in the whole table can be learned, and"
            " applied to anybody, in the data or not.",
        )


def _about_method(*, tight: bool, people: bool) -> Iterator[LimitNote]:
    if tight:
        yield LimitNote(
            "Interval ends",
            "An interval is as narrow as its crowd: each of its ends is the exact value of"
            " somebody in it. A grid (rounded ends) avoids that.",
        )
    if not people:
        yield LimitNote(
            "Several rows of one person",
            "Every row counts as another person. If one person may have several rows, name the"
            " column that tells people apart.",
        )
    yield LimitNote(
        "Knowledge of the method",
        "Who knows how groups are formed can sometimes rule out values; the numbers here do not"
        " account for that.",
    )
