"""Training the network by map and reduce: chunks learn, the driver averages, a sample judges.

Every mapper starts with the same weights and back-propagates over its chunk; the reducer averages
the parameters in the order of the chunks. A held-out chunk tells the error and the loss of its own
rows, routed by the network and grouped: rounds go on until neither falls any more (step vii of
Selvi and Pushpa 2021). Chunks go by a hash of content, so partitioning changes nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.selection import equal_frequency_cuts
from shoal.spark._arrays import unpack_rows
from shoal.spark._errors import telling, understood
from shoal.spark._fragments import CODES, HASH, TARGET
from shoal.spark._learning import FINER, on_one_worker
from shoal.spark._network import Features, Network, place_cutter
from shoal.spark._recipe import Recipe
from shoal.spark._routing import Router
from shoal.spark._tree import CutTree, grow
from shoal.table import Grouping, Roles, part_of_table
from shoal.typing import FloatArray, IntArray
from shoal.utility import measure_loss

CHUNKS = 8  # mappers that learn; one more is held out
EPOCHS = 3  # of each chunk in a round
ROUNDS = 10
PATIENCE = 2  # rounds without any progress before training ends
MIDDLES = ((16, 2, 16), (16, 2, 16), (16, 1, 16))  # hidden layers of each start: depth is theirs
MOST_CLASSES = 32


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a mapper needs: rows as features, what to tell of them, and how they are judged."""

    recipe: Recipe
    features: Features
    classes: IntArray  # class of each code of the target; empty without one
    most: int

    @classmethod
    def of(cls, recipe: Recipe, most: int) -> Lesson:
        """Lay out the quasi-identifiers and the target, if one is named."""
        return cls(recipe, Features.of(recipe.spaces), _target_classes(recipe), most)

    @property
    def weights(self) -> FloatArray:
        """How much each output counts: the target as much as all quasi-identifiers together."""
        own = self.features.weights
        if not self.classes.size:
            return own
        n = int(self.classes.max()) + 1
        return np.concatenate([own, np.full(n, self.recipe.spaces.weights.sum())])

    def start(self, seed: int) -> Network:
        """The network that every mapper starts with."""
        inputs = sum(table.shape[1] for table in self.features.tables)
        return Network.start([inputs, *MIDDLES[seed % len(MIDDLES)], self.weights.size], seed)

    def rows(self, chunk: pa.Table) -> tuple[IntArray, FloatArray, FloatArray]:
        """Codes, inputs and wanted outputs of a chunk, in the order of their hashes."""
        codes = unpack_rows(chunk.column(CODES), self.recipe.width)
        hashes, target = np.asarray(chunk.column(HASH)), np.asarray(chunk.column(TARGET))
        order = np.lexsort((*codes.T, hashes))
        codes, inputs = codes[order], self.features.rows(codes[order])
        if not self.classes.size:
            return codes, inputs, inputs
        flags = np.eye(int(self.classes.max()) + 1)[self.classes[target[order]]]
        return codes, inputs, np.concatenate([inputs, flags], axis=1)

    def judge(self, network: Network, chunk: pa.Table) -> tuple[float, float]:
        """Error of held-out rows, and their loss when they are routed and grouped."""
        codes, inputs, wanted = self.rows(chunk)
        share = len(codes) / self.recipe.rows
        tree = cut_places(network, inputs, self.features, self.most * share)
        leaves = tree.leaves(network.places(inputs))
        k = max(2, round(self.recipe.k * share))
        return network.error(inputs, wanted, self.weights), _loss(self.recipe, codes, leaves, k)


def train_router(sample: Any, recipe: Recipe, most: int, router: Router) -> Router:
    """Train networks from a few starts and route by the one whose sample loses least."""
    from pyspark.sql import functions as sf

    lesson = Lesson.of(recipe, most)
    chunk = sf.pmod(sf.shiftright(sf.col(HASH), 24), sf.lit(CHUNKS + 1)).cast("int")
    chunked = sample.withColumn("x_chunk", chunk).persist()
    try:
        network = _train(chunked, lesson)
    finally:
        chunked.unpersist()

    def learn(table: pa.Table) -> str:
        _, inputs, _ = lesson.rows(table)
        share = most * len(inputs) / recipe.rows / FINER
        return cut_places(network, inputs, lesson.features, share).to_json()

    tree = CutTree.from_json(on_one_worker(sample, learn))
    return replace(router, tree=tree, network=network, features=lesson.features)


def cut_places(network: Network, inputs: FloatArray, features: Features, most: float) -> CutTree:
    """Cut the bottleneck where that tells most of the features apart."""
    places = network.places(inputs)
    scaled = inputs * np.sqrt(features.weights)
    return grow(len(inputs), most, place_cutter(places, scaled), places)


def _train(chunked: Any, lesson: Lesson) -> Network:
    networks = [lesson.start(seed) for seed in range(len(MIDDLES))]
    best: list[tuple[float, float]] = [(np.inf, np.inf)] * len(networks)
    chosen, least, waited = networks[0], np.inf, 0
    for _ in range(ROUNDS):
        networks, judged = _round(chunked, lesson, networks)
        fell = False
        for i, (error, loss) in enumerate(judged):
            fell = fell or error < 0.99 * best[i][0] or loss < 0.995 * best[i][1]
            best[i] = (min(error, best[i][0]), min(loss, best[i][1]))
            if loss < least:
                chosen, least = networks[i], loss
        waited = 0 if fell else waited + 1
        if waited >= PATIENCE:
            break
    return chosen


def _round(
    chunked: Any, lesson: Lesson, networks: list[Network]
) -> tuple[list[Network], list[tuple[float, float]]]:
    """Let every chunk learn from the same start, average, and judge on the held-out chunk."""

    def learn(key: Any, chunk: pa.Table) -> pa.Table:
        def work(table: pa.Table) -> list[str]:
            if int(key[0].as_py()) == CHUNKS:
                return []
            _, inputs, wanted = lesson.rows(table)
            trained = (net.train(inputs, wanted, lesson.weights, EPOCHS) for net in networks)
            return [net.to_json() for net in trained]

        found = telling(work)(chunk)
        keys = [key[0].as_py()] * len(found)
        arrays = [pa.array(keys, pa.int32()), pa.array(range(len(found)), pa.int32())]
        return pa.Table.from_arrays([*arrays, pa.array(found, pa.string())], ["c", "start", "net"])

    with understood():
        rows = chunked.groupBy("x_chunk").applyInArrow(learn, "c int, start int, net string")
        told = sorted((int(c), int(start), str(net)) for c, start, net in rows.collect())
    averaged = [
        Network.average([Network.from_json(net) for _, start, net in told if start == i])
        for i in range(len(networks))
    ]
    held = chunked.filter(chunked["x_chunk"] == CHUNKS)

    def judge(chunk: pa.Table) -> str:
        return json.dumps([lesson.judge(net, chunk) for net in averaged])

    return averaged, [(float(e), float(l)) for e, l in json.loads(on_one_worker(held, judge))]


def _loss(recipe: Recipe, codes: IntArray, leaves: IntArray, k: int) -> float:
    """NGIL of rows grouped leaf by leaf, by the fast order."""
    labels = np.full(len(codes), -1, dtype=np.int64)
    made = 0
    for leaf in np.unique(leaves):
        rows = np.flatnonzero(leaves == leaf)
        if rows.size < k:
            continue
        spaces = recipe.spaces_of(codes[rows])
        table = part_of_table(pl.DataFrame({"row": rows}), Roles(), {})
        problem = Problem(table, spaces, (KAnonymity(max(2, k)),))
        grouping = SaNGreeA(order="common", refine=False).fit(problem).grouping_
        labels[rows] = np.where(grouping.labels < 0, -1, grouping.labels + made)
        made += grouping.n_groups
    return measure_loss(recipe.spaces_of(codes), Grouping(labels)).ngil


def _target_classes(recipe: Recipe) -> IntArray:
    """Class of each code of the target: names as they are, numbers in ten classes."""
    name = recipe.roles.target
    if name is None or name not in recipe.domains:
        return np.zeros(0, dtype=np.int64)
    domain = recipe.domains[name]
    codes = np.arange(domain.column.n_codes)
    if codes.size <= MOST_CLASSES:
        return codes
    if domain.column.numbers is None:  # the commonest names, and all others
        ranked = np.argsort(np.argsort(-domain.counts, kind="stable"))
        return np.minimum(ranked, MOST_CLASSES - 1)
    cuts = np.asarray(equal_frequency_cuts(domain.counts), dtype=np.int64)
    return np.searchsorted(cuts, codes, side="right")
