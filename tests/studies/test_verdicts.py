"""One rule for all claims: what an interval leaves open is never decided."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from shoal.studies import find_study, study_names
from shoal.studies._verdicts import (
    ClaimDraft,
    ClaimPart,
    MeanEstimate,
    ShareEstimate,
    answer,
    decide,
    decided_table,
    holm,
    judge,
)

numbers = st.floats(-1, 1, allow_nan=False)
means = st.builds(MeanEstimate, numbers, st.floats(0.001, 1, allow_nan=False), st.integers(1, 40))
shares = st.integers(1, 60).flatmap(
    lambda n: st.integers(0, n).map(lambda hits: ShareEstimate(hits, n))
)
parts = st.builds(
    ClaimPart, st.just(""), means | shares, st.floats(0.02, 0.98, allow_nan=False), st.booleans()
)


@given(st.lists(parts, min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_a_claim_whose_interval_includes_the_threshold_is_never_decided(tried):
    for part, decision in zip(tried, decide(tried), strict=True):
        low, high = part.estimate.interval()
        if low + 1e-9 < part.threshold < high - 1e-9:
            assert decision == "open"
        if decision != "open":
            assert part.agrees == (decision == "yes")


@given(parts)
@settings(max_examples=150, deadline=None)
def test_p_values_and_intervals_are_one_rule(part):
    p = part.p_value
    if 1e-6 < p < 1:  # below, levels cannot be told from 1
        low, high = part.estimate.interval(1 - p)
        assert min(abs(low - part.threshold), abs(high - part.threshold)) < 1e-4


@given(st.lists(parts, min_size=2, max_size=6))
@settings(max_examples=60, deadline=None)
def test_more_statements_never_decide_what_fewer_left_open(tried):
    alone = decide(tried[:1])[0]
    together = decide(tried)[0]
    assert together in (alone, "open")


def test_holm_is_the_textbook_procedure():
    assert holm([0.04, 0.01, 0.03, 0.005]) == pytest.approx([0.06, 0.03, 0.06, 0.02])


def test_means_and_shares_are_those_of_the_textbooks():
    values = [0.2, 0.5, 0.1, 0.4]
    found = MeanEstimate.of(values)
    assert found.p_value(0.1) == pytest.approx(stats.ttest_1samp(values, 0.1).pvalue)
    wide = MeanEstimate.of(values, overlap=0.25)  # as many more splits again would not help
    assert wide.error == pytest.approx(np.std(values, ddof=1) * np.sqrt(0.25 + 0.25))
    exact = stats.binomtest(7, 9, 0.5).proportion_ci(0.95)
    assert ShareEstimate(7, 9).interval() == pytest.approx((exact.low, exact.high))


def test_of_one_value_nothing_is_known():
    lonely = MeanEstimate.of([0.9])
    assert lonely.p_value(0.0) == 1.0
    assert str(lonely) == "+0.900"
    assert judge([ClaimDraft("c", "m", [ClaimPart("", lonely)])])[0].answer == "cannot be told"


def test_counted_facts_need_no_interval():
    drafts = [ClaimDraft("c", "m", counted=[True]), ClaimDraft("d", "m", counted=[True, False])]
    assert [claim.answer for claim in judge(drafts)] == ["holds", "holds in part"]
    assert judge([ClaimDraft("c", "m")])[0].answer == "cannot be told"


def test_a_claim_holds_only_if_every_part_does():
    assert answer(["yes", "open", "no"]) == "holds in part"
    assert answer(["open", "no"]) == "does not hold"


def test_every_statement_is_told_with_its_interval():
    drafts = [ClaimDraft("c", "m", [ClaimPart("s", MeanEstimate(1.0, 0.1, 9), 0.5)])]
    (row,) = decided_table(drafts).records
    assert row["low"] < row["value"] < row["high"]
    assert (row["decided"], row["side"]) == ("yes", "above")


def test_no_study_answers_by_another_rule():
    """No answer is typed beside a claim: every study's goes through `judge`."""
    import inspect
    from importlib import import_module
    from pathlib import Path

    for name in study_names():
        folder = Path(inspect.getfile(import_module(f"shoal.studies.{name}"))).parent
        source = "".join(path.read_text() for path in folder.glob("*.py"))
        assert find_study(name).name == name
        assert "PaperClaim(" not in source, name
        assert "judge(" in source, name
