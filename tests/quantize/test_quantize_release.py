"""Quantized releases: what an attacker achieves is measured, and nothing else is promised."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import cli
from shoal.anonymizer import Anonymizer
from shoal.datasets import people, wisconsin
from shoal.exceptions import ReleaseRefusedError
from shoal.grouping import SaNGreeA
from shoal.plan import Plan
from shoal.privacy import DistinctLDiversity, KAnonymity
from shoal.quantize import EpsilonClusters, Flatten, PullIn, PushBack, Quantize, Stir, default_steps
from shoal.recoding import Centroid
from shoal.report import render_html
from shoal.risk import _relinkage, measure_relinkage
from shoal.table import Grouping, Roles, read_table


@pytest.fixture(scope="module")
def patients():
    return people(1500)


def fitted(data, steps=None, m=10, preset=None, seed=None, **more):
    recoder = Quantize(steps, data.hierarchies, random_state=seed)
    return Anonymizer(EpsilonClusters(m=m, **more), recoder, preset=preset).fit(data.table())


# The attacks, with their positive controls --------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: people(1500), wisconsin], ids=["people", "wisconsin"])
def test_the_default_recipe_leaves_outliers_no_easier_to_find_than_one_in_m(make):
    linked = fitted(make()).relinkage_
    assert linked.unprotected > 0.9  # the attack works: on the table as it was it finds them
    assert linked.rate <= linked.bound
    assert linked.holds
    low, high = linked.interval
    assert low <= linked.rate <= high


@pytest.mark.parametrize("way", ["noise", "centroid", "member"])
def test_push_back_alone_leaves_cells_that_point_home(patients, way):
    linked = fitted(patients, [PushBack(way)]).relinkage_
    assert linked.rate > 0.5
    assert not linked.holds


def test_stirring_only_the_sensitive_column_hides_nobody(patients):
    linked = fitted(patients, [Stir(["diagnosis"])]).relinkage_
    assert linked.rate == pytest.approx(linked.unprotected, abs=0.02)


def test_the_best_of_three_attacks_counts(patients):
    linked = fitted(patients, [PushBack()]).relinkage_
    assert linked.rate == max(linked.by_attack.values())
    assert set(linked.by_attack) == {"exact_linkage", "nearest_linkage", "relinking"}


def test_of_a_large_table_whole_clusters_are_handed_to_the_attacker(monkeypatch, patients):
    monkeypatch.setattr(_relinkage, "MOST_ROWS", 200)
    table = patients.table()
    clusters = Grouping(np.arange(table.n_rows) // 15)
    rows = _relinkage._part(clusters, np.zeros(table.n_rows, dtype=bool), np.random.default_rng(1))
    assert 200 <= rows.size <= 215
    assert (np.bincount(clusters.labels[rows])[np.unique(clusters.labels[rows])] == 15).all()
    raw = measure_relinkage(table, table.frame, clusters, np.zeros(table.n_rows, dtype=bool), 14)
    assert raw.rate > 0.9


# Verdicts, stamps and what is refused -------------------------------------------------------------


@pytest.mark.parametrize("preset", ["partner", "public"])
def test_a_recipe_that_leaves_links_is_refused_for_an_audience(tmp_path, patients, preset):
    made = fitted(patients, [PushBack()], m=11, preset=preset)
    assert not made.release_.verdict.holds
    with pytest.raises(ReleaseRefusedError, match=r"\d+\.\d %, at most") as caught:
        made.release_.write(tmp_path / "out")
    assert "stir" in caught.value.hint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("preset", ["partner", "public"])
def test_the_default_recipe_passes_for_an_audience(tmp_path, patients, preset):
    made = fitted(patients, default_steps(11), m=11, preset=preset)
    written = made.release_.write(tmp_path / "out")
    assert written.verification.holds
    assert "re-linkage of at most 1 in 11 holds" in str(made.release_.verdict)


def test_without_an_audience_links_are_stamped_not_refused(tmp_path, patients):
    made = fitted(patients, [PushBack()])
    written = made.release_.write(tmp_path / "out")
    assert any("found again" in stamp for stamp in written.manifest["stamps"])
    assert "found again" in (tmp_path / "out" / "report.html").read_text()


def test_cluster_size_is_never_reported_as_k(tmp_path, patients):
    made = fitted(patients)
    assert made.summary_.k is None
    written = made.release_.write(tmp_path / "out")
    counted = written.verification.recount.k
    names = list(patients.roles.quasi_identifiers)
    true_k = made.release_.frame.group_by(names).len()["len"].min()
    assert counted == true_k < 11
    assert all(model["measure"] != "k" for model in written.manifest["holds"])


def test_the_report_claims_no_more_than_was_measured(patients):
    """What holds among the members of clusters cannot be recounted from the file."""
    crowd = [DistinctLDiversity(2, "diagnosis")]
    summary = fitted(patients, default_steps(11), m=11, preset="public", crowd=crowd).summary_
    assert summary.protected == ()
    assert "prosecutor_max_risk" not in summary.risk
    page = render_html(summary)
    assert "Not bounded for diagnosis" in page
    assert 'class="badge warn"' in page  # within the bound, but other columns single people out


def test_a_k_that_is_asked_for_and_does_not_hold_is_refused(tmp_path, patients):
    made = Anonymizer(EpsilonClusters(), [PushBack(), Stir()], KAnonymity(10)).fit(patients.table())
    with pytest.raises(ReleaseRefusedError, match="10-anonymity does not hold"):
        made.release_.write(tmp_path / "out")


def test_a_seed_stamps_the_release(patients):
    seeded, secret = fitted(patients, seed=7), fitted(patients)
    assert any("not for publication" in stamp for stamp in seeded.summary_.stamps)
    assert not secret.summary_.stamps


def test_a_seed_repeats_whatever_the_order_of_rows(patients):
    table = patients.table()
    other = read_table(
        table.frame[np.random.default_rng(1).permutation(table.n_rows)],
        roles=table.roles, kinds=table.kinds,
    )  # fmt: skip
    frames = [
        Anonymizer(EpsilonClusters(m=10), Quantize(random_state=5)).fit(t).release_.frame
        for t in (table, other)
    ]
    assert frames[0].equals(frames[1])


def test_types_and_decimals_stay(patients):
    made = fitted(patients)
    before, after = patients.frame, made.release_.frame
    for name in patients.roles.quasi_identifiers:
        assert after.schema[name] == before.schema[name]
        assert set(after[name]) <= set(before[name])


def test_clusters_hold_what_is_asked_of_a_crowd(patients):
    crowd = [DistinctLDiversity(3, "diagnosis")]
    made = fitted(patients, m=10, crowd=crowd)
    clusters = made.recipe_.grouper.grouping_
    assert crowd[0].judge(patients.table(), clusters).holds
    assert clusters.smallest > 10


# Microaggregation ---------------------------------------------------------------------------------


def test_centroids_of_groups_are_k_anonymous_and_verified_so(tmp_path, patients):
    made = Anonymizer(SaNGreeA(), Centroid(patients.hierarchies), KAnonymity(10), bound=False)
    made.fit(patients.table())
    written = made.release_.write(tmp_path / "out")
    assert written.verification.recount.k >= 10
    assert made.relinkage_ is None
    assert set(made.release_.frame["age"]) <= set(patients.frame["age"])


def test_flattened_clusters_are_k_anonymous_and_verified_so(tmp_path, patients):
    recoder = Quantize([PullIn(5), PushBack(), Flatten()], patients.hierarchies)
    made = Anonymizer(EpsilonClusters(m=10), recoder, KAnonymity(11)).fit(patients.table())
    assert made.release_.write(tmp_path / "out").verification.recount.k >= 11


# One call, a plan, and the command line -----------------------------------------------------------


def test_one_call(patients):
    release = shoal.anonymize(
        patients.frame, quasi_identifiers=["age", "sex", "education"], method="quantize", k=5
    )
    assert release.summary.k is None
    assert set(release.data["age"]) <= set(patients.frame["age"])


def test_python_as_in_the_documents(patients):
    made = shoal.Anonymizer(
        grouping=shoal.EpsilonClusters(m=10, radii={"age": 10}),
        recoding=[shoal.PushBack("member"), shoal.Stir()],
    ).fit(patients.table())
    assert made.recipe_.grouper.radii_["age"] <= 10
    assert made.relinkage_.holds


def test_a_plan_round_trips(tmp_path):
    plan = Plan(
        source="t.csv", roles=Roles([], ["age", "sex"]), method="quantize", m=7, stir=("age",),
        push_back="member", stir_mode="redraw", flatten=("sex",), max_divergence=0.1,
        radii={"age": 5},
    )  # fmt: skip
    plan.write(tmp_path / "plan.toml")
    again = Plan.read(tmp_path / "plan.toml")
    assert again.to_toml() == plan.to_toml()
    assert [repr(step) for step in plan_steps(again)] == [
        "PullIn()",
        "PushBack(way='member', max_divergence=0.1)",
        "Flatten(columns=('sex',))",
        "Stir(columns=('age',), mode='redraw', max_divergence=0.1)",
    ]


def plan_steps(plan):
    frame = pl.DataFrame({"age": [1, 2], "sex": ["f", "m"]})
    return plan.anonymizer(read_table(frame, roles=plan.roles)).recoding.steps


@pytest.fixture(scope="module")
def insurance(data_dir):
    return data_dir / "insurance" / "insurance.csv"


ASKED = ["--quasi", "age,sex,bmi,children,region", "--sensitive", "smoker", "--method", "quantize"]


def run(capsys, *arguments):
    capsys.readouterr()
    code = cli.run([*map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_contract_of_the_command_line(capsys, tmp_path, insurance):
    code, out, _ = run(
        capsys, "anonymize", insurance, *ASKED, "--push-back", "member", "--stir", "all",
        "--stir-mode", "permute", "--m", "8", "--radius", "age=15,bmi=6", "--max-divergence", "0.3",
        "-o", tmp_path / "r", "--json",
    )  # fmt: skip
    facts = json.loads(out)
    assert code == 0
    assert facts["method"] == "quantize"
    assert facts["clusters"] > 1
    assert facts["outliers"] > 0
    assert facts["relink_rate"] <= 1 / 8 + 3 * np.sqrt(1 / 8 * 7 / 8 / facts["relink_people"])
    assert 0 < facts["relink_baseline"] < 0.01
    assert facts["unchanged_share"] <= 0.15
    assert facts["divergence_max"] <= 0.3
    released = pl.read_csv(tmp_path / "r" / "data.csv", infer_schema=False)
    counted = released.group_by(ASKED[1].split(",")).len()["len"].min()
    assert facts["k"] == counted
    original = pl.read_csv(insurance, infer_schema=False)
    for name in original.columns:
        assert set(released[name]) <= set(original[name])


def test_the_command_line_refuses_with_the_rate(capsys, tmp_path, insurance):
    code, out, err = run(
        capsys, "anonymize", insurance, *ASKED, "--stir", "none", "--preset", "partner",
        "-o", tmp_path / "r",
    )  # fmt: skip
    assert (code, out) == (1, "")
    assert "%" in err
    assert not (tmp_path / "r").exists()


def test_flattening_all_columns_promises_k(capsys, tmp_path, insurance):
    columns = ASKED[1]
    code, out, _ = run(
        capsys, "anonymize", insurance, *ASKED, "--flatten", columns, "-k", "6",
        "-o", tmp_path / "r", "--json",
    )  # fmt: skip
    facts = json.loads(out)
    assert code == 0
    assert facts["k"] >= facts["k_asked"] == 6


def test_words_on_the_terminal(capsys, tmp_path, insurance):
    code, out, _ = run(capsys, "anonymize", insurance, *ASKED, "--seed", "3", "-o", tmp_path / "r")
    assert code == 0
    assert "NOT FOR PUBLICATION" in out
    assert "without a promise of k" in out
    assert "linkage attacks find" in out
