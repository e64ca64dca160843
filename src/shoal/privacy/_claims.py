"""From privacy models to what the verifier must recount."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.privacy._base import PrivacyModel
from shoal.table import CodedTable
from shoal.verifier import Claim


def claims_of(models: Iterable[PrivacyModel], table: CodedTable) -> tuple[Claim, ...]:
    """Say what the verifier must recount for each model.

    A model whose proof needs more than the written file (a population, a hierarchy) has no
    claim: it was measured before writing, and the manifest says only that.

    >>> import polars as pl
    >>> from shoal.privacy import DistinctLDiversity, KAnonymity
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["flu", "cold"]}))
    >>> models = [KAnonymity(10), DistinctLDiversity(3, "disease")]
    >>> [(claim.name, claim.bound, str(claim)) for claim in claims_of(models, table)]
    [('k', 10.0, '10-anonymity'), ('distinct_l', 3.0, "distinct 3-diversity of 'disease'")]
    """
    return tuple(claim for model in models for claim in model.claims(table))


def column_claim(
    model: PrivacyModel, table: CodedTable, measure: str, bound: float, *, l: int = 0
) -> Claim:
    """Claim a measure of the verifier for the sensitive column of a model, with its order."""
    column = table.column(str(model.sensitive))
    ordered = measure == "t_ordered" or column.kind == "ordinal"
    order = "numeric" if column.kind == "numeric" else column.labels if ordered else ()
    return Claim(measure, float(bound), column.name, l=l, order=order, label=str(model))
