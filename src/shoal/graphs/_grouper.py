"""SaNGreeA on a network: groups that are alike in what they say and in whom they know."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import ImpossibleError, InvalidParameterError, NeverPossibleError
from shoal.graphs._graph import Graph
from shoal.graphs._yardstick import Yardstick, balanced_yardstick, plain_yardstick
from shoal.grouping import Choice, Grouper, Problem, group_boxes, in_chunks, settle
from shoal.kernels.graphs.growing import (
    grow_group,
    grow_in_order,
    join_leftovers,
    list_free,
    rate_starts,
)
from shoal.kernels.graphs.refining import new_groups, refine_people
from shoal.kernels.losses import Losses
from shoal.table import Grouping
from shoal.typing import IntArray

SEEDS = ("degree", "content", "best-first")
SCALES = ("balance", "people", "edges")
UNIT = 1 << 44  # a cost of 1, as a whole number
CHUNK = 64  # groups between two looks at the progress
ROUNDS = 5
WORK = 20_000_000_000  # friends looked at while refining, at most: some minutes


class NetworkSaNGreeA(Grouper):
    """Grow groups by ``alpha`` times what attributes lose plus ``beta`` times how far people are.

    The algorithm of Campan and Truta ("Data and structural k-anonymity in social networks",
    PinKDD 2008, LNCS 5456, 2009): a group starts at somebody, takes in whoever adds least to
    ``alpha * NGIL + beta * distance`` until it has k, and the next one starts; who is left joins
    where that costs least. Two people are as far apart as there are others who know one of them
    and not the other; a person is as far from a group as from its members on average.

    Parameters
    ----------
    graph : Graph
        Who knows whom; numbered like the rows of the table (`Graph.arranged`).
    alpha, beta : float
        How much attributes and structure matter; only their ratio counts. 0 leaves one out.
    order : {"degree", "content", "best-first"}
        Where groups start: at whoever has most friends (as in the paper), by a hash of the rows,
        or with the cheapest group there is, which takes k times as long.
    scale : {"balance", "people", "edges"}
        What both parts are shares of: ``balance``, of what there is to gain, which is the
        difference between groups by attributes alone and by structure alone, so that 1 : 1 weighs
        both alike in any network; ``people``, a distance as a share of all other people (the
        paper), which shrinks as 1/n where people have as many friends in a larger network;
        ``edges``, as a share of twice the average degree.
    refine : bool
        Afterwards let people move and change places while ``alpha * NGIL + beta * NSIL`` falls,
        both on the same scale.
    weights : mapping of str to float, optional
        How much each quasi-identifier matters.
    """

    name = "network"
    needs_attributes = False
    warnings_: tuple[str, ...] = ()

    def __init__(
        self,
        graph: Graph | None = None,
        alpha: float = 1.0,
        beta: float = 1.0,
        order: str = "degree",
        scale: str = "balance",
        refine: bool = True,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self.graph = graph
        self.alpha = alpha
        self.beta = beta
        self.order = order
        self.scale = scale
        self.refine = refine
        self.weights = weights

    def chosen(self, n_rows: int) -> Choice:
        """Nothing else looks at edges."""
        return Choice(self, "edges were given")

    def default_recoder(self, hierarchies: Any = None) -> Any:
        """Publish ranges, the group and the masked network."""
        from shoal.graphs._recoder import PublishNetwork

        return PublishNetwork(hierarchies)

    def fit(self, problem: Problem, progress: Progress = SILENT) -> Self:
        """Group the people of a problem."""
        for model in problem.models:
            model.check_possible(problem.table)
        if problem.suppression_limit > 0:
            raise InvalidParameterError(
                "Nobody of a network can be left out: their edges would be missing.",
                hint="Leave out the suppression limit (--max-suppression).",
            )
        search = self._search(problem)
        self.warnings_ = search.graph.warnings()
        # alpha and beta are weights: whoever knows them forms the groups again more cheaply
        order = f"{self.order} order{', refined' if self.refine else ''}"
        self.method_ = f"SaNGreeA on a network, {order}"
        labels: IntArray = np.zeros(search.n, dtype=np.int64)
        if problem.k < search.n:
            search = search.balanced(progress) if self.scale == "balance" else search
            labels = search.group(self.order, progress)
            if self.refine:
                search.improve(labels, progress)
        of_row = np.empty(search.n, dtype=np.int64)
        of_row[search.rows] = labels
        self.grouping_ = settle(problem, Grouping(of_row))
        if self.grouping_.n_suppressed:
            raise ImpossibleError(
                f"{self.grouping_.n_suppressed} people fit into no group under these limits, and"
                " nobody of a network can be left out.",
                hint="Widen a limit, or lower k.",
            )
        return self

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        raise NotImplementedError  # people of a network are never equal: fit does it all

    def _search(self, problem: Problem) -> _NetworkSearch:
        _check(self.order, SEEDS, "order")
        _check(self.scale, SCALES, "scale")
        graph, n = self.graph, problem.table.n_rows
        if graph is None or graph.n_people != n:
            raise InvalidParameterError(
                "The network does not have the people of the table.",
                hint="Give edges (graph=) and the column that names people (node=).",
            )
        if problem.k > n:
            raise NeverPossibleError(f"There are {n} people, fewer than k of {problem.k}.")
        alpha, beta = ratio(self.alpha, self.beta)
        spaces = problem.spaces
        rows = np.argsort(problem.table.row_hash(), kind="stable")  # a tie goes by content
        width = len(spaces.spaces)
        codes = spaces.codes[rows] if width else np.zeros((n, 0), dtype=np.int32)
        seen = graph.arranged_rows(rows)
        return _NetworkSearch(
            graph=graph,
            n=n,
            k=problem.k,
            rows=rows,
            network=(seen.starts, seen.friends, np.ascontiguousarray(codes)),
            losses=spaces.losses if width else NO_LOSSES,
            full=max(1.0, float(spaces.weights.sum()) * spaces.unit) if width else 1.0,
            alpha=alpha if width else 0.0,
            beta=beta,
            of=plain_yardstick(seen.starts, seen.friends, per_edge=self.scale != "people"),
        )


NO_LOSSES = Losses(
    np.zeros((0, 6), dtype=np.int64), np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int32)
)


@dataclass(frozen=True, eq=False)
class _NetworkSearch:
    """A network and its attributes, people sorted by content, and what a step costs."""

    graph: Graph
    n: int
    k: int
    rows: IntArray
    network: tuple[IntArray, IntArray, IntArray]
    losses: Losses
    full: float
    alpha: float
    beta: float
    of: Yardstick

    def balanced(self, progress: Progress) -> _NetworkSearch:
        """Count both parts in shares of what there is to gain between them."""
        if not (self.alpha and self.beta):
            return self
        alike = replace(self, beta=0.0).group("degree", progress)
        joined = replace(self, alpha=0.0)
        near = joined.group("degree", progress)
        joined.improve(near, progress)  # growing finds half of what structure can gain
        of = balanced_yardstick(self.network, self.losses, self.full, alike, near)
        return replace(self, of=of)

    @property
    def _costs(self) -> tuple[int, int]:
        """What a unit of loss and of distance cost, as whole numbers; none costs more than 1."""
        loss, distance = self.alpha / self.of.loss, self.beta / self.of.distance
        most = max(1.0, loss, distance)
        return round(loss / most * UNIT / self.full), round(distance / most * UNIT)

    def group(self, order: str, progress: Progress) -> IntArray:
        labels = np.full(self.n, -1, dtype=np.int64)
        progress.phase("grouping", self.n)
        if order == "best-first":
            n_groups = self._cheapest_first(labels, progress)
        else:
            n_groups = self._in_order(labels, order, progress)
        left = np.flatnonzero(labels < 0)
        if left.size:
            inside = Grouping(labels)
            lo, hi = group_boxes(self.network[2], inside)
            sizes = np.bincount(labels[labels >= 0], minlength=n_groups)
            join_leftovers(
                *self.network, self.losses, left, *self._costs, labels, lo.copy(), hi.copy(), sizes
            )
        return labels

    def _in_order(self, labels: IntArray, order: str, progress: Progress) -> int:
        seeds = np.arange(self.n)
        if order == "degree":
            seeds = np.lexsort((seeds, -np.diff(self.network[0])))
        at = np.array([0, 0, self.n], dtype=np.int64)
        shared = np.zeros(self.n, dtype=np.int64)
        while at[2] >= self.k and at[0] < self.n:
            stop_if_cancelled(progress)
            before = int(at[2])
            grow_in_order(
                *self.network, self.losses, seeds, self.k, *self._costs, CHUNK, labels, shared, at
            )
            progress.advance(before - int(at[2]))
        return int(at[1])

    def _cheapest_first(self, labels: IntArray, progress: Progress) -> int:
        """Publish the cheapest group again and again; costs are looked up again when they count."""
        costs = self._first_costs(progress)
        heap = [(int(cost), seed) for seed, cost in enumerate(costs)]
        heapq.heapify(heap)
        shared = np.zeros(self.n, dtype=np.int64)
        members = np.empty(self.k, dtype=np.int64)
        free = np.empty(self.n, dtype=np.int64)
        groups, left = 0, self.n
        while heap and left >= self.k:
            stop_if_cancelled(progress)
            _, seed = heapq.heappop(heap)
            if labels[seed] >= 0:
                continue
            n_free = list_free(labels, free)
            cost = grow_group(
                *self.network,
                self.losses,
                free[:n_free],
                seed,
                *self._costs,
                labels,
                shared,
                members,
            )
            if heap and (int(cost), seed) > heap[0]:
                heapq.heappush(heap, (int(cost), seed))
                continue
            labels[members] = groups
            groups, left = groups + 1, left - self.k
            progress.advance(self.k)
        return groups

    def _first_costs(self, progress: Progress) -> IntArray:
        costs = np.empty(self.n, dtype=np.int64)

        def scratch() -> tuple[IntArray, IntArray]:
            return np.full(self.n, -1, dtype=np.int64), np.zeros(self.n, dtype=np.int64)

        def rate(begin: int, end: int, own: tuple[IntArray, IntArray]) -> None:
            rate_starts(*self.network, self.losses, self.k, *self._costs, begin, end, *own, costs)

        in_chunks(self.n, CHUNK, scratch, rate, progress)
        return costs

    def improve(self, labels: IntArray, progress: Progress) -> None:
        """Let people move and change places while the sum falls; ``labels`` change in place."""
        groups = new_groups(labels, self.network[2], int(labels.max()) + 1)
        if groups.sizes.size < 2:
            return
        of = self.of
        weights = self.alpha / (self.n * self.full * of.loss), self.beta / of.structure
        spent = np.zeros(1, dtype=np.int64)
        for _ in range(ROUNDS):
            progress.phase("refining", self.n)
            steps = 0
            for begin in range(0, self.n, 500):
                stop_if_cancelled(progress)
                end = min(self.n, begin + 500)
                steps += refine_people(
                    *self.network, self.losses, self.k, *weights, begin, end, WORK, groups, spent
                )
                progress.advance(end - begin)
            if steps * 200 < self.n or spent[0] > WORK:
                break


def ratio(alpha: float, beta: float) -> tuple[float, float]:
    """Two weights with the larger one 1, to twelve digits: scaling both changes nothing.

    >>> ratio(1, 3), ratio(0.1, 0.3), ratio(0, 7)
    ((0.333333333333, 1.0), (0.333333333333, 1.0), (0.0, 1.0))
    """
    for name, value in (("alpha", alpha), ("beta", beta)):
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not 0 <= value < math.inf
        ):
            raise InvalidParameterError(f"{name} must be a number of 0 or more.")
    largest = max(alpha, beta)
    if largest == 0:
        raise InvalidParameterError(
            "alpha and beta are both 0, so nothing matters.", hint="Give one of them a weight."
        )
    return float(f"{alpha / largest:.12g}"), float(f"{beta / largest:.12g}")


def _check(value: str, known: tuple[str, ...], what: str) -> None:
    if value not in known:
        raise InvalidParameterError(
            f"A network has no {what} named {value!r}.", hint=f"Choose from {', '.join(known)}."
        )
