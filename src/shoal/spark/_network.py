"""The back-propagation network of Selvi and Pushpa (2021): sigmoid units, averaged parameters.

Written in plain numpy, so that the same weights and rows give the same bits on every worker.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.spaces import IntervalSpace, Space, WeightedSpaces
from shoal.typing import FloatArray, IntArray

STEPS = 15  # of the staircase that stands for a number
WIDEST = 32  # nodes of a tree's level that the network is shown
FINE = 1 << 16  # places of a bottleneck unit
RATE, MOMENTUM, BATCH = 0.5, 0.9, 32


@dataclass(frozen=True, eq=False)
class NetworkInputs:
    """Codes as the network sees them: one table per attribute, a row of numbers per code.

    A number is a staircase (one step for each threshold below it), a value of a tree one flag for
    the node above it on each level, so that squared distance grows as the loss does. ``weights``
    say how much an output counts: the weight of its attribute, spread over its levels.
    """

    tables: tuple[FloatArray, ...]
    weights: FloatArray

    @classmethod
    def of(cls, spaces: WeightedSpaces) -> NetworkInputs:
        """Lay out the quasi-identifiers."""
        made = [_layout(space) for space in spaces.spaces]
        weights = [
            shares * weight
            for (_, shares), weight in zip(made, spaces.weights.tolist(), strict=True)
        ]
        return cls(tuple(table for table, _ in made), np.concatenate(weights))

    def rows(self, codes: IntArray) -> FloatArray:
        """Features of rows."""
        columns = [table[codes[:, j]] for j, table in enumerate(self.tables)]
        return np.concatenate(columns, axis=1).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Network:
    """A feed-forward network of sigmoid units with a narrow layer in its middle.

    >>> net = Network.start([4, 8, 2, 8, 4], seed=1)
    >>> net.bottleneck(np.zeros((3, 4))).shape
    (3, 2)
    >>> max(float(abs(w).max()) for w in net.matrices) < 1
    True
    """

    matrices: tuple[FloatArray, ...]
    biases: tuple[FloatArray, ...]

    @classmethod
    def start(cls, sizes: Sequence[int], seed: int) -> Network:
        """Draw all weights from (-1, 1), as the paper does; the same in every mapper."""
        random = np.random.Generator(np.random.PCG64(seed))
        pairs = list(pairwise(sizes))
        matrices = tuple(random.uniform(-1, 1, pair) for pair in pairs)
        return cls(matrices, tuple(random.uniform(-1, 1, high) for _, high in pairs))

    def forward(self, rows: FloatArray) -> list[FloatArray]:
        """Activations of all layers, steps iii and iv of the paper."""
        layers = [rows]
        for matrix, bias in zip(self.matrices, self.biases, strict=True):
            layers.append(_sigmoid(layers[-1] @ matrix + bias))
        return layers

    def bottleneck(self, rows: FloatArray) -> FloatArray:
        """Activations of the narrowest layer."""
        widths = [bias.size for bias in self.biases]
        return self.forward(rows)[1 + int(np.argmin(widths))]

    def places(self, codes: IntArray, features: NetworkInputs) -> IntArray:
        """Bottleneck activations of rows in whole numbers; sums run in one order for any batch.

        What a code adds to the first layer is worked out once per code, not once per row.
        """
        depth = 1 + int(np.argmin([bias.size for bias in self.biases]))
        values = _sigmoid(self._first_sums(codes, features) + self.biases[0])
        for matrix, bias in zip(self.matrices[1:depth], self.biases[1:depth], strict=True):
            values = _sigmoid(_slow_product(values, matrix) + bias)
        return np.floor(values * FINE).astype(np.int64)

    def _first_sums(self, codes: IntArray, features: NetworkInputs) -> FloatArray:
        total = np.zeros((len(codes), self.biases[0].size))
        begin = 0
        for j, table in enumerate(features.tables):
            end = begin + table.shape[1]
            total += _slow_product(table, self.matrices[0][begin:end])[codes[:, j]]
            begin = end
        return total

    def train(
        self,
        rows: FloatArray,
        wanted: FloatArray,
        weights: FloatArray,
        epochs: int,
        *,
        momentum: float = MOMENTUM,
        batch: int = BATCH,
        literal: bool = False,
    ) -> Network:
        """Back-propagate (steps v to vii) over mini-batches, in the order of the rows.

        Momentum and mini-batches are Shoal's. Step vii as the paper prints it moves a weight by the
        error alone, whatever flows in through it: that is ``literal``, with batches of 1 and
        without momentum; elsewhere the error is multiplied by what flows in.
        """
        net = Network(tuple(m.copy() for m in self.matrices), tuple(b.copy() for b in self.biases))
        speed = [np.zeros_like(m) for m in (*net.matrices, *net.biases)]
        for _ in range(epochs):
            for begin in range(0, len(rows), batch):
                some = slice(begin, begin + batch)
                net._step(rows[some], wanted[some], weights, speed, momentum, literal)
        return net

    def _step(
        self,
        rows: FloatArray,
        wanted: FloatArray,
        weights: FloatArray,
        speed: list[FloatArray],
        momentum: float,
        literal: bool,
    ) -> None:
        layers = self.forward(rows)
        out, depth = layers[-1], len(self.matrices)
        error = out * (1 - out) * (wanted - out) * weights
        for i in range(depth - 1, -1, -1):
            below = error @ self.matrices[i].T * layers[i] * (1 - layers[i]) if i else error
            flows = np.ones_like(layers[i]) if literal else layers[i]
            for change, fall, value in (
                (speed[i], flows.T @ error / len(rows), self.matrices[i]),
                (speed[depth + i], error.mean(axis=0), self.biases[i]),
            ):
                change *= momentum
                change += RATE * fall
                value += change
            error = below

    def error(self, rows: FloatArray, wanted: FloatArray, weights: FloatArray) -> float:
        """Mean weighted squared error of the outputs."""
        gaps = (self.forward(rows)[-1] - wanted) ** 2 * weights
        return float(gaps.sum(axis=1).mean()) if len(rows) else 0.0

    @classmethod
    def average(cls, networks: Sequence[Network]) -> Network:
        """Average parameters in the order given: what the reducer does."""
        n = len(networks)
        return cls(
            tuple(sum(parts) / n for parts in zip(*(m.matrices for m in networks), strict=True)),
            tuple(sum(parts) / n for parts in zip(*(m.biases for m in networks), strict=True)),
        )

    def to_json(self) -> str:
        """Write all parameters, exactly."""
        return json.dumps([[a.tolist() for a in part] for part in (self.matrices, self.biases)])

    @classmethod
    def from_json(cls, text: str) -> Network:
        """Read what `to_json` wrote."""
        return cls(*(tuple(np.array(a) for a in part) for part in json.loads(text)))


def _layout(space: Space) -> tuple[FloatArray, FloatArray]:
    """Features of every code of an attribute, and how much each counts; together 2."""
    codes = np.arange(space.n_codes)
    if isinstance(space, IntervalSpace):
        share = space.loss(np.zeros_like(codes), codes)
        missing = codes == space.missing
        stairs = (share[:, None] > np.arange(1, STEPS + 1) / (STEPS + 1)) & ~missing[:, None]
        table = np.column_stack([stairs, missing]).astype(np.float64)
        return table, np.full(STEPS + 1, 2.0 / STEPS)
    gaps = space.loss(codes[:-1], codes[1:])
    heights = np.unique(gaps)
    levels = [np.concatenate([[0], np.cumsum(gaps >= height)]) for height in heights]
    flags = [np.eye(level.max() + 1)[level] for level in levels if level.max() < WIDEST]
    flags = flags or [np.zeros((space.n_codes, 1))]
    table = np.concatenate(flags, axis=1)
    return table, np.full(table.shape[1], 1.0 / max(1, len(heights)))


def _sigmoid(values: FloatArray) -> FloatArray:
    result: FloatArray = 1.0 / (1.0 + np.exp(-values))
    return result


def _slow_product(rows: FloatArray, matrix: FloatArray) -> FloatArray:
    """Multiply, adding one input after the other: a library may add in another order each time."""
    total = np.zeros((len(rows), matrix.shape[1]))
    for i in range(matrix.shape[0]):
        total += rows[:, i : i + 1] * matrix[i]
    return total
