"""The same plan on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.plan import Plan
from shoal.spark._boundary import Pools, costly_from
from shoal.spark._database import jdbc_settings, plan_source
from shoal.spark._domains import read_domains
from shoal.spark._errors import understood
from shoal.spark._forgetting import Rewording
from shoal.spark._fragments import (
    BOX,
    CARRIED,
    CODES,
    COST,
    FRAGMENT,
    GROUP,
    HASH,
    MARKS,
    NO_PLACE,
    ROW,
    TARGET,
    VALUES,
    GroupFragment,
    coder,
    guide,
)
from shoal.spark._learning import learn_router
from shoal.spark._reading import read_as_asked
from shoal.spark._recipe import SparkRecipe
from shoal.spark._release import SparkRelease
from shoal.spark._session import spark_session
from shoal.spark._source import Source
from shoal.spark._statistics import Spans, count_spans

ROWS_PER_FRAGMENT = 250_000
ROWS_PER_TASK = 10_000  # fewer are not worth starting one
ROUTING = "mondrian"


def anonymize(
    data: Any,
    plan: Plan,
    *,
    routing: str = ROUTING,
    rows_per_fragment: int = ROWS_PER_FRAGMENT,
    boundary: bool = True,
    progress: Progress = SILENT,
) -> SparkRelease:
    """Anonymize a Spark frame by a plan; rows never leave the cluster.

    The driver learns the distinct values of quasi-identifiers and protected columns with their
    counts, the cuts (or the network's weights), fragment sizes and losses: statistics, no row.

    Parameters
    ----------
    data : pyspark.sql.DataFrame
        The table, from anything that Spark reads.
    plan : Plan
        What to do; its ``source`` plays no part here.
    routing : {"mondrian", "network", "random"}
        How rows that look alike are brought into one fragment.
    rows_per_fragment : int
        Most rows of a fragment; a table of no more is grouped as the local engine does it.
    boundary : bool
        Whether the costliest groups are pooled across the cuts and grouped again.
    progress : Progress
        Whom to tell.

    Returns
    -------
    SparkRelease
        Its rows stay on the cluster; `SparkRelease.write` verifies and writes them.
    """
    refuse_local_only(plan)
    source = data if isinstance(data, Source) else Source.of(data)
    return Run(source, plan, routing, _checked(rows_per_fragment), boundary, progress).release()


def run_plan(plan: Plan, *, master: str | None = None, progress: Progress = SILENT) -> SparkRelease:
    """Read the table of a plan with Spark and anonymize it.

    Uses the active session, or starts one that lives until the release is closed.
    """
    refuse_local_only(plan)
    if plan.source is None:
        raise InvalidParameterError(
            "The plan names no table.", hint="Give source in [table], or a Spark frame."
        )
    settings = jdbc_settings(plan.source)
    with ExitStack() as stack:
        spark = stack.enter_context(spark_session(master, settings))
        source = stack.enter_context(plan_source(spark, plan))
        release = anonymize(source, plan, progress=progress)
        return replace(release, session=stack.pop_all())


def refuse_local_only(plan: Plan) -> None:
    """Refuse what machines of a cluster cannot do, or may not: networks, keys, earlier crowds."""
    if plan.edges is not None:
        raise InvalidParameterError(
            "Networks are for the local engine: who knows whom cannot be cut into fragments.",
            hint="Leave out --engine spark, or the edges.",
        )
    if plan.after is not None:
        raise InvalidParameterError(
            "A later delivery (--after) is for the local engine: Spark knows nobody again.",
            hint="Leave out --engine spark, or release anew.",
        )
    if plan.pseudonyms or plan.dates:
        raise InvalidParameterError(
            "Pseudonyms are made and dates shifted by the local engine alone: no key is sent to a"
            " cluster.",
            hint="Leave out --engine spark, or the pseudonyms and shifts.",
        )


@dataclass(frozen=True, eq=False)
class Mended:
    """Rows in groups, and what the boundary pass did for them."""

    frame: Any
    pooled: int = 0
    gain: float = 0.0


@dataclass
class Run:
    """One walk from a source to a release."""

    source: Source
    plan: Plan
    routing: str
    most: int
    boundary: bool
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)

    def release(self) -> SparkRelease:
        """Walk the whole way; what the cluster keeps is freed if anything fails."""
        try:
            return self._walk()
        except BaseException:
            for frame in self.kept:
                frame.unpersist()
            raise

    def _walk(self) -> SparkRelease:
        self.plan = _checked_plan(self.plan, self.source)
        with self._phase("counting values"):
            self.source = read_as_asked(self.source, self.plan)
            recipe = self._recipe()
        with self._phase("coding"):
            coded = self._kept(self._coded(recipe))
        while True:
            with self._phase("learning routes"):
                router = learn_router(coded, recipe, self.routing, self.most)
            with self._phase("grouping fragments"):
                first = self._kept(self._grouped(coded, recipe, router))
                costs, homeless = self._costs(first)
            if not homeless:
                break
            self.kept.pop().unpersist()  # a fragment cannot meet the models alone: cut less
            self.most *= 2
        cut = Mended(first)
        if self.boundary and router.packing.n > 1:
            with self._phase("regrouping across cuts"):
                cut = self._regrouped(first, recipe, costs)
        with self._phase("measuring"):
            spans, frame = count_spans(cut.frame, recipe), cut.frame
            if spans.suppressed == recipe.rows:
                raise ImpossibleError.nothing_left(recipe.rows)
            if spans.suppressed:
                words = Rewording.of(frame, recipe)
                recipe, schema = words.recipe, self._result_schema(recipe)
                frame = self._kept(frame.mapInArrow(words, schema))
                spans = count_spans(frame, recipe)
        return SparkRelease(
            recipe, frame, spans, router.packing, self.routing, cut.pooled, cut.gain,
            self.seconds, tuple(self.kept), hashes=coded.select(HASH), ledger=self.plan.ledger,
            source=self.source.path,
        )  # fmt: skip

    def _recipe(self) -> SparkRecipe:
        plan = self.plan
        told = [plan.roles.target] if self.routing == "network" and plan.roles.target else []
        wanted = dict.fromkeys([*plan.roles.quasi_identifiers, *plan.roles.sensitive, *told])
        domains = read_domains(
            self.source, list(wanted), kinds=plan.kinds, orders=plan.orders, missing=plan.missing
        )
        return SparkRecipe.of(plan, self.source.names, domains)

    def _coded(self, recipe: SparkRecipe) -> Any:
        """What is published as it is, and numbers instead of all other cells."""
        frame = self.source.frame.coalesce(self._tasks(recipe))
        rest = [recipe.place(name) for name in recipe.rest]
        coded = frame.select(*rest, coder(recipe)(*frame.columns).alias("x"))
        return coded.select(*rest, *(f"x.{name}" for name in (CODES, HASH, TARGET, *CARRIED)))

    def _tasks(self, recipe: SparkRecipe) -> int:
        """How many parts of the source are worth a task: many tiny files are read by few."""
        cores: int = self.source.frame.sparkSession.sparkContext.defaultParallelism
        return max(cores, -(-recipe.rows // ROWS_PER_TASK))

    def _grouped(self, coded: Any, recipe: SparkRecipe, router: Any) -> Any:
        n = router.packing.n
        rest = [recipe.place(name) for name in recipe.rest]
        routed = coded.select(
            *rest, CODES, HASH, *CARRIED, guide(router, recipe.width)(CODES, HASH).alias(FRAGMENT)
        )
        work = GroupFragment(recipe, alone=n == 1)
        dealt = routed.repartitionById(n, FRAGMENT)  # a task for each fragment
        return dealt.mapInArrow(work, self._result_schema(recipe))

    def _result_schema(self, recipe: SparkRecipe) -> str:
        types = dict(self.source.frame.dtypes)
        quasi = {*recipe.roles.quasi_identifiers}
        parts = []
        for name in recipe.released:
            place = self.source.place(name)
            parts.append(f"{place} {'string' if name in quasi else types[place]}")
        marks = [f"{name} bigint" for name in (ROW, *MARKS)]
        kept = [f"{GROUP} bigint", f"{COST} int", f"{CODES} binary", f"{BOX} binary", *marks]
        return ", ".join([*parts, *kept, f"{VALUES} binary"])

    def _costs(self, first: Any) -> tuple[dict[int, int], int]:
        """Rows by the cost of their group; rows whose fragment has no grouping."""
        from pyspark.sql import functions as sf

        homeless = (sf.col(GROUP) == NO_PLACE).alias("homeless")
        with understood():
            found = first.groupBy(homeless, COST).count().collect()
        costs: dict[int, int] = {}
        for _, cost, n in found:
            costs[int(cost)] = costs.get(int(cost), 0) + int(n)
        return costs, sum(int(n) for nowhere, _, n in found if nowhere)

    def _regrouped(self, first: Any, recipe: SparkRecipe, costs: dict[int, int]) -> Mended:
        from pyspark.sql import functions as sf

        mark = costly_from(costs)
        pooled = sum(n for cost, n in costs.items() if cost >= mark)
        if pooled < 2 * recipe.k:
            return Mended(first)
        costly, cheap = first.filter(sf.col(COST) >= mark), first.filter(sf.col(COST) < mark)
        pools = Pools.of(costly, recipe, pooled, self.most, self._result_schema(recipe))
        few = pools.some()
        if few is not None and not _pays(*self._tried(few, recipe)[1:], recipe):
            return Mended(first)
        again, before, after = self._tried(pools, recipe)
        if not _pays(before, after, recipe):
            return Mended(first)
        gain = before.ngil(recipe) - after.ngil(recipe)
        return Mended(cheap.unionByName(again), pooled, gain)

    def _tried(self, pools: Pools, recipe: SparkRecipe) -> tuple[Any, Spans, Spans]:
        """Group pools again; what is published before and after."""
        again = self._kept(pools.regrouped())
        return again, count_spans(pools.frame, recipe), count_spans(again, recipe)

    def _kept(self, frame: Any) -> Any:
        """Keep a frame on the workers' disks (encrypted): a lost one is made again, the same."""
        from pyspark import StorageLevel

        self.kept.append(frame.persist(StorageLevel.DISK_ONLY))
        return self.kept[-1]

    @contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        stop_if_cancelled(self.progress)
        self.progress.phase(name)
        began = perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - began


def _pays(before: Spans, after: Spans, recipe: SparkRecipe) -> bool:
    return not after.homeless and after.total(recipe) < before.total(recipe)


def _checked(rows_per_fragment: int) -> int:
    if isinstance(rows_per_fragment, bool) or rows_per_fragment < 2:
        raise InvalidParameterError("A fragment must be allowed to hold 2 rows or more.")
    return rows_per_fragment


def _checked_plan(plan: Plan, source: Source) -> Plan:
    """Return the plan with columns named where it has patterns, unless it asks for too much."""
    plan = replace(plan, roles=plan.roles.check(source.names))
    if not plan.roles.quasi_identifiers:
        raise InvalidParameterError(
            "No quasi-identifier is named, so everything would be published as it is."
        )
    if plan.roles.person is not None:
        raise InvalidParameterError(
            "The engine 'spark' counts rows, not people.",
            hint="Leave out the person column, or use the local engine.",
        )
    return plan
