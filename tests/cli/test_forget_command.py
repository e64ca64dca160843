"""``shoal forget`` as it is typed: keys come in on standard input, people leave everywhere."""

from __future__ import annotations

import io

import polars as pl
import pytest

from shoal.datasets import people

ASK = "-k 5 --quasi age,sex,zip --sensitive diagnosis --identifier name --person person_id"


@pytest.fixture
def vault(here, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(here / "vault"))
    people(400).frame.write_csv(here / "patients.csv")
    return here


@pytest.fixture
def forget(shoal, monkeypatch):
    def type_it(*keys, line="forget patients.csv --person person_id --json"):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        return shoal(line)

    return type_it


def ids(vault):
    return pl.read_csv(vault / "patients.csv", infer_schema=False)["person_id"].to_list()


def test_people_leave_the_table_and_everything_else_stays(vault, forget):
    before = (vault / "patients.csv").read_text().splitlines()
    gone = ids(vault)[3:5]
    told = forget(*gone, "nobody")
    assert told.code == 0, told.err
    assert (told.json["people"], told.json["rows"], told.json["not_found"]) == (2, 2, 1)
    assert told.json["audit_holds"] is True
    after = (vault / "patients.csv").read_text().splitlines()
    assert after == before[:4] + before[6:]
    assert not any(key in told.out + told.err for key in gone)


def test_the_releases_that_contained_them_are_listed(vault, shoal, forget):
    assert shoal(f"anonymize patients.csv {ASK} -o one").code == 0
    (release,) = shoal("ledger show --json").json["releases"]
    told = forget(ids(vault)[0])
    assert told.json["releases"] == [{"release": release["id"], "people": 1}]
    assert shoal("ledger show --json").json["releases"][0]["forgotten"] == 1
    assert shoal("ledger verify").code == 0


def test_the_next_release_waits_until_the_difference_hides_in_a_crowd(vault, shoal, forget):
    assert shoal(f"anonymize patients.csv {ASK} -o one").code == 0
    assert forget(ids(vault)[0]).code == 0
    told = shoal(f"anonymize patients.csv {ASK} --ledger refuse -o two")
    assert told.code == 1
    assert "by 1 person" in told.err
    assert "--hide-changes" in told.err
    assert not (vault / "two").exists()
    told = shoal(f"anonymize patients.csv {ASK} --ledger refuse --hide-changes -o two --json")
    assert told.code == 0, told.err
    assert told.json["rows_in"] <= 400 - 5
    first, second = (
        pl.read_csv(vault / name / "data.csv", infer_schema=False) for name in ("one", "two")
    )
    assert first.height - second.height >= 5


def test_working_copies_forget_too(vault, forget):
    copy = vault / "vault" / "web" / "visitor" / "workspace"
    copy.mkdir(parents=True)
    frame = pl.read_csv(vault / "patients.csv", infer_schema=False)
    frame.write_csv(copy / "table.csv")
    frame.write_parquet(copy / "table.parquet")
    (copy / "ladder.csv").write_text("a;b\n")
    gone = ids(vault)[7]
    told = forget(gone)
    assert told.json["copies"] == 2
    stored = b"".join(path.read_bytes() for path in vault.rglob("*") if path.is_file())
    assert gone.encode() not in stored


@pytest.mark.parametrize(
    "text", ["a;id\r\n1;x\r\n2;y\r\n3;z\r\n", 'id,note\nx,"two\nlines"\ny,\x85\n']
)
def test_other_rows_keep_every_byte(vault, forget, text):
    (vault / "odd.csv").write_bytes(text.encode())
    told = forget("x", line="forget odd.csv --person id --json")
    assert told.code == 0, told.err
    left = (vault / "odd.csv").read_bytes()
    assert b"x" not in left.partition(b"\n")[2]
    assert left in (b"a;id\r\n2;y\r\n3;z\r\n", "id,note\ny,\x85\n".encode())


def test_wrong_usage(vault, shoal, forget, monkeypatch):
    assert forget("a", line="forget patients.csv").code == 2
    assert forget("a", line="forget patients.csv --person nothing").code == 2
    assert forget(line="forget patients.csv --person person_id").code == 2
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    told = shoal("forget patients.csv --person person_id")
    assert (told.code, told.out) == (2, "")
    assert "standard input" in told.err


def test_told_in_words(vault, shoal, forget):
    assert shoal(f"anonymize patients.csv {ASK} -o one").code == 0
    told = forget(ids(vault)[0], line="forget patients.csv --person person_id")
    assert told.out.startswith("1 of 1 person forgotten; 1 row removed.")
    assert "These releases contained them" in told.out
