from __future__ import annotations

import ast
import math
from fractions import Fraction
from importlib.resources import files
from types import SimpleNamespace

import pytest

from shoal.exceptions import InvalidParameterError
from shoal.verifier import MEASURES, Claim, judge_claims, verify
from shoal.verifier._claims import _LARGEST_EXACT_GROUP, ENTROPY, entropy, entropy_reaches

ROWS = ["a,1", "a,1", "a,2", "a,3", "b,1", "b,2", "b,3", "b,3"]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("\n".join(["q,s", *ROWS]) + "\n", encoding="utf-8")
    return file


def holds(path, claim):
    return verify(path, [claim], quasi_identifiers=["q"]).holds


@pytest.mark.parametrize(
    ("name", "met", "missed"),
    [
        ("rows", 8, 7),
        ("k", 4, 5),
        ("distinct_l", 3, 4),
        ("entropy_l", 2.82842712474, 2.8284271248),  # two square roots of two
        ("t_equal", 0.125, 0.1249),
        ("t_ordered", 0.125, 0.1249),
        ("alpha", 0.5, 0.49),
        ("basic_beta", 1 / 3, 0.333),
        ("enhanced_beta", 1 / 3, 0.333),
        ("delta_disclosure", 0.4055, 0.4054),
    ],
)
def test_a_bound_just_met_is_met_and_one_just_missed_is_not(path, name, met, missed):
    column = "" if name in ("rows", "k") else "s"
    order = "numeric" if name == "t_ordered" else ()
    assert holds(path, Claim(name, met, column, order=order))
    assert not holds(path, Claim(name, missed, column, order=order))


def test_c_must_be_exceeded(path):
    assert not holds(path, Claim("recursive_c", 2, "s", l=3))
    assert holds(path, Claim("recursive_c", 2.001, "s", l=3))
    assert not holds(path, Claim("recursive_c", math.inf, "s", l=4))


def test_uniform_groups_reach_their_entropy_exactly(tmp_path):
    for l in (2, 3, 5, 6, 7):
        file = tmp_path / "data.csv"
        file.write_text("q,s\n" + "".join(f"a,{v}\n" * 3 for v in range(l)), encoding="utf-8")
        assert holds(file, Claim("entropy_l", l, "s"))
        assert not holds(file, Claim("entropy_l", l + 1e-6, "s"))


def test_delta_disclosure_is_strict(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("q,s\na,1\na,1\na,2\nb,1\nb,2\nb,2\n", encoding="utf-8")
    worst = math.log(3 / 2)
    assert not holds(file, Claim("delta_disclosure", worst, "s"))
    assert holds(file, Claim("delta_disclosure", worst + 1e-9, "s"))


def test_k_of_people_is_smaller_than_k_of_rows(path):
    people = [0, 0, 1, 2, 3, 4, 5, 6]
    verification = verify(path, [Claim("k", 4)], quasi_identifiers=["q"], people=people)
    assert not verification.holds
    assert verification.recount.k == 3
    assert verification.recount.people
    assert not verify(path, [Claim("k", 4)], quasi_identifiers=["q"]).recount.people
    with pytest.raises(InvalidParameterError, match="7 people for 8 written rows"):
        verify(path, [Claim("k", 4)], quasi_identifiers=["q"], people=people[1:])


def test_every_quasi_identifier_counts(tmp_path):
    file = tmp_path / "data.csv"
    file.write_text("q,r\na,1\na,2\n", encoding="utf-8")
    assert verify(file, [Claim("k", 2)], quasi_identifiers=["q"]).holds
    assert not verify(file, [Claim("k", 2)], quasi_identifiers=["q", "r"]).holds


def test_outcomes_are_plain_data_without_values(path):
    claims = [
        Claim("k", 5, label="5-anonymity"),
        Claim("t_ordered", 0.2, "s", order=("1", "2", "3")),
    ]
    verification = verify(path, claims, quasi_identifiers=["q"])
    first, second = (outcome.to_dict() for outcome in verification.outcomes)
    assert first == {"model": "5-anonymity", "measure": "k", "asked": 5, "recounted": 4,
                     "holds": False}  # fmt: skip
    assert second["model"] == "t_ordered of 's' at most 0.2"
    assert second["column"] == "s"
    assert (second["asked"], second["recounted"], second["holds"]) == (0.2, 0.125, True)
    assert "order" not in second
    assert str(verification) == "Does not hold on the written file: 5-anonymity (recounted: 4)."


@pytest.mark.parametrize(
    "wrong",
    [("q", 1), ("k", 2, "s"), ("alpha", 0.5), ("k", math.nan), ("recursive_c", 2, "s")],
)
def test_claims_are_checked_at_birth(wrong):
    with pytest.raises(InvalidParameterError):
        Claim(*wrong)


def test_an_ordered_claim_needs_its_order(path):
    with pytest.raises(InvalidParameterError):
        holds(path, Claim("t_ordered", 0.5, "s"))


def test_a_large_group_too_close_to_call_is_refused():
    close = [10**6 + 1, 10**6]
    assert not entropy_reaches(close, 2)
    assert entropy_reaches([10**6, 10**6], 2)
    assert entropy_reaches(close, 1.5)  # which is far
    assert not entropy_reaches(close, 2.5)


def test_only_what_is_claimed_is_measured(path):
    claims = [Claim("t_ordered", 1, "s", order="numeric"), Claim("delta_disclosure", 9, "s")]
    verification = verify(path, claims, quasi_identifiers=["q"])
    assert {*verification.recount.sensitive["s"]} == {"t_ordered", "delta_disclosure"}
    assert verification.recount.sensitive["s"]["t_ordered"] == Fraction(1, 8)
    assert str(verification) == "All 2 claims hold on the written file."


def test_shares_no_code_with_the_anonymizer():
    allowed = ("shoal.exceptions", "shoal.verifier")
    for file in files("shoal.verifier").iterdir():
        if not file.name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert all(n.startswith(allowed) for n in names if n.startswith("shoal")), file.name


def test_every_group_of_lowest_entropy_must_reach_the_bound():
    claim = Claim("entropy_l", 3, "s")
    for lowest in [((5, 5, 5), (4, 5, 5)), ((4, 5, 5), (5, 5, 5))]:
        counted = SimpleNamespace(sensitive={"s": {"entropy_l": lowest}})
        assert not judge_claims([claim], counted).holds


@pytest.mark.parametrize("name", ["delta_disclosure", "delta_disclosure_present"])
def test_a_hair_below_the_bound_is_not_below_it(name):
    for value, holds in [(0.5 - 1e-12, False), (0.5 - 3e-12, True)]:
        counted = SimpleNamespace(sensitive={"s": {name: value}})
        assert judge_claims([Claim(name, 0.5, "s")], counted).holds is holds


@pytest.mark.parametrize("order", [1, -1])
def test_one_claim_that_does_not_hold_is_enough(path, order):
    claims = [Claim("k", 4), Claim("distinct_l", 4, "s")][::order]
    found = verify(path, claims, quasi_identifiers=["q"])
    assert not found.holds
    assert [outcome.claim.name for outcome in found.failures] == ["distinct_l"]
    assert verify(path, [Claim("k", 4), Claim("rows", 8)], quasi_identifiers=["q"]).holds


def test_of_groups_with_almost_one_entropy_the_lowest_is_told():
    lowest, other = (9, 1), (5, 5)
    for found in ([lowest, other], [other, lowest]):
        assert ENTROPY.value(found, 1) == pytest.approx(math.exp(entropy(lowest)))


def test_only_csv_and_parquet_are_recounted(path):
    other = path.rename(path.with_name("data.txt"))
    with pytest.raises(InvalidParameterError, match=r"ends in \.csv or \.parquet"):
        verify(other, [Claim("k", 2)], quasi_identifiers=["q"])
    loud = other.rename(other.with_name("DATA.CSV"))
    assert holds(loud, Claim("k", 4))


@pytest.mark.parametrize("more", [0, 1])
def test_groups_up_to_the_largest_exact_one_are_compared_in_integers(more):
    counts = [1, _LARGEST_EXACT_GROUP - 1 + more]
    almost = math.exp(entropy(counts)) * (1 - 1e-11)  # too close for floats, and reached
    assert entropy_reaches(counts, almost) == (more == 0)


def test_an_order_is_copied_into_the_claim():
    order = ["low", "high"]
    claim = Claim("t_ordered", 0.5, "s", order=order)
    order.reverse()
    assert claim.order == ("low", "high")
    assert Claim("t_ordered", 0.5, "s", order="numeric").order == "numeric"


def test_what_is_told_of_a_claim_with_an_l(path):
    claim = Claim("recursive_c", 9, "s", l=1)  # the least l there is
    (outcome,) = verify(path, [claim, Claim("k", 4)], quasi_identifiers=["q"]).outcomes[:1]
    assert outcome.to_dict()["l"] == 1
    (plain,) = verify(path, [Claim("k", 4)], quasi_identifiers=["q"]).outcomes
    assert "l" not in plain.to_dict()


def test_recursion_is_told_for_every_l_up_to_the_values_there_are():
    """Of three values, two in every group: a third l is told as out of reach, and no fourth."""
    rows = [(1, 3, 4, 2, 2, 3), (2, 3, 1, 2, 2, 3), (3, 1, 1, 1, 2, 3)]
    found = MEASURES["recursive_c"].read(rows)
    assert found == {1: Fraction(3, 4), 2: Fraction(3), 3: math.inf}
