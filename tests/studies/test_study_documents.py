"""What pages say about studies is what is on file."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from shoal.studies import study_names

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", study_names())
def test_every_study_has_a_page_and_is_listed(name):
    assert (ROOT / "docs" / "studies" / f"{name}.md").is_file()
    assert f"studies/{name}.md" in (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")


def test_a_run_is_kept_without_what_is_large(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location(
        "keep_study", ROOT / "benchmarks" / "keep_study.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "RESULTS", tmp_path / "kept")
    run = tmp_path / "run"
    (run / "tables").mkdir(parents=True)
    (run / "figures").mkdir()
    (run / "results.json").write_text(json.dumps({"study": "toy"}))
    (run / "tables" / "few.csv").write_text("a\n1\n")
    (run / "tables" / "many.csv").write_text("a\n" + "1\n" * 300_000)
    (run / "figures" / "curve.svg").write_text("<svg/>")
    module.keep(run)
    kept = {p.relative_to(tmp_path / "kept").as_posix() for p in (tmp_path / "kept").rglob("*.*")}
    assert kept == {"toy/results.json", "toy/tables/few.csv", "toy/figures/curve.svg"}
