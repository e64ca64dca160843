"""German beside English: every text has a translation, and no page shows one that has not."""

from __future__ import annotations

import ast
import re
import time
import tomllib
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from person import Person
from selenium.webdriver.common.by import By
from serving import table_of

import shoal
from shoal._words import catalogue, retell, speaking
from shoal.table.recognizing import _facts
from shoal.table.recognizing._identifiers import SHAPES

SOURCE = Path(shoal.__file__).parent
SPEAKING = [
    *(SOURCE / "web").rglob("*.py"),
    *(SOURCE / "report").glob("*.py"),
    SOURCE / "linked" / "_papers.py",
    SOURCE / "release" / "_people.py",
    SOURCE / "risk" / "_shifts.py",
    SOURCE / "tuning" / "_drawing.py",
]
AT_THE_PROMPT = {"_accounts.py", "_settings.py", "_connections.py", "__init__.py", "_linked.py"}
PLACE = re.compile(r"\{(\w+)")
PAGES = (
    *("table", "teach", "result", "journal", "people", "tune", "outliers", "later", "network"),
)
CELLS = {"yes", "no"}  # of the table, which are not translated
ENGLISH = re.compile(
    r"\b(the|and|of|is|are|that|were|with|this|who|what|people|row|rows|column|columns)\b"
)


def spoken_texts():
    """All texts that code says or will say: literals in say(...) and later(...)."""
    for path in [*SPEAKING, SOURCE / "_words.py"]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in ("say", "later") and node.args:
                said = node.args[0]
                if isinstance(said, ast.Constant):
                    yield said.value


def template(node):
    """An error message as a template, or None for one that is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [p.value if isinstance(p, ast.Constant) else "7" for p in node.values]
        return "".join(parts) if any(len(part) > 4 for part in parts) else None
    return None


def raised_texts():
    """Messages of errors that the web app raises itself, filled in."""
    for path in (SOURCE / "web").rglob("*.py"):
        if path.name in AT_THE_PROMPT or path.name == "_app.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                text = template(node.exc.args[0])
                if text and text[:1].isupper():
                    yield text


def test_every_text_has_a_german_one_and_no_german_one_is_left_over():
    told = tomllib.loads(files("shoal").joinpath("languages", "de.toml").read_text("utf-8"))
    known, texts = catalogue("de"), set(spoken_texts())
    assert (
        sorted(text for text in texts if re.search(r"[A-Za-z]{2}", text) and text not in known)
        == []
    )
    assert sorted(set(told["pages"]) - texts) == []
    odd = {
        key for key, text in known.items() if not {*PLACE.findall(text)} <= {*PLACE.findall(key)}
    }
    assert odd == set()


def test_what_the_web_app_refuses_is_told_in_german():
    with speaking("de"):
        left = {text for text in raised_texts() if retell(text) == text}
    assert left <= {"There is no built-in table named 7.", "There is no job of kind 7."}  # scripts'


def proposed_reasons():
    """Why a column has the role that is proposed: texts of guesses, with what they may name."""
    known = [*_facts.KNOWN.values(), *_facts.KEPT.values(), *SHAPES.values()]
    for path in (SOURCE / "table" / "recognizing").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Guess":
                text = ast.unparse(node.args[1])
                if text[:2] in ("f'", 'f"'):
                    filled = text[2:-1].replace("{WHICH}", _facts.WHICH)
                    yield from {re.sub(r"\{what\}", what, filled) for what in known}
                elif text[:1] in "'\"":
                    yield ast.literal_eval(text)


def test_why_a_role_is_proposed_is_told_in_german():
    with speaking("de"):
        left = {t for t in map(_filled, proposed_reasons()) if retell(t) == t and _real(t)}
    assert left == set()


def _filled(text):
    return re.sub(r"\{[^}]*\}", "7", text)


def _real(text):
    """Whether a guess can be worded so: what is kept is never known to others."""
    told = {f"Its values are {what}, {_facts.WHICH}." for what in _facts.KNOWN.values()}
    told |= {f"Its values are {what}." for what in _facts.KEPT.values()}
    told |= {f"Its values look like {what}." for what in SHAPES.values()}
    named = [*_facts.KNOWN.values(), *_facts.KEPT.values(), *SHAPES.values()]
    return text in told or (len(text) > 5 and not any(what in text for what in named))


class Texts(HTMLParser):
    """Collects what a page shows or says aloud."""

    def __init__(self):
        super().__init__()
        self.found, self.inside = set(), []

    def handle_starttag(self, tag, attrs):
        self.inside.append(tag)
        told = dict(attrs)
        self.found |= {
            told[name] for name in ("title", "aria-label", "placeholder") if told.get(name)
        }

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        if data.strip() and not {"script", "style", "code"} & set(self.inside):
            self.found.add(data.strip())


def texts_of(page):
    parser = Texts()
    parser.feed(page)
    return parser.found


def in_german(client, path):
    answer = client.get(path, headers={"accept-language": "de-AT,de;q=0.9", "accept": "text/html"})
    assert '<html lang="de"' in answer.text
    return texts_of(answer.text)


def left_english(texts):
    """Texts with English words, or that the catalogue has another word for."""
    known = {key: text for key, text in catalogue("de").items() if not PLACE.search(key)}
    return {t for t in texts - CELLS if ENGLISH.search(t) or known.get(t, t) != t}


def wanting_german(driver):
    """Let a browser ask for German from now on."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": "de"}})


def finished(client, id, kind):
    job = client.post(f"/api/tables/{id}/jobs", json={"kind": kind}).json()["id"]
    while client.get(f"/api/tables/{id}/jobs/{job}").json()["state"] in ("waiting", "running"):
        time.sleep(0.05)


def test_no_page_is_half_german(steward, anybody, site):
    answer = steward.post("/api/tables", params={"name": "leute.csv"}, content=table_of(60))
    id = answer.json()["id"]
    roles = {"age": "quasi_identifier", "disease": "sensitive", "readmitted": "target"}
    for column, role in roles.items():
        steward.patch(f"/api/tables/{id}/columns/{column}", json={"role": role})
    before = {path: in_german(steward, f"/t/{id}/{path}") for path in PAGES}
    finished(steward, id, "release")
    finished(steward, id, "compare")
    after = {f"{path} after": in_german(steward, f"/t/{id}/{path}") for path in PAGES}
    others = {
        path: in_german(steward, path) for path in ("/", "/study", "/linked", "/t/none/table")
    }
    left = {path: left_english(texts) for path, texts in {**before, **after, **others}.items()}
    assert {path: texts for path, texts in left.items() if texts} == {}


def test_the_browser_asks_and_the_reader_chooses(steward):
    assert 'lang="en"' in steward.get("/").text
    assert 'lang="de"' in steward.get("/", headers={"accept-language": "de"}).text
    chosen = steward.post("/language", data={"language": "de"}, follow_redirects=False)
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/")
    assert 'lang="de"' in steward.get("/").text
    assert 'lang="de"' in steward.get("/", headers={"accept-language": "en"}).text
    steward.post("/language", data={"language": "xx"})
    assert 'lang="de"' in steward.get("/").text
    refused = steward.get("/api/tables/none", headers={"accept-language": "en"})
    assert refused.json()["error"] == "Diese Tabelle gibt es nicht."


@pytest.mark.usefixtures("chromium")
def test_a_walk_in_german(server, browse, tmp_path):
    csv = tmp_path / "leute.csv"
    csv.write_bytes(table_of(90))
    driver = browse()
    wanting_german(driver)
    person = Person(driver, server)
    person.open()
    person.reads("Alle in der Menge verstecken")
    person.brings(csv)
    for page, words in {
        "table": "Ist die Tabelle so?",
        "teach": "Welche Gruppe passt besser zu dieser Person?",
        "outliers": "Wer fällt auf?",
        "result": "Das Ergebnis",
    }.items():
        person.page(page)
        person.reads(words)
        lines = {line.strip() for line in person.text.splitlines()}
        assert left_english(lines) == set(), page
    table = person.table
    person.clicks("button[data-value=release]")
    person.reads("Neu erstellen")
    person.reads("Risiko, Angriffe und Verlust, vorher und nachher")
    for page in ("result", *PAGES, "nowhere"):
        person.page(page)
        person.sees("h1")
        if page == "teach":
            person.reads("der Genauigkeit verloren")
        for fold in driver.find_elements(By.CSS_SELECTOR, "main details:not([open]) > summary"):
            driver.execute_script("arguments[0].click()", fold)
        lines = {line.strip() for line in person.text.splitlines()}
        assert left_english(lines) == set(), page
    driver.get_log("browser")  # the page that is not there
    person.open(f"{server.base}/t/{table}/result")
    person.clicks(".language button[value=en]")
    person.reads("Risk, attacks and loss, before and after")
    assert person.problems == []
