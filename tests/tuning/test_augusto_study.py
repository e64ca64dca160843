"""The paper's case studies: bins that hold what they say, and optima that are not made up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.studies import Finished, Item
from shoal.studies.augusto2019 import STUDY
from shoal.studies.augusto2019._conclusions import conclude
from shoal.studies.augusto2019._efforts import WHICH, effort_items
from shoal.studies.augusto2019._hulls import all_tried
from shoal.studies.augusto2019._regression import CROWDS, curve_rows, fit, publish, run_curve
from shoal.studies.augusto2019._schemes import EFFORTS, SCHEMES, anonymize

NUMBERS = st.lists(st.integers(0, 400).map(lambda n: n / 4), min_size=8, max_size=80)


@pytest.mark.parametrize("name", list(SCHEMES))
@given(values=NUMBERS, effort=st.integers(1, EFFORTS))
def test_bins_are_runs_of_the_line_and_k_is_their_smallest_crowd(name, values, effort) -> None:
    values = np.array([*values, 0.0, 101.0])
    bins = SCHEMES[name].bins(values, effort)
    order = np.argsort(values, kind="stable")
    assert (np.diff(bins[order]) >= 0).all()  # a bin never skips over another
    assert all(np.unique(bins[values == v]).size == 1 for v in values)
    rows = np.column_stack([values, values])
    published, k = anonymize(rows, SCHEMES[name], effort, WHICH["first"])
    assert k == np.unique(bins, return_counts=True)[1].min()
    assert (published[:, 1] == values).all()
    for number in np.unique(bins):
        own = values[bins == number]
        assert published[bins == number][0, 0] == (own.min() + own.max()) / 2


@given(values=NUMBERS, crowd=st.integers(1, EFFORTS))
def test_equal_crowds_keep_their_promise(values, crowd) -> None:
    scheme = SCHEMES["equal crowds, 2 to 50"]
    values = np.array(values)
    _, counts = np.unique(scheme.bins(values, crowd), return_counts=True)
    assert counts.min() >= min(scheme.steps[crowd - 1], values.size)


def test_a_test_on_anonymized_rows_hides_what_was_lost() -> None:
    for end in ("midpoint", "lower end"):
        small, large = run_curve(CROWDS[1], end, 0), run_curve(CROWDS[-1], end, 0)
        assert small["r2_original"] > 0.95
        assert large["r2_anonymized"] > large["r2_original"] + 0.15
    name, curve = fit(*curve_rows("train"))
    assert name == "line and sigmoid"
    assert publish(*curve_rows("train"), 40, "midpoint")[0].size == 200
    assert curve(np.array([0.0]))[0] == pytest.approx(0, abs=0.1)


def test_the_full_study_trains_a_hundred_forests_for_each_effort() -> None:
    items = list(effort_items("full"))
    assert {item.settings["models"] for item in items} == {100}
    assert {item.settings.get("effort", 0) for item in items} == set(range(7))
    assert {item.part for item in items if "effort" not in item.settings} == {"original"}


def made_up(q_f, k):
    """Finished efforts of one scheme with these qualities, and the curves."""
    done = Finished()
    for item in STUDY.plan("miniature", done):
        if item.part == "curve":
            done.add(item, run_curve(**item.settings))
    for case in ("Wisconsin", "Medical Cost"):
        for effort, (score, crowd) in enumerate(zip(q_f, k, strict=True)):
            scheme = {"scheme": "rounding", "columns": "first", "effort": effort} if effort else {}
            told = {"k": crowd, "q_f": score, "spread": 0.01, "masked": score, "constant": 0.5,
                    "scores": [score, score], "masked_scores": [score, score]}  # fmt: skip
            part = "effort" if effort else "original"
            done.add(Item(part, {"case": case, **scheme, "models": 2}), told)
    return done


def test_a_stated_optimum_counts_only_if_some_alpha_chooses_it() -> None:
    convex = made_up([0.95, 0.94, 0.94, 0.939, 0.7, 0.6, 0.5], [1, 1, 2, 5, 6, 7, 8])
    wisconsin, medical = all_tried(convex)
    assert wisconsin.stated["reproduced"]
    assert not medical.stated["reproduced"]  # effort 1 has k 1 here
    ends = made_up([0.95, 0.94, 0.93, 0.92, 0.91, 0.91, 0.91], [1, 1, 2, 5, 40, 60, 200])
    assert not all_tried(ends)[0].stated["on_hull"]
    answers = [claim.answer for claim in conclude("miniature", convex).claims
               if "the largest Q is that of effort" in claim.claimed]  # fmt: skip
    assert answers == ["cannot be told"] * 2  # one scheme of one tells nothing of all of them
