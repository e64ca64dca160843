"""The thorough search: fewer losses, the same groups for the same steps, every rule kept."""

from __future__ import annotations

import re
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from shoal import _progress
from shoal._progress import SILENT, CountedProgress
from shoal.exceptions import InvalidParameterError
from shoal.grouping import Auto, Problem, SaNGreeA, _refine
from shoal.grouping._refine import regrow_pieces
from shoal.kernels.searching import regrowing
from shoal.kernels.slots import SIZE
from shoal.plan import Plan
from shoal.privacy import DistinctLDiversity, KAnonymity
from shoal.recoding import Generalize
from shoal.table import Roles, read_table
from shoal.utility import measure_loss


def regrowth(problem, pieces):
    arrays = problem.cells.codes, problem.spaces.losses, problem.rules
    return regrowing.Regrowth(*arrays, problem.k, pieces, regrowing.LONG)


def town(n, seed=0):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 60, n),
            "income": np.round(rng.exponential(30, n)),
            "zip": rng.choice(["8010", "8011", "8020", "8045", "1190", "1010"], n),
            "ill": rng.choice(["flu", "cold", "asthma"], n),
        }
    )
    roles = Roles(quasi_identifiers=["age", "income", "zip"], sensitive=["ill"])
    return read_table(frame, roles=roles, kinds={"zip": "code"})


def problem_of(table, *more, limit=0.0):
    return Problem(table, Generalize().spaces(table), (KAnonymity(4), *more), limit)


def plain_pieces(problem):
    return SaNGreeA(refine=False)._group(problem, SILENT)


@pytest.mark.parametrize("more", [(), (DistinctLDiversity(2, "ill"),)])
def test_a_search_lowers_the_loss_and_keeps_every_rule(more):
    problem = problem_of(town(400), *more)
    plain = SaNGreeA(refine=False).fit(problem).grouping_
    grouper = SaNGreeA(refine=False, steps=6_000).fit(problem)
    found = grouper.grouping_
    assert grouper.method_.endswith("6,000 steps of search")
    assert found.n_suppressed == 0
    assert all(model.judge(problem.table, found).holds for model in problem.models)
    losses = [measure_loss(problem.spaces, g).ngil for g in (plain, found)]
    assert losses[1] < losses[0]


def test_the_same_steps_make_the_same_groups_in_any_order_of_rows():
    table = town(200)
    order = np.random.default_rng(1).permutation(200)
    one = SaNGreeA(steps=2_000).fit(problem_of(table)).grouping_
    two = SaNGreeA(steps=2_000).fit(problem_of(table.take(order))).grouping_
    again = np.empty(200, dtype=np.int64)
    again[order] = two.labels
    pairs = {*zip(one.labels.tolist(), again.tolist(), strict=True)}
    assert len(pairs) == one.n_groups == two.n_groups


def test_who_is_left_out_stays_out_and_nobody_is_lost():
    problem = problem_of(town(60))
    cells = problem.cells
    labels = np.minimum(np.arange(60) // 5, 10) - (np.arange(60) < 5) * 1
    pieces = np.column_stack([cells.of_row, np.ones(60, np.int64), labels])
    found = regrow_pieces(problem, pieces, 500, SILENT).pieces
    assert (found[found[:, 2] < 0, 1].sum(), found[:, 1].sum()) == (5, 60)
    sizes = np.bincount(found[found[:, 2] >= 0, 2])
    assert sizes[sizes > 0].min() >= problem.k


def test_cores_play_no_part_and_a_stopped_search_can_be_repeated(monkeypatch):
    """Parts are searched side by side; however many at once, the same groups come out."""
    problem = problem_of(town(900))
    monkeypatch.setattr(regrowing, "PART", 20)
    pieces = plain_pieces(problem)
    assert len(regrowing.cut_groups(regrowth(problem, pieces).groups, 0)) == 8
    stopped = regrow_pieces(problem, pieces, 10**9, HasEnough(5))
    assert stopped.stopped
    monkeypatch.setattr(_progress, "cpu_count", lambda: 1)
    again = regrow_pieces(problem, pieces, stopped.steps, SILENT)
    assert (again.steps, again.stopped) == (stopped.steps, False)
    assert again.pieces.tolist() == stopped.pieces.tolist()


class HasEnough(CountedProgress):
    """Somebody who waits for so many rounds, and reads the line meanwhile."""

    def __init__(self, rounds):
        super().__init__()
        self.rounds, self.lines = rounds, []

    def phase(self, name, total=None):
        self.lines.append(name)
        self.enough = len(self.lines) > self.rounds


def test_a_search_says_its_loss_and_what_a_minute_would_bring():
    problem = problem_of(town(200))
    watcher = HasEnough(3)
    grouper = SaNGreeA(steps=10**9).fit(problem, watcher)
    words = [line for line in watcher.lines if line.startswith("searching on")]
    told = r"searching on: loss 0\.\d{4}, \d+\.\d % less in a minute, cold in \d+ s"
    assert re.fullmatch(told, words[-1])
    assert f"(stopped; --steps {grouper.steps_} makes the same)" in grouper.method_


def test_while_a_search_is_warm_the_line_says_what_it_will_have_won(monkeypatch):
    """It lost 0.02 at best and loses more now, but is on its way below that until it is cold."""
    telling = _refine.Telling(problem_of(town(60)), watcher := HasEnough(9), 100)
    clock = iter(range(0, 1_000, 10))
    monkeypatch.setattr(_refine, "perf_counter", lambda: next(clock))
    for step, lost in enumerate((0.032, 0.031, 0.025, 0.0215)):
        cold = 400 - 100 * step
        least, now = 0.02 * telling.unit, np.array([lost * telling.unit])
        telling.tell(100 * step, SimpleNamespace(least=least, lost=now, until_cold=cold))
    ends = [line.removeprefix("searching on: loss 0.0200") for line in watcher.lines]
    assert ends[:2] == ["", ", 0.0 % less in a minute, cold in 30 s"]
    assert ends[2] == ", 10.0 % less in a minute, cold in 20 s"
    assert ends[3] == ", 10.0 % less in a minute, cold in 10 s"


def test_parts_cover_all_groups_once_and_their_borders_move():
    problem = problem_of(town(900))
    groups = regrowth(problem, plain_pieces(problem)).groups
    alive = np.flatnonzero(groups.state[:, SIZE] > 0).tolist()
    cuts = [regrowing.cut_groups(groups, turn) for turn in range(2)]
    for parts in cuts:
        assert sorted(g for part in parts for g in part.tolist()) == alive
    assert len(cuts[0]) == len(cuts[1]) == 2
    assert cuts[0][0].tolist() != cuts[1][0].tolist()


@pytest.mark.parametrize("n", [150, 433, 1_700])
@pytest.mark.parametrize("turn", [0, 1, 5])
def test_groups_are_halved_as_if_they_were_sorted(n, turn):
    """Those whose boxes have the same middle go by their numbers."""
    random = np.random.default_rng(n + turn)
    state = random.integers(0, 9, (n, 4))
    groups = SimpleNamespace(state=state, box=random.integers(0, 12, (n, 2, 3)).astype(np.int32))
    parts = [np.flatnonzero(state[:, SIZE] > 0).tolist()]
    least = 2 * regrowing.PART * np.array([1, 2, 4])
    for axis in range(turn, turn + int((len(parts[0]) >= least).sum())):
        for part in parts:
            part.sort(key=lambda g: (groups.box[g, :, axis % 3].sum(), g))
        halves = [(part[: len(part) // 2], part[len(part) // 2 :]) for part in parts]
        parts = [half for both in halves for half in both]
    found = regrowing.cut_groups(groups, turn)
    assert [part.tolist() for part in found] == [sorted(part) for part in parts]


def test_the_last_round_of_a_cooling_is_cold_and_the_next_cooling_lasts_longer(monkeypatch):
    """However small the table: what a warm search leaves is no result."""
    problem = problem_of(town(60))
    search = regrowth(problem, plain_pieces(problem))
    seen, heats = [], []

    def advance(*round):
        seen.append(round)
        heats.append(search.heats[0])

    monkeypatch.setattr(search, "_advance", advance)
    assert sum(search.rounds(3_000 + 12_000 + 10, 3_000)) == 15_010
    warmths = [warmth for _, warmth, _ in seen]
    cold = [i for i, warmth in enumerate(warmths) if warmth == 0]
    assert cold == [15, 31]
    assert sum(steps for *_, steps in seen[:16]) == 3_000
    assert all(a > b for a, b in pairwise(warmths[:16]))
    assert len({number for number, *_ in seen}) == len(seen) == 33
    assert heats[0] * 4 == heats[16] == heats[32] == search.least / len(search.best)
    assert {*heats} == {heats[0], heats[16]}


def test_efforts_are_named_and_counted(monkeypatch):
    assert repr(Auto(effort="quick").chosen(100).grouper) == "SaNGreeA(refine=False)"
    assert Auto(effort="thorough").chosen(100).grouper.steps == "thorough"
    problem = problem_of(town(100))
    first = 500 * 100 // (4 + 10)
    assert _refine.thorough_steps(problem) == first * (1 + 4 + 16)
    monkeypatch.setattr(_refine, "LONGEST", first * (1 + 4) * (4 + 10))
    assert _refine.thorough_steps(problem) == first * (1 + 4)
    with pytest.raises(InvalidParameterError, match="no effort"):
        Auto(effort="heroic").chosen(100)
    with pytest.raises(InvalidParameterError, match="steps"):
        SaNGreeA(steps=-1).fit(problem_of(town(20)))


def test_a_plan_says_the_effort():
    roles = Roles(quasi_identifiers=["age"])
    table = town(40)
    quick = Plan(roles=roles, effort="quick").anonymizer(table).grouping
    assert not quick.chosen(40).grouper.refine
    counted = Plan(roles=roles, effort="thorough", steps=7).anonymizer(table).grouping
    assert (counted.steps, counted.refine) == (7, True)
    with pytest.raises(InvalidParameterError, match="refine"):
        Plan(roles=roles, effort="quick", refine=True)
    with pytest.raises(InvalidParameterError, match="mondrian"):
        Plan(roles=roles, effort="thorough", method="mondrian")
