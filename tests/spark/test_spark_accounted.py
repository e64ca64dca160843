"""On a cluster too the claim covers everything published."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shoal.exceptions import ReleaseRefusedError
from shoal.plan import run as run_local
from shoal.spark import anonymize, read_source


def roles_of(plan, **more):
    return replace(plan, roles=replace(plan.roles, **more))


def test_the_cluster_counts_what_the_local_engine_counts(spark, whole, plan, tmp_path):
    written = whole.write(tmp_path / "out", ledger="off")
    local = run_local(plan).summary.singling
    found = written.summary.singling
    for counted in ("unique", "plain", "columns", "accepted"):  # sets and twins are local
        assert getattr(found, counted) == getattr(local, counted)
    told = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["singling_out"]
    assert told["share_unique"] == local.unique > 0


def test_an_audience_refuses_what_nobody_accepted(spark, plan, tmp_path):
    source = read_source(spark, plan.source)
    unsaid = roles_of(replace(plan, preset="partner", l=2, ledger="off"), publish_as_is=())
    with (
        anonymize(source, unsaid) as release,
        pytest.raises(ReleaseRefusedError, match="nobody accepted"),
    ):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    accepted = roles_of(
        unsaid, publish_as_is=[c for c in source.names if c not in unsaid.roles.named]
    )
    with anonymize(source, accepted) as release:
        assert release.write(tmp_path / "out").summary.singling.open == ()
