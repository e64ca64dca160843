"""``shoal tune`` as a user types it."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import CANARY, Shoal
from shoal.plan import Plan
from shoal.tuning import _resampling, tune

ASKED = "--target readmitted --quasi age,sex,zip --model logistic_regression -k 3-30"


@pytest.fixture(scope="module", autouse=True)
def few_draws():
    """Draw test rows again a few times: how sure scores are is looked at elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_resampling, "RESAMPLES", 40)
        yield


def test_tune_writes_one_release_a_plan_and_a_page(shoal: Shoal, patients, town, here) -> None:
    answer = shoal(
        f"tune {patients} {ASKED} --trials 5 --hierarchies {town / 'hierarchies'}"
        " --identifier name,person_id --sensitive diagnosis -o out --json"
    )
    assert answer.code == 0, answer.err
    told = answer.json
    assert told["trials"] == 5
    assert set(told) >= {
        "alpha", "alpha_range", "front", "chosen", "test_score", "test_score_unanonymized",
        "test_score_constant", "masked_gap",
    }  # fmt: skip
    assert all(set(point) >= {"k", "q_f", "q_nf", "params"} for point in told["front"])
    assert told["k"] >= told["k_asked"] == told["chosen"]["params"]["k"]
    found = {path.name for path in (here / "out").iterdir()}
    public = {"data.csv", "manifest.json", "report.html", "verify.py"}
    private = {"plan.toml", "study.html", "provenance.json"}
    assert found == public | private
    manifest = json.loads((here / "out" / "manifest.json").read_text("utf-8"))
    assert {"manifest.json", *manifest["files"]} == public == {*told["files"]}
    modes = {name: (here / "out" / name).stat().st_mode & 0o077 for name in private}
    assert modes == dict.fromkeys(private, 0)  # weights, paths and scores are nobody else's
    assert (here / "out" / "data.csv").stat().st_mode & 0o044
    plan = Plan.read(here / "out" / "plan.toml")
    assert Path(plan.source).resolve() == patients.resolve()
    again = shoal("anonymize --plan out/plan.toml -o again --json")
    assert again.code == 0, again.err
    assert (here / "again" / "data.csv").read_bytes() == (here / "out" / "data.csv").read_bytes()


def test_people_read_what_was_chosen_and_where_to_look(shoal: Shoal, patients, here) -> None:
    answer = shoal(f"tune {patients} {ASKED} --trials 1 --identifier name,person_id -o out")
    assert answer.code == 0, answer.err
    assert "On untouched test rows" in answer.out
    assert "study.html" in answer.out
    assert shoal(f"tune {patients} {ASKED} --trials 1 -o out").code == 2  # it is not empty
    forced = shoal(f"tune {patients} {ASKED} --trials 1 --identifier name,person_id -o out --force")
    assert forced.code == 0, forced.err


def test_looking_comes_before_picking_and_releases_nothing(shoal: Shoal, patients, here) -> None:
    line = f"tune {patients} {ASKED} --trials 3 --identifier name,person_id --storage kept.db"
    looked = shoal(f"{line} --look --json")
    assert looked.code == 0, looked.err
    assert {*looked.json} == {"front", "tried", "trials", "failures", "metric"}
    assert [path.name for path in here.iterdir() if path.is_dir()] == []
    trial = looked.json["front"][0]["trial"]
    picked = shoal(f"{line} --resume --pick {trial} -o out --json")
    assert picked.code == 0, picked.err
    assert (picked.json["chosen"]["trial"], picked.json["chosen"]["picked"]) == (trial, True)
    refused = shoal(f"tune {patients} {ASKED} --look")
    assert (refused.code, refused.out) == (2, "")
    assert "--storage" in refused.err


def test_a_plan_of_ones_own_never_gives_way(shoal: Shoal, patients, here) -> None:
    (here / "out").mkdir()
    (here / "out" / "plan.toml").write_text("mine", encoding="utf-8")
    line = f"tune {patients} {ASKED} --trials 2 --identifier name,person_id -o out --force"
    answer = shoal(line)
    assert (answer.code, answer.out) == (2, "")
    assert "what no release put there: 'plan.toml'" in answer.err
    assert [path.name for path in (here / "out").iterdir()] == ["plan.toml"]
    assert (here / "out" / "plan.toml").read_text("utf-8") == "mine"


def test_a_tuned_release_gives_way_as_a_whole(shoal: Shoal, patients, here) -> None:
    columns = "--identifier name,person_id"
    assert shoal(f"tune {patients} {ASKED} --trials 2 {columns} -o out").code == 0
    line = f"anonymize {patients} -k 5 --quasi age,sex,zip {columns} -o out --force --ledger warn"
    answer = shoal(line)
    assert answer.code == 0, answer.err
    found = {path.name for path in (here / "out").iterdir()}
    assert found == {"data.csv", "manifest.json", "report.html", "verify.py"}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tune -o out", "needs a table"),
        ("tune {p} --quasi age -o out", "needs a table"),
        ("tune {p} --target age --quasi age,sex -o out", "at once"),
        ("tune {p} --target readmited --quasi age -o out", "Did you mean 'readmitted'"),
        ("tune {p} --target readmitted --quasi age", "Where should the release go"),
        ("tune {p} --target readmitted --quasi age -o out --alpha high", "--alpha"),
        ("tune {p} --target readmitted --quasi age -o out --alpha -1", "alpha"),
        ("tune {p} --target readmitted --quasi age -o out -k few", "whole numbers"),
        ("tune {p} --target readmitted --quasi age -o out -k 1", "2 or more"),
        ("tune {p} --target readmitted --quasi age -o out --model magic", "no model named"),
        ("tune {p} --target readmitted --quasi age -o out --metric magic", "could not score"),
        ("tune {p} --target readmitted --quasi age -o out --privacy x", "privacy measure"),
        ("tune {p} --target readmitted --quasi age -o out --privacy l", "sensitive"),
        ("tune {p} --target readmitted --quasi age -o out --trials 0", "at least one"),
        ("tune {p} --target readmitted --quasi age -o out --workers 0", "1 or more"),
        ("tune {p} --target readmitted --quasi age -o out --resume", "nothing to resume"),
        ("tune {p} --target readmitted --quasi age -o out --method magic", "no method"),
        ("tune {p} --target readmitted --quasi age -o out --storage no/s.db", "does not exist"),
        ("tune {p} --target readmitted --quasi age -o out --max-suppression lots", "numbers"),
        ("tune {p} --target readmitted --quasi age -o out --timeout 0", "time given"),
        (
            "tune {p} --target readmitted --quasi age -o out --limit zip=2",
            "quasi-identifier to limit",
        ),
        ("tune {p} --target readmitted --quasi age -o out --limit 2", "name=value"),
        ("tune {p} --target readmitted --quasi age -o out --refine maybe", "no, yes or both"),
        ("tune {p} --target readmitted --quasi age -o out --efforts six", "no efforts named 'six'"),
        ("tune {p} --target readmitted --quasi age -o out --efforts stepwise:99", "1 to 12"),
        ("tune {p} --target readmitted --quasi age -o out --efforts stepwise:x", "whole numbers"),
        ("tune {p} --target readmitted --quasi age -o out --efforts stepwise -k 5", "nothing else"),
    ],
)
def test_wrong_usage_is_a_sentence_and_leaves_nothing(shoal: Shoal, patients, here, line, says):
    answer = shoal(line.format(p=patients))
    assert answer.code == 2
    assert says in answer.err
    assert answer.out == ""
    assert not (here / "out").exists()


def test_the_six_efforts_of_the_paper_and_q_over_them(shoal: Shoal, patients, here) -> None:
    answer = shoal(
        f"tune {patients} --target readmitted --quasi age,sex --identifier name,person_id"
        " --efforts stepwise --raw --alpha 0.001 --model logistic_regression -o out --json"
    )
    assert answer.code == 0, answer.err
    told = answer.json
    assert told["trials"] == len(told["tried"]) == 6
    assert {trial["params"]["method"] for trial in told["tried"]} == {"stepwise"}
    for trial in told["tried"]:
        assert trial["q_nf"] == trial["k"]
        assert trial["q"] == trial["q_f"] + 0.001 * trial["k"]
    assert told["k"] >= told["k_asked"] == max(2, told["chosen"]["k"])
    plan = Plan.read(here / "out" / "plan.toml")
    assert dict(plan.grid) == told["chosen"]["params"]["grid"]
    again = shoal("anonymize --plan out/plan.toml -o again --json")
    assert again.code == 0, again.err
    assert (here / "again" / "data.csv").read_bytes() == (here / "out" / "data.csv").read_bytes()


METHODS = {"best-first", "common", "mondrian"}


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        ("--method quantize --privacy risk --trials 2", {"method": {"quantize"}}),
        (
            "--method best-first,common,mondrian --l 2,3 --sensitive diagnosis --refine both"
            " --limit age=20,age=40 --max-suppression 0.1,0.3 --trials 12",
            {
                "method": METHODS,
                "l": {2, 3},
                "max_suppression": {0.1, 0.3},
                "limits": {None, 20.0, 40.0},
                "refine": {None, True},
            },
        ),
    ],
    ids=["moved values", "all at once"],
)
def test_everything_can_be_searched_from_the_command_line(
    shoal: Shoal, patients, here, asked, searched
) -> None:
    answer = shoal(
        f"tune {patients} --target readmitted --quasi age,sex --identifier name,person_id"
        f" --model logistic_regression -k 3-9 --no-weights {asked} -o out --json"
    )
    assert answer.code == 0, answer.err
    params = [trial["params"] for trial in answer.json["tried"]]
    for name, values in searched.items():
        tried = {p[name]["age"] if name == "limits" and name in p else p.get(name) for p in params}
        assert tried <= values, name
        assert len(tried) > 1 or len(values) == 1, name
    assert answer.json["trial_scores"].startswith("from the train part, unrefined")


def test_no_cell_value_leaves_through_the_page_or_the_storage(shoal: Shoal, here) -> None:
    rows = [f"{20 + i % 40},{CANARY}{i % 3},{'ab'[(i + i // 7) % 2]}" for i in range(200)]
    (here / "t.csv").write_text("\n".join(["age,job,y", *rows]))
    answer = shoal(
        "tune t.csv --target y --quasi age,job --model logistic_regression --trials 3 -k 3-9"
        " --storage s.db -o out --json"
    )
    assert answer.code == 0, answer.err
    assert CANARY not in answer.out + answer.err
    assert CANARY not in (here / "out" / "study.html").read_text()
    assert CANARY.encode() not in (here / "s.db").read_bytes()


def test_a_killed_study_loses_no_finished_trial(shoal: Shoal, patients, here) -> None:
    """Two workers are killed with it; one goes on alone."""
    storage = here / "study.db"
    line = f"tune {patients} {ASKED} --identifier name,person_id --storage {storage} --json"
    many = ["--trials", "400", "--workers", "2", "-o", "one"]
    running = subprocess.Popen([sys.executable, "-m", "shoal", *line.split(), *many])
    try:
        deadline = time.monotonic() + 300  # a slow machine is no failure
        while len(before := finished(storage)) < 3:
            assert time.monotonic() < deadline
            assert running.poll() is None
            time.sleep(0.1)
    finally:
        helpers = children(running.pid)
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert len(helpers) >= 2 or not Path("/proc/self/task").exists()
    while any(map(alive, helpers)):  # nobody goes on working for a study that is dead
        assert time.monotonic() < deadline
        time.sleep(0.1)
    before = finished(storage)
    assert not (here / "one").exists()
    more = str(len(before) + 2)
    done = shoal(f"{line} --trials {more} --workers 1 --resume -o two")
    assert done.code == 0, done.err
    assert done.json["trials"] == len(before) + 2
    after = finished(storage)
    assert before.items() <= after.items()


def children(pid):
    """Processes that a process started; nothing where the system does not tell."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in found for child in task.read_text().split()]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def finished(storage):
    """Outcome of every finished trial, by number, as the file has it."""
    if not storage.exists():
        return {}
    try:
        with sqlite3.connect(f"file:{storage}?mode=ro", uri=True) as database:
            rows = database.execute(
                "SELECT number, value_json FROM trials JOIN trial_user_attributes USING (trial_id)"
                " WHERE state = 'COMPLETE' AND key = 'outcome'"
            ).fetchall()
    except sqlite3.OperationalError:  # it is just being made, or busy
        return {}
    return dict(rows)


def test_the_command_says_what_the_library_says(shoal: Shoal, patients, here) -> None:
    answer = shoal(f"tune {patients} {ASKED} --trials 2 --identifier name,person_id -o out --json")
    from shoal.table import read_table
    from shoal.tuning import Search

    found = tune(
        read_table(patients), target="readmitted", quasi_identifiers=["age", "sex", "zip"],
        identifiers=["name", "person_id"], models="logistic_regression", trials=2,
        search=Search(k=(3, 30)),
    )  # fmt: skip
    assert answer.json["test_score"] == found.final.test.mean
    assert answer.json["front"] == json.loads(json.dumps(found.to_dict()["front"]))


def test_a_plan_is_tuned_and_what_it_promises_is_kept(shoal: Shoal, patients, town, here) -> None:
    (here / "plan.toml").write_text(
        f'[table]\nsource = "{patients}"\n[roles]\nquasi_identifiers = ["age", "sex", "zip"]\n'
        'identifiers = ["name", "person_id"]\nsensitive = ["diagnosis"]\ntarget = "readmitted"\n'
        '[hierarchies]\nzip = "mask"\n[privacy]\nk = 7\nl = { diagnosis = 2 }\n'
    )
    told = shoal("tune --plan plan.toml --model logistic_regression --trials 3 -o out --json")
    assert told.code == 0, told.err
    assert all(point["k"] >= 7 for point in told.json["front"])
    chosen = Plan.read(here / "out" / "plan.toml")
    assert chosen.k >= 7
    assert chosen.l in (2, {"diagnosis": 2})
    assert chosen.hierarchies == {"zip": "mask"}
    again = shoal("anonymize --plan out/plan.toml -o again --json")
    assert again.code == 0, again.err
    assert (here / "again" / "data.csv").read_bytes() == (here / "out" / "data.csv").read_bytes()


def test_a_plan_that_tuning_would_not_keep_is_refused(shoal: Shoal, patients, here) -> None:
    roles = (
        '[roles]\nquasi_identifiers = ["age"]\nsensitive = ["diagnosis"]\ntarget = "readmitted"\n'
    )
    (here / "plan.toml").write_text(f'[table]\nsource = "{patients}"\n{roles}[privacy]\nt = 0.3\n')
    told = shoal("tune --plan plan.toml -o out")
    assert (told.code, told.out) == (2, "")
    assert "asks for t, which tuning does not keep" in told.err
    assert not (here / "out").exists()
