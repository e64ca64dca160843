from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import crowded_town
import polars as pl
import pytest
from crowded_town import summarized, town

from shoal.report import ModelSummary, rename_columns, render_html, render_json, render_text

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Checker(HTMLParser):
    """Every tag is closed by its own kind; links and sources are collected."""

    def __init__(self):
        super().__init__()
        self.open, self.outside = [], []

    def handle_starttag(self, tag, attrs):
        self.outside += [v for name, v in attrs if name in ("src", "href", "xlink:href", "action")]
        assert tag not in ("script", "iframe", "link", "object"), tag
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in ("line", "path", *VOID)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def summary():
    return summarized(n=1500, warnings=["3 cells look odd."], stamps=["not for publication"])[2]


def test_the_page_is_well_formed_and_asks_nobody(summary):
    page = render_html(summary, [{"model": "10-anonymity", "recounted": 10}])
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert checker.outside == []
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|url\(|@import", page)
    assert len(page) < 200_000


def test_the_page_tells_a_steward_what_is_needed(summary):
    page = render_html(summary, [{"model": "10-anonymity", "recounted": 10}])
    for words in [
        "Every row hides in a crowd of at least 10 on the quasi-identifiers named",
        "and nothing else that is published",
        "looks exactly like at least 9 others on age, sex, zip, job and admitted",
        "not for publication",
        "What was lost",
        "Before and after",
        "Crowds and risk",
        "A look at the release",
        "What is not promised",
        "Singling out",
        "times the best possible",
        "python verify.py",
        "prefers-color-scheme: dark",
        "@media print",
    ]:
        assert words in page, words
    for private in ["3 cells look odd.", "1 column"]:  # of all rows, and of dropped columns
        assert private not in page, private
    assert "3 cells look odd." in render_text(summary)


def test_a_loss_below_its_bound_is_never_praised(summary):
    broken = replace(summary, utility={"ngil": 0.1, "ngil_bound": 0.2})
    for text in (render_html(broken), render_text(broken)):
        assert "times" not in text.partition("What was lost")[2].partition("<h2>")[0]
        assert "best possible" not in text
    close = replace(summary, utility={"ngil": 0.1001, "ngil_bound": 0.1})
    assert "within 1.01 times" in render_html(close)


def test_no_page_calls_data_anonymous(summary):
    for text in (render_html(summary), render_text(summary), render_json(summary)):
        assert not re.search(r"\banonymous\b|\banonymised\b|\banonymized\b", text)


def test_no_value_of_few_people_is_on_any_page(monkeypatch):
    frame = town(900)
    rare = {"age": "103.5", "job": "CANARY-job", "zip": "CANARY-zip", "name": "CANARY-name"}
    frame = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 17).then(pl.lit(value)).otherwise(name).alias(name)
        for name, value in rare.items()
    )
    monkeypatch.setattr(crowded_town, "town", lambda n, seed: frame)
    table, recoded, summary = summarized(n=900)
    released = recoded.release_frame(table)
    for text in (render_html(summary), render_text(summary), render_json(summary)):
        assert "CANARY" not in text
        if not released["age"].str.contains("103.5").any():
            assert "103.5" not in text
        assert "astronaut" not in text
        assert "Person 1" not in text


def test_whatever_is_in_a_name_stays_text(summary):
    evil = "<script>alert(1)</script>"
    nasty = rename_columns(summary, {"job": evil})
    nasty = replace(nasty, warnings=(evil,), method=evil, preset=evil, stamps=(evil,))
    page = render_html(nasty)
    assert evil not in page
    checker = Checker()
    checker.feed(page)
    assert checker.open == []


def test_the_headline_never_says_more_than_holds(summary):
    failing = replace(summary, models=(ModelSummary("10-anonymity", 10, 3, holds=False),))
    assert "Not fit for release: 10-anonymity does not hold" in render_html(failing)
    none = replace(summary, k=None, models=())
    assert "without a promise of k" in render_html(none)
    assert "Every row hides" not in render_html(none)
    one = replace(summary, k=1)
    assert "Not protected" in render_html(one)
    people = replace(summary, people=True)
    assert "Every person hides in a crowd" in render_html(people)


def test_nothing_to_draw_is_no_crash(summary):
    empty = replace(
        summary,
        attributes=tuple(replace(a, distribution=None) for a in summary.attributes[:1]),
        utility={},
        risk={},
        warnings=(),
    )
    assert "nothing to draw" in render_html(empty)
    assert render_html(replace(empty, attributes=()))
    assert render_text(replace(empty, attributes=()))


def test_json_is_plain_and_complete(summary):
    data = json.loads(render_json(replace(summary, utility={"worst": float("inf")})))
    assert data["utility"] == {"worst": "inf"}
    assert data["holds"] is True
    assert data["group_sizes"]["smallest"] == 10
    assert [a["name"] for a in data["attributes"]] == ["age", "sex", "zip", "job", "admitted"]


def test_text_fits_a_terminal(summary):
    text = render_text(summary)
    assert max(map(len, text.splitlines())) <= 100
    first, second = text.splitlines()[:2]
    assert first == "NOT FOR PUBLICATION"
    assert second.startswith("Every row hides in a crowd of at least 10 on the quasi-identifiers")
    assert "Lost of each quasi-identifier" in text


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_meets_wcag_aa_in_light_and_dark(summary):
    page = render_html(summary)
    blocks = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    for block in blocks[:2]:
        colour = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
        for ink in ("ink", "quiet", "accent"):
            for ground in ("ground", "paper", "tint"):
                assert contrast(colour[ink], colour[ground]) >= 4.5, (ink, ground)
        for name in ("good", "bad", "warn"):
            assert contrast(colour[name], colour[f"{name}-tint"]) >= 4.5, name
        for mark in ("before", "after"):
            assert contrast(colour[mark], colour["paper"]) >= 2.8, mark
