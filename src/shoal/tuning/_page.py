"""study.html: the front, the curve of the best Q, and what was chosen; no script, no request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from shoal.report import bullets, cards, page, page_header, section, table
from shoal.tuning._alpha import reign_of
from shoal.tuning._drawing import draw_curve, draw_front

if TYPE_CHECKING:
    from shoal.tuning._result import Tuned
    from shoal.tuning._study import Trial

#: What a score of a trial is, wherever one is told.
TRIAL_SCORES = "from the train part, unrefined, on validation rows"
FEW = 12  # trials that are all listed, as the paper does with its six


def render_page(found: Tuned) -> str:
    """Draw a study as one page: numbers first, then both figures, then all trials of the front."""
    target = found.study.runner.judge.target
    title = f"Test-driven anonymization for {target.name}"
    body = "\n".join(
        [
            page_header("study", title, lead=_lead(found)),
            _cards(found),
            _front(found),
            _curve(found),
            _weights(found),
            _trials(found),
            _warnings(found),
        ]
    )
    return page(title, body)


def _lead(found: Tuned) -> str:
    by = "the steward picked" if found.picked else f"at alpha {found.alpha.alpha:.4g} Q chose"
    return (
        f"{found.study.n_finished} anonymizations of the train part were tried and models tested "
        f"on untouched rows; {by} trial {found.chosen.number}. Exactly one release leaves a study."
    )


def _cards(found: Tuned) -> str:
    final, metric = found.final, found.study.runner.judge.target.metric_name
    interval = final.test
    reach = "" if interval.low is None else f" ({interval.low:.3f} to {interval.high:.3f})"
    facts = [
        (f"{final.test.mean:.3f}", f"{metric} on untouched test rows{reach}, learned from the "
         "anonymized train part"),
        (f"{final.unanonymized.mean:.3f}", "learned from the originals"),
        (f"{final.test.constant:.3f}", "for a constant answer"),
        (f"{final.masked_gap:+.3f}", "masked gap: how much better a test on anonymized rows looks"),
        (str(found.plan.k), "people or more in every crowd"),
    ]  # fmt: skip
    return cards(facts)


def front_drawing(found: Tuned) -> str:
    """Draw all trials of a study, the front and the one that was chosen."""
    trials = found.study.trials
    return draw_front(
        [trial.point for trial in trials],
        chosen=[trial.number for trial in trials].index(found.chosen.number),
        axes=(found.study.runner.privacy.words, found.study.runner.judge.target.metric_name),
        names=[f"trial {trial.number}, k {trial.outcome.k}" for trial in trials],
    )


def _front(found: Tuned) -> str:
    return section(
        "Every trial, and the front",
        f"{front_drawing(found)}<p class='quiet'>Scores of trials are {TRIAL_SCORES}. "
        "No other trial beats those on the line in both.</p>",
    )


def _curve(found: Tuned) -> str:
    points = [trial.point for trial in found.study.trials]
    low, high = found.alpha.usable
    return section(
        "Which alpha",
        draw_curve(points, found.alpha)
        + "<p class='quiet'>The best Q for every alpha (Fig. 8 of the paper). Usable from "
        f"{low:.4g} to {high:.4g}, taken {found.alpha.alpha:.4g}. "
        f"{escape(found.alpha.why)} {escape(_worth(found))}</p>",
    )


def _worth(found: Tuned) -> str:
    """Say in words what an alpha means."""
    privacy, alpha = found.study.runner.privacy, found.alpha.alpha
    metric = found.study.runner.judge.target.metric_name
    if privacy.raw or privacy.measure != "k":
        return f"One more unit of Q_NF is worth {alpha:.4g} of {metric}."
    return f"A crowd twice as large is worth {alpha:.4g} of {metric}."


def _weights(found: Tuned) -> str:
    weights = found.chosen.effort.weights
    rows = sorted(weights.items(), key=lambda item: -item[1])
    largest = max(weights.values(), default=1.0)
    shown = [[escape(name), f"{weight / largest:.3f}"] for name, weight in rows]
    if not shown:
        return ""
    return section("What matters", table(["Quasi-identifier", "Weight"], shown))


def _trials(found: Tuned) -> str:
    header = ["Trial", "k", "Q_F", "Q_NF", "Q", "Loss (NGIL)", "Alphas that choose it"]
    label = f"<p class='quiet'>Scores of trials are {TRIAL_SCORES}.</p>"
    few = len(found.study.trials) <= FEW
    title, shown = ("All trials", found.study.trials) if few else ("The front", found.front)
    return section(title, table(header, _rows(found, shown)) + label)


def _rows(found: Tuned, shown: Sequence[Trial]) -> Iterator[list[str]]:
    trials = found.study.trials
    points = [trial.point for trial in trials]
    for trial in shown:
        reign = reign_of(trials.index(trial), points)
        yield [
            str(trial.number),
            str(trial.outcome.k),
            f"{trial.outcome.q_f:.4f}",
            f"{trial.outcome.q_nf:.4g}",
            f"{trial.point.quality(found.alpha.alpha):.4f}",
            f"{trial.outcome.ngil:.2g}",  # of originals: two digits, and no count of those left out
            "none" if reign is None else f"{reign.low:.4g} to {reign.high:.4g}",
        ]


def _warnings(found: Tuned) -> str:
    if not found.warnings:
        return ""
    return section("Read before you share", bullets(found.warnings))
