"""The attacker of ``make soak``: finds nothing in honest releases, and something in others."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def attacker(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import soak_attacker

    monkeypatch.setenv("SHOAL_HOME", "")  # the attacker sets its own
    return soak_attacker


def released(attacker, folder, seed=3):
    outcome, wrong = attacker.attack(seed, folder, look=True)
    assert (outcome, wrong) == ("released", [])
    manifest = json.loads((folder / "out" / "manifest.json").read_text("utf-8"))
    said = {"ngil": 0.5, "ngil_bound": 0.4, "groups": manifest["groups"], "suppressed": 0}
    return attacker.draw(seed), said | {"rows_out": manifest["rows"], "k": 6}


def test_an_honest_release_is_not_doubted(attacker, tmp_path):
    attempt, said = released(attacker, tmp_path)
    said["suppressed"] = len(attempt.rows) - said["rows_out"]
    told = set(attacker.doubts(attempt, said, tmp_path / "out"))
    assert told <= {"k is told otherwise than it is"}


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda text, said: (text.rsplit("\n", 2)[0] + "\n", said), "counted otherwise"),
        (lambda text, said: (text, said | {"ngil_bound": 0.6}), "the bound is above the loss"),
        (lambda text, said: (text.replace(",flu", ",plague", 1), said), "was not in the table"),
        (lambda text, said: (text.replace("[", "[-", 1), said), "smaller than k"),
    ],
)
def test_a_release_that_lies_is_found_out(attacker, tmp_path, change, finding):
    attempt, said = released(attacker, tmp_path)
    data = tmp_path / "out" / "data.csv"
    text, said = change(data.read_text("utf-8"), said)
    data.write_text(text, encoding="utf-8")
    assert any(finding in doubt for doubt in attacker.doubts(attempt, said, tmp_path / "out"))


def seed_with(attacker, wanted):
    return next(seed for seed in range(200) if wanted(attacker.draw(seed)))


@pytest.mark.parametrize(
    ("planted", "finding"),
    [
        (lambda attempt: attempt.rows[0]["who"], "a name was published"),
        (lambda attempt: max(row["age"] for row in attempt.rows), "a number that the data does"),
    ],
)
def test_what_a_paper_says_of_a_person_is_found_out(attacker, tmp_path, planted, finding):
    attempt = attacker.draw(seed_with(attacker, is_large))
    out = tmp_path / "out"
    out.mkdir()
    (out / "data.csv").write_text("age,ill\n*,flu\n", encoding="utf-8")
    (out / "report.html").write_text(f"<p>{planted(attempt)}</p>", encoding="utf-8")
    doubts = [*soak_doubts(attacker)._of_words(attempt, [{"age": "*"}], [*out.iterdir()])]
    assert [doubt for doubt in doubts if finding in doubt] == doubts != []


def is_large(attempt):
    return "age" in attempt.quasi and int(attempt.rows[0]["age"]) > 10**16


def soak_doubts(attacker):
    import soak_doubts

    return soak_doubts


@pytest.mark.parametrize(
    ("told", "gone", "finding"),
    [
        (3, 3, ["the exact number of those left out is told"]),
        ("fewer than 5 %", 40, ["more were left out than is told"]),
        ("some", 40, []),
    ],
)
def test_those_left_out_are_told_in_steps(attacker, told, gone, finding):
    def suppresses(attempt):
        return attempt.asked["suppression"] and not attempt.asked["person"]

    attempt = attacker.draw(seed_with(attacker, suppresses))
    assert [*soak_doubts(attacker)._of_left_out(attempt, told, gone)] == finding


@pytest.mark.parametrize(
    ("asked", "finding"),
    [
        ({"alpha": 0.75}, []),
        ({"alpha": 0.7}, ["a value has more than alpha of a group"]),
        ({"basic-beta": 1}, []),
        ({"basic-beta": 0.9}, ["a value gains more than beta in a group"]),
        ({"entropy-l": 1.75}, []),
        ({"entropy-l": 1.76}, ["a group is less diverse than asked"]),
    ],
)
def test_shares_in_a_group_are_counted(attacker, asked, finding):
    """Three of four are flu where three of eight are: twice as many."""
    ills, whole = [Counter(flu=3, cold=1)], Counter(flu=3, cold=5)
    assert [*soak_doubts(attacker)._of_shares(asked, ills, whole)] == finding


def test_half_of_the_tables_are_asked_for_what_came_later(attacker):
    later = [attempt for attempt in map(attacker.draw, range(60)) if len(attempt.rows) % 2]
    said = {word for attempt in later for word in attempt.words}
    assert {"--prove", "--effort", "--language", "--loss", "born=date", "--alpha"} <= said
    drawn = [seed for seed in range(60) if len(attacker.draw(seed).rows) % 2 == 0]
    assert all(attacker.draw(seed) == attacker.draw_plain(seed) for seed in drawn)


def test_a_run_goes_on_where_it_was_stopped_beside_others(attacker, tmp_path, monkeypatch):
    tried = []

    def attack(seed, folder, *, look, engine):
        tried.append(seed)
        return ("refused", []) if seed == 2 else ("released", ["wrong"] if seed == 5 else [])

    monkeypatch.setattr(attacker, "RESULTS", tmp_path)
    monkeypatch.setattr(attacker, "attack", attack)
    attacker.measure(4, (1, 2))
    assert tried == [0, 2, 4]
    attacker.measure(4, (2, 2))
    found = attacker.measure(8, (1, 2), resume=True)
    assert tried == [0, 2, 4, 1, 3, 6, 8]
    assert (found["tables"], found["released"], found["refused"]) == (7, 6, 1)
    assert attacker.measure(6, (2, 2), resume=True)["first"] == ["seed 5: wrong"]


@pytest.fixture
def doors(attacker):
    import soak_doors

    return soak_doors


@pytest.mark.parametrize("door", ["linked", "network", "pseudonyms", "later", "database"])
def test_the_other_doors_are_doubted_too(doors, door, tmp_path):
    found = (doors.attack(door, seed, tmp_path / f"{seed}") for seed in made(tmp_path))
    assert next(wrong for outcome, wrong in found if outcome == "released") == []


def made(folder):
    for seed in range(9):
        (folder / f"{seed}").mkdir()
        yield seed


@pytest.mark.parametrize(
    ("door", "file", "change", "finding"),
    [
        ("network", "edges.csv", lambda rows: rows[1:], "edges were lost or added"),
        ("network", "data.csv", lambda rows: rows[1:], "sizes of groups are not those"),
        ("pseudonyms", "data.csv", lambda rows: rows[:1], "fewer than k pseudonyms"),
        ("linked", "stays.csv", lambda rows: rows[:1], "joined, fewer than k share a row"),
    ],
)
def test_what_lies_behind_another_door_is_found_out(
    doors, door, file, change, finding, tmp_path, monkeypatch
):
    read = doors.read

    def lying(name):
        return change(read(name)) if name == f"out/{file}" else read(name)

    monkeypatch.setattr(doors, "read", lying)
    found = (doors.attack(door, seed, tmp_path / f"{seed}") for seed in made(tmp_path))
    wrong = next(wrong for outcome, wrong in found if outcome == "released")
    assert any(finding in one for one in wrong)
