"""Any study: done once, in any process, kept through a kill, and written as files to read."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from toys import Squares

from shoal.exceptions import CancelledError, InputError, InvalidParameterError, OutputError
from shoal.studies import Findings, PaperClaim, find_study, finished_work, run_study

SLOW_RUN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from toys import Squares
from shoal.studies import run_study
if __name__ == "__main__":
    study = Squares(Path(sys.argv[2]) / "log", nap=0.2)
    run_study(study, Path(sys.argv[2]) / "out", size="full", workers=int(sys.argv[3]))
"""


def worked_on(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_every_item_is_done_once_and_small_is_a_part_of_full(tmp_path):
    study = Squares(tmp_path / "log")
    small = run_study(study, tmp_path / "out", workers=1)
    assert (small.items, small.done_now, small.findings.numbers["sum"]) == (4, 4, 5)
    full = run_study(study, tmp_path / "out", size="full", workers=1)
    assert (full.items, full.done_now, full.findings.numbers["sum"]) == (7, 4, 55)
    again = run_study(study, tmp_path / "out", workers=1)
    assert (again.done_now, again.findings.numbers["sum"]) == (0, 5)
    assert len(worked_on(tmp_path / "log")) == len(set(worked_on(tmp_path / "log"))) == 8


def test_processes_give_the_same_as_one(tmp_path):
    alone = run_study(Squares(), tmp_path / "alone", size="full", workers=1)
    both = run_study(Squares(), tmp_path / "both", size="full", workers=2)
    assert alone.findings.numbers == both.findings.numbers
    csv = [tmp_path / folder / "tables" / "squares.csv" for folder in ("alone", "both")]
    assert len({"\n".join(sorted(path.read_text().split())) for path in csv}) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_goes_on_where_it_was(tmp_path, workers):
    script = tmp_path / "run.py"
    script.write_text(SLOW_RUN)
    words = [sys.executable, str(script), str(Path(__file__).parent), str(tmp_path), str(workers)]
    process = subprocess.Popen(words, start_new_session=True)
    _wait_for(lambda: _kept(tmp_path / "out" / "work.sqlite") >= 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = len(finished_work(Squares(), tmp_path / "out"))
    assert 2 <= kept < 7
    if workers > 1:  # nobody goes on working for a process that is gone
        time.sleep(1.5)
        before = len(worked_on(tmp_path / "log"))
        time.sleep(1.0)
        assert len(worked_on(tmp_path / "log")) == before
    run = run_study(Squares(), tmp_path / "out", size="full", workers=1)
    assert (run.done_now, run.findings.numbers["sum"]) == (7 - kept, 55)


def test_what_was_done_before_a_failure_is_kept(tmp_path):
    with pytest.raises(ArithmeticError):
        run_study(Squares(bad=2), tmp_path / "out", workers=1)
    assert len(finished_work(Squares(), tmp_path / "out")) == 2
    assert not (tmp_path / "out" / "index.html").exists()
    assert run_study(Squares(), tmp_path / "out", workers=1).done_now == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_who_asks_to_stop_is_heard(tmp_path, workers):
    class Impatient:
        cancelled = False

        def phase(self, name, total=None):
            assert "squares" in name

        def advance(self, steps=1):
            self.cancelled = self.cancelled or steps == 1

    with pytest.raises(CancelledError):
        run_study(Squares(), tmp_path / "out", workers=workers, progress=Impatient())
    assert 1 <= len(finished_work(Squares(), tmp_path / "out")) <= 3


def test_progress_counts_what_was_there_already(tmp_path):
    class Counting:
        cancelled = False

        def __init__(self):
            self.told, self.steps = [], 0

        def phase(self, name, total=None):
            self.told.append((name, total))

        def advance(self, steps=1):
            self.steps += steps

    run_study(Squares(), tmp_path / "out", workers=1)
    progress = Counting()
    run_study(Squares(), tmp_path / "out", size="full", workers=1, progress=progress)
    assert progress.told[:2] == [("squares: square", 6), ("squares: sum", 7)]
    assert progress.steps == 6 + 7


def test_what_is_done_so_far_can_be_read(tmp_path):
    with pytest.raises(ArithmeticError):
        run_study(Squares(bad=5), tmp_path, size="full", workers=1)
    assert len(finished_work(Squares(), tmp_path)) == 5
    run_study(Squares(), tmp_path, workers=1)  # the sum of the small one
    looked = run_study(Squares(), tmp_path, so_far=True, workers=1)
    assert (looked.items, looked.planned, looked.done_now) == (4, 4, 0)
    facts = json.loads((tmp_path / "results.json").read_text())
    assert (facts["items"], facts["planned"]) == (4, 4)


def test_too_little_to_conclude_from_is_told_so(tmp_path):
    with pytest.raises(InvalidParameterError, match="0 of 3 items of work are too few"):
        run_study(Squares(), tmp_path, workers=1, so_far=True)


def test_the_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(OutputError, match="something else"):
        run_study(Squares(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_work_of_another_version_is_refused(tmp_path):
    class Later(Squares):
        version = 2

    run_study(Squares(), tmp_path, workers=1)
    with pytest.raises(InputError, match="another version"):
        run_study(Later(), tmp_path, workers=1)


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "work.sqlite").write_bytes(b"not a database, surely" * 100)
    with pytest.raises(InputError, match="no store"):
        run_study(Squares(), tmp_path, workers=1)


@pytest.mark.parametrize("settings", [{"size": "huge"}, {"workers": 0}])
def test_settings_outside_their_meaning_are_refused(tmp_path, settings):
    with pytest.raises(InvalidParameterError):
        run_study(Squares(), tmp_path / "out", **settings)


def test_a_study_that_is_none_is_named_with_its_neighbours():
    with pytest.raises(InvalidParameterError, match="malle2071") as caught:
        find_study("malle2071")
    assert "malle2017" in caught.value.hint


def test_a_claim_must_show_its_evidence():
    with pytest.raises(InvalidParameterError, match="nowhere"):
        Findings("", claims=[PaperClaim("So.", "No.", "does not hold", ("nowhere",))])


def test_the_page_stands_alone_and_escapes(tmp_path):
    run_study(Squares(), tmp_path, workers=1)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")

    class Reader(HTMLParser):
        def __init__(self):
            super().__init__()
            self.tags, self.asked = [], []

        def handle_starttag(self, tag, attrs):
            self.tags.append(tag)
            named = {name: value or "" for name, value in attrs}
            self.asked += [named[name] for name in ("src", "href") if name in named]

    reader = Reader()
    reader.feed(page)
    assert "Squares &lt;re-run&gt;" in page
    assert {"svg", "table", "figure"} <= {*reader.tags}
    assert "script" not in reader.tags
    assert all(asked.startswith("#") for asked in reader.asked)
    assert page.count('id="squares"') == page.count('id="curve"') == 1


def test_files_hold_what_was_found(tmp_path):
    run_study(Squares(), tmp_path, workers=1)
    assert (tmp_path / "tables" / "squares.csv").read_text() == "n,square\n0,0\n1,1\n2,4\n"
    assert json.loads((tmp_path / "tables" / "squares.json").read_text())[2]["square"] == 4
    facts = json.loads((tmp_path / "results.json").read_text())
    assert (facts["numbers"], facts["size"], facts["figures"]) == ({"sum": 5}, "small", ["curve"])
    assert (tmp_path / "figures" / "curve.png").read_bytes().startswith(b"\x89PNG")
    first = (tmp_path / "figures" / "curve.svg").read_text()
    run_study(Squares(), tmp_path, workers=1)
    assert (tmp_path / "figures" / "curve.svg").read_text() == first
    assert first.startswith("<svg")
    assert not list(tmp_path.rglob(".*"))


def _kept(path: Path) -> int:
    if not path.is_file():
        return 0
    try:
        with sqlite3.connect(path) as file:
            return int(file.execute("SELECT count(*) FROM items").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def _wait_for(condition, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
