"""Deletion and the difference of two releases: unprotected it names the value, in a crowd not."""

from __future__ import annotations

import gzip
from collections import Counter

import numpy as np
import polars as pl
import pytest

from shoal.exceptions import (
    InputError,
    InvalidParameterError,
    OutputError,
    UnknownColumnError,
)
from shoal.ledger import Ledger, forget_people
from shoal.ledger._session_journals import _texts
from shoal.table import Grouping, Roles, Table, read_table

KEY = b"k" * 32
ROLES = Roles(quasi_identifiers="age", sensitive="ill", person="id")
K = 5


@pytest.fixture
def ledger(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "house"))
    (tmp_path / "house").mkdir()
    with Ledger.open(tmp_path / "house", KEY) as book:
        yield book


def town(n=120, seed=0) -> Table:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "id": [f"p{i:03}" for i in range(n)],
            "age": np.sort(rng.integers(20, 90, n)),
            "ill": rng.choice(["a", "b", "c", "d"], n),
        }
    )
    return read_table(frame, roles=ROLES)


def in_fives(table: Table) -> Grouping:
    """Crowds of five neighbours in age; the last takes the rest."""
    labels = np.minimum(np.arange(table.n_rows) // K, table.n_rows // K - 1)
    return Grouping(labels)


def as_before(crowds: np.ndarray) -> Grouping:
    """The crowds that are kept, numbered without gaps."""
    return Grouping(np.unique(crowds[crowds >= 0], return_inverse=True)[1])


def without(table: Table, person: int) -> Table:
    return table.take(np.arange(table.n_rows) != person)


def difference(one: Table, other: Table) -> Counter:
    return Counter(one.frame["ill"]) - Counter(other.frame["ill"])


def test_the_plain_difference_of_two_releases_is_the_value(ledger):
    """The positive control: posterior 1 without protection."""
    table = town()
    left = without(table, 7)
    assert difference(table, left) == {table.frame["ill"][7]: 1}
    with ledger.releasing(table, in_fives(table), k=K):
        pass
    assert ledger.score(left, in_fives(left), k=K).differs_too_little


def test_the_crowd_leaves_with_the_person(ledger):
    table = town()
    grouping = in_fives(table)
    with ledger.releasing(table, grouping, k=K):
        pass
    forgotten = ledger.forget(table, "id", ["p007"])
    assert [*forgotten.values()] == [1]
    left = without(table, 7)
    kept = ledger.kept_crowds(left)
    out = np.flatnonzero(kept < 0)
    crowd = {f"p{i:03}" for i in grouping.members(int(grouping.labels[7])).tolist()} - {"p007"}
    assert {*left.frame["id"][out.tolist()]} == crowd
    safe = left.take(kept >= 0)
    found = ledger.score(safe, as_before(kept), k=K)
    assert (found.changed, found.exposed, found.holds) == (K, 0, True)
    assert found.invariant == 1.0
    assert difference(table, safe) == Counter(table.frame["ill"].gather(grouping.members(1)))


def test_every_crowd_leaves_with_a_person_of_several_rows(ledger):
    """Found on a public table: one name, two rows, two crowds, and one of them came back."""
    frame = pl.concat([town().frame, town().frame[7:8].with_columns(age=pl.lit(23, pl.Int64))])
    table = read_table(frame, roles=ROLES)
    labels = np.append(in_fives(town()).labels, 0)
    with ledger.releasing(table, Grouping(labels), k=K):
        pass
    assert [*ledger.forget(table, "id", ["p007"]).values()] == [1]  # one person
    left = table.take(frame["id"].to_numpy() != "p007")
    kept = ledger.kept_crowds(left)
    both = np.isin(np.delete(labels, [7, table.n_rows - 1]), labels[[7, -1]])
    assert np.array_equal(kept < 0, both)
    found = ledger.score(left, Grouping(np.delete(labels, [7, table.n_rows - 1])), k=K)
    assert (found.changed, found.holds) == (1, False)  # though two crowds lack somebody


def test_a_crowd_that_comes_back_almost_as_it_was_tells_who_left(ledger):
    """Twenty leave, one from each crowd: enough in number, and each crowd tells on its own."""
    table = town(240)
    labels = np.minimum(np.arange(240) // 12, 19)
    with ledger.releasing(table, Grouping(labels), k=K):
        pass
    gone = np.arange(0, 240, 12)
    left = table.take(np.delete(np.arange(240), gone))
    again = Grouping(np.delete(labels, gone))
    found = ledger.score(left, again, k=K)
    assert not found.differs_too_little
    assert (found.exposed, found.holds) == (20, False)
    assert "come back almost as they were" in found.reason


def test_nobody_to_keep_crowds_of(ledger):
    with pytest.raises(InvalidParameterError, match="earlier release"):
        ledger.kept_crowds(town())


def test_newcomers_wait_and_older_releases_count_too(ledger):
    table = town(240)
    first, second = table.frame[:200], table.frame[:210]
    for frame in (first, second):
        rows = read_table(frame, roles=ROLES)
        with ledger.releasing(rows, in_fives(rows), k=K, refuse=False):
            pass
    ledger.forget(table, "id", ["p017"])
    left = without(table, 17)
    crowds = ledger.kept_crowds(left)
    assert (crowds[-30:] == -1).all()  # they are in no release yet
    assert (crowds[15:19] == -1).all()  # the crowd of p017
    assert (crowds[:15] >= 0).all()


def test_people_who_come_must_be_many_too(ledger):
    table = town()
    first = table.take(np.arange(3, table.n_rows))
    with ledger.releasing(first, in_fives(first), k=K):
        pass
    found = ledger.score(table, in_fives(table), k=K)
    assert (found.changed, found.differs_too_little) == (3, True)


def test_over_many_trials_the_second_release_tells_nothing_new(tmp_path):
    """Posterior after both releases against the belief after the first; 1 without protection."""
    table, rng = town(200, seed=3), np.random.default_rng(5)
    grouping = in_fives(table)
    ill = np.array(table.frame["ill"].to_list())
    before, after, matched = [], [], []
    for trial in range(60):
        with Ledger.open(_fresh(tmp_path, trial), KEY) as ledger:
            with ledger.releasing(table, grouping, k=K):
                pass
            person = int(rng.integers(table.n_rows))
            ledger.forget(table, "id", [f"p{person:03}"])
            left = without(table, person)
            kept = ledger.kept_crowds(left)
            safe = left.take(kept >= 0)
            assert ledger.score(safe, as_before(kept), k=K).holds
        crowd = ill[grouping.members(int(grouping.labels[person]))]
        changed = difference(table, safe)
        before.append(float((crowd == ill[person]).mean()))
        after.append(changed[ill[person]] / changed.total())
        matched.append(1 / changed.total())
    sigma = np.sqrt(np.mean(before) * (1 - np.mean(before)) / len(before))
    assert np.mean(after) - np.mean(before) <= 3 * sigma
    assert max(matched) <= 1 / K


def _fresh(folder, number):
    place = folder / f"trial{number}"
    place.mkdir()
    return place


def test_files_are_replaced_whole(tmp_path, ledger):
    path = tmp_path / "t.csv"
    path.write_text("id,age\na,1\nb,2\n")
    found = forget_people(path, "id", ["a", "a", ""], ledger)
    assert (found.asked, found.people, found.rows) == (1, 1, 1)
    assert path.read_text() == "id,age\nb,2\n"
    assert forget_people(path, "id", ["b"], ledger).rows == 1
    assert path.read_text() == "id,age\n"
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_bad_input_changes_nothing(tmp_path, ledger, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("id,age\na,1\nb,2\n")
    with pytest.raises(UnknownColumnError):
        forget_people(path, "name", ["a"], ledger)
    wide = tmp_path / "wide.csv"
    wide.write_bytes("id,age\na,1\nb,2\n".encode("utf-16"))
    before = wide.read_bytes()
    with pytest.raises(InputError):
        forget_people(wide, "id", ["a"], ledger)
    assert wide.read_bytes() == before

    def no_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_disk)
    with pytest.raises(OutputError):
        forget_people(path, "id", ["a"], ledger)
    assert path.read_text() == "id,age\na,1\nb,2\n"


@pytest.mark.parametrize("ending", ["arrow", "pq", "ndjson", "JSONL", "csv.gz"])
def test_files_of_every_kind_of_rows_are_rewritten(tmp_path, ledger, ending):
    path = tmp_path / f"t.{ending}"
    frame = pl.DataFrame({"id": ["a", "b", "c"], "age": [1, 2, 3]})
    ways = {"arrow": frame.write_ipc, "pq": frame.write_parquet, "csv.gz": zipped(frame)}
    ways.get(ending, frame.write_ndjson)(path)
    found = forget_people(path, "id", ["b"], ledger)
    assert (found.rows, found.only_read) == (1, False)
    left = read_table(path)
    assert left.text("id").to_list() == ["a", "c"]
    assert left.text("age").to_list() == ["1", "3"]


def zipped(frame):
    return lambda path: path.write_bytes(gzip.compress(frame.write_csv().encode()))


def test_workbooks_are_only_read_and_copies_that_hold_people_still_are_counted(tmp_path, ledger):
    path = tmp_path / "t.xlsx"
    pl.DataFrame({"id": ["a", "b"], "age": [1, 2]}).write_excel(path)
    copy = tmp_path / "house" / "web" / "workspace" / "table.xlsx"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(path.read_bytes())
    before = path.read_bytes()
    found = forget_people(path, "id", ["a"], ledger)
    assert (found.rows, found.only_read, found.copies, found.copies_left) == (1, True, 0, 1)
    assert path.read_bytes() == before
    assert forget_people(path, "id", ["nobody"], ledger).only_read is False


def test_nobody_is_forgotten_where_the_table_cannot_be_rewritten(tmp_path, ledger, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes("id,age\na,1\nb,2\n".encode("utf-16"))
    monkeypatch.setattr(Ledger, "forgetting", lambda *_: pytest.fail("it began to forget"))
    with pytest.raises(InputError, match="told apart"):
        forget_people(path, "id", ["a"], ledger)


def test_a_release_that_lies_ready_beside_a_copy_goes_too(tmp_path, ledger):
    path = tmp_path / "t.csv"
    path.write_text("id,age\na,1\nb,2\n")
    ready = tmp_path / "house" / "web" / "workspace" / "release"
    ready.mkdir(parents=True)
    (ready / "manifest.json").write_text("{}")
    (ready.parent / "table.csv").write_text(path.read_text())
    assert forget_people(path, "id", ["a"], ledger).copies == 1
    assert not ready.exists()
    assert (ready.parent / "table.csv").read_text() == "id,age\nb,2\n"


def test_a_release_in_the_private_folder_is_no_copy(tmp_path, ledger):
    """What was released is not rewritten: the ledger lets the next release follow it instead."""
    path = tmp_path / "in.csv"
    released, copied = tmp_path / "house" / "release", tmp_path / "house" / "copy"
    for folder in (released, copied):
        folder.mkdir()
    for place in (path, released / "data.csv", copied / "data.csv"):
        place.write_text("id,age\na,30\nb,31\n", encoding="utf-8")
    (released / "manifest.json").write_text("{}", encoding="utf-8")
    assert forget_people(path, "id", ["a"], ledger).copies == 1
    assert (released / "data.csv").read_text("utf-8").count("a,30") == 1
    assert (copied / "data.csv").read_text("utf-8").count("a,30") == 0


def test_texts_are_found_wherever_they_stand_in_an_entry():
    entry = {"a": ["x", {"b": "y", "n": 7, "none": None}], "c": "z", "yes": True}
    assert [*_texts(entry)] == ["x", "y", "z"]
