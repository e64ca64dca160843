"""Reports in German: every shape speaks it throughout, numbers too; the data stay as they are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser

import pytest
from crowded_town import JOBS, ROLES, TREES, summarized, town
from report_shapes import OUTCOMES, shapes

from shoal import Anonymizer, DistinctLDiversity, Generalize, KAnonymity
from shoal._words import catalogue, speaking
from shoal.report import render_attacks, render_html
from shoal.risk import ATTACKS, AttackReport, AttackResult, find_threshold
from shoal.table import read_table

ENGLISH = re.compile(
    r"\b(the|and|of|is|are|that|were|with|this|who|what|people|row|rows|column|columns|before"
    r"|after|under|over|fewer|than|group|at least|not|no|by|holds?)\b"
)
FROM_THE_TABLE = {*JOBS, *JOBS.values(), "none", "no", "south", "north", "yes"}


class Texts(HTMLParser):
    """Collects what a page shows or says aloud, apart from cells of the table."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside = set(), []
        self.feed(re.sub(r'<table class="sample">.*?</table>', "", page, flags=re.DOTALL))

    def handle_starttag(self, tag, attrs):
        self.inside.append(tag)
        self.found |= {value for name, value in attrs if name == "aria-label"}

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        if data.strip() and not {"style", "code"} & set(self.inside):
            self.found.add(data.strip())


@pytest.fixture(scope="module")
def summaries():
    stamp = "not for publication: made with a seed, which can undo it"
    why = "up to 30,000 rows there is time for the cheapest crowd first"
    method = "SaNGreeA(order='best-first')"
    return shapes(summarized(n=600, stamps=[stamp], why=why, method=method)[2])


def left_english(page):
    known = {key: text for key, text in catalogue("de").items() if "{" not in key}
    told = {re.sub(r"\(?'\w+-?\w*'\)?", "", text) for text in Texts(page).found - FROM_THE_TABLE}
    return {text for text in told if ENGLISH.search(text) or known.get(text, text) != text}


def test_every_shape_of_a_report_is_german_throughout(summaries):
    left = {
        name: left_english(render_html(summary, OUTCOMES, language="de"))
        for name, summary in summaries.items()
    }
    assert {name: texts for name, texts in left.items() if texts} == {}


def test_a_report_is_the_same_however_its_language_is_asked_for(summaries):
    summary = summaries["plain"]
    with speaking("de"):
        german = render_html(summary, OUTCOMES)
        english = render_html(summary, OUTCOMES, language="en")
    assert german == render_html(summary, OUTCOMES, language="de")
    assert english == render_html(summary, OUTCOMES)
    assert [re.findall('<html lang="(.*?)">', page) for page in (german, english)] == [
        ["de"],
        ["en"],
    ]


def test_numbers_and_months_are_written_as_germans_do(summaries):
    page = render_html(summaries["grown"], OUTCOMES, language="de")
    assert "<td>1.040</td>" in page
    assert "<td>12,3\xa0%</td>" in page
    drawn = render_html(summaries["plain"], OUTCOMES, language="de")
    assert re.search(r">vor \d\d\.2021: \d+\xa0% vorher", drawn)
    assert not re.search(r"\d\.\d+\xa0%", drawn)


def test_attacks_are_told_in_german():
    results = [
        AttackResult(name, rate=0.02 + 0.03 * i, baseline=0.011, people=1000 + i, control=control)
        for i, (name, control) in enumerate(zip(ATTACKS, [0.01, None] * len(ATTACKS), strict=False))
    ]
    skipped = AttackResult.skipped(next(iter(ATTACKS)), "Nobody was held out: give --control.")
    for preset in ("public", "internal"):
        report = AttackReport((*results, skipped), find_threshold(preset))
        with speaking("de"):
            assert left_english(render_attacks(report)) <= {*ATTACKS}


def released(folder, language):
    table = read_table(town(120), roles=ROLES, kinds={"zip": "code"})
    models = [KAnonymity(5), DistinctLDiversity(2, "disease")]
    release = Anonymizer("auto", Generalize(TREES), models).fit(table).release_
    return release.write(folder, ledger="off", language=language).folder


def test_a_german_release_differs_in_its_report_alone(tmp_path):
    english, german = (released(tmp_path / name, name) for name in ("en", "de"))
    for path in german.iterdir():
        if path.name not in ("report.html", "manifest.json"):
            assert path.read_bytes() == (english / path.name).read_bytes(), path.name
    manifests = [json.loads((f / "manifest.json").read_text("utf-8")) for f in (english, german)]
    for manifest in manifests:
        manifest["files"].pop("report.html")
    assert manifests[0] == manifests[1]
    checked = subprocess.run(
        [sys.executable, "verify.py"], cwd=german, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def numbers_in(page):
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    body = re.sub(r'<text[^>]* class="middle small">.*?</text>', "", body)  # cut to their room
    return sorted(re.findall(r"\d+", unescape(" ".join(re.findall(r">([^<]+)<", body)))))


def test_the_german_report_prints_the_numbers_of_the_english_one(summaries):
    """Everything public can be recomputed: a language changes words, never a number."""
    for name, summary in summaries.items():
        english, german = (render_html(summary, OUTCOMES, language=it) for it in ("en", "de"))
        assert numbers_in(english) == numbers_in(german), name
