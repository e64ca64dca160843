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
import pyarrow as pa

from shoal.grouping import CutTree, cut_at_gaps
from shoal.selection import equal_frequency_cuts
from shoal.spark._arrays import unpack_rows
from shoal.spark._errors import understood
from shoal.spark._fragments import CODES, HASH, TARGET, each_fragment
from shoal.spark._gaps import group_sample, sample_k
from shoal.spark._learning import FINER, on_one_worker
from shoal.spark._network import Network, NetworkInputs
from shoal.spark._recipe import SparkRecipe
from shoal.spark._routing import Router
from shoal.table import Grouping
from shoal.typing import FloatArray, IntArray
from shoal.utility import measure_loss

CHUNK = "x_chunk"
CHUNKS = 8  # mappers that learn; one more is held out
EPOCHS = 3  # of each chunk in a round
ROUNDS = 10
PATIENCE = 2  # rounds without any progress before training ends
MIDDLES = ((16, 4, 16), (16, 4, 16), (16, 2, 16))  # hidden layers of each start: depth is theirs
MOST_CLASSES = 32


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a mapper needs: rows as features, what to tell of them, and how they are judged."""

    recipe: SparkRecipe
    features: NetworkInputs
    classes: IntArray  # class of each code of the target; empty without one
    most: int

    @classmethod
    def of(cls, recipe: SparkRecipe, most: int) -> Lesson:
        """Lay out the quasi-identifiers and the target, if one is named."""
        return cls(recipe, NetworkInputs.of(recipe.spaces), _target_classes(recipe), most)

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
        places = network.places(codes, self.features)
        k = sample_k(self.recipe, len(codes))
        groups = group_sample(self.recipe, codes, k)
        leaves = cut_at_gaps(places, groups, self.most * share).leaves(places)
        return network.error(inputs, wanted, self.weights), _loss(self.recipe, codes, leaves, k)


def train_router(sample: Any, recipe: SparkRecipe, most: int, router: Router) -> Router:
    """Train networks from a few starts and route by the one whose sample loses least."""
    from pyspark.sql import functions as sf

    lesson = Lesson.of(recipe, most)
    chunk = sf.pmod(sf.shiftright(sf.col(HASH), 24), sf.lit(CHUNKS + 1)).cast("int")
    tasks = min(CHUNKS + 1, sample.sparkSession.sparkContext.defaultParallelism)
    dealt = sf.pmod(sf.col(CHUNK), sf.lit(tasks))  # no more tasks than can run at once
    chunked = sample.withColumn(CHUNK, chunk).repartitionById(tasks, dealt).persist()
    try:
        network = _train(chunked, lesson)
    finally:
        chunked.unpersist()

    def learn(table: pa.Table) -> str:
        codes, _, _ = lesson.rows(table)
        places = network.places(codes, lesson.features)
        groups = group_sample(recipe, codes, sample_k(recipe, len(codes)))
        return cut_at_gaps(places, groups, most * len(codes) / recipe.rows / FINER).to_json()

    tree = CutTree.from_json(on_one_worker(sample, learn))
    return replace(router, tree=tree, network=network, features=lesson.features)


def _train(chunked: Any, lesson: Lesson) -> Network:
    networks = [lesson.start(seed) for seed in range(len(MIDDLES))]
    best: list[tuple[float, float]] = [(np.inf, np.inf)] * len(networks)
    chosen, least, waited = networks[0], np.inf, 0
    for number in range(ROUNDS + 1):
        averaged, judged = _round(chunked, lesson, networks, last=number == ROUNDS)
        fell = not number  # nobody has learned anything before the first round
        for i, (error, loss) in enumerate(judged if number else ()):
            fell = fell or error < 0.99 * best[i][0] or loss < 0.995 * best[i][1]
            best[i] = (min(error, best[i][0]), min(loss, best[i][1]))
            if loss < least:
                chosen, least = networks[i], loss
        waited = 0 if fell else waited + 1
        if waited >= PATIENCE:
            break
        networks = averaged
    return chosen if np.isfinite(least) else networks[0]


def _round(
    chunked: Any, lesson: Lesson, networks: list[Network], last: bool
) -> tuple[list[Network], list[tuple[float, float]]]:
    """Let every chunk learn from the same start and average; the held-out chunk judges the start.

    One job does both: a network is judged while the next round already learns.
    """

    def learn(part: pa.Table) -> pa.Table:
        numbers = np.asarray(part.column(CHUNK))
        chunks = ((int(n), part.filter(pa.array(numbers == n))) for n in np.unique(numbers))
        return pa.concat_tables([learn_chunk(*each) for each in chunks])

    def learn_chunk(number: int, chunk: pa.Table) -> pa.Table:
        if number == CHUNKS:
            found = [json.dumps(lesson.judge(net, chunk)) for net in networks]
        elif last:
            found = []
        else:
            _, inputs, wanted = lesson.rows(chunk)
            trained = (net.train(inputs, wanted, lesson.weights, EPOCHS) for net in networks)
            found = [net.to_json() for net in trained]
        numbers = [pa.array(n, pa.int32()) for n in ([number] * len(found), range(len(found)))]
        return pa.table([*numbers, pa.array(found, pa.string())], ["c", "start", "told"])

    with understood():
        rows = chunked.mapInArrow(
            lambda b: each_fragment(b, learn), "c int, start int, told string"
        )
        told = sorted((int(c), int(start), str(text)) for c, start, text in rows.collect())
    learned = [(start, text) for c, start, text in told if c < CHUNKS]
    averaged = [
        Network.average([Network.from_json(text) for start, text in learned if start == i])
        for i in range(len(networks) if learned else 0)
    ]
    return averaged, [tuple(json.loads(text)) for c, _, text in told if c == CHUNKS]


def _loss(recipe: SparkRecipe, codes: IntArray, leaves: IntArray, k: int) -> float:
    """NGIL of rows grouped leaf by leaf, by the fast order."""
    labels = np.full(len(codes), -1, dtype=np.int64)
    made = 0
    for leaf in np.unique(leaves):
        rows = np.flatnonzero(leaves == leaf)
        if rows.size >= k:
            found = group_sample(recipe, codes[rows], k)
            labels[rows] = np.where(found < 0, -1, found + made)
            made += int(found.max()) + 1
    return measure_loss(recipe.spaces_of(codes), Grouping(labels)).ngil


def _target_classes(recipe: SparkRecipe) -> IntArray:
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
