"""Training by map and reduce, with mappers that run one after the other in this process."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from shoal.datasets import people
from shoal.plan import Plan
from shoal.spark import _training
from shoal.spark._arrays import pack_rows
from shoal.spark._domains import _domain
from shoal.spark._fragments import CODES, HASH, TARGET
from shoal.spark._recipe import SparkRecipe
from shoal.table import hash_rows


class Mappers:
    """As much of a Spark frame as training asks of one: a batch for each chunk."""

    def __init__(self, chunks):
        self.chunks = chunks

    def mapInArrow(self, work, schema):  # noqa: N802
        self.told = [
            tuple(row.values())
            for chunk in self.chunks
            for batch in work(iter(chunk.to_batches(max_chunksize=64)))
            for row in batch.to_pylist()
        ]
        return self

    def collect(self):
        return self.told


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    data = people(900)
    folder = data.write(tmp_path_factory.mktemp("town"))
    quasi = data.roles.quasi_identifiers[:5]
    plan = Plan(
        roles=replace(data.roles, quasi_identifiers=quasi, target=None),
        kinds={name: data.kinds[name] for name in quasi},
        hierarchy_folder=str(folder / "hierarchies"),
        k=20,
    )
    texts = {name: Counter(data.frame[name].cast(pl.String).to_list()) for name in quasi}
    domains = {
        name: _domain(name, pl.String(), list(texts[name].items()), plan.kinds, {}, ("",))
        for name in quasi
    }
    return SparkRecipe.of(plan, tuple(data.frame.columns), domains), data.frame


def chunks_of(recipe, frame, order):
    """Rows in chunks by hash, as the cluster deals them out; ``order`` is that of arrival."""
    hashes = hash_rows(frame)
    columns = {
        CODES: pack_rows(recipe.codes(recipe.values(frame))),
        HASH: pa.array(hashes.view(np.int64)),
        TARGET: pa.array(np.zeros(frame.height, dtype=np.int32)),
        _training.CHUNK: pa.array((hashes % np.uint64(_training.CHUNKS + 1)).astype(np.int32)),
    }
    table = pa.table(columns).take(pa.array(order))
    number = np.asarray(table.column(_training.CHUNK))
    return [table.filter(pa.array(number == c)) for c in np.unique(number)]


def test_training_stops_when_nothing_falls_and_the_order_of_arrival_changes_nothing(
    recipe, monkeypatch
):
    monkeypatch.setattr(_training, "ROUNDS", 3)
    recipe, frame = recipe
    lesson = _training.Lesson.of(recipe, 150)
    orders = np.arange(frame.height), np.random.default_rng(1).permutation(frame.height)
    trained = [_training._train(Mappers(chunks_of(recipe, frame, o)), lesson) for o in orders]
    assert trained[0].to_json() == trained[1].to_json()
    held_out = chunks_of(recipe, frame, orders[0])[-1]
    starts = [lesson.start(seed) for seed in range(len(_training.MIDDLES))]
    error, loss = lesson.judge(trained[0], held_out)
    assert error < min(lesson.judge(start, held_out)[0] for start in starts)
    assert 0 < loss < 1
