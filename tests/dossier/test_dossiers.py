"""Dossiers: every number from a file, every opinion left to a human."""

from __future__ import annotations

import json

import polars as pl
import pytest

import shoal
from shoal.cli import run
from shoal.dossier import DOSSIERS, BlankField, MeasuredField, gather, to_html, to_markdown
from shoal.dossier._ema import EmaReport
from shoal.dossier._hipaa import EIGHTEEN
from shoal.testing import check_dossier


def people(n=240):
    return pl.DataFrame(
        {
            "age": [20 + i * 7 % 80 for i in range(n)],
            "zip": [f"{10 + i % 7:03d}{i % 10}{i % 9}" for i in range(n)],
            "admitted": [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(n)],
            "ill": ["abcd"[i % 4] for i in range(n)],
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("dossier")
    release = shoal.anonymize(
        people(), quasi_identifiers=["age", "zip", "admitted"], sensitive="ill", k=11
    )
    release.write(place / "release", ledger="off")
    (place / "attacks.json").write_text(json.dumps(ATTACKS), encoding="utf-8")
    (place / "zip3.csv").write_text("area,people\n010,50000\n011,700\n", encoding="utf-8")
    return place


ATTACKS = {
    "holds": True,
    "preset": "internal",
    "threshold": 0.33,
    "attacks": [
        {"name": "exact_linkage", "rate": 0.0421, "baseline": 0.004, "control": 0.0312,
         "people": 240, "applies": True},
        {"name": "stirring", "rate": 0.9, "baseline": 0.1, "people": 240, "applies": False},
    ],
}  # fmt: skip


def evidence(folder, **more):
    return gather(folder / "release", attacks=folder / "attacks.json", **more)


@pytest.mark.parametrize("kind", DOSSIERS)
def test_every_dossier_conforms(kind, folder):
    check_dossier(DOSSIERS[kind], evidence(folder))


def test_the_battery_notices_a_number_from_nowhere(folder):
    class Boaster(EmaReport):
        def largest_risk(self):
            return MeasuredField("How likely?", "0.0001", ("manifest.invented",))

    class Sure(EmaReport):
        def attacks_told(self):
            return iter(())

        def trail(self):
            return MeasuredField("Is there a record?", "Yes.", ("manifest.rows",))

    for broken in (Boaster, Sure):
        with pytest.raises(AssertionError):
            check_dossier(broken, evidence(folder))


def test_numbers_are_those_of_the_manifest_and_of_the_attacks(folder):
    text = to_markdown(EmaReport(evidence(folder)))
    manifest = json.loads((folder / "release/manifest.json").read_text(encoding="utf-8"))
    assert f"{manifest['rows']:,} rows in {manifest['groups']:,} crowds" in text
    assert (
        "4.21% of 240 people; by guessing 0.40%; about people who are not in the data 3.12%" in text
    )
    assert "Stirring" not in text  # it did not apply


def test_eleven_is_a_hair_above_the_threshold_and_twelve_is_offered(folder):
    text = to_markdown(EmaReport(evidence(folder)))
    assert "No, it is 0.0909. Crowds of k = 12 would be enough." in text


def test_without_attacks_and_journal_their_fields_say_how_to_fill_them(folder):
    text = to_markdown(DOSSIERS["ico"](gather(folder / "release")))
    assert "shoal attack release/" in text
    assert "--journal FILE" in text


def test_all_eighteen_identifiers_are_asked_about(folder):
    parts = DOSSIERS["hipaa"](evidence(folder)).parts()
    asked = [f.question for part in parts for f in part.fields if isinstance(f, BlankField)]
    for letter, what in zip("ABCDEFGHIJKLMNOPQR", EIGHTEEN, strict=True):
        assert f"({letter}) {what}" in asked


def test_safe_harbor_sees_days_and_old_ages(folder):
    text = to_markdown(DOSSIERS["hipaa"](evidence(folder)))
    assert "Months or days are published in 'admitted'." in text
    assert "Ages over 89 are told apart in 'age'." in text


def test_safe_harbor_sees_small_areas(folder, tmp_path):
    release = shoal.anonymize(people(), quasi_identifiers="zip", drop=["age", "admitted"], k=2)
    release.write(tmp_path / "release", ledger="off")
    found = gather(tmp_path / "release", populations=folder / "zip3.csv")
    text = to_markdown(DOSSIERS["hipaa"](found))
    assert "6 published areas have 20,000 people or fewer, or none on file" in text
    assert "more than three digits are published in 1 columns" in text


def test_years_and_capped_ages_pass_the_machine(tmp_path):
    frame = pl.DataFrame(
        {"age": [30, 31, 50, 52] * 5, "year": [2020, 2021] * 10, "ill": list("ab") * 10}
    )
    release = shoal.anonymize(frame, quasi_identifiers=["age", "year"], sensitive="ill", k=2)
    release.write(tmp_path / "release", ledger="off")
    text = to_markdown(DOSSIERS["hipaa"](gather(tmp_path / "release")))
    assert "Nothing finer than a year is written as a date" in text


def test_a_page_prints_and_asks_nobody(folder):
    html = to_html(DOSSIERS["dpia"](evidence(folder)))
    assert "@media print" in html
    assert "default-src 'none'" in html
    assert html.count('class="blank"') >= 5


def test_typed_as_a_user_would(folder, tmp_path, capsys):
    words = ["dossier", str(folder / "release"), "--as", "iso27559"]
    assert run([*words, "-o", str(tmp_path / "d.html"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["file"]) == ("iso27559", "d.html")
    assert told["blank"] > 0 < told["measured"]
    before = (tmp_path / "d.html").read_bytes()
    assert run([*words, "-o", str(tmp_path / "d.html")]) == 2  # it is there
    assert (tmp_path / "d.html").read_bytes() == before
    assert run([*words, "-o", str(tmp_path / "d.html"), "--force"]) == 0


@pytest.mark.parametrize(
    ("kind", "target", "more", "says"),
    [
        ("fda", "d.md", [], "There is no dossier 'fda'"),
        ("ema", "d.pdf", [], "page or a text"),
        ("ema", "release/d.md", [], "does not lie in the release"),
        ("ema", "d.md", ["--attacks", "zip3.csv"], "not what 'shoal attack --json' prints"),
        ("hipaa", "d.md", ["--populations", "attacks.json"], "three-digit ZIP areas"),
    ],
)
def test_bad_input_is_a_sentence(kind, target, more, says, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert run(["dossier", "release", "--as", kind, "-o", target, *more]) == 2
    assert says in capsys.readouterr().err
    assert not (folder / "d.md").exists()


def test_attacks_on_another_release_are_refused(folder, tmp_path, monkeypatch, capsys):
    people().write_csv(tmp_path / "people.csv")
    words = ["attack", str(folder / "release"), "--original", str(tmp_path / "people.csv")]
    run([*words, "--attacks", "exact_linkage", "--json"])
    (tmp_path / "attacks.json").write_text(capsys.readouterr().out, encoding="utf-8")
    gather(folder / "release", attacks=tmp_path / "attacks.json")
    other = shoal.anonymize(people(), quasi_identifiers=["age"], sensitive="ill", k=7)
    other.write(tmp_path / "other", ledger="off")
    monkeypatch.chdir(tmp_path)
    assert run(["dossier", "other", "--as", "ema", "-o", "d.md", "--attacks", "attacks.json"]) == 2
    assert "tried on another release" in capsys.readouterr().err
    assert not (tmp_path / "d.md").exists()


def test_an_altered_release_is_refused(tmp_path, capsys):
    frame = people(60)
    release = shoal.anonymize(frame, quasi_identifiers=["age"], sensitive="ill", k=5)
    release.write(tmp_path / "release", ledger="off")
    with (tmp_path / "release/data.csv").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert (
        run(["dossier", str(tmp_path / "release"), "--as", "ema", "-o", str(tmp_path / "d.md")])
        == 2
    )
    assert "does not agree with its manifest" in capsys.readouterr().err
    assert not (tmp_path / "d.md").exists()


def test_the_journal_of_a_session_is_told(folder, tmp_path):
    from shoal.audit import Journal
    from shoal.datasets import people as patients

    key, made = b"a key of 32 bytes, kept secret..", patients(200)
    with Journal.open(tmp_path / "ward.journal", key=key) as journal:
        plan = shoal.Plan(roles=made.table().roles, k=5)
        session = shoal.Session(made.table(), plan, journal=journal, actor="ada", seed=1)
        session.tell(session.ask(), "A")
    found = gather(folder / "release", journal=tmp_path / "ward.journal", key=key)
    text = to_markdown(DOSSIERS["ema"](found))
    assert "by 1 named people (1 answers, 0 releases); its chain holds: yes." in text
