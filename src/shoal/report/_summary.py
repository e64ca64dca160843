"""The summary of a release: what its report and its manifest say.

Everything here can be recomputed from the released file and the public hierarchies, or is rough
(two digits, at least k people), with the exception of what a model measured on all rows, which
papers leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shoal.report._distributions import Distribution
from shoal.report._growth import Growth
from shoal.report._network import NetworkSummary
from shoal.report._published import GroupSizes
from shoal.report._words import LimitNote
from shoal.typing import Kind

LINKED_ROWS = LimitNote(
    "Rows of one pseudonym",
    "Whoever knows several rows of a person may find the pseudonym that has them all, and with it"
    " every other row of that person; k counts the people of each crowd by itself.",
)
SHIFTED_DATES = LimitNote(
    "Shifted dates",
    "They are not generalized: gaps are exact. Whoever knows two dates of a person finds the row by"
    " their distance, one of them then tells the shift, and that every other date; dates near the"
    " ends of the time that was collected narrow the shift. This is not the Safe Harbor of HIPAA.",
)
DRAFT = "draft: not a release, and not in the ledger"


@dataclass(frozen=True)
class ModelSummary:
    """A privacy model: what was asked, what the worst group measures.

    ``measured`` may depend on rows that are left out: it is for the steward's eyes. Papers print
    what was recounted from the file.
    """

    name: str
    asked: Any
    measured: float
    holds: bool


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier: how much of it was lost, and its distribution before and after.

    ``loss`` is that of the released cells, measured against what is published.
    ``exact``, ``widened`` and ``hidden`` are shares of the released cells: published as they
    were, as something wider, as ``*``. ``measured_by`` is what the loss that groups were formed by
    is a share of: ``width`` or, of trees, ``height``, ``leaves`` or ``people``.
    """

    name: str
    kind: Kind
    loss: float
    exact: float
    widened: float
    hidden: float
    distribution: Distribution | None
    measured_by: str = "height"


@dataclass(frozen=True)
class Sample:
    """A few released rows, spread over the release."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SinglingSummary:
    """Who is alone on all that is published; shares in two digits.

    Parameters
    ----------
    unique, plain : float
        Share of people who are alone on all of it, and without sensitive columns and the target.
    columns : mapping of str to float
        Columns published as they are that single out more than 5 % of people, and how many.
    accepted : tuple of str
        Columns that were accepted by name.
    open : tuple of str
        Columns that nobody accepted though they, or all of them together, single people out or
        tell a generalized column again.
    twins : tuple of (str, str)
        Columns that tell a generalized one again, and which, where they tell it of k people or
        more; no number of it is public.
    sets : tuple of (tuple of str, float)
        The smallest sets of columns published as they are that single out more than 5 % of people
        together, though no fewer of them do, and how many.
    helps_most : (str, float), optional
        The column that, made a quasi-identifier, would free most people, and how many.
    step : int
        So many people, whole, are what shares tell, rounded down; 1 where they are of rows, which
        anybody can count.
    """

    unique: float
    plain: float
    columns: Mapping[str, float] = field(default_factory=dict)
    accepted: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    twins: tuple[tuple[str, str], ...] = ()
    sets: tuple[tuple[tuple[str, ...], float], ...] = ()
    helps_most: tuple[str, float] | None = None
    step: int = 1

    def renamed(self, names: Mapping[str, str]) -> SinglingSummary:
        """Give the same numbers of columns that have other names."""

        def new(columns: Iterable[str]) -> tuple[str, ...]:
            return tuple(names.get(name, name) for name in columns)

        best = self.helps_most
        return replace(
            self,
            columns=dict(zip(new(self.columns), self.columns.values(), strict=True)),
            accepted=new(self.accepted),
            open=new(self.open),
            twins=tuple((names.get(a, a), names.get(b, b)) for a, b in self.twins),
            sets=tuple((new(columns), share) for columns, share in self.sets),
            helps_most=None if best is None else (names.get(best[0], best[0]), best[1]),
        )


@dataclass(frozen=True)
class Summary:
    """Everything a report or a manifest says of a release.

    Parameters
    ----------
    k : int or None
        The k asked for; None if the method promises none.
    people : bool
        Whether k counts people rather than rows.
    rows : int
        Released rows.
    suppressed : int or str
        Rows (or people) left out: 0 where none may be, else a coarse step such as
        ``"fewer than 5 %"``.
    columns : mapping of str to str
        Released columns and their roles.
    columns_dropped : int
        Columns left out because they name people.
    models : tuple of ModelSummary
        The privacy models asked for.
    attributes : tuple of Attribute
        The quasi-identifiers.
    group_sizes : GroupSizes
        How many rows (or people) look alike.
    sample : Sample
        A few released rows.
    protected : tuple of str
        Sensitive columns that a model beside k protects.
    utility, risk : mapping of str to float
        Further numbers by name.
    method, why : str
        How groups were formed, and why so.
    preset : str or None
        The preset asked for.
    stamps : tuple of str
        Warnings that travel with the release, such as ``"not for publication"``.
    singling : SinglingSummary, optional
        Who is alone on all that is published; None where nobody measured it.
    warnings : tuple of str
        What was noticed in the table: for the steward's eyes, no paper prints it.
    not_promised : tuple of LimitNote
        What nobody should read into the release.
    moved : bool
        Whether published cells are values that were moved, not ranges that hold the original.
    growth : Growth, optional
        What changed since the release that this one follows; None if it follows none.
    version : str
        The version of Shoal.
    pseudonyms : mapping of str to mapping
        Columns of pseudonyms: of whom, how far they reach, under which key.
    shifted : mapping
        Dates that were shifted: which columns, how far, what is kept.
    network : NetworkSummary, optional
        The network that is published with the rows.
    """

    k: int | None
    people: bool
    rows: int
    suppressed: int | str
    columns: Mapping[str, str]
    columns_dropped: int
    models: tuple[ModelSummary, ...]
    attributes: tuple[Attribute, ...]
    group_sizes: GroupSizes
    sample: Sample
    protected: tuple[str, ...] = ()
    utility: Mapping[str, float] = field(default_factory=dict)
    risk: Mapping[str, float] = field(default_factory=dict)
    method: str = ""
    why: str = ""
    preset: str | None = None
    stamps: tuple[str, ...] = ()
    singling: SinglingSummary | None = None
    warnings: tuple[str, ...] = ()
    not_promised: tuple[LimitNote, ...] = ()
    moved: bool = False
    growth: Growth | None = None
    version: str = ""
    pseudonyms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    shifted: Mapping[str, Any] = field(default_factory=dict)
    network: NetworkSummary | None = None
    #: Whether every model holds, and whether this is to be looked at and not to be passed on.
    holds: bool = field(init=False)
    draft: bool = field(init=False)
    #: Columns on which rows look alike, and those that nobody may learn about a person.
    quasi_identifiers: tuple[str, ...] = field(init=False)
    sensitive: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        had = {
            role: tuple(name for name, its in self.columns.items() if its == role)
            for role in ("quasi-identifier", "sensitive")
        }
        self.__dict__.update(
            holds=all(model.holds for model in self.models),
            draft=DRAFT in self.stamps,
            quasi_identifiers=had["quasi-identifier"],
            sensitive=had["sensitive"],
        )


def as_draft(summary: Summary) -> Summary:
    """Stamp a summary: what it speaks of is not a release."""
    return replace(summary, stamps=(DRAFT, *summary.stamps))


def as_pseudonymous(
    summary: Summary,
    pseudonyms: Mapping[str, Mapping[str, Any]],
    stamps: tuple[str, ...],
    shifted: Mapping[str, Any] | None = None,
) -> Summary:
    """Say of a summary that names were replaced, or dates shifted, and what that means."""
    joined = (LINKED_ROWS,) if pseudonyms else ()
    moved = (SHIFTED_DATES,) if shifted else ()
    published = [name for name in pseudonyms if summary.columns.get(name) != "publish-as-is"]
    named = dict.fromkeys(pseudonyms, "pseudonym")
    return replace(
        summary,
        columns={name: named.get(name, role) for name, role in summary.columns.items()},
        columns_dropped=summary.columns_dropped - len(published),
        stamps=(*summary.stamps, *stamps),
        not_promised=(*summary.not_promised, *joined, *moved),
        pseudonyms=pseudonyms,
        shifted=shifted or {},
    )


def rename_columns(summary: Summary, names: Mapping[str, str]) -> Summary:
    """Give the same summary of a release whose columns have other names."""
    attributes = tuple(replace(a, name=names.get(a.name, a.name)) for a in summary.attributes)
    sample = replace(
        summary.sample, columns=tuple(names.get(name, name) for name in summary.sample.columns)
    )
    columns = {names.get(name, name): role for name, role in summary.columns.items()}
    pseudonyms = {names.get(name, name): told for name, told in summary.pseudonyms.items()}
    singling = None if summary.singling is None else summary.singling.renamed(names)
    return replace(
        summary,
        attributes=attributes,
        sample=sample,
        columns=columns,
        singling=singling,
        pseudonyms=pseudonyms,
    )
