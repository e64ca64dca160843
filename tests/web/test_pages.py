"""What pages draw: nothing that a cell, a header or a file name says becomes markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from types import SimpleNamespace

import polars as pl
import pytest

from shoal.report import percent
from shoal.session import Question, Side
from shoal.web.pages import STEPS
from shoal.web.pages._frame import draw_document
from shoal.web.pages._page import Markup, h, icon, join, update_page
from shoal.web.pages._privacy import draw_privacy
from shoal.web.pages._question import draw_question, draw_sureness
from shoal.web.pages._result import ResultPage
from shoal.web.pages._table import TablePage, TableState, _columns, _exposed, _rows
from shoal.web.pages._teach import TeachPage

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


FOUR = ("table", "teach", "result", "journal")


class Tags(HTMLParser):
    """Collects the tags and the attributes of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.handlers, self.words = [], [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data):
        self.words += data


@pytest.fixture
def evil_space(site):
    """A table with scripts in its header and in its cells."""
    frame = pl.DataFrame(
        {
            EVIL: [f"{EVIL}{i % 3}" for i in range(40)],
            "age": [20 + i for i in range(40)],
            "disease": ["flu", EVIL] * 20,
        }
    )
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    frame.write_csv(folder / "table.csv")
    from shoal.web._first_look import read_first

    space = site._begin(
        visitor, folder, read_first(folder / "table.csv", site.settings.limits), EVIL
    )
    space.set_role(EVIL, "quasi_identifier")
    return space


def test_scripts_in_headers_and_cells_stay_text(evil_space):
    state = TableState(evil_space, open_tree=EVIL)
    page = join(
        *(part.html for part in _columns(state)),
        _exposed(state.found),
        _rows(evil_space),
        draw_privacy(evil_space),
    )
    found = Tags(page)
    assert "script" not in found.tags
    assert "img" not in found.tags
    assert found.handlers == []
    assert "<script>alert(1)</script>" in found.words  # it is shown, as text
    assert "script" in Tags(f"<b>{EVIL}</b>").tags  # the parser would have seen it


@pytest.mark.parametrize("way", ["similarity", "spelling"])
def test_a_ladder_is_built_from_the_data(evil_space, way):
    page = TablePage(evil_space)
    number = str(evil_space.table.column_names.index(EVIL))
    page.act(f"build:{way}", number)
    assert evil_space.plan.hierarchies[EVIL].endswith(".csv")
    assert evil_space.hierarchy(EVIL).n_leaves == 3


def test_scripts_in_a_question_stay_text():
    side = Side(
        0, 3, {"a": EVIL}, {"a": EVIL}, {"a": 0.5}, {"a": True}, {"a": f"a {EVIL} becomes *"}
    )
    page = draw_question(Question("0" * 32, 1, {"a": EVIL}, {"A": side, "B": side}))
    found = Tags(page)
    assert "script" not in found.tags
    assert found.handlers == []
    assert found.words.count("alert(1)") >= 3


def test_of_many_details_those_that_are_the_same_in_both_crowds_are_told_in_a_line():
    row = {"a": EVIL, "when": "2023-09-27T12:55:00", **{f"q{i}": str(i) for i in range(8)}}

    def side(widened):
        after = {name: "*" if name in widened else value for name, value in row.items()}
        changed = {name: name in widened for name in row}
        cost = {name: 0.5 * changed[name] for name in row}
        words = {name: f"{name} {row[name]} is no longer told" for name in widened}
        return Side(0, 3, {**row, "q0": "[0, 7]"}, after, cost, changed, words)

    sides = {"A": side(("a", "q0", "q1")), "B": side(("a", "q0"))}
    page = draw_question(Question("0" * 32, 1, row, sides))
    found = Tags(page)
    assert page.count("<tr>") == 3  # the head, what differs, and the foot
    assert 'class="both"' in page
    assert "script" not in found.tags
    assert f"Coarser in both, and as much: a {EVIL}, q0 0" in found.words
    assert "Stays in both: when 2023-09-27 12:55, q2 2," in found.words
    few = {name: row[name] for name in ("a", "q0", "q1")}
    small = draw_question(Question("0" * 32, 1, few, sides))
    assert 'class="both"' not in small  # where all can be seen at once, nothing is put aside
    assert "the crowd now: 0-7" in small  # as the sentence beside it writes spans


def test_a_lost_detail_is_told_in_words_and_by_an_icon():
    """Not by colour alone."""
    lost = Side(
        0, 3, {"a": "1"}, {"a": "[1, 5]"}, {"a": 0.5}, {"a": True}, {"a": "a 1 becomes 1-5"}
    )
    kept = Side(1, 3, {"a": "1"}, {"a": "1"}, {"a": 0.0}, {"a": False}, {})
    page = draw_question(Question("0" * 32, 1, {"a": "1"}, {"A": lost, "B": kept}))
    cells = re.findall(r"<td class=\"(loses|keeps)\">(.*?)</td>", page)
    assert [kind for kind, _ in cells] == ["loses", "keeps"]
    assert "a 1 becomes 1-5" in Tags(cells[0][1]).words
    assert "stays" in cells[1][1]
    paths = [re.search(r'<path d="([^"]+)"', cell)[1] for _, cell in cells]
    assert paths[0] != paths[1]


def test_no_page_has_a_style_or_a_script_of_its_own(site):
    """The content policy allows neither; a bar is an attribute of an SVG."""
    visitor = site.visitors.new("steward")
    space = site.take_built_in(visitor, "people", 200)
    space.make_release()
    for step in STEPS:
        page = draw_document(step.title, step.open(space), visitor, STEPS, space)
        assert " style=" not in page, step.path
        assert "<style" not in page
        assert re.findall(r"<script[^>]*>", page) == [
            '<script defer src="/static/shoal.js">',
            '<script defer src="/static/tree.js">',
        ]
        assert not Tags(page).handlers
        assert not re.search(r"""(src|href)=["'](https?:)?//""", page)


def test_only_what_reads_differently_is_sent_again(site):
    space = site.take_built_in(site.visitors.new("steward"), "people", 200)
    page = TeachPage(space)
    first = update_page(page, "", "", {})
    have = {name: part["version"] for name, part in first["fragments"].items()}
    assert {"question", "learned", "sliders"} <= set(have)
    again = update_page(page, "", "", have)["fragments"]
    assert not {"question", "learned", "sliders", "limits"} & set(again)
    asked = space.session.ask().id
    answered = update_page(page, f"answer:{asked}", "A", have)["fragments"]
    assert {"question", "buttons", "learned"} <= set(answered)
    assert "limits" not in answered
    update_page(page, f"answer:{asked}", "B", have)  # the key was pressed twice
    assert (space.session.answers, space.session.skipped) == (1, 0)


def test_what_goes_wrong_is_a_sentence_and_everything_is_shown_as_it_is(site):
    space = site.take_built_in(site.visitors.new("steward"), "people", 200)
    page = TablePage(space)
    have = {part.name: part.version for part in page.fragments()}
    told = update_page(page, "k", "many", have)
    assert told["kind"] == "trouble"
    assert told["say"] == "k must be a number."
    assert set(told["fragments"]) == {*have, "promise"}
    broken = update_page(page, "role:99", "other", have)
    assert "nothing was lost" in broken["say"]


def test_markup_escapes_attributes_and_text():
    assert h("a", "<", title='"') == '<a title="&quot;">&lt;</a>'
    assert h("p", Markup("<b>x</b>"), None, "&") == "<p><b>x</b>&amp;</p>"
    assert h("input", value="<", disabled=True, hidden=False) == '<input value="&lt;" disabled>'


def test_controls_have_labels(evil_space):
    state = TableState(evil_space)
    page = join(*(part.html for part in _columns(state)), draw_privacy(evil_space))
    for control in re.findall(r"<select[^>]*>|<input[^>]*number[^>]*>", page):
        assert "aria-label=" in control
    assert page.count("<fieldset") == page.count("<legend")


def test_the_navigation_is_a_table_of_pages():
    paths = [step.path for step in STEPS]
    assert len(paths) == len(set(paths))
    assert [path for path in paths if path in FOUR] == list(FOUR)


def contrast(one, other):
    """Contrast of two colours (WCAG 2.2)."""

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    a, b = sorted((light(one), light(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme):
    """AA asks for 4.5; the pairs are those of the style sheet."""
    from importlib.resources import files

    style = files("shoal.web").joinpath("static/shoal.css").read_text()
    light, dark = re.findall(r":root \{(.*?)\}", style, re.S)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light)) | {"paper": "#ffffff"}
    if scheme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark))
    for ink, ground in (
        ("ink", "paper"), ("ink", "sand"), ("quiet", "paper"), ("quiet", "sand"), ("quiet", "foam"),
        ("sea", "paper"), ("deep", "foam"), ("good", "paper"), ("bad", "paper"),
        ("warn", "warn-tint"), ("ink", "warn-tint"), ("good", "good-tint"),
        ("paper", "sea"), ("paper", "deep"), *((("paper", "b"),) if scheme == "light" else ()),
    ):  # fmt: skip
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    assert contrast("#777777", "#999999") < 4.5  # the measure can say no


def test_what_is_promised_stands_on_every_page_and_follows_the_plan(site):
    visitor = site.visitors.new("steward")
    space = site.take_built_in(visitor, "people", rows=200)
    for step in STEPS:
        page = draw_document(step.title, step.open(space), visitor, STEPS, space)
        assert "k 10 \u00b7 l 3 \u00b7 ranges" in page, step.title
    page = STEPS[0].open(space)
    space.decide(k=25)
    assert "k 25 \u00b7" in update_page(page, "", "", {})["fragments"]["promise"]["html"]
    space.decide(method="quantize", l=None, k=None)
    moved = update_page(page, "", "", {})["fragments"]["promise"]["html"]
    assert "no k is promised" in moved
    assert "amber" in moved


def test_a_promise_of_some_columns_does_not_pass_for_one_of_all(site):
    visitor = site.visitors.new("steward")
    space = site.take_built_in(visitor, "people", rows=200)
    space.set_role("marital_status", "sensitive")
    space.set_role("admitted", "drop")
    space.set_role("visits", "drop")
    space.decide(l={"diagnosis": 3})
    left = "Nothing is asked of marital_status: a crowd may be alike in it."
    assert "l 3 (1 of 2 columns)" in space.promise.words
    page = TablePage(space)
    assert left in update_page(page, "", "", {})["fragments"]["privacy"]["html"]
    space.make_release()
    assert left in draw_document("Result", ResultPage(space), visitor, STEPS, space)
    space.decide(l=2)
    assert left not in update_page(page, "", "", {})["fragments"]["privacy"]["html"]


def test_the_result_is_amber_over_columns_that_nobody_accepted(site):
    visitor = site.visitors.new("steward")
    space = site.take_built_in(visitor, "people", 200)
    space.set_role("admitted", "other")
    space.set_role("visits", "drop")
    space.make_release()
    page = draw_document("Result", ResultPage(space), visitor, STEPS, space)
    assert 'class="verdict amber"' in page
    assert "nobody accepted admitted" in page
    assert "are unique on all that is published" in page
    assert "A draft: it enters the ledger" in page
    space.set_role("admitted", "publish_as_is")
    released = space.make_release()
    page = draw_document("Result", ResultPage(space), visitor, STEPS, space)
    assert "nobody accepted" not in page
    share = released.manifest["singling_out"]["share_unique_plain"]
    assert f"{percent(share)} stand out by columns that were accepted by name" in page
    assert 'class="verdict amber"' in page  # accepted or not: no shield over people who stand out
    assert str(icon("shield")) not in page
    space.set_role("admitted", "drop")
    space.make_release()
    page = draw_document("Result", ResultPage(space), visitor, STEPS, space)
    assert 'class="verdict good"' in page
    assert "Nobody stands out" in page


@pytest.mark.parametrize(
    ("answers", "sure", "left", "words"),
    [
        (0, 0.0, 24, "About 24 answers will probably tell what matters to you."),
        (0, 0.5, 0, "Whatever matters to you, the groups would hardly change."),
        (20, 0.7, 6, "about 6 more answers tell whether these were chance."),
        (33, 0.94, 0, "That is enough: more answers would hardly change the groups"),
        (20, 0.94, 1, "About 1 more answer."),
        (4, 0.2, 7, "About 7 more answers."),
    ],
)
def test_words_of_certainty_fit_the_number_beside_them(answers, sure, left, words):
    session = SimpleNamespace(
        answers=answers, sureness=sure, answers_left=left, skipped=0, settled=sure > 0.5
    )
    drawn = draw_sureness(session)
    assert words in drawn
    assert f"<b>{sure:.0%}</b>" in drawn
    assert ("That is enough" in drawn) == (answers > 0 and left == 0)
