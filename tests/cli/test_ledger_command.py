"""``shoal ledger``, and releases that the ledger refuses, as they are typed."""

from __future__ import annotations

import pytest

ASK = "-k 4 --quasi age,sex,zip,education --sensitive diagnosis --identifier name,person_id"


@pytest.fixture
def vault(here, monkeypatch):
    """A house of its own for the ledger."""
    monkeypatch.setenv("SHOAL_HOME", str(here / "vault"))
    return here


def test_every_release_is_recorded(shoal, vault, patients):
    assert shoal("ledger show --json").json == {"releases": [], "entries": 0}
    assert shoal("ledger show").out.startswith("Nothing")
    told = shoal(f"anonymize {patients} {ASK} -o one --json")
    assert told.code == 0
    assert told.json["ledger"]["recorded"] is True
    (release,) = shoal("ledger show --json").json["releases"]
    assert (release["rows"], release["k"], release["status"]) == (300, 4, "released")
    assert release["id"] in shoal("ledger show").out


def test_the_same_plan_and_data_give_the_same_bytes_and_are_let_through(shoal, vault, patients):
    for name in ("one", "two"):
        assert shoal(f"anonymize {patients} {ASK} -o {name}").code == 0
    assert (vault / "one" / "data.csv").read_bytes() == (vault / "two" / "data.csv").read_bytes()


def test_other_weights_are_refused_and_nothing_is_written(shoal, vault, patients):
    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    told = shoal(f"anonymize {patients} {ASK} --weights age=9,zip=0 -o two --json --ledger refuse")
    assert (told.code, told.out) == (1, "")
    assert "one possible sensitive value for" in told.err
    assert "Hint:" in told.err
    assert not (vault / "two").exists()
    assert shoal("ledger verify --json").json["holds"] is True


def test_a_plan_may_say_what_the_ledger_does(shoal, vault, patients):
    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    (vault / "plan.toml").write_text('[weights]\nage = 9\nzip = 0\n[ledger]\nmode = "refuse"\n')
    other = f"anonymize {patients} {ASK} --plan plan.toml"
    assert shoal(f"{other} -o two").code == 1
    assert shoal(f"{other} -o two --ledger warn --json").json["ledger"]["mode"] == "warn"
    (vault / "plan.toml").write_text('[ledger]\nmode = "perhaps"\n')
    told = shoal(f"{other} -o three")
    assert (told.code, "Hint:" in told.err) == (2, True)


def test_a_preset_for_others_refuses_unless_something_else_is_said(shoal, vault, patients):
    accepted = "birth_country,marital_status,occupation,workclass,admitted,visits,readmitted"
    ask = ASK.replace("-k 4", f"-k 5 --preset partner --publish-as-is {accepted}")
    told = shoal(f"anonymize {patients} {ask} -o one --json")
    assert told.json["ledger"]["mode"] == "refuse"
    assert shoal(f"anonymize {patients} {ask} -o two --weights age=9,zip=0").code == 1
    told = shoal(f"anonymize {patients} {ask} -o two --weights age=9,zip=0 --ledger warn --json")
    assert (told.code, told.json["ledger"]["mode"]) == (0, "warn")


def test_if_nothing_is_said_it_warns(shoal, vault, patients):
    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    told = shoal(f"anonymize {patients} {ASK} --weights age=9,zip=0 -o two --json")
    assert told.code == 0
    assert told.json["ledger"]["holds"] is False
    assert any("one possible sensitive value" in text for text in told.json["warnings"])
    assert shoal(f"anonymize {patients} {ASK} -o three --ledger refuse").code == 1
    assert shoal(f"anonymize {patients} {ASK} -o four --ledger off --json").json["ledger"] == {
        "mode": "off",
        "recorded": False,
    }
    assert shoal(f"anonymize {patients} {ASK} -o five --ledger maybe").code == 2


def test_what_never_left_the_house_can_be_withdrawn(shoal, vault, patients):
    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    name = shoal("ledger show --json").json["releases"][0]["id"]
    assert shoal(f"ledger withdraw {name} --json").json["status"] == "withdrawn"
    assert shoal(f"anonymize {patients} {ASK} --weights age=9,zip=0 -o two").code == 0
    assert shoal("ledger withdraw nothing").code == 2


def test_verify_tells_of_a_record_that_was_touched(shoal, vault, patients):
    import sqlite3

    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    assert shoal("ledger witness seen.json").code == 0
    assert shoal("ledger verify --witness seen.json").code == 0
    with sqlite3.connect(vault / "vault" / "ledger.journal") as journal:
        journal.execute("UPDATE entries SET body = '{}' WHERE number = 1")
    told = shoal("ledger verify --json")
    assert told.code == 1
    assert told.json["entry"] == 1


def test_a_listing_names_table_folder_time_and_k(shoal, vault, patients):
    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    (release,) = shoal("ledger show --json").json["releases"]
    name = str(patients).rsplit("/", 1)[-1]
    assert (release["source"], release["folder"], release["k"]) == (name, "one", 4)
    listed = shoal("ledger show").out
    assert all(text in listed for text in (name, "one", release["time"][:19], "300"))
    assert str(vault) not in listed + str(release)


def test_a_damaged_ledger_refuses_until_it_is_reset(shoal, vault, patients):
    assert shoal(f"anonymize {patients} {ASK} -o one").code == 0
    (vault / "vault" / "ledger.journal").unlink()
    told = shoal(f"anonymize {patients} {ASK} -o two --ledger refuse")
    assert (told.code, "Hint:" in told.err, (vault / "two").exists()) == (1, True, False)
    assert "shoal ledger reset --yes" in told.err
    warned = shoal(f"anonymize {patients} {ASK} -o three --ledger warn --json")
    assert (warned.code, warned.json["ledger"]["recorded"]) == (0, False)
    assert any("not recorded in the ledger" in text for text in warned.json["warnings"])
    assert shoal("ledger verify").code == 1
    assert shoal("ledger reset").code == 2
    assert shoal("ledger reset --yes --json").json["carried"] == 0
    assert shoal("ledger verify").code == 0
    assert shoal(f"anonymize {patients} {ASK} -o four --ledger refuse").code == 0
