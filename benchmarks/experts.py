"""Simulated experts: how many answers it takes to find what matters to somebody."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any

import numpy as np

from shoal.anonymizer import Anonymizer
from shoal.datasets import Dataset, adult, people
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.session import (
    Expert,
    LexicographicExpert,
    Question,
    Session,
    ThoughtlessExpert,
    WeighingExpert,
    cosine,
    interview,
)
from shoal.table import Roles, Table

EXPERTS = int(os.environ.get("SHOAL_EXPERTS", "50"))
SEEDS = range(1_000, 1_000 + EXPERTS)  # nobody whom the learner was developed on is among them
TOLD, ANSWERS = 20, 30  # what is asked of a session is asked of its first twenty
FRESH = 200  # questions never asked, on which learned weights and expert are compared
K = 10
TABLES = ("Adult, 8 attributes", "Adult, 10 attributes", "people, 8 attributes")


@dataclass(frozen=True)
class Curve:
    """A kind of expert and a way to learn from it."""

    name: str
    expert: str = "weighing"
    slips: float = 0.0
    notices: float = 0.0
    session: dict[str, Any] = field(default_factory=dict)


CURVES = (
    Curve("asked what teaches most"),
    Curve("asked what teaches most, 10 % wrong", slips=0.1),
    Curve("random questions", session={"questions": "random"}),
    Curve("random questions, 10 % wrong", slips=0.1, session={"questions": "random"}),
    Curve("cafebabe", session={"learner": "cafebabe"}),
    Curve("cafedood, as intended", session={"learner": "cafedood"}),
    Curve("two attributes only", expert="two"),
    Curve("two attributes only, 10 % wrong", expert="two", slips=0.1),
    Curve("says about the same below 0.02", notices=0.02),
    Curve("by chance", expert="thoughtless"),
    Curve("lexicographic", expert="lexicographic"),
)


def measure() -> dict[str, Any]:
    """Time one interview; then let every expert answer about every table in every way."""
    latency = _latency()  # first, alone in this process
    jobs = [(name, curve) for name in TABLES for curve in CURVES]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:  # threads do not fork
        tasks = [(name, curve, seed) for name, curve in jobs for seed in SEEDS]
        found = iter(list(pool.map(_interview, tasks, chunksize=5)))
    records = [_record(name, curve, [next(found) for _ in range(EXPERTS)]) for name, curve in jobs]
    return {
        "experts": EXPERTS,
        "answers": ANSWERS,
        "hidden_weights": "Dirichlet(0.7)",
        "fresh_questions": FRESH,
        "records": records,
        "latency": latency,
    }


@dataclass(frozen=True)
class Interviewed:
    """What became of one expert.

    Cosine after each answer; after twenty, agreement on fresh questions and which hidden weights
    the intervals hold, of all and of those above zero; how sure the session was after twenty, at
    most and whether it said enough.
    """

    agreements: list[float] = field(default_factory=list)
    cosines: list[float] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)
    matter: list[bool] = field(default_factory=list)
    sure: tuple[float, float, bool] = (0.0, 0.0, False)


def _interview(task: tuple[str, Curve, int]) -> Interviewed:
    name, curve, seed = task
    session = Session(_table(name), _recipe(name), seed=seed, **curve.session)
    expert = _expert(curve, session.names, seed)
    if isinstance(expert, ThoughtlessExpert):
        return Interviewed(sure=_looks_sure(session, expert))
    learned = interview(session, expert, TOLD)
    agreements = [_agreement(expert, learned[n], _fresh(name)) for n in (0, TOLD)]
    if not isinstance(expert, WeighingExpert):
        return Interviewed(agreements)
    ends, sure = session.intervals, session.sureness
    covered = [ends[n].low <= weight <= ends[n].high for n, weight in expert.weights.items()]
    learned += interview(session, expert, ANSWERS)[1:]
    cosines = [cosine(expert.weights, weights) for weights in learned]
    told = (sure, max(sure, session.sureness), session.suggests_stop)
    matter = [held for held, weight in zip(covered, expert.weights.values(), strict=True) if weight]
    return Interviewed(agreements, cosines, covered, matter, told)


def _looks_sure(session: Session, expert: Expert) -> tuple[float, float, bool]:
    """How sure a session was of somebody after twenty answers, at most, and whether it stopped."""
    sure, stops = [], []
    while session.answers < ANSWERS:
        interview(session, expert, session.answers + 1)
        sure.append(session.sureness)
        stops.append(session.suggests_stop)
    return sure[TOLD - 1], max(sure), any(stops)


def _expert(curve: Curve, names: tuple[str, ...], seed: int) -> Expert:
    chance = np.random.default_rng(seed)
    if curve.expert == "lexicographic":
        return LexicographicExpert.draw(names, chance)
    if curve.expert == "thoughtless":
        return ThoughtlessExpert(chance)
    only = 2 if curve.expert == "two" else 0
    return WeighingExpert.draw(names, chance, slips=curve.slips, only=only, notices=curve.notices)


def _agreement(expert: Expert, weights: dict[str, float], fresh: tuple[Question, ...]) -> float:
    """Share of the questions that the weights decide as the expert does when awake.

    Questions that leave an expert cold (two attributes only, and none of them differs) are none.
    """
    chance = np.random.default_rng(0)
    if isinstance(expert, WeighingExpert):
        expert = awake = WeighingExpert(expert.weights, chance)
        fresh = tuple(q for q in fresh if len({awake.loss(c) for c in q.cost.values()}) == 2)
    learned = WeighingExpert(weights, chance)
    return float(np.mean([expert.answer(q) == learned.answer(q) for q in fresh]))


def _record(name: str, curve: Curve, runs: list[Interviewed]) -> dict[str, Any]:
    sure = np.array([run.sure for run in runs], dtype=np.float64)
    record: dict[str, Any] = {
        "table": name,
        "curve": curve.name,
        "sure_20": float(sure[:, 0].mean()),
        "surest": float(sure[:, 1].max()),
        "stops": float(sure[:, 2].mean()),
    }
    if runs[0].agreements:
        agreements = np.array([run.agreements for run in runs]).mean(axis=0)
        record |= dict(zip(("agreement_equal", "agreement_20"), agreements.tolist(), strict=True))
    if runs[0].cosines:
        cosines = np.array([run.cosines for run in runs])
        record["cosine"] = [round(float(value), 4) for value in cosines.mean(axis=0)]
        record["tenth_percentile_20"] = float(np.quantile(cosines[:, TOLD], 0.1))
        record["coverage_20"] = float(np.mean([run.covered for run in runs]))
        record["coverage_matter_20"] = float(np.mean(np.concatenate([run.matter for run in runs])))
        record["each_20"] = {
            "cosine": [round(float(value), 4) for value in cosines[:, TOLD]],
            "weights": [len(run.covered) for run in runs],
            "held": [int(np.sum(run.covered)) for run in runs],
            "matter": [len(run.matter) for run in runs],
            "matter_held": [int(np.sum(run.matter)) for run in runs],
        }
    told = f"cosine {record['cosine'][TOLD]:.3f}, " if "cosine" in record else ""
    print(f"  {name}, {curve.name}: {told}{record['sure_20']:.0%} sure", flush=True)
    return record


def _latency() -> dict[str, Any]:
    """From an answer to the next question, and a preview, on all complete rows of Adult."""
    name = TABLES[0]
    session = Session(_table(name), _recipe(name), seed=1)
    expert = WeighingExpert.draw(session.names, np.random.default_rng(1))
    session.preview()  # load what is loaded once
    turns = np.array([*_turns(session, expert)])
    previews = np.array([*_previews(session)])
    return {
        "rows": session.table.n_rows,
        "answer_to_question_ms": _summary(1000 * turns[:, 0]),
        "answer_to_question_cpu_ms": _summary(1000 * turns[:, 1]),
        "preview_seconds": _summary(previews[:, 0]),
        "preview_with_f1_seconds": _summary(previews[:, 1]),
    }


def _turns(session: Session, expert: Expert) -> Iterator[tuple[float, float]]:
    for _ in range(40):
        question = session.ask()
        choice = expert.answer(question)
        wall, cpu = perf_counter(), process_time()
        session.tell(question, choice)
        session.ask()
        yield perf_counter() - wall, process_time() - cpu


def _previews(session: Session) -> Iterator[tuple[float, float]]:
    for _ in range(5):
        began = perf_counter()
        session.preview(score=False)
        between = perf_counter()
        session.preview()
        yield between - began, perf_counter() - between


def _summary(values: Any) -> dict[str, float]:
    return {"median": float(np.median(values)), "p95": float(np.quantile(values, 0.95))}


@cache
def _data(name: str) -> Dataset:
    return people(10_000) if name.startswith("people") else adult()


@cache
def _table(name: str) -> Table:
    table = _data(name).table()
    if name != "Adult, 10 attributes":
        return table
    more = (*table.roles.quasi_identifiers, "relationship", "hours-per-week")
    return table.with_roles(Roles(quasi_identifiers=more, target="income"))


@cache
def _recipe(name: str) -> Anonymizer:
    return Anonymizer(recoding=Generalize(_data(name).hierarchies), privacy=KAnonymity(K))


@cache
def _fresh(name: str) -> tuple[Question, ...]:
    session = Session(_table(name), _recipe(name), seed=987, questions="random", repeats=0)
    questions = []
    for _ in range(FRESH):
        questions.append(session.ask())
        session.tell(questions[-1], "skip")
    return tuple(questions)
