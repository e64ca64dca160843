"""Attacks on a release in memory, and the page they are shown on."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import shoal
from shoal.datasets import people
from shoal.exceptions import InvalidParameterError
from shoal.release import attack_release
from shoal.report import attacks_section, render_attacks
from shoal.risk import ATTACKS


@pytest.fixture(scope="module")
def release():
    town = people(300)
    return shoal.anonymize(
        town.frame,
        quasi_identifiers=["age", "sex", "zip"],
        sensitive="diagnosis",
        identifiers=["name", "person_id"],
        target="readmitted",
        kinds=town.kinds,
        hierarchies={name: town.hierarchies[name] for name in ("sex", "zip")},
        k=5,
    )


@pytest.fixture(scope="module")
def report(release):
    town = people(300)
    trees = {name: town.hierarchies[name] for name in ("sex", "zip")}
    quick = [name for name in ATTACKS if name != "model_inference"]
    return attack_release(release, quick, hierarchies=trees, preset="public")


def test_a_release_in_memory_can_be_attacked(release, report):
    found = {result.name: result for result in report.results}
    assert found["exact_linkage"].rate <= 1 / 5
    assert found["exact_linkage"].people == 300
    assert not found["file_metadata"].applies
    assert report.threshold.name == "public"


def test_its_files_too(release, tmp_path):
    release.write(tmp_path / "out")
    found = attack_release(release, ["file_metadata"], folder=tmp_path / "out")
    assert found.results[0].applies
    assert found.results[0].rate == 0.0


def test_a_release_without_a_table_cannot(release):
    with pytest.raises(InvalidParameterError, match="which table"):
        attack_release(replace(release, lineage=None))
    with pytest.raises(InvalidParameterError, match="which table"):
        replace(release, lineage=None).write("nowhere", ledger="warn")


def test_the_page_shows_every_attack_with_its_scenario(report):
    page = render_attacks(report)
    for result in report.results:
        assert ATTACKS[result.name].title.replace("’", "&#x27;") in page
    drawn = sum(result.applies for result in report.results)
    assert page.count("<svg") == drawn
    assert len(re.findall("too much</span>", page)) == len(report.exceeding)
    assert "<script" not in page
    assert attacks_section(report) in page
    assert "default-src 'none'" in page
