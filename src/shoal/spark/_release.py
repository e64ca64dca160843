"""A release on a cluster: its rows, what holds of them, and the way into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._progress import SILENT, Progress
from shoal.exceptions import InvalidParameterError, ReleaseRefusedError
from shoal.grouping import Packing
from shoal.ledger import Entered, Mode, announce, enter_ledger, ledger_mode
from shoal.presets import find_preset
from shoal.privacy import claims_of
from shoal.release import Draft, Stage, Written, write_release
from shoal.report import Summary, as_draft
from shoal.risk import Exposure
from shoal.spark._errors import understood
from shoal.spark._exposure import measure_parts
from shoal.spark._fragments import GROUP
from shoal.spark._recipe import SparkRecipe
from shoal.spark._recount import recount_frame
from shoal.spark._source import Source, read_source
from shoal.spark._statistics import Spans, summarize_parts
from shoal.spark._tracing import ClusterEntry
from shoal.spark._twins import find_cluster_twins
from shoal.spark._types import give_types
from shoal.table import named_like_a_code
from shoal.verifier import Claim, Verification, judge_claims

ROWS_PER_PART = 250_000
SAMPLE_ROWS = 8
SAMPLED = 10_000  # rows that they are chosen from


@dataclass(frozen=True, eq=False, repr=False)
class SparkRelease:
    """What the cluster made. Close it (or use it in a ``with``) to free what the cluster keeps.

    Attributes
    ----------
    routing : str
        How rows were brought together.
    fragments : int
        Into how many fragments.
    ngil : float
        Loss per quasi-identifier and row, as everywhere.
    loss_by_attribute : dict of str to float
        The same by quasi-identifier.
    pooled, gain : int, float
        Rows that the boundary pass grouped again, and by how much that lowered NGIL.
    seconds : dict of str to float
        Time spent in each phase.
    """

    recipe: SparkRecipe
    frame: Any = field(repr=False)
    spans: Spans
    packing: Packing
    routing: str
    pooled: int
    gain: float
    seconds: dict[str, float]
    kept: tuple[Any, ...] = ()
    session: ExitStack | None = None  # a session that ends with this release
    hashes: Any = field(default=None, repr=False)  # of all rows of the table, as it was
    ledger: Mode | None = None  # what the plan says of it
    source: Path | None = None  # the file that it was made from

    def __repr__(self) -> str:
        return f"SparkRelease({self.recipe.rows:,} rows in {self.fragments} fragments)"

    def __enter__(self) -> SparkRelease:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the cluster forget the rows it keeps for this release."""
        for frame in self.kept:
            frame.unpersist()
        if self.session is not None:
            self.session.close()

    @property
    def fragments(self) -> int:
        """Number of fragments."""
        return self.packing.n

    @property
    def loss_by_attribute(self) -> dict[str, float]:
        """Loss of each quasi-identifier."""
        return self.spans.losses(self.recipe)

    @property
    def ngil(self) -> float:
        """Mean loss over quasi-identifiers and rows."""
        return self.spans.ngil(self.recipe)

    @property
    def data(self) -> Any:
        """The released rows, as a Spark frame."""
        return self._rows().toDF(*self.recipe.released)

    @cached_property
    def verdict(self) -> Verification:
        """What holds of the rows as they are on the cluster, counted over all of them."""
        counted, _ = recount_frame(
            self._rows(), [self._place(n) for n in self.recipe.roles.quasi_identifiers],
            self._inside(self.claims),
        )  # fmt: skip
        return judge_claims(self._inside(self.claims), counted)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What must be found in the written files."""
        asked = claims_of(self.recipe.models, self.recipe.whole())
        return (Claim("rows", self.recipe.rows - self.spans.suppressed), *asked)

    def facts(self) -> dict[str, Any]:
        """Say what ran and what it came to, exactly: for the owner of the table alone."""
        return {
            **self.recipe.resolved.facts(),
            "k_asked": self.recipe.k,
            "ngil": self.ngil,
            "ngil_bound": None,
            "loss_by_attribute": self.loss_by_attribute,
            "engine": "spark",
            "fragments": self.fragments,
            "routing": self.routing,
            "rows_regrouped": self.pooled,
            "ngil_before_boundary": self.ngil + self.gain,
        }

    @property
    def method(self) -> str:
        """What was done, in words."""
        grouper = self.recipe.resolved.grouper
        done = f"{grouper!r} on Spark, {self.fragments} fragments by {self.routing}"
        return f"{done}, boundary pass" if self.pooled else done

    def write(
        self,
        folder: str | PathLike[str],
        *,
        format: str = "csv",
        force: bool = False,
        provenance: Mapping[str, Any] | None = None,
        ledger: Mode | None = None,
        draft: bool = False,
        language: str | None = None,
        progress: Progress = SILENT,
    ) -> Written:
        """Write ``data/`` in parts, count them again by Spark SQL, add manifest, report, script.

        Groups are dealt out to parts by a hash of what they publish, parts are sorted by it and
        numbered: names and order say nothing that the rows do not. Raises `ReleaseRefusedError`
        if a model does not hold on the written files, or if the ledger refuses; then nothing is
        left behind.
        ``ledger``, ``draft`` and ``language`` are as for `Release.write`.
        """
        if format not in ("csv", "parquet"):
            raise InvalidParameterError("A release is written as 'csv' or 'parquet'.")
        counter = _Counter(self)
        pending = Draft(
            file="data",
            write=lambda parts: self._write(parts, format, progress),
            recount=counter.recount,
            summarize=lambda found: _stamped(counter.summarize(found), draft),
            enter=lambda mode, stage: self._enter(mode, stage, Path(folder).name, progress),
            provenance=provenance,
            source=self.source,
            language=language,
        )
        mode = "off" if draft else ledger_mode(ledger or self.ledger, self.recipe.preset)
        written = write_release(pending, folder, mode=mode, force=force, progress=progress)
        if ledger is None:
            announce(written.ledger)
        return written

    def _enter(
        self, mode: Mode, stage: Stage, folder: str, progress: Progress
    ) -> AbstractContextManager[Entered]:
        """Enter the release into the ledger around its writing."""
        progress.phase("asking the ledger")
        source = "" if self.source is None else self.source.name
        told = ClusterEntry(self.frame, self.hashes, self.recipe, source=source, folder=folder)
        refuse = mode == "refuse"
        return enter_ledger(mode, lambda ledger: told.entering(ledger, refuse, stage))

    def _rows(self) -> Any:
        from pyspark.sql import functions as sf

        places = [self._place(name) for name in self.recipe.released]
        return self.frame.filter(sf.col(GROUP) >= 0).select(*places)

    def _plain(self) -> list[str]:
        """Columns that were not changed and are no codes such as 8010."""
        return [name for name in self.recipe.rest if not named_like_a_code(name)]

    def _place(self, name: str) -> str:
        return self.recipe.place(name)

    def _inside(self, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
        return tuple(
            replace(c, column=self._place(c.column), label=str(c)) if c.column else c
            for c in claims
        )

    def _write(self, parts: Path, format: str, progress: Progress) -> None:
        """Deal groups out to parts by a hash of what they publish, and sort parts by it."""
        from pyspark.sql import functions as sf

        progress.phase("writing")
        rows = self._rows()
        if format == "parquet":
            rows = give_types(rows, [self._place(name) for name in self._plain()])
        n_parts = max(1, -(-self.recipe.rows // ROWS_PER_PART))
        quasi = [self._place(name) for name in self.recipe.roles.quasi_identifiers]
        others = [place for place in rows.columns if place not in quasi]
        dealt = rows.repartition(n_parts, *quasi)
        ordered = dealt.sortWithinPartitions(sf.xxhash64(*quasi), *others, *quasi)
        named = ordered.toDF(*self.recipe.released)
        address = parts.as_uri()
        with understood():
            if format == "parquet":
                named.write.option("compression", "zstd").parquet(address)
            else:
                named.write.options(**_CSV).csv(address)


_CSV = {
    "header": "true",
    "quote": '"',
    "escape": '"',
    "emptyValue": "",
    "nullValue": "",
    "ignoreLeadingWhiteSpace": "false",
    "ignoreTrailingWhiteSpace": "false",
    "encoding": "UTF-8",
}


class _Counter:
    """Counts the written parts again by Spark SQL, and sums them up once they are counted."""

    exposure: Exposure  # known once it was counted

    def __init__(self, release: SparkRelease) -> None:
        self.release = release
        self.sizes: dict[int, int] = {}
        self.sample: list[list[str]] = []

    def recount(self, parts: Path) -> Verification:
        """Read the parts back and hold the claims against them."""
        release = self.release
        source = read_source(release.frame.sparkSession, parts)
        counted, self.sizes = recount_frame(
            source.frame,
            [source.place(name) for name in release.recipe.roles.quasi_identifiers],
            _renamed(release.claims, source),
        )
        self.sample = _sample(source)
        twins = find_cluster_twins(release.frame, release.recipe)
        self.exposure = measure_parts(source, release.recipe.roles, twins)
        _refuse_unaccepted(self.exposure, release.recipe.preset)
        named = {source.place(n): n for n in source.names}
        measures = {named[place]: m for place, m in counted.sensitive.items()}
        return judge_claims(release.claims, replace(counted, sensitive=measures))

    def summarize(self, verification: Verification) -> Summary:
        """Sum up what was counted."""
        made = self.release
        return summarize_parts(
            made.recipe,
            made.spans,
            verification,
            self.sizes,
            self.sample,
            made.method,
            self.exposure,
        )


def _refuse_unaccepted(exposure: Exposure, preset: str | None) -> None:
    """Refuse for an audience what singles people out and nobody accepted, as elsewhere."""
    audience = find_preset(preset)
    result = exposure.result()
    if audience is not None and audience.accounted and not result.holds:
        raise ReleaseRefusedError(f"Not released: {result}.", hint=result.hint)


def _stamped(summary: Summary, draft: bool) -> Summary:
    return as_draft(summary) if draft else summary


def _renamed(claims: tuple[Claim, ...], source: Source) -> tuple[Claim, ...]:
    return tuple(
        replace(claim, column=source.place(claim.column)) if claim.column else claim
        for claim in claims
    )


def _sample(source: Source) -> list[list[str]]:
    """A few published rows, chosen by a hash of what they publish."""
    from pyspark.sql import functions as sf

    columns = source.frame.columns
    first = source.frame.limit(SAMPLED)  # parts are dealt out and sorted by such a hash
    chosen = first.orderBy(sf.xxhash64(*columns)).limit(SAMPLE_ROWS).collect()
    return [["" if cell is None else str(cell) for cell in row] for row in chosen]
