"""verify.py as its readers run it: alone, in the folder of a release."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from releases import make_release

from shoal.exceptions import InputError
from shoal.release import read_release
from shoal.verifier import MEASURES, _script


def run(place, *flags, **how):
    script = place / "verify.py" if isinstance(place, Path) and place.is_dir() else place
    done = subprocess.run(
        [sys.executable, *flags, script], capture_output=True, text=True, check=False, **how
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text("utf-8"))


def tell(folder, manifest):
    """Write a manifest that agrees with the bytes in the folder, as a careful forger would."""
    for name, facts in manifest["files"].items():
        content = (folder / name).read_bytes()
        facts["sha256"], facts["bytes"] = hashlib.sha256(content).hexdigest(), len(content)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def forge(folder):
    tell(folder, manifest_of(folder))


@pytest.fixture
def folder(tmp_path):
    return make_release().write(tmp_path / "out").folder


def test_it_needs_nothing_but_python_and_says_what_holds(folder):
    code, said = run(folder, "-I", "-S")  # no site-packages: the standard library alone
    assert code == 0
    assert "24 rows in 8 groups" in said
    assert "at least 3 that look alike" in said
    assert "at least 2 values of 'disease'" in said
    assert said.endswith("Everything recounted here holds.\n")


def test_a_changed_byte_is_noticed(folder):
    path = folder / "data.csv"
    path.write_text(path.read_text().replace("note 1", "note 2", 1))
    code, said = run(folder)
    assert code == 1
    assert "data.csv is not the file that was released" in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("[20, 22]", "20", 1), "k is 1, asked was 3"),
        (lambda text: text.replace("cold", "flu").replace("asthma", "flu"), "distinct l"),
        (lambda text: text + text.splitlines()[-1] + "\n", "the file has 25"),
        (lambda text: text.replace("[20, 22]", "[20, 25]").replace("[23, 25]", "[20, 25]"), "7"),
    ],
)
def test_a_release_that_does_not_hold_fails(folder, change, words):
    path = folder / "data.csv"
    path.write_text(change(path.read_text()))
    forge(folder)
    code, said = run(folder)
    assert code == 1
    assert words in said
    assert said.endswith("This release does NOT hold.\n")


def test_what_is_not_a_release_is_said(folder):
    (folder / "manifest.json").write_text("[]")
    assert run(folder)[0] == 2
    (folder / "manifest.json").unlink()
    assert run(folder)[0] == 2


def test_a_ragged_row_is_no_release(folder):
    path = folder / "data.csv"
    path.write_text(path.read_text() + "1,2\n")
    forge(folder)
    code, said = run(folder)
    assert (code, said) == (2, "A row of the file has more or fewer cells than its header.\n")


def test_parquet_is_counted_with_pyarrow_and_refused_without(tmp_path):
    folder = make_release().write(tmp_path / "out", format="parquet").folder
    code, said = run(folder)
    assert code == 0
    assert "24 rows in 8 groups" in said
    code, said = run(folder, "-I", "-S")
    assert code == 2
    assert "needs pyarrow" in said


@pytest.mark.parametrize("name", ["csv", "__future__", "hashlib"])
@pytest.mark.parametrize("flags", [(), ("-S",)])
def test_nothing_beside_it_runs(folder, name, flags):
    (folder / f"{name}.py").write_text("raise SystemExit('planted')", encoding="utf-8")
    code, said = run("verify.py", *flags, env={"PYTHONPATH": ":."}, cwd=folder)
    assert (code, "planted" in said) == (0, False)


def change(**values):
    return lambda manifest: manifest.update(values)


def claim(at, **values):
    return lambda manifest: manifest["holds"][at].update(values)


def all_columns_but(name):
    def drop(manifest):
        manifest["quasi_identifiers"].remove(name)

    return drop


def with_role(name, role):
    """Call a quasi-identifier something else, everywhere."""

    def rename(manifest):
        all_columns_but(name)(manifest)
        next(c for c in manifest["columns"] if c["name"] == name)["role"] = role

    return rename


LIES = {
    "nothing holds": change(holds=[]),
    "no k": lambda manifest: manifest["holds"].pop(0),
    "k twice": lambda manifest: manifest["holds"].append(manifest["holds"][0]),
    "a k that is no number": claim(0, asked=float("nan")),
    "a k without end": claim(0, asked=float("-inf")),
    "a k in words": claim(0, asked="3"),
    "a k that is true": claim(0, asked=True),
    "a k of 3.0": claim(0, asked=3.0),
    "a k of zero": claim(0, asked=0, model="0-anonymity"),
    "a smaller k than its name": claim(0, asked=2),
    "another k recounted": claim(0, recounted=5),
    "k under another name": claim(0, measure="kk"),
    "k not measured": claim(0, measure=None, recounted=None),
    "l under another name": claim(1, measure="entropy_l"),
    "l of a quasi-identifier": claim(1, column="age"),
    "l of a column that is not there": claim(1, column="salary"),
    "another l recounted": claim(1, recounted=7),
    "a claim that does not hold": claim(0, holds=False),
    "a claim without a model": claim(0, model=None),
    "one quasi-identifier less": all_columns_but("age"),
    "one quasi-identifier called other": with_role("age", "other"),
    "a role nobody knows": with_role("age", "harmless"),
    "a column twice": lambda m: m["columns"].append(m["columns"][-1]),
    "a column less": lambda m: m["columns"].pop(),
    "columns in another order": lambda m: m["columns"].reverse(),
    "more rows": change(rows=25),
    "rows in words": change(rows="24"),
    "fewer groups": change(groups=7),
    "something else counted": change(counts="crowds"),
    "no files": change(files={}),
    "another file": change(file="report.html"),
    "a file from elsewhere": change(file="../out/data.csv"),
    "data in parts that are not there": change(file="data"),
    "moved, it says, but not how": lambda m: m.update(holds=[], relinkage={}),
}


UNREADABLE = ("a k that is no number", "a k without end", "data in parts that are not there")
ONLY_COUNTING_TELLS = (
    "another k recounted",
    "another l recounted",
    "more rows",
    "fewer groups",
    "one quasi-identifier called other",
)


@pytest.mark.parametrize("lie", LIES)
def test_a_manifest_that_contradicts_itself_or_the_data_is_caught(folder, lie):
    manifest = manifest_of(folder)
    LIES[lie](manifest)
    tell(folder, manifest)
    code, said = run(folder)
    assert code == (2 if lie in UNREADABLE else 1), said
    if lie not in ONLY_COUNTING_TELLS:
        with pytest.raises(InputError, match="release"):
            read_release(folder)


TAMPERED = {
    "a column more": lambda text: "".join(f"{line},x\n" for line in text.splitlines()),
    "the header twice the same": lambda text: text.replace("note", "zip", 1),
    "the header in another order": lambda text: text.replace("age,zip", "zip,age", 1),
    "no header": lambda text: text.partition("\n")[2],
    "a mark before the header": lambda text: "\ufeff" + text,
    "an open quote": lambda text: text + '"',
    "no rows": lambda text: text.partition("\n")[0] + "\n",
    "nothing": lambda text: "",
}


@pytest.mark.parametrize("how", TAMPERED)
def test_data_that_is_not_what_the_manifest_speaks_of_is_caught(folder, how):
    path = folder / "data.csv"
    path.write_text(TAMPERED[how](path.read_text()), encoding="utf-8")
    forge(folder)
    assert run(folder)[0] != 0


def test_a_name_twice_in_the_manifest_is_caught(folder):
    path = folder / "manifest.json"
    path.write_text('{"rows": 1,' + path.read_text("utf-8")[1:], encoding="utf-8")
    assert run(folder)[0] == 2
    with pytest.raises(InputError):
        read_release(folder)


def test_every_file_listed_must_be_there_as_it_was(folder):
    report = folder / "report.html"
    report.write_text(report.read_text("utf-8") + " ", encoding="utf-8")
    assert "report.html is not the file that was released" in run(folder)[1]
    report.unlink()
    assert "report.html is not there" in run(folder)[1]


def in_parts(folder, n=3):
    """Deal the rows of a release out to parts, as a cluster writes them."""
    header, *rows = (folder / "data.csv").read_text("utf-8").splitlines(keepends=True)
    (folder / "data.csv").unlink()
    (folder / "data").mkdir()
    manifest = manifest_of(folder)
    del manifest["files"]["data.csv"]
    for i in range(n):
        part = f"data/part-{i:05d}.csv"
        (folder / part).write_text(header + "".join(rows[i::n]), encoding="utf-8")
        manifest["files"][part] = {}
    tell(folder, manifest | {"file": "data"})


def test_parts_are_counted_together(folder):
    in_parts(folder)
    code, said = run(folder, "-I", "-S")
    assert code == 0, said
    assert "data: 24 rows in 8 groups" in said
    assert read_release(folder).table.n_rows == 24


@pytest.mark.parametrize("tampering", ["more", "less", "unlisted", "header", "rows"])
def test_tampered_parts_are_caught(folder, tampering):
    in_parts(folder)
    part = folder / "data" / "part-00001.csv"
    if tampering == "more":
        (folder / "data" / "part-00003.csv").write_text(part.read_text())
    if tampering == "less":
        part.unlink()
    if tampering == "unlisted":
        manifest = manifest_of(folder)
        del manifest["files"]["data/part-00001.csv"]
        tell(folder, manifest)
    if tampering == "header":
        part.write_text(part.read_text().replace("age", "aged", 1))
        forge(folder)
    if tampering == "rows":
        part.write_text(part.read_text().replace("[20, 22]", "20", 1))
        forge(folder)
    assert run(folder)[0] == 1


def test_it_knows_every_measure_that_we_recount():
    assert {*_script.MEASURES} == {"k", *MEASURES}


def test_people_cannot_be_recounted_and_it_says_so(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"counts": "people"}))
    code, said = run(folder)
    assert code == 0
    assert "cannot be recounted here" in said
