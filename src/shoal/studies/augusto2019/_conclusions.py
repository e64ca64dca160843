"""What came out: tables, figures, and each claim of the paper beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shoal.studies._base import Finished, Size
from shoal.studies._findings import Findings, Picture, ResultTable
from shoal.studies._verdicts import decided_table, judge
from shoal.studies.augusto2019._cases import CASES
from shoal.studies.augusto2019._claims import claims, gap_of, gaps_of
from shoal.studies.augusto2019._efforts import MODELS
from shoal.studies.augusto2019._hulls import Tried, all_tried, best_example
from shoal.studies.augusto2019._pictures import draw_alphas, draw_case, draw_curves, draw_quality

EXAMPLE = "Drawn is the scheme nearest to what the paper states: an example, no evidence."
EACH = ("scores", "masked_scores")  # of every model
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
    trained = MODELS[size] * sum(len(done.records(part)) for part in ("original", "effort"))
    drafts = claims(tried, curves)
    return Findings(
        summary=_summary(tried, curves, trained),
        tables=[*_tables(tried, curves), decided_table(drafts)],
        pictures=_pictures([c for c in curves if c["draw"] == 0], examples),
        claims=judge(drafts),
        numbers={
            "models": trained,
            "schemes": len(tried),
            "reproduced": {
                name: sum(one.stated["reproduced"] for one in tried if one.case == name)
                for name in CASES
            },
            "masked": gap_of(curves),
        },
        unknown=UNKNOWN,
    )


def _tables(tried: list[Tried], curves: list[dict[str, Any]]) -> list[ResultTable]:
    return [
        ResultTable(
            "efforts",
            "Every effort of every scheme",
            [{n: v for n, v in e.items() if n not in EACH} for one in tried for e in one.efforts],
        ),
        ResultTable(
            "models",
            "The score of every model",
            list(_models(tried)),
            "Score on originals, and on anonymized rows, of each model; models of one number are "
            "tested on the same rows.",
            shown=False,
        ),
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
    ]


def _pictures(curves: list[dict[str, Any]], examples: Mapping[str, Tried]) -> list[Picture]:
    return [
        Picture(
            "figure4and5",
            "Figures 4 and 5: curves learned from crowds",
            lambda: draw_curves(curves),
            "Grey: the rows. Orange: what is published. R2 on anonymized rows / on originals.",
        ),
        Picture(
            "figure7",
            "Figure 7: Q of the efforts for three alphas",
            lambda: draw_quality(curves),
            "An alpha below, inside and above the usable range; dashed: Q_F alone.",
        ),
        Picture(
            "figure8",
            "Figure 8: the best Q for every alpha",
            lambda: draw_alphas(examples),
            "Shaded: alphas below the one at which privacy alone decides, if there is one. "
            f"{EXAMPLE}",
        ),
        *(
            _case_picture(f"figure{number}", one)
            for number, one in zip((9, 10), examples.values(), strict=True)
        ),
    ]


def _case_picture(name: str, one: Tried) -> Picture:
    columns = CASES[one.case].columns
    told = {"first": columns[0], "second": columns[1], "both": " and ".join(columns)}
    number = name.removeprefix("figure")
    title = f"Figure {number}: {one.case}, {one.scheme}, {told[one.columns]} generalized"
    note = (
        f"Above: what is published at three efforts ({columns[0]} across, {columns[1]} up; orange: "
        f"{CASES[one.case].positive}). Middle: what a forest says that learned it. Below: Q and "
        f"its parts. {EXAMPLE}"
    )
    return Picture(name, title, lambda: draw_case(one), note)


def _summary(tried: Sequence[Tried], curves: Sequence[dict[str, Any]], trained: int) -> str:
    found = sum(one.stated["reproduced"] for one in tried)
    gaps = " and ".join(f"{gap} with {end}s published" for end, gap in gaps_of(curves).items())
    return (
        f"{trained:,} random forests on {len(tried)} combinations of table, binning scheme and "
        f"column. The stated optimum (effort and k) has a largest Q for some alpha in {found} of "
        "them. In the regression illustration a test on anonymized rows says more R2 than one on "
        f"originals, by {gaps}."
    )


def _models(tried: Sequence[Tried]) -> Iterator[dict[str, Any]]:
    """Every effort once; the original of a case stands for effort 0 of all its schemes."""
    seen = set()
    for one in tried:
        for effort in one.efforts:
            number = effort["effort"]
            name = (one.case, one.scheme if number else "", one.columns if number else "", number)
            if name not in seen:
                seen.add(name)
                head = dict(zip(("case", "scheme", "columns", "effort"), name, strict=True))
                yield {**head, **{n: " ".join(f"{s:.4g}" for s in effort[n]) for n in EACH}}


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
