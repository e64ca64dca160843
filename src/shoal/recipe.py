"""The recipe: what will run on a table, decided once.

`resolve` takes what a user gave in whatever form (names, estimators, lists, nothing) and answers
with a `Recipe`: one frozen value that `Anonymizer`, plans, sessions, tuning, Spark, the command
line and the web app read. None of them asks again which grouper, recoder or models apply.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from shoal.exceptions import InvalidParameterError
from shoal.grouping import GROUPERS, Grouper, Problem
from shoal.hierarchies import Hierarchy
from shoal.presets import DEFAULT_K, Preset, find_preset
from shoal.privacy import KAnonymity, PrivacyModel
from shoal.quantize import EpsilonClusters, Quantize, Step
from shoal.recoding import RECODERS, Generalize, Recoder
from shoal.spaces import ON_GRIDS, WeightedSpaces, default_step
from shoal.table import CodedRows, CodedTable, Table

METHODS: Mapping[str, type[Grouper]] = ChainMap(
    {EpsilonClusters.name: EpsilonClusters},
    GROUPERS,  # type: ignore[arg-type]  # nothing is written to it
)


@dataclass(frozen=True, eq=False)
class Recipe:
    """All that decides a release of one table: made once, read by every runner.

    Attributes
    ----------
    grouper : Grouper
        Who hides with whom; a copy, free to learn.
    recoder : Recoder
        What is published; a copy.
    models : tuple of PrivacyModel
        What is promised of the release; none where values are moved.
    within : tuple of PrivacyModel
        What must hold in every group while groups are formed.
    spaces : WeightedSpaces
        The table's quasi-identifiers as they are published, with their weights.
    suppression_limit : float
        Largest share of rows that may be left out.
    preset : Preset or None
        The audience.
    why : str
        Why this grouper.
    method : str
        The name of the method in plans, options and results.
    """

    grouper: Grouper
    recoder: Recoder
    models: tuple[PrivacyModel, ...]
    within: tuple[PrivacyModel, ...]
    spaces: WeightedSpaces
    suppression_limit: float = 0.0
    preset: Preset | None = None
    why: str = "asked for"
    method: str = ""

    @property
    def k(self) -> int | None:
        """The k that is promised; None where none is."""
        if not self.recoder.moves_values:
            return max([1, *(m.k for m in self.within if isinstance(m, KAnonymity))])
        return max((m.k for m in self.models if isinstance(m, KAnonymity)), default=None)

    def problem(self, table: CodedRows, spaces: WeightedSpaces | None = None) -> Problem:
        """State what the grouper has to solve; other ``spaces`` for weights or limits tried out."""
        return Problem(table, spaces or self.spaces, self.within, self.suppression_limit)

    def facts(self) -> dict[str, Any]:
        """Say what ran, for scripts."""
        return {
            "method": self.method,
            "order": getattr(self.grouper, "order", None),
            "refined": bool(getattr(self.grouper, "refine", False)),
            "steps": int(getattr(self.grouper, "steps_", 0)),
            "why": self.why,
            "preset": None if self.preset is None else self.preset.name,
        }


def resolve(
    table: CodedTable,
    *,
    grouping: Grouper | str = "auto",
    recoding: Recoder | Sequence[Step] | None = None,
    privacy: PrivacyModel | Sequence[PrivacyModel] = (),
    suppression_limit: float = 0.0,
    preset: str | None = None,
    spaces: WeightedSpaces | None = None,
    loss: str | None = None,
) -> Recipe:
    """Decide what will run on a table; parameters are those of `Anonymizer`.

    What is given is copied, never changed. ``spaces`` saves coding a table again.

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"age": [30, 31, 50]}),
    ...                    roles=Roles(quasi_identifiers="age"))
    >>> recipe = resolve(table, privacy=KAnonymity(2))
    >>> recipe.method, recipe.recoder, [str(model) for model in recipe.models]
    ('sangreea', Generalize(), ['2-anonymity'])
    >>> resolve(table, grouping="mondrain")
    Traceback (most recent call last):
    shoal.exceptions.InvalidParameterError: There is no grouping named 'mondrain'.
    """
    given = recoding.clone() if isinstance(recoding, Recoder) else recoding
    named = as_grouper(grouping)
    recoder = given if isinstance(given, Recoder) else make_recoder(given, named)
    recoder = recoder if loss is None else recoder.with_loss(loss)
    models = (privacy,) if isinstance(privacy, PrivacyModel) else tuple(privacy)
    default: tuple[PrivacyModel, ...] = ()
    if named.needs_models and not models:
        default = (KAnonymity(DEFAULT_K),)
    if recoder.promises_k:
        models = models or default
    within = (models if named.asks is None else named.asks(models)) or default
    if spaces is None:
        own, rows = named.spaces_for, cast(Table, table)  # a cluster asks only who needs codes
        spaces = recoder.spaces(rows, named.weights) if own is None else own(rows, recoder)
    pick = named.chosen_for
    choice = named.chosen(table.n_rows) if pick is None else pick(table, spaces, within)
    grouper, why = choice
    return Recipe(
        grouper=grouper,
        recoder=recoder,
        models=models,
        within=within,
        spaces=spaces,
        suppression_limit=suppression_limit,
        preset=None if preset is None else find_preset(preset),
        why=why,
        method=grouper.name or type(grouper).__name__.lower(),
    )


def assemble(
    method: Grouper | str,
    models: Sequence[PrivacyModel],
    hierarchies: Mapping[str, Hierarchy] | None = None,
    limits: Mapping[str, float] | None = None,
    grid: Mapping[str, float] | bool | None = None,
    recoding: str | None = None,
    **parameters: Any,
) -> tuple[Grouper, Recoder, tuple[PrivacyModel, ...]]:
    """Make what belongs together from plain settings: grouper, recoder, and what is promised.

    ``method`` is a grouper or the name of one, ``parameters`` are those of the grouper.
    """
    grouper, promised = as_grouper(method, **parameters), tuple(models)
    if grouper.meeting is not None:
        grouper, promised = grouper.meeting(promised)
    recoder = None if grouper.default_recoder is None else grouper.default_recoder(hierarchies)
    if recoding is not None and recoding != Generalize.name:
        recoder = RECODERS[recoding](hierarchies)  # type: ignore[call-arg]
    if recoder is None:
        return grouper, Generalize(hierarchies, limits, grid), promised
    return grouper, _limited(recoder, limits=limits, grid=grid), promised


def grid_for(
    table: CodedTable,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    grid: Mapping[str, float] | bool | None = None,
    preset: str | None = None,
) -> Mapping[str, float] | bool | None:
    """Return the grid asked for; a preset with a grid puts all other numbers and dates on one."""
    floor = find_preset(preset)
    if floor is None or not floor.grid or grid is True:
        return grid
    free = [
        table.column(name)
        for name in table.roles.quasi_identifiers
        if table.kinds[name] in ON_GRIDS and name not in (hierarchies or {})
    ]
    given = grid if isinstance(grid, Mapping) else {}
    return {column.name: default_step(column) for column in free} | dict(given)


def _limited(recoder: Recoder, **rules: Any) -> Recoder:
    """Let a recoder keep limits and grids, or refuse them for one that publishes no ranges."""
    given = {name: value for name, value in rules.items() if value}
    if given.keys() <= recoder.get_params(deep=False).keys():
        return recoder.clone(**given)
    raise InvalidParameterError(
        "Limits and grids belong to methods that publish ranges.",
        hint="Leave them out, or use another method.",
    )


def quick_grouper(weights: Mapping[str, float] | None = None) -> Grouper:
    """Make the grouper of previews and trials: seconds where a release may take minutes."""
    return as_grouper("sangreea", weights=weights, order="common", refine=False)


def as_grouper(given: Grouper | str, **parameters: Any) -> Grouper:
    """Take a grouper, or make the one of a name.

    >>> as_grouper("mondrian", weights={"age": 2.0})
    Mondrian(weights={'age': 2.0})
    """
    if isinstance(given, Grouper):
        return given.clone(**parameters)
    known = EpsilonClusters if given == EpsilonClusters.name else GROUPERS.all.get(given)
    if known is None:
        raise InvalidParameterError(
            f"There is no grouping named {given!r}.",
            hint=f"Choose from {', '.join(METHODS)}, or give a grouper such as shoal.SaNGreeA().",
        )
    return known(**parameters)


def make_recoder(given: Sequence[Step] | None, grouper: Grouper) -> Recoder:
    """Make a recoder of steps, or the one that goes with a grouper."""
    if given is None:
        return Generalize() if grouper.default_recoder is None else grouper.default_recoder()
    if isinstance(given, Sequence) and all(isinstance(step, Step) for step in given):
        return Quantize(tuple(given))
    raise InvalidParameterError(
        "A recoding is a Recoder, or a list of steps that move values.",
        hint="Such as shoal.Generalize(), or [shoal.PushBack(), shoal.Stir()].",
    )
