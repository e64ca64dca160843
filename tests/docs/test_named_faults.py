"""The named faults of ``make mutate`` still fit the code they would break."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_named_fault_has_its_place_and_its_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from named_mutants import NAMED, place_of

    assert [fault.name.split()[0] for fault in NAMED] == [f"M{i}" for i in range(1, 21)]
    for fault in NAMED:
        assert place_of(fault, ROOT / "src" / "shoal").is_file()
        assert fault.new != fault.old
        assert all((ROOT / test.partition("::")[0]).exists() for test in fault.tests), fault.name


def test_every_change_said_to_be_equivalent_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from mutate import PACKAGES, changes_of, equivalents

    listed = equivalents()
    found = {str(mutant) for name in PACKAGES for mutant in changes_of(name, listed)}
    assert {*listed} <= found
    assert all(len(reason.split()) > 3 for reason in listed.values())
