"""Pseudonyms over time: what was published stays, newcomers get theirs under the same key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.growing._earlier import Earlier
from shoal.growing._recognizing import FOR_GOOD, Seen
from shoal.projects import Disguise, WornDisguise
from shoal.table import Table
from shoal.typing import BoolArray


def disguise_as_then(table: Table, disguise: Disguise) -> Table:
    """Shift dates and give roles as the earlier release did; refuse what has no key any more."""
    _refuse_forgotten_keys({name: p.scope for name, p in disguise.pseudonyms.items()})
    return disguise.prepare(table)


def roles_as_then(table: Table, disguise: Disguise, earlier: Earlier) -> Table:
    """Account for pseudonyms that rows share (their doctor's) where the earlier release did."""
    roles = table.roles
    shared = [n for n in disguise.pseudonyms if n != roles.person and n in earlier.trace.shown]
    accepted = [n for n in roles.publish_as_is if n not in disguise.pseudonyms]
    named = {*roles.identifiers, *disguise.pseudonyms} - {*shared, roles.person}
    return table.with_roles(
        replace(
            roles,
            identifiers=tuple(n for n in table.column_names if n in named),
            publish_as_is=(*accepted, *shared),
        )
    )


@dataclass(frozen=True, eq=False)
class CarriedPseudonyms:
    """The pseudonyms of everybody in a table, and the disguise that they and earlier ones wear.

    Attributes
    ----------
    disguise : WornDisguise or None
        None where names are dropped.
    columns : mapping of str to polars.Series
        For each column its pseudonyms, row by row of the table.
    doubts : tuple of str
        What the owner should know of names.
    """

    disguise: WornDisguise | None = None
    columns: Mapping[str, pl.Series] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table, disguise: Disguise, earlier: Earlier) -> CarriedPseudonyms:
        """Make them under the key of the project.

        Raises
        ------
        InvalidParameterError
            If the earlier release was made in another way, or under another key.
        """
        made, person = disguise.pseudonymizer(), table.roles.person
        told = {p["column"]: dict(p) for p in earlier.release.manifest.get("pseudonyms", ())}
        _refuse_forgotten_keys({name: p.get("scope", "") for name, p in told.items()})
        now = {name: {"column": name, **facts} for name, facts in made.facts(person).items()}
        if told != now or earlier.trace.alignment != made.alignment(person):
            raise _made_otherwise(", ".join(map(repr, disguise.pseudonyms)))
        _refuse_other_shifts(disguise, earlier)
        worn = WornDisguise(disguise.pseudonyms, disguise.project, {}, disguise.shift)
        columns = {name: made.column(table, name) for name in disguise.pseudonyms}
        return cls(worn, columns, disguise.doubts(table))

    def recognize(self, seen: Seen, earlier: Earlier) -> Seen:
        """Hold whoever is known against what was published of them; find who was forgotten.

        Who was forgotten and is back would be the only one of their crowd who is: under the same
        pseudonym everybody would see it, so they are not published again.
        """
        back = np.zeros(seen.new.size, dtype=np.bool_)
        naming = earlier.trace.identity.split("\x1f")
        for name, made in self.columns.items():
            _refuse_other_words(name, made, seen, earlier, strict=name in naming)
            if name in naming:
                published = earlier.release.table.text(name).drop_nulls().unique()
                back |= made.is_in(published.implode()).fill_null(False).to_numpy()
        back &= seen.new & ~np.isin(seen.now.people, earlier.trace.people)
        return replace(seen, waited=np.where(back, FOR_GOOD, seen.waited))


def _refuse_forgotten_keys(scopes: Mapping[str, str]) -> None:
    for name, scope in scopes.items():
        if scope == "release":
            raise InvalidParameterError(
                f"The pseudonyms in {name!r} are of one release only: their key was forgotten with"
                " it, and nobody can be the same person in the next one.",
                hint=f"Release anew with a key that is kept ({name}=project); deliveries can follow"
                " that.",
            )


def _refuse_other_shifts(disguise: Disguise, earlier: Earlier) -> None:
    shift = disguise.shift
    if (shift.facts() if shift else {}) != earlier.release.manifest.get("shifted_dates", {}):
        raise InvalidParameterError(
            "The dates of the earlier release were shifted in another way.",
            hint="Shift the same columns as it did, or make a release anew.",
        )
    if shift and not earlier.trace.once:
        raise InvalidParameterError(
            "People of this table have several rows, which are known again by their dates, and"
            " dates are shifted.",
            hint="Leave the dates out, or make a release anew.",
        )


def _refuse_other_words(
    name: str, made: pl.Series, seen: Seen, earlier: Earlier, *, strict: bool
) -> None:
    """Refuse if people who did not change are published under something else."""
    same: BoolArray = (seen.crowds >= 0) & ~seen.moved & ~seen.revalued
    ours = pl.DataFrame({"crowd": seen.crowds[same], "word": made.filter(pl.Series(same))})
    words = earlier.release.table.text(name).alias("word")
    theirs = pl.DataFrame([pl.Series("crowd", earlier.crowds), words]).unique()
    unknown = ours.join(theirs, on=["crowd", "word"], how="anti", nulls_equal=True).height
    if unknown and (strict or name in earlier.trace.shown or unknown == ours.height):
        raise _made_otherwise(repr(name))


def _made_otherwise(names: str) -> InvalidParameterError:
    return InvalidParameterError(
        "The pseudonyms of the earlier release were made in another way, or under another key:"
        f" {names}.",
        hint="Name the same project and settings as then ('shoal keys'), or make a release anew.",
    )
