"""What came out: tables, figures, and each claim of the paper beside what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.studies._base import Finished, Size
from shoal.studies._findings import Claim, Findings, Picture, ResultTable
from shoal.studies.augusto2019._cases import CASES
from shoal.studies.augusto2019._efforts import MODELS
from shoal.studies.augusto2019._hulls import Tried, all_tried, best_example
from shoal.studies.augusto2019._pictures import draw_alphas, draw_case, draw_curves, draw_quality
from shoal.tuning import choose_alpha

UNKNOWN = (
    "The bins of the six efforts, and which of the two columns was generalized.",
    "The value of alpha behind Fig. 9 and 10.",
    "How rows were split, how large the forests were, and whether k was counted on one column.",
    "The data of Fig. 4: only a linear-logistic-sigmoid curve is named.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Turn results into tables, pictures and answers."""
    tried, curves = all_tried(done), done.records("curve")
    examples = {name: best_example(tried, case) for name, case in CASES.items()}
    trained = MODELS[size] * len(done.records("effort"))
    return Findings(
        summary=_summary(tried, curves, trained),
        tables=[
            ResultTable("efforts", "Every effort of every scheme", done.records("effort")),
            ResultTable(
                "hulls",
                "Which efforts have a largest Q, and for which alphas",
                [record for one in tried for record in _hull_records(one)],
                note="Q = Q_F + alpha * k, as in the paper. Efforts that no alpha chooses are "
                "not listed.",
            ),
            ResultTable(
                "optima",
                "The stated optima, scheme by scheme",
                [_optimum(one) for one in tried],
                note="Wisconsin: effort 3 with k = 5. Medical Cost: effort 1 with k = 2.",
            ),
            ResultTable("curves", "The regression illustration (Fig. 4 and 5)", curves),
        ],
        pictures=[
            Picture("figure4and5", "Curves learned from crowds", lambda: draw_curves(curves)),
            Picture("figure7", "Q for three alphas", lambda: draw_quality(curves)),
            Picture("figure8", "Best Q for every alpha", lambda: draw_alphas(examples)),
            *(
                _case_picture(f"figure{number}", one)
                for number, one in zip((9, 10), examples.values(), strict=True)
            ),
        ],
        claims=_claims(tried, curves, examples),
        numbers={
            "models": trained,
            "schemes": len(tried),
            "reproduced": {
                name: sum(one.stated["reproduced"] for one in tried if one.case == name)
                for name in CASES
            },
            "masked": _gap(curves),
        },
        unknown=UNKNOWN,
    )


def _case_picture(name: str, one: Tried) -> Picture:
    columns = CASES[one.case].columns
    told = {"first": columns[0], "second": columns[1], "both": " and ".join(columns)}
    title = f"{one.case}: {one.scheme}, {told[one.columns]} generalized"
    return Picture(name, title, lambda: draw_case(one))


def _summary(tried: Sequence[Tried], curves: Sequence[dict[str, Any]], trained: int) -> str:
    found = sum(one.stated["reproduced"] for one in tried)
    gap = _gap(curves)
    return (
        f"{trained:,} random forests on {len(tried)} combinations of table, binning scheme and "
        f"column. The stated optimum (effort and k) has a largest Q for some alpha in {found} of "
        f"them. In the regression illustration a test on anonymized rows shows R2 "
        f"{gap['anonymized']:.2f} where the original rows give {gap['original']:.2f}."
    )


def _claims(
    tried: Sequence[Tried], curves: Sequence[dict[str, Any]], examples: dict[str, Tried]
) -> list[Claim]:
    gap = _gap(curves)
    hidden = gap["anonymized"] - gap["original"]
    return [
        Claim(
            "A model that over-anonymized data spoiled looks good on anonymized rows "
            "(R2 0.92) and fails on originals (0.11).",
            f"With crowds of 40 and lower ends published: {gap['anonymized']:.2f} against "
            f"{gap['original']:.2f}; with midpoints {gap['midpoint_anonymized']:.2f} against "
            f"{gap['midpoint_original']:.2f}.",
            "holds" if hidden > 0.5 else "holds in part" if hidden > 0.1 else "does not hold",
            ("curves", "figure4and5"),
        ),
        Claim(
            "The best Q is flat up to some alpha, then grows without end (Fig. 8).",
            "; ".join(
                f"{name}: usable from {low:.3g} to {high:.3g}"
                for name, one in examples.items()
                for low, high in [choose_alpha(one.points).usable]
            )
            + ".",
            "holds",
            ("figure8",),
        ),
        *(_stated_claim(name, tried) for name in CASES),
        _monotone(tried),
    ]


def _stated_claim(name: str, tried: Sequence[Tried]) -> Claim:
    case = CASES[name]
    own = [one for one in tried if one.case == name]
    with_k = [one for one in own if one.stated["has_k"]]
    found = [one for one in own if one.stated["reproduced"]]
    where = "; ".join(f"{o.scheme}, {o.columns}: alpha {o.stated['alphas']}" for o in found[:3])
    return Claim(
        f"{name}: the largest Q is that of effort {case.stated_effort}, with k = {case.stated_k}.",
        f"{len(with_k)} of {len(own)} schemes have that k at that effort; in {len(found)} some "
        f"alpha chooses it{f' ({where})' if where else ''}.",
        "holds in part" if found else "does not hold",
        ("optima", "hulls"),
    )


def _monotone(tried: Sequence[Tried]) -> Claim:
    falls = [one for one in tried if one.efforts[-1]["q_f"] < one.efforts[0]["q_f"]]
    return Claim(
        "As anonymization grows, functional quality falls and privacy rises.",
        f"The sixth effort scores below the original in {len(falls)} of {len(tried)} schemes.",
        "holds" if len(falls) == len(tried) else "holds in part",
        ("efforts",),
    )


def _hull_records(one: Tried) -> list[dict[str, Any]]:
    return [
        {
            "case": one.case,
            "scheme": one.scheme,
            "columns": one.columns,
            "effort": reign.index,
            "k": one.efforts[reign.index]["k"],
            "q_f": one.efforts[reign.index]["q_f"],
            "alpha_from": reign.low,
            "alpha_to": "inf" if reign.high == float("inf") else reign.high,
        }
        for reign in one.reigns
    ]


def _optimum(one: Tried) -> dict[str, Any]:
    effort = one.efforts[CASES[one.case].stated_effort]
    named = {"case": one.case, "scheme": one.scheme, "columns": one.columns}
    return {**named, "k": effort["k"], "q_f": effort["q_f"], **one.stated}


def _gap(curves: Sequence[dict[str, Any]]) -> dict[str, float]:
    """R2 of the largest crowds, tested both ways."""
    last = {c["end"]: c for c in curves if c["k"] == max(r["k"] for r in curves)}
    lower, middle = last["lower end"], last["midpoint"]
    return {
        "anonymized": lower["r2_anonymized"],
        "original": lower["r2_original"],
        "midpoint_anonymized": middle["r2_anonymized"],
        "midpoint_original": middle["r2_original"],
    }
