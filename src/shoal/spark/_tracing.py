"""What the ledger learns of a release on a cluster: hashes of rows and crowds, never a row.

Which row was in which crowd, and which crowd shows which value, reach the driver as two lists that
meet only in the number of the crowd. The driver puts both under the key of the ledger: the key
itself is sent to nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.ledger import Composition, Ledger, Subject, Trace
from shoal.release import Stage
from shoal.spark._errors import telling, understood
from shoal.spark._fragments import GROUP, HASH, MARKS, ROW
from shoal.spark._recipe import SparkRecipe
from shoal.table import as_text


@dataclass(frozen=True, eq=False)
class ClusterEntry:
    """A release on the cluster, as the ledger asks for it."""

    frame: Any
    hashes: Any
    recipe: SparkRecipe
    source: str = ""  # names, as the ledger tells them
    folder: str = ""

    def entering(
        self, ledger: Ledger, refuse: bool, stage: Stage
    ) -> AbstractContextManager[Composition]:
        """Enter the release: traced, or only noted where it is too large for that."""
        place: dict[str, Any] = {"name": stage.release, "stands": stage.stands}
        with understood():
            subject = self._subject(ledger)
            if self.recipe.is_traced:
                trace = self._trace(ledger)
                return ledger.entering(subject, trace, refuse=refuse, **place)
            rows, groups = self._sizes()
        return ledger.noting(subject, rows=rows, groups=groups, k=self.recipe.k, **place)

    def _subject(self, ledger: Ledger) -> Subject:
        """Fingerprint of the table: sums over its rows, the same in every order."""
        from pyspark.sql import functions as sf

        exact = sf.sum(sf.col(HASH).cast("decimal(38, 0)"))
        found = self.hashes.agg(sf.count("*"), sf.bit_xor(HASH), exact).first()
        content, rows = str(tuple(map(str, found))), self.recipe.rows
        told = ledger.subject_elsewhere(content, self.recipe.names, "spark", rows=rows)
        return replace(told, source=self.source, folder=self.folder)

    def _trace(self, ledger: Ledger) -> Trace:
        from pyspark.sql import functions as sf

        kept = self.frame.filter(sf.col(GROUP) >= 0)
        seen = kept.select(ROW, GROUP, *MARKS).toArrow()
        rows, crowds, *marks = (seen.column(name).to_numpy() for name in (ROW, GROUP, *MARKS))
        shown = {name: self._shown(kept, name) for name in self.recipe.rest}
        order = np.argsort(rows, kind="stable")  # as it came tells how the cluster was cut
        canonical, known = (found.view(np.uint64)[order] for found in marks)
        return ledger.trace_elsewhere(
            rows.view(np.uint64)[order],
            crowds[order],
            shown,
            k=self.recipe.k,
            canonical=canonical,
            known=known,
            quasi=self.recipe.roles.quasi_identifiers,
        )

    def _shown(self, kept: Any, name: str) -> list[tuple[int, str]]:
        """Which crowd shows which value; one that means missing is an empty text."""
        place = f"c{self.recipe.names.index(name)}"
        texts = kept.select(GROUP, place).mapInArrow(_distinct_texts, "crowd bigint, text string")
        pairs = texts.distinct().toArrow().to_pydict()
        absent = {None, *self.recipe.missing}
        told = zip(pairs["crowd"], pairs["text"], strict=True)
        return sorted({(int(crowd), "" if text in absent else text) for crowd, text in told})

    def _sizes(self) -> tuple[int, int]:
        from pyspark.sql import functions as sf

        kept = self.frame.filter(sf.col(GROUP) >= 0)
        rows, groups = kept.agg(sf.count("*"), sf.count_distinct(GROUP)).first()
        return int(rows), int(groups)


@telling
def _distinct_texts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Print a sensitive column as the local engine does, each text once in each crowd."""
    for batch in batches:
        crowd, cells = (pl.Series(batch.column(place)) for place in (0, 1))
        seen = pl.DataFrame([crowd.alias("crowd"), as_text(cells).alias("text")]).unique()
        yield from seen.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()
