"""A plan: the whole recipe of a release, as one readable file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from shoal._checks import by_column, did_you_mean
from shoal.anonymizer import PROVE, Anonymizer
from shoal.exceptions import InvalidParameterError, OutputError
from shoal.grouping import Grouper
from shoal.hierarchies import Hierarchy
from shoal.ledger import Mode
from shoal.plan._build import check_network, check_quantize, networker, quantizer, read_people
from shoal.plan._hierarchies import build_hierarchies, is_file
from shoal.plan._reading import read_fields, read_sql
from shoal.plan._settings import (
    BY_DEGREE,
    OF_NETWORKS,
    OF_QUANTIZE,
    PATHS,
    ROLES,
    SECTIONS,
    SETTINGS,
    all_settings,
)
from shoal.plan._writing import Comments, to_toml
from shoal.presets import choose_k
from shoal.privacy import MODELS, build_models, check_asked
from shoal.projects import DAYS, DateShift, Disguise
from shoal.recipe import as_grouper, assemble, grid_for
from shoal.table import Address, CodedTable, Roles, Table, is_address, move_file, read_table
from shoal.typing import Kind

if TYPE_CHECKING:
    from shoal.growing import LaterDelivery

P = TypeVar("P")
SEARCHING = ("auto", "sangreea")  # methods that have an order and are refined
OWN_FIELDS = ("l", "t")  # models that are fields of a plan; all others stand in its ``models``


def _takes_models(plan: type[P]) -> type[P]:
    """Let models be given by their key, as keywords beside the fields of a plan."""
    plain = plan.__init__

    @wraps(plain)
    def init(self: P, *args: Any, **settings: Any) -> None:
        given = settings.keys() - OWN_FIELDS
        others = {key: settings.pop(key) for key in MODELS.all if key in given}
        if others:
            settings["models"] = {**settings.get("models", {}), **others}
        plain(self, *args, **settings)

    plan.__init__ = init  # type: ignore[method-assign, assignment]
    return plan


@_takes_models
@dataclass(frozen=True)
class Plan:
    """The whole recipe of a release. It only describes, and builds an `Anonymizer`.

    In Python, paths are as seen from the working folder; in the file they are relative to it.
    Settings that speak of sensitive columns (``l``, ``t``, ...) take one value for all of them,
    or one for each: ``l={"disease": 3}``.

    Parameters
    ----------
    source, sheet, delimiter, encoding, missing, clean, formats, kinds, orders
        The table and how to read it, as for `read_table`; no password stands in an address.
    source_table, query : str, optional
        What to read of a database: a table by name (``table`` in the file), or a file of SQL.
    missing_in : mapping of str to sequence of str
        Texts that mean "no value" in one column, beside those of the table.
    roles : Roles
        Which columns name, describe or expose a person.
    hierarchies : mapping of str to str
        Per column ``"mask"``, ``"flat"``, ``"calendar"``, ``"intervals:5,10,20"``, a ready ladder
        (`shoal.hierarchies.READY`) such as ``"icd10"``, or a file.
    hierarchy_folder : str, optional
        A folder of files named after their columns.
    weights, limits, grid : mapping of str to float
        What matters, what is never published wider, and where interval ends lie.
    k : int, optional
        Smallest group; 10, or what the preset asks for.
    l, t : optional
        Distinct l-diversity and t-closeness of sensitive columns.
    models : mapping of str to value
        All other models of sensitive columns by their key (`shoal.privacy.MODELS`); each may be
        given as a keyword of its own too: ``entropy_l=2``, ``recursive=(3, 2)``.
    preset : {"internal", "partner", "public"}, optional
        Floors for an audience; asking for less is an error.
    method : {"auto", "sangreea", "mondrian", "quantize"}
        How groups are formed; ``quantize`` publishes values moved inside clusters, not ranges.
    recoding : {"ranges", "centroid"}, optional
        What is published of a group: ranges (default), or the values in its middle.
    order, refine : optional
        As for `SaNGreeA`; left to the size of the table if not given.
    effort : {"quick", "default", "thorough"}, optional
        As for `Auto`: how long to search for groups that lose less.
    steps : int, optional
        Search so many steps instead of as many as the effort says.
    prove : bool
        Whether to prove as well as possible how little any grouping could lose.
    loss : {"height", "leaves", "people"}, optional
        What a node of a tree loses while groups are formed, as for `Generalize`.
    m, radii, push_back, stir, stir_mode, flatten, max_divergence : optional
        For ``quantize`` only: as for `EpsilonClusters`, `PushBack`, `Stir` and `Flatten`; ``stir``
        is ``"all"``, ``"none"`` or columns.
    max_suppression : float
        Largest share of rows that may be left out.
    edges, node : str, optional
        A file that says who knows whom, and the column that names people as it does (the first);
        then a network is published.
    graph_alpha, graph_beta, scale : optional
        As for `shoal.graphs.NetworkSaNGreeA`: how much attributes and edges matter.
    format : {"csv", "parquet", ...}, optional
        How the release is written (`shoal.release.FORMATS`); as the table came if not given.
    language : {"en", "de"}, optional
        What the report speaks; English if not given.
    ledger : {"refuse", "warn", "off"}, optional
        What the ledger does if earlier releases give too much away together with this one; left
        to the preset if not given (`shoal.ledger.ledger_mode`).
    pseudonyms : mapping of str to str or mapping
        Columns of names that are published as pseudonyms (`shoal.projects.Pseudonym`).
    project : str, optional
        The project whose key makes them; ``default`` if not given.
    dates, shift_days, shift_keeps : optional
        Columns of dates that are shifted, each ``"shift"``, and how (`shoal.projects.DateShift`).
    after : str, optional
        The folder of an earlier release that this one follows (`shoal.growing.LaterDelivery`).
    waiting, deadline, overdue, changed : optional
        As for `LaterDelivery`: who may wait, how long, and what becomes of them and of people who
        changed.
    corrected : str, optional
        A file of people, one a line, of whom something wrong was published; as there.

    Examples
    --------
    >>> plan = Plan(source="patients.csv", roles=Roles("name", ["age", "zip"], "disease"),
    ...             hierarchies={"zip": "mask"}, weights={"zip": 2.0}, k=10, l={"disease": 3})
    >>> print(plan.to_toml())
    [table]
    source = "patients.csv"
    <BLANKLINE>
    [roles]
    identifiers = ["name"]
    quasi_identifiers = ["age", "zip"]
    sensitive = ["disease"]
    <BLANKLINE>
    [hierarchies]
    zip = "mask"
    <BLANKLINE>
    [weights]
    zip = 2.0
    <BLANKLINE>
    [privacy]
    k = 10
    l = { disease = 3 }
    <BLANKLINE>
    """

    source: str | None = None
    source_table: str | None = None
    query: str | None = None
    sheet: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ("",)
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clean: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    formats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Roles = field(default_factory=Roles)
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    hierarchy_folder: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    grid: Mapping[str, float] = field(default_factory=dict)
    k: int | None = None
    l: int | Mapping[str, int] | None = None
    t: float | Mapping[str, float] | None = None
    models: Mapping[str, Any] = field(default_factory=dict)
    preset: str | None = None
    method: str = "auto"
    recoding: str | None = None
    order: str | None = None
    refine: bool | None = None
    effort: str | None = None
    steps: int | None = None
    prove: bool = False
    loss: str | None = None
    m: int | None = None
    push_back: str | None = None
    stir: tuple[str, ...] | str | None = None
    stir_mode: str | None = None
    flatten: tuple[str, ...] | str | None = None
    max_divergence: float | None = None
    radii: Mapping[str, float] = field(default_factory=dict)
    max_suppression: float = 0.0
    edges: str | None = None
    node: str | None = None
    graph_alpha: float | None = None
    graph_beta: float | None = None
    scale: str | None = None
    format: str | None = None
    language: str | None = None
    ledger: Mode | None = None
    pseudonyms: Mapping[str, Any] = field(default_factory=dict)
    project: str | None = None
    dates: Mapping[str, str] = field(default_factory=dict)
    shift_days: int | None = None
    shift_keeps: str | None = None
    after: str | None = None
    waiting: float = 0.05
    deadline: int = 3
    overdue: str = "generalize"
    changed: str = "keep"
    corrected: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.roles, Roles):
            raise InvalidParameterError("roles must be given as Roles(...).")
        given = {"l": self.l, "t": self.t, **self.models}
        checked: dict[str, Any] = {}
        for key, value in given.items():
            if value is None:
                continue
            known = MODELS.all[key].setting if key in MODELS.all else None
            if known is None:
                raise InvalidParameterError(
                    f"There is no privacy model {key!r}.", hint=did_you_mean(key, MODELS)
                )
            check = by_column(known.check) if isinstance(value, Mapping) else known.check
            checked[key] = check(key, value)
        for key in OWN_FIELDS:
            object.__setattr__(self, key, checked.pop(key, None))
        object.__setattr__(self, "models", checked)
        for setting in SETTINGS:
            value = getattr(self, setting.field)
            if value is not None and value is not _DEFAULTS.get(setting.field) and value != {}:
                object.__setattr__(self, setting.field, setting.check(setting.field, value))
        if self.source is not None and "://" in self.source:
            Address.of(self.source)  # which refuses one with a password
        _check_together(self)

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked of sensitive columns, by the key of each model."""
        given = {"l": self.l, "t": self.t, **self.models}
        return {key: value for key, value in given.items() if value is not None}

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Plan:
        """Read a plan from its file; what is wrong in it is told with the name of the file."""
        path = Path(path)
        try:
            return cls(**read_fields(path))
        except InvalidParameterError as error:
            raise type(error)(f"{path.name}: {error}", hint=error.hint) from None

    def write(self, path: str | PathLike[str], *, comments: Comments | None = None) -> None:
        """Write the plan to a file, with comments if given (see `to_toml`)."""
        path = Path(path)
        text = self.to_toml(path.parent, comments=comments)
        try:
            path.write_text(text, encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no file can have this name"
            raise OutputError(f"The plan {path.name!r} could not be written: {reason}.") from None

    def to_toml(
        self, folder: str | PathLike[str] = ".", *, comments: Comments | None = None
    ) -> str:
        """Write the plan as TOML for a file in ``folder``; what is as by default is left out.

        Comments go by their place: ``("roles", "age")`` beside an entry, ``("roles",)`` at the
        head of a section, ``()`` at the top.
        """
        return to_toml(self._sections(Path(folder)), comments)

    def table(self) -> Table:
        """Read the table."""
        if self.source is None:
            raise InvalidParameterError(
                "The plan names no table.", hint="Give source in [table], or the file itself."
            )
        table = read_table(
            self.source,
            roles=self.roles,
            kinds=self.kinds,
            orders=self.orders,
            delimiter=self.delimiter,
            encoding=self.encoding,
            missing={"*": self.missing, **self.missing_in} if self.missing_in else self.missing,
            clean=self.clean,
            formats=self.formats,
            table=self.source_table,
            query=None if self.query is None else read_sql(self.query),
            sheet=self.sheet,
        )
        return table if self.edges is None else read_people(table, self.node)

    def trees(self, table: CodedTable) -> dict[str, Hierarchy]:
        """Build the hierarchies of a table that this plan read."""
        return build_hierarchies(self.hierarchies, self.hierarchy_folder, table.column_names)

    def anonymizer(self, table: CodedTable, *, seed: int | None = None) -> Anonymizer:
        """Build the anonymizer for a table that this plan read.

        ``seed`` is for methods that draw; a release made with one is not for publication.
        """
        if self.pseudonyms or self.dates:
            made = replace(self, pseudonyms={}, dates={}).anonymizer(table, seed=seed)
            made.disguise = self.disguise()
            return made
        trees = self.trees(table) if self.hierarchies or self.hierarchy_folder is not None else {}
        grid: Mapping[str, float] | bool | None = dict(self.grid) or None
        if self.preset is not None:
            grid = grid_for(table, trees, grid, self.preset)
        if self.method == "quantize":
            return quantizer(self, table, trees, seed)
        method, parameters = _grouper(self, table)
        grouper, recoder, promised = assemble(
            method,
            build_models(table, k=self.k, preset=self.preset, **self.asked),
            trees,
            dict(self.limits) or None,
            grid,
            self.recoding,
            **parameters,
        )
        return Anonymizer(
            grouper,
            recoder,
            promised,
            self.max_suppression,
            bound=PROVE if self.prove else True,
            preset=self.preset,
            loss=self.loss,
        )

    def disguise(self) -> Disguise:
        """Say which names get pseudonyms and which dates are shifted, under which key."""
        project = self.project or "default"
        how = (self.shift_days or DAYS, self.shift_keeps, project)
        shift = DateShift(tuple(self.dates), *how) if self.dates else None
        return Disguise(self.pseudonyms, project, self.clean, shift)

    def later(self, anonymizer: Anonymizer) -> LaterDelivery:
        """Let an anonymizer follow the earlier release that the plan names."""
        from shoal.growing import LaterDelivery

        rules = ("waiting", "deadline", "overdue", "changed", "corrected")
        told: dict[str, Any] = {name: getattr(self, name) for name in rules}
        return LaterDelivery(anonymizer, str(self.after), **told)

    def _sections(self, folder: Path) -> dict[str, dict[str, Any]]:
        """Settings that differ from the default, by section and key."""
        sections: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
        given = {**vars(self), **self.asked}
        for setting in all_settings():
            value = _seen_from(folder, setting.field, given.get(setting.field))
            if setting.key is None:
                sections[setting.section] = dict(value)
            elif value is not None and value != _DEFAULTS.get(setting.field):
                sections[setting.section][setting.key] = value
        roles = {name: getattr(self.roles, name) for name in ROLES}
        sections["roles"] = {name: value for name, value in roles.items() if value}
        return sections


def _check_together(plan: Plan) -> None:
    """Refuse settings that do not go with each other, or go below the preset."""
    if plan.preset is not None:
        choose_k(plan.k, plan.preset)  # less than its floor is refused
    check_asked(plan.asked, plan.roles.sensitive, plan.preset)
    if plan.edges is not None:
        check_network(plan)
    elif plan.order == BY_DEGREE or any(getattr(plan, name) is not None for name in OF_NETWORKS):
        raise InvalidParameterError(
            f"node, alpha, beta, scale and the order {BY_DEGREE} belong to networks, and no edges"
            " are named.",
            hint="Name the file that says who knows whom (--edges FILE), or leave them out.",
        )
    if plan.method == "quantize":
        check_quantize(plan)
        return
    if plan.effort is not None and plan.refine is not None:
        raise InvalidParameterError(
            "effort says whether groups are refined, and so does refine.",
            hint="Leave out one of them.",
        )
    searched = plan.order is not None or plan.refine or plan.effort or plan.steps
    if plan.method not in SEARCHING and searched:
        raise InvalidParameterError(
            f"The method {plan.method} has no order and is not refined.",
            hint="Leave out order, refine and effort, or use the method sangreea.",
        )
    for name in OF_QUANTIZE:
        if getattr(plan, name) not in (None, {}):
            raise InvalidParameterError(
                f"{name} belongs to the method quantize, and the method is {plan.method}.",
                hint="Use the method quantize (--method quantize), or leave it out.",
            )


def _grouper(plan: Plan, table: CodedTable) -> tuple[Grouper | str, dict[str, Any]]:
    """Name the grouper and its parameters; whether to refine is left to the size of the table."""
    if plan.edges is not None:
        return networker(plan, table), {}
    weights = dict(plan.weights) or None
    if plan.method not in SEARCHING:
        return plan.method, {"weights": weights}
    said = {} if plan.effort is None else {"effort": plan.effort}
    given = {"weights": weights, "refine": plan.refine, **said}
    if plan.method == "auto" and plan.order is None and plan.steps is None:
        return "auto", given
    chosen = as_grouper("auto", **given).chosen(table.n_rows).grouper
    return "sangreea", {
        "weights": weights,
        "order": plan.order or "best-first",
        "refine": getattr(chosen, "refine", False),
        "steps": getattr(chosen, "steps", 0) if plan.steps is None else plan.steps,
    }


_DEFAULTS = {part.name: part.default for part in fields(Plan) if part.default is not MISSING}

#: What options are laid over where there is no file.
SAYS_NOTHING = Plan()


def _seen_from(folder: Path, name: str, value: Any) -> Any:
    """Write paths as seen from the folder of the plan."""
    if name == "source" and is_address(value):
        return move_file(value, folder, back=True)
    if name in PATHS and value is not None:
        return _relative(folder, value)
    if name == "hierarchies":
        return {c: _relative(folder, word) if is_file(word) else word for c, word in value.items()}
    return value


def _relative(folder: Path, path: str) -> str:
    """Keep a path absolute only if it was, and leads out of the folder."""
    inside = Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))
    if os.path.isabs(path) and not inside:
        return path
    return Path(os.path.relpath(path, folder)).as_posix()
