"""What is searched: the settings of efforts, and where a search begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.table import Roles
from shoal.tuning._effort import METHODS, Effort
from shoal.tuning._starts import starting_weights

if TYPE_CHECKING:
    from optuna.trial import BaseTrial

    from shoal.tuning._effort_runner import EffortRunner

LEVELS = 4  # values of k at which every starting point is tried
WEIGHT = "weight: "
LIMIT = "limit: "


@dataclass(frozen=True)
class Search:
    """The space of efforts. The default searches k and the weights of all quasi-identifiers.

    Parameters
    ----------
    k : pair of int
        Smallest and largest k, searched on a logarithmic scale; equal ends fix it.
    weights : bool
        Whether to search the weights of the quasi-identifiers.
    lightest : float
        Smallest weight, where the largest is 1.
    methods : sequence of str
        Ways to form groups: ``auto``, ``best-first``, ``common``, ``mondrian``, ``quantize``.
    l : sequence of int
        Numbers of distinct sensitive values to try; none asks for no diversity.
    limits : mapping of str to sequence of float
        Limits to try for some columns (never wider than ...), beside none at all.
    suppression : sequence of float
        Largest shares of rows that may be left out.
    refine : sequence of bool
        Whether trials refine their groups; releases do anyway.

    Examples
    --------
    >>> Search(k=(5, 100)).levels(3)
    [5, 22, 100]
    """

    k: tuple[int, int] = (5, 200)
    weights: bool = True
    lightest: float = 1 / 64
    methods: Sequence[str] = ("auto",)
    l: Sequence[int] = ()
    limits: Mapping[str, Sequence[float]] = field(default_factory=dict)
    suppression: Sequence[float] = (0.0,)
    refine: Sequence[bool] = (False,)

    def __post_init__(self) -> None:
        low, high = self.k
        if low < 2 or high < low:
            raise InvalidParameterError(
                "The smallest k to search must be 2 or more, and the largest not below it."
            )
        if not 0 < self.lightest < 1:
            raise InvalidParameterError("The lightest weight must lie between 0 and 1.")
        unknown = sorted({*self.methods} - {*METHODS})
        if unknown or not self.methods:
            raise InvalidParameterError(
                f"There is no method named {unknown[0]!r} to search."
                if unknown
                else "A search needs a method.",
                hint=f"Choose from {', '.join(METHODS)}.",
            )
        if not self.suppression or not all(0 <= share < 1 for share in self.suppression):
            raise InvalidParameterError("Suppression limits must be shares from 0 to below 1.")

    def check(self, roles: Roles, rows: int) -> None:
        """Refuse to search what the table does not have."""
        if self.k[0] > rows:
            raise InvalidParameterError(
                f"The smallest k to search is {self.k[0]}, and the train part has {rows} rows.",
                hint="Ask for a smaller k, or bring more rows.",
            )
        if self.l and not roles.sensitive:
            raise InvalidParameterError(
                "l speaks of sensitive columns, and none is named.",
                hint="Name them: sensitive=... (--sensitive on the command line).",
            )
        for name in self.limits:
            if name not in roles.quasi_identifiers:
                known = roles.quasi_identifiers
                raise UnknownColumnError.among(name, known, what="quasi-identifier to limit")

    def suggest(self, trial: BaseTrial, names: Sequence[str], rows: int) -> Effort:
        """Let Optuna choose an effort."""
        low, high = self._k_range(rows)
        weights = {}
        if self.weights and len(names) > 1:
            weights = {
                name: trial.suggest_float(f"{WEIGHT}{name}", self.lightest, 1.0, log=True)
                for name in names
            }
        limits = {
            name: trial.suggest_categorical(f"{LIMIT}{name}", [None, *values])
            for name, values in self.limits.items()
        }
        return Effort(
            k=trial.suggest_int("k", low, high, log=True),
            weights={name: _digits(weight) for name, weight in weights.items()},
            method=trial.suggest_categorical("method", list(self.methods)),
            l=trial.suggest_categorical("l", list(self.l)) if self.l else None,
            limits={name: float(limit) for name, limit in limits.items() if limit is not None},
            max_suppression=trial.suggest_categorical("suppression", list(self.suppression)),
            refine=trial.suggest_categorical("refine", list(self.refine)),
        )

    most = None  # a search is never over by itself

    def starts(self, runner: EffortRunner, seed: int) -> Iterator[dict[str, Any]]:
        """Try equal weights at some values of k first, then informed weights at each of them."""
        levels = self.levels(LEVELS, runner.parts.train.n_rows)
        for told in starting_weights(runner, seed, informed=self.weights):
            yield from (self.enqueued(k, told) for k in levels)

    def enqueued(self, k: int, weights: Mapping[str, float]) -> dict[str, Any]:
        """Parameters of a starting point as Optuna takes them; what is not said it chooses."""
        largest = max(weights.values(), default=1.0)
        inside = {name: max(self.lightest, w / largest) for name, w in weights.items()}
        params: dict[str, Any] = {"k": k}
        if self.weights and len(inside) > 1:
            params |= {f"{WEIGHT}{name}": weight for name, weight in inside.items()}
        return params

    def levels(self, n: int, rows: int | None = None) -> list[int]:
        """Some values of k from the smallest to the largest, evenly on a logarithmic scale."""
        low, high = self._k_range(rows)
        steps = [low * (high / low) ** (i / max(1, n - 1)) for i in range(n)]
        return sorted({min(high, max(low, round(step))) for step in steps})

    def _k_range(self, rows: int | None) -> tuple[int, int]:
        low, high = self.k
        return low, high if rows is None else max(low, min(high, rows // 2))


def _digits(weight: float) -> float:
    return float(f"{weight:.4g}")
