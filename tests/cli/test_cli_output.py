"""Where a release may go, as it is typed: names, earlier releases, the input, formulas."""

from __future__ import annotations

import json

import pytest

ASK = "-k 2 --quasi age --ledger off"


@pytest.fixture
def town_of_six(here):
    (here / "six.csv").write_text("age,ill\n30,a\n31,b\n40,a\n41,b\n50,a\n52,b\n")
    return here


def test_a_name_that_no_folder_can_have_is_a_sentence(shoal, town_of_six):
    told = shoal(f"anonymize six.csv {ASK} -o", "x" * 300)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("Error: No folder can have this name.")


def test_force_says_before_any_work_what_it_will_not_replace(shoal, town_of_six):
    assert shoal(f"anonymize six.csv {ASK} -o out").code == 0
    (town_of_six / "out" / "thesis.txt").write_text("years of work")
    told = shoal(f"anonymize six.csv {ASK} -o out --force")
    assert (told.code, "'thesis.txt'" in told.err) == (2, True)
    (town_of_six / "out" / "thesis.txt").unlink()
    told = shoal("anonymize out/data.csv -k 2 --quasi age --ledger off -o out --force")
    assert (told.code, "The input 'data.csv' lies in the folder" in told.err) == (2, True)
    (town_of_six / "out" / "data.csv").write_text("age,ill\n*,a\n")
    told = shoal(f"anonymize six.csv {ASK} -o out --force")
    assert (told.code, "changed since the release: 'data.csv'" in told.err) == (2, True)
    told = shoal("tune six.csv --target ill --quasi age -o out --force")
    assert (told.code, "'data.csv'" in told.err) == (2, True)


def test_formulas_that_differ_by_a_quote_still_differ(shoal, here):
    rows = [f"{30 + i},{['=a', chr(39) + '=a'][i % 2]},x\n" for i in range(8)]
    (here / "odd.csv").write_text("=a,'=a,b\n" + "".join(rows))
    told = shoal("anonymize odd.csv -k 2 --quasi =a,'=a --ledger off --spreadsheet-safe -o out")
    assert told.code == 0, told.err
    text = (here / "out" / "data.csv").read_text().splitlines()
    assert text[0] == "'=a,''=a,b"
    manifest = json.loads((here / "out" / "manifest.json").read_text())
    assert manifest["quasi_identifiers"] == ["'=a", "''=a"]


def test_a_journal_that_is_a_folder_is_a_sentence(shoal, town_of_six, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(town_of_six / "home"))
    (town_of_six / "home" / "ledger.journal").mkdir(parents=True)
    told = shoal("anonymize six.csv -k 2 --quasi age --ledger refuse -o out")
    assert (told.code, told.err.startswith("Error: The journal")) == (2, True)
    assert not (town_of_six / "out").exists()
