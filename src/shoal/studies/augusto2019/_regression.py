"""The illustration of Fig. 4 and 5: a curve learned from ever larger crowds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shoal._random import spawn
from shoal.studies._base import Item, Size
from shoal.studies.augusto2019._schemes import lower_ends, midpoints
from shoal.tuning import Scheme
from shoal.typing import FloatArray

CROWDS = (1, 5, 10, 40)  # no effort, then the paper's three
ENDS = ("midpoint", "lower end")  # what a model is given for an interval
ROWS = 200
SEED = 2019
DRAWS: Mapping[Size, int] = {"miniature": 2, "small": 20, "full": 20}


def regression_items(size: Size) -> Iterator[Item]:
    """The originals and three efforts, on several draws of rows."""
    for draw in range(DRAWS[size]):
        for end in ENDS:
            yield from (Item("curve", {"k": k, "end": end, "draw": draw}) for k in CROWDS)


def run_curve(k: int, end: str, draw: int) -> dict[str, Any]:
    """Fit on anonymized rows; R2 on anonymized and on original test rows."""
    from sklearn.metrics import r2_score

    (x, y), (x_test, y_test) = curve_rows("train", draw), curve_rows("test", draw)
    seen, told = publish(x, y, k, end)
    seen_test, told_test = publish(x_test, y_test, k, end)
    name, curve = fit(seen, told)
    return {
        "family": name,
        "r2_anonymized": float(r2_score(told_test, curve(seen_test))),
        "r2_original": float(r2_score(y_test, curve(x_test))),
    }


def curve_rows(which: str, draw: int = 0) -> tuple[FloatArray, FloatArray]:
    """Rows along a line that turns into a sigmoid; most of them at small x, as incomes are."""
    rng = spawn(SEED, f"{which} {draw}" if draw else which)
    x = np.clip(rng.exponential(1.5, ROWS), 0.0, 12.0)
    y = 0.05 * x + 1.0 / (1.0 + np.exp(-2.5 * (x - 4.0))) + rng.normal(0, 0.04, ROWS)
    return x, y


def publish(x: FloatArray, y: FloatArray, k: int, end: str) -> tuple[FloatArray, FloatArray]:
    """Publish both columns for crowds of k along x: the midpoint of each, or x at its lower end."""
    bins = Scheme("crowds", "equal crowds", (k,)).bins(x, 0 if k == 1 else 1)
    seen = midpoints(x, bins) if end == "midpoint" else lower_ends(x, bins)
    return seen, midpoints(y, bins)


def fit(x: FloatArray, y: FloatArray) -> tuple[str, Any]:
    """Fit three families of curves by least squares and keep the best on what was published.

    That is what somebody does who sees nothing else (a line, a logarithm, a line and a sigmoid).
    """
    found = {name: _fitted(make, x, y) for name, make in _FAMILIES.items()}
    best = min(found, key=lambda name: found[name][1])
    return best, found[best][0]


def _fitted(make: Any, x: FloatArray, y: FloatArray) -> tuple[Any, float]:
    """Least squares over a grid of shapes; all other coefficients are linear."""
    best: tuple[Any, float] | None = None
    for columns in make():
        design = columns(x)
        weights, *_ = np.linalg.lstsq(design, y, rcond=None)
        error = float(((design @ weights - y) ** 2).sum())
        if best is None or error < best[1] - 1e-12:
            best = (_curve(columns, weights), error)
    assert best is not None
    return best


def _curve(columns: Any, weights: FloatArray) -> Any:
    return lambda x: columns(x) @ weights


def _lines() -> Iterator[Any]:
    yield lambda x: np.column_stack([np.ones_like(x), x])


def _logarithms() -> Iterator[Any]:
    yield lambda x: np.column_stack([np.ones_like(x), np.log(x + 0.1)])


def _sigmoids() -> Iterator[Any]:
    for centre in np.linspace(0.5, 8, 31):
        for steep in (0.5, 1.0, 1.5, 2.5, 4.0):
            yield lambda x, c=centre, s=steep: np.column_stack(
                [np.ones_like(x), x, 1.0 / (1.0 + np.exp(-s * (x - c)))]
            )


_FAMILIES = {"line": _lines, "logarithm": _logarithms, "line and sigmoid": _sigmoids}
