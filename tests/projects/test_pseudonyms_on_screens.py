"""What is stamped on a release is stamped on the pages that show it, and told to the ledger."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hospital import hospital

import shoal
from shoal.ledger import Trace
from shoal.projects import STAMP

pytest.importorskip("fastapi", reason="the web extra is not installed")


def test_the_result_page_shows_the_stamp_and_its_trace_can_be_aligned(tmp_path):
    from shoal.web._released import keep_trace
    from shoal.web.pages import _result

    made = shoal.anonymize(
        hospital(),
        quasi_identifiers=["age", "sex"],
        person="patient_no",
        drop=["ward", "ill"],
        pseudonyms={"patient_no": "project"},
        k=4,
        bound=False,
    )

    shown = SimpleNamespace(manifest=made.manifest, measures={})
    assert STAMP in _result._numbers(shown)
    keep_trace(tmp_path, made)
    kept = Trace.from_bytes((tmp_path / ".trace").read_bytes())
    assert kept.alignment == made.lineage.alignment != ""


def test_a_session_publishes_the_pseudonyms_of_its_plan():
    from shoal.plan import Plan
    from shoal.table import Roles, read_table

    roles = Roles(quasi_identifiers=["age", "sex"], person="patient_no", drop=["ward", "ill"])
    plan = Plan(roles=roles, pseudonyms={"patient_no": "project"}, k=4)
    release = shoal.Session(read_table(hospital(), roles=roles), plan).release()
    assert release.frame["patient_no"].n_unique() == 60
    assert release.summary.stamps == (STAMP,)
