"""From privacy models to what the verifier must recount."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveCLDiversity,
    TCloseness,
)
from shoal.table import Table
from shoal.verifier import Claim


def claims_of(models: Iterable[PrivacyModel], table: Table) -> tuple[Claim, ...]:
    """Say what the verifier must recount for each model.

    A model whose proof needs more than the written file (a population, a hierarchy) has no
    claim: it was measured before writing, and the manifest says only that.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["flu", "cold"]}))
    >>> models = [KAnonymity(10), DistinctLDiversity(3, "disease")]
    >>> [(claim.name, claim.bound, str(claim)) for claim in claims_of(models, table)]
    [('k', 10.0, '10-anonymity'), ('distinct_l', 3.0, "distinct 3-diversity of 'disease'")]
    """
    return tuple(claim for model in models for claim in _claims(model, table))


def _claims(model: PrivacyModel, table: Table) -> Iterator[Claim]:
    if isinstance(model, KAnonymity | AlphaK):
        yield Claim("k", float(model.k), label=str(KAnonymity(model.k)))
    named = _measure(model)
    if named is None or model.sensitive is None:
        return
    name, bound = named
    column = table.column(model.sensitive)
    ordered = name == "t_ordered" or column.kind == "ordinal"
    yield Claim(
        name,
        bound,
        model.sensitive,
        l=model.l if isinstance(model, RecursiveCLDiversity) else 0,
        order="numeric" if column.kind == "numeric" else column.labels if ordered else (),
        label=str(model),
    )


def _measure(model: PrivacyModel) -> tuple[str, float] | None:
    """Name the verifier's measure of a model, and its bound."""
    match model:
        case DistinctLDiversity():
            return "distinct_l", float(model.l)
        case EntropyLDiversity():
            return "entropy_l", float(model.l)
        case RecursiveCLDiversity():
            return "recursive_c", float(model.c)
        case TCloseness(distance="equal" | "ordered"):
            return f"t_{model.distance}", float(model.t)
        case AlphaK():
            return "alpha", float(model.alpha)
        case BasicBetaLikeness():
            return "basic_beta", float(model.beta)
        case EnhancedBetaLikeness():
            return "enhanced_beta", float(model.beta)
        case DeltaDisclosure():
            kind = "delta_disclosure" if model.strict else "delta_disclosure_present"
            return kind, float(model.delta)
    return None
