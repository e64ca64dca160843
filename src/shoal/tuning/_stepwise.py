"""The paper's own efforts: generalize step by step, and see what becomes of k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.spaces import IntervalSpace, Space, TreeSpace, build_spaces
from shoal.table import Roles, Table
from shoal.tuning._effort import Effort
from shoal.tuning._schemes import ROUNDING, Scheme

if TYPE_CHECKING:
    from optuna.trial import BaseTrial

    from shoal.tuning._effort_runner import EffortRunner

MOST = 12
STEPS = len(ROUNDING.steps)


@dataclass(frozen=True)
class Stepwise:
    """Efforts instead of a search: every quasi-identifier a step coarser each time.

    Numbers are put into wider and wider bins, the same for everybody; columns with a tree climb
    it, spread over all steps, so that the last one publishes ``*``. k is not asked for but counted
    (Augusto et al., 2019).

    Parameters
    ----------
    steps : int
        How many efforts; the paper makes six.
    scheme : Scheme
        How wide bins are. The default rounds: 2, 5, 10, 20, 50, 100 years of age.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"age": [17, 25, 90], "zip": ["8010", "8011", "8020"]}),
    ...                    roles=Roles(quasi_identifiers=["age", "zip"]), kinds={"zip": "code"})
    >>> [(dict(effort.grid), dict(effort.levels)) for effort in Stepwise(3).on(table).efforts]
    [({'age': 2.0}, {'zip': 1}), ({'age': 5.0}, {'zip': 2}), ({'age': 10.0}, {'zip': 4})]
    """

    steps: int = STEPS
    scheme: Scheme = ROUNDING

    def __post_init__(self) -> None:
        if isinstance(self.steps, bool) or not 1 <= self.steps <= MOST:
            raise InvalidParameterError(f"Stepwise efforts are from 1 to {MOST}.")

    def on(self, table: Table, hierarchies: Mapping[str, Hierarchy] | None = None) -> Efforts:
        """Say what each step is for the quasi-identifiers of a table."""
        spaces = build_spaces(table, hierarchies=hierarchies).spaces
        return Efforts(tuple(self._effort(table, spaces, i + 1) for i in range(self.steps)))

    def _effort(self, table: Table, spaces: tuple[Space, ...], step: int) -> Effort:
        grid: dict[str, float] = {}
        levels: dict[str, int] = {}
        for space in spaces:
            if isinstance(space, TreeSpace):
                levels[space.name] = _level(space, step, self.steps)
            else:
                grid[space.name] = self._width(table, space, step)
        return Effort(k=1, method="stepwise", grid=grid, levels=levels)

    def _width(self, table: Table, space: Space, step: int) -> float:
        """Width of a bin, never finer than the numbers are written."""
        if table.kinds[space.name] != "numeric" or not isinstance(space, IntervalSpace):
            raise InvalidParameterError(
                f"Column {space.name!r} cannot be generalized step by step: it is no number and "
                "has no tree.",
                hint="Give it a hierarchy.",
            )
        if space.width <= 0:
            return 1.0
        scheme = _with_steps(self.scheme, step)
        return max(_finest(space), float(f"{scheme.width(space.starts, step):.4g}"))


@dataclass(frozen=True)
class Efforts:
    """A handful of efforts that are all tried, one after the other.

    Parameters
    ----------
    efforts : sequence of Effort
        What is tried.
    """

    efforts: tuple[Effort, ...]

    @property
    def most(self) -> int:
        """Trials after which there is nothing left to try."""
        return len(self.efforts)

    def check(self, roles: Roles, rows: int) -> None:
        """Nothing can be wrong with efforts that were made for the table."""

    def starts(self, runner: EffortRunner, seed: int) -> Iterator[dict[str, Any]]:
        """Parameters of every effort, in order."""
        yield from ({"effort": number + 1} for number in range(self.most))

    def suggest(self, trial: BaseTrial, names: object, rows: int) -> Effort:
        """Take the effort whose turn it is."""
        return self.efforts[trial.suggest_int("effort", 1, self.most) - 1]


def _level(space: TreeSpace, step: int, steps: int) -> int:
    """Level of a tree after some of the steps: all are climbed by the last one."""
    return int(space.tree.node_levels[space.tree.root]) * step // steps


def _finest(space: IntervalSpace) -> float:
    """One unit of the last decimal that the column has."""
    decimals = max((len(label.partition(".")[2]) for label in space.lows), default=0)
    return float(10.0**-decimals)


def _with_steps(scheme: Scheme, step: int) -> Scheme:
    """The scheme with enough steps: rounding goes on by 2, 5, 10, ..."""
    if step <= len(scheme.steps):
        return scheme
    if scheme.kind != "rounding":
        raise InvalidParameterError(
            f"The scheme {scheme.name!r} has {len(scheme.steps)} steps.", hint="Ask for fewer."
        )
    return replace(scheme, steps=tuple(m * 10**p for p in range(1, 5) for m in (2, 5, 10)))
