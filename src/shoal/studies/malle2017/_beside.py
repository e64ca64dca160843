"""The numbers the authors published, to put beside ours."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import polars as pl

from shoal.datasets import malle2017_file
from shoal.studies._census._models import MODELS
from shoal.studies._census._people import KS, TARGETS

_THEIR_NAMES = {"income": "income", "marital-status": "marital", "education-num": "education"}


@cache
def published_scores() -> pl.DataFrame:
    """Read their F1: target, model, way (equal, bias, iml), k, mean f1 and vectors averaged."""
    parts = [_read(target, model) for target in TARGETS for model in MODELS]
    return pl.concat(parts)


def published_score(target: str, model: str, way: str, k: int) -> float | None:
    """Look up one of their means."""
    row = published_scores().filter(
        (pl.col("target") == target)
        & (pl.col("model") == model)
        & (pl.col("way") == way)
        & (pl.col("k") == k)
    )
    return float(row["f1"][0]) if row.height else None


def cells_ahead(target: str, way: str, other: str = "equal") -> tuple[int, int]:
    """In how many cells (model and k) of their own tables one way is ahead, of how many."""
    pairs = [
        (published_score(target, model, way, k), published_score(target, model, other, k))
        for model in MODELS
        for k in KS
    ]
    known = [(ours, theirs) for ours, theirs in pairs if ours is not None and theirs is not None]
    return sum(ours > theirs for ours, theirs in known), len(known)


def beside_published(scores: Any) -> list[dict[str, Any]]:
    """Compare our scores of the reproduced files with theirs, cell by cell."""
    found = []
    for target in TARGETS:
        for model in MODELS:
            for k in KS:
                wanted = {"code": "legacy", "target": target, "way": "equal", "k": k}
                ours = scores.mean(model, "published", **wanted)
                theirs = published_score(target, model, "equal", k)
                if ours is not None and theirs is not None:
                    cell = {"target": target, "model": model, "k": k}
                    values = {"published": theirs, "ours": ours, "difference": ours - theirs}
                    found.append({**cell, **values})
    return found


def _read(target: str, model: str) -> pl.DataFrame:
    name = f"f1_results/results_{model}_{_THEIR_NAMES[target]}.csv"
    frame = pl.read_csv(BytesIO(malle2017_file(name)))
    means = frame.group_by("weight_category", "k-factor", maintain_order=True).agg(
        pl.col("f1_score").mean().alias("f1"), pl.len().alias("vectors")
    )
    return means.select(
        pl.lit(target).alias("target"),
        pl.lit(model).alias("model"),
        pl.col("weight_category").alias("way"),
        pl.col("k-factor").cast(pl.Int64).alias("k"),
        "f1",
        pl.col("vectors").cast(pl.Int64),
    )
