"""Releases on a cluster enter the ledger too, and are held against those of the local engine."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.cli import run
from shoal.exceptions import LedgerWarning, ReleaseRefusedError
from shoal.ledger import Ledger, compose
from shoal.plan import run as run_local
from shoal.spark import _recipe, _tracing, anonymize, read_source


@pytest.fixture
def vault(tmp_path, monkeypatch):
    """A house of its own for the ledger."""
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "vault"))


def others(plan):
    """The same plan with other weights, in smaller crowds."""
    first, *rest = plan.roles.quasi_identifiers
    return replace(plan, k=3, weights={first: 9.0, **dict.fromkeys(rest, 0.1)})


def test_the_trace_is_that_of_the_local_engine(whole, plan):
    """One fragment, the same crowds: the same people, crowds and candidates, by either engine."""
    local = run_local(plan)
    with Ledger.open() as ledger:
        ours = ledger.trace(local.lineage.table, local.lineage.grouping, k=plan.k)
        theirs = _tracing.ClusterEntry(whole.frame, whole.hashes, whole.recipe)._trace(ledger)
        found = compose(theirs, [ours])
    assert sorted(ours.rows) == sorted(theirs.rows)
    assert (found.people, found.shrunk, found.invariant, found.changed) == (900, 0, 1.0, 0)
    assert found.fewest_candidates >= 1


def test_a_release_in_fragments_is_recorded_and_held_against_others(spark, plan, tmp_path, vault):
    source = read_source(spark, plan.source)
    with anonymize(source, plan, routing="random", rows_per_fragment=300) as release:
        assert release.pooled  # the boundary pass too must keep the names of rows
        assert release.write(tmp_path / "one").ledger.composition.compared == 0
        again = release.write(tmp_path / "two").ledger.composition
    assert (again.compared, again.invariant, again.holds) == (1, 1.0, True)
    with (
        anonymize(source, others(plan), rows_per_fragment=300) as other,
        pytest.raises(ReleaseRefusedError, match="one possible sensitive value"),
    ):
        other.write(tmp_path / "three", ledger="refuse")
    assert not (tmp_path / "three").exists()
    with Ledger.open() as ledger:
        first, second = ledger.releases()
        assert (first.engine, first.rows, first.k, first.status) == ("spark", 900, 5, "released")
        assert first.table == second.table
        assert ledger.verify().holds
    with pytest.raises(ReleaseRefusedError, match="one possible sensitive value"):
        run_local(replace(others(plan), ledger="refuse")).write(tmp_path / "local")


def test_the_fingerprint_knows_no_order(spark, whole, plan):
    source = read_source(spark, plan.source)
    found = {fingerprint(whole)}
    for frame in (source.frame.repartition(5), source.frame.limit(899)):
        with anonymize(replace(source, frame=frame), plan) as release:
            found.add(fingerprint(release))
    assert len(found) == 2


def fingerprint(release):
    told = _tracing.ClusterEntry(release.frame, release.hashes, release.recipe)
    with Ledger.open() as ledger:
        return told._subject(ledger).table


def test_what_is_too_large_to_trace_is_noted_and_said(whole, plan, tmp_path, monkeypatch):
    monkeypatch.setattr(_recipe, "MOST_TRACED", 899)
    assert not whole.write(tmp_path / "one").ledger.warnings
    with pytest.warns(LedgerWarning, match="cannot be held against"):
        written = whole.write(tmp_path / "two")
    assert written.ledger.composition.unscored == 1
    with Ledger.open() as ledger:
        assert [r.traced for r in ledger.releases()] == [False, False]
        assert {r.rows for r in ledger.releases()} == {900}
        assert ledger.verify().holds
    with pytest.warns(LedgerWarning, match="cannot be held against"):
        run_local(plan).write(tmp_path / "three")


def test_nothing_of_a_row_is_in_the_trace(whole, plan):
    with Ledger.open() as ledger:
        packed = _tracing.ClusterEntry(whole.frame, whole.hashes, whole.recipe)._trace(ledger)
    seen = np.asarray(release_hashes(plan))
    assert not np.isin(packed.rows, seen).any()  # keyed, not as the cluster sent them


def release_hashes(plan):
    return plan.table().row_hash()


def test_the_command_line_asks_the_ledger(spark, plan, town, tmp_path, capsys):
    quasi = ",".join(plan.roles.quasi_identifiers)
    line = [
        *("anonymize", plan.source, "-k", "5", "--quasi", quasi, "--engine", "spark", "--json"),
        *("--hierarchies", str(town / "hierarchies"), "--order", "common", "--no-refine"),
        *("--identifier", ",".join(plan.roles.identifiers)),
    ]
    assert run([*line, "-o", str(tmp_path / "one")]) == 0
    assert json.loads(capsys.readouterr().out)["ledger"]["recorded"] is True
    assert run([*line, "-o", str(tmp_path / "two"), "--ledger", "off"]) == 0
    assert json.loads(capsys.readouterr().out)["ledger"]["recorded"] is False
    assert run(["ledger", "show", "--json"]) == 0
    (release,) = json.loads(capsys.readouterr().out)["releases"]
    assert (release["engine"], release["traced"]) == ("spark", True)
    assert (release["source"], release["folder"]) == (Path(plan.source).name, "one")


def rewritten(path):
    """The same people: columns turned round, whole numbers with a point, texts in capitals."""
    frame = pl.read_csv(path, infer_schema=False)
    told = [pl.col(name).str.replace(r"^(-?[0-9]+)$", "${1}.0") for name in frame.columns]
    other = path.with_name("rewritten.csv")
    frame.select(reversed(told)).write_csv(other)
    return other


def test_people_are_recognized_however_their_rows_are_written(spark, plan, town, tmp_path, vault):
    other = rewritten(town / "data.csv")
    plan = replace(plan, hierarchy_folder=None)
    with anonymize(read_source(spark, plan.source), plan) as release:
        release.write(tmp_path / "one", ledger="refuse")
    again = replace(plan, source=str(other), k=3)
    with anonymize(read_source(spark, other), again) as release:
        found = release.write(tmp_path / "two", ledger="warn").ledger.composition
    assert (found.compared, found.people) == (1, 900)
    local = run_local(replace(others(plan), source=str(other), ledger="warn"))
    assert local.write(tmp_path / "three", ledger="warn").ledger.composition.compared == 2


def test_a_column_blurred_on_the_cluster_and_published_as_it_is_here(whole, plan, tmp_path, vault):
    *quasi, last = plan.roles.quasi_identifiers
    whole.write(tmp_path / "one")
    roles = replace(plan.roles, quasi_identifiers=tuple(quasi))
    kinds = {name: plan.kinds[name] for name in quasi}
    other = run_local(replace(plan, roles=roles, kinds=kinds, ledger="warn"))
    written = other.write(tmp_path / "two", ledger="warn")
    assert written.ledger.composition.crossed == (last,)
