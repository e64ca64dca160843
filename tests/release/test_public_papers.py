"""Everything public follows from data.csv and the hierarchies; who is left out changes nothing."""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from html import unescape

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal import Anonymizer, DistinctLDiversity, Generalize, KAnonymity, TCloseness
from shoal.anonymizer import grid_for
from shoal.hierarchies import Calendar, Intervals, Taxonomy
from shoal.risk import measure_exposure
from shoal.table import Grouping, Roles, read_table

QUASI = ("age", "born", "zip", "job", "sex")
LADDER = [
    *[(job, "care", "*") for job in ("nurse", "doctor")],
    *[(job, "office", "*") for job in ("clerk", "judge")],
]
ROLES = Roles("name", QUASI, "ill")
LIMIT = 0.05


def town(n=160, seed=4):
    rng = np.random.default_rng(seed)
    day = np.datetime64("1950-01-01") + rng.integers(0, 20_000, n)
    return pl.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "age": [None if i % 41 == 0 else int(a) for i, a in enumerate(rng.integers(18, 90, n))],
            "born": day.astype(str),
            "zip": [
                f"{8 * 10 ** int(rng.integers(2, 4)) + int(z)}" for z in rng.integers(0, 90, n)
            ],
            "job": [LADDER[i][0] for i in rng.integers(0, len(LADDER), n)],
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["flu", "cold", "gout"], n),
            "pay": np.round(rng.normal(0, 2, n)) * 1.5,
        }
    )


def release_of(frame, labels=None, **more):
    """Release a table; with the groups given, or as the anonymizer likes."""
    table = read_table(frame, roles=ROLES, kinds={"zip": "code"})
    recoder = Generalize({"job": Taxonomy.from_ladder(LADDER)}, **more)
    models = [KAnonymity(4), TCloseness(0.8, "ill"), DistinctLDiversity(1, "ill")]
    grouping = "auto" if labels is None else Given([*map(int, labels)])
    return Anonymizer(grouping, recoder, models, suppression_limit=LIMIT).fit(table).release_


class Given(shoal.SaNGreeA):
    """A grouper that was told who hides with whom."""

    def __init__(self, labels):
        super().__init__()
        self.labels = labels

    def fit(self, problem, progress=None):
        self.grouping_ = Grouping(np.asarray(self.labels))
        self.method_ = "given"
        return self


def papers(release, folder):
    written = release.write(folder, ledger="off").folder
    return {p.name: p.read_bytes() for p in written.iterdir() if p.name != "verify.py"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a release from which somebody extreme is left out."""
    frame = town()
    order = frame.with_row_index("row").sort("zip", "sex", "job")["row"].to_numpy()
    labels = np.argsort(order) // 8
    labels[[3, 77]] = -1
    frame[3, "age"], frame[77, "age"] = 117, 3
    path = tmp_path_factory.mktemp("papers") / "out"
    release_of(frame, labels).write(path, ledger="off")
    return path


# ------------------------------------------------------------------ recomputing, on its own


def ends(text):
    """Both ends of a number, a date or an interval of them."""
    found = re.fullmatch(r"\[(.+), (.+)\]", text)
    return [place(end) for end in (found.groups() if found else (text, text))]


def place(text):
    if "-" in text[1:]:
        return float(np.datetime64(text).astype("datetime64[D]").astype(int))
    return float(text)


def loss_of(column, texts):
    """Loss of every cell, from the texts and the public tree alone."""
    told = [text for text in texts if text not in ("", "*")]
    if column in ("age", "born"):
        places = [end for text in told for end in ends(text)]
        reach = max(places) - min(places)
        return [
            0.0 if text == "" else 1.0 if text == "*" else (ends(text)[1] - ends(text)[0]) / reach
            for text in texts
        ]
    if column == "zip":
        longest = max(map(len, told))
        return [1.0 if text == "*" else text.count("*") / longest for text in texts]
    heights = {"*": 1.0} | ({"care": 0.5, "office": 0.5} if column == "job" else {})
    return [heights.get(text, 0.0) for text in texts]


def t_of(rows):
    """How far sensitive values of a group are from those of all released rows."""
    everybody = Counter(row["ill"] for row in rows)
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in QUASI), Counter())[row["ill"]] += 1
    return max(
        sum(abs(g[v] / g.total() - n / len(rows)) for v, n in everybody.items()) / 2
        for g in groups.values()
    )


def singling_of(rows):
    """Who is alone on all that is published, in two digits; nobody accepted ``pay``."""

    def share(*names):
        seen = Counter(tuple(row[name] for name in names) for row in rows)
        return float(f"{sum(n == 1 for n in seen.values()) / len(rows):.2g}")

    told = share(*QUASI, "pay")
    return {
        "share_unique": share(*rows[0]),
        "share_unique_plain": told,
        "columns": {"pay": told} if told > 0.05 else {},
        "accepted": [],
        "open": ["pay"] if told > 0.05 else [],
        "twins": [],
        "sets": [],  # one column has no set
        "helps_most": "pay" if told >= 0.005 else None,
    }


def recomputed(path):
    """Compute the numbers of a manifest from the rows of its data file."""
    with open(path / "data.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sizes = Counter(tuple(row[name] for name in QUASI) for row in rows)
    losses = {}
    for name in QUASI:
        losses[name] = round(math.fsum(loss_of(name, [r[name] for r in rows])) / len(rows), 6)
    return {
        "rows": len(rows),
        "groups": len(sizes),
        "k": min(sizes.values()),
        "t": t_of(rows),
        "l": min(len({r["ill"] for r in rows if tuple(r[n] for n in QUASI) == g}) for g in sizes),
        "loss_by_attribute": losses,
        "ngil": round(math.fsum(losses.values()) / len(losses), 6),
        "singling_out": singling_of(rows),
        "discernibility": sum(size**2 for size in sizes.values()),
        "average": len(rows) / len(sizes),
        "largest": max(sizes.values()),
        "hidden": {n: sum(r[n] == "*" for r in rows) / len(rows) for n in QUASI},
        "exact": {
            n: sum(x == 0 for x in loss_of(n, [r[n] for r in rows])) / len(rows) for n in QUASI
        },
    }


def test_the_manifest_can_be_recomputed_byte_for_byte(folder):
    text = (folder / "manifest.json").read_text("utf-8")
    manifest, found = json.loads(text), recomputed(folder)
    recounted = {h["measure"]: h["recounted"] for h in manifest["holds"]}
    assert recounted.pop("t_equal") == pytest.approx(found["t"], abs=1e-11)
    assert recounted == {"k": found["k"], "distinct_l": found["l"]}
    again = manifest | {
        "suppressed": "fewer than 5 %",  # a step that 0 to 7 of 160 rows share
        **{name: found[name] for name in ("rows", "groups", "ngil", "loss_by_attribute")},
        "singling_out": found["singling_out"],
        "draft": False,
    }
    assert json.dumps(again, indent=2, ensure_ascii=False) + "\n" == text
    known = {
        *("shoal", "format", "file", "rows", "groups", "suppressed", "counts", "holds"),
        *("quasi_identifiers", "columns", "columns_dropped", "ngil", "loss_by_attribute"),
        *("method", "preset", "stamps", "not_promised", "files", "loss_measured_by"),
        *("draft", "singling_out"),
    }
    assert {*manifest["loss_measured_by"].values()} <= {"width", "height"}  # settings, no counts
    assert {*manifest} == known  # a new key must be recomputed above before it is published


def percent(share):
    if 0 < share < 0.001:
        return "<0.1\xa0%"
    return f"{100 * share:.1f}".removesuffix(".0") + "\xa0%"


def test_the_report_prints_nothing_but_what_can_be_recomputed(folder):
    page, found = (folder / "report.html").read_text("utf-8"), recomputed(folder)
    for name in QUASI:
        assert f"{percent(round(found['exact'][name], 4))} of cells as they were" in page
        assert f"{percent(round(found['hidden'][name], 4))} hidden" in page
        assert f">{percent(found['loss_by_attribute'][name])}</text>" in page
    assert f"<b>{percent(found['ngil'])}</b>" in page
    assert f"<b>{found['rows']}</b>" in page
    assert "<b>&lt;5 %</b>" in page
    numbers = re.findall(r'<td class="value">(.*?)</td>', page)
    assert numbers[1] == f"{found['discernibility']:,}"
    assert numbers[2] == f"{found['average']:.1f}" or numbers[2] == f"{found['average']:.3g}"
    for private in ("times the best", "Non-uniform", "worst group", "that name people left out"):
        assert private not in page
    for bars in re.findall(r"<title>(.*?)</title>", page):
        for share in re.findall(r"([\d.]+)\xa0% before", unescape(bars)):
            assert float(share) == int(float(share)), "two digits and no more"


# ------------------------------------------------------------------ who is left out plays no part


@settings(max_examples=10, deadline=None)
@given(
    age=st.one_of(st.none(), st.integers(-(10**6), 10**6)),
    born=st.dates().filter(lambda day: day.year > 1000),
    zipped=st.text("0123456789", min_size=1, max_size=9),
    sex=st.sampled_from(["f", "m", "x"]),
    ill=st.sampled_from(["flu", "cold", "gout", "plague"]),
    gone=st.integers(1, 4),
)
def test_papers_do_not_depend_on_the_values_of_suppressed_people(
    tmp_path_factory, age, born, zipped, sex, ill, gone
):
    frame = town(80)
    labels = np.arange(80) // 8
    labels[:4] = [-1 if i < gone else 0 for i in range(4)]
    plain = papers(release_of(frame, labels), tmp_path_factory.mktemp("a") / "out")
    changed = frame.with_columns(
        pl.when(pl.int_range(pl.len()) < gone)
        .then(pl.lit(value, dtype))
        .otherwise(name)
        .alias(name)
        for name, value, dtype in (
            ("age", age, pl.Int64),
            ("born", str(born), pl.String),
            ("zip", zipped, pl.String),
            ("sex", sex, pl.String),
            ("ill", ill, pl.String),
        )
    )
    other = papers(release_of(changed, labels), tmp_path_factory.mktemp("b") / "out")
    assert other == plain


@pytest.mark.parametrize(
    ("column", "value", "how"),
    [
        ("age", "34.000000001", {"grid": {"age": 5}}),  # ends of cells would have nine decimals
        ("age", "34.5", {"grid": True}),
        ("age", "4000000", {"grid": True}),  # a twentieth of the range would be the step
        ("age", "34.5", {"hierarchies": {"age": Intervals([5, 10])}}),  # [30, 34] or [30, 35)
        ("born", "1990-02-02T10:00:00", {"hierarchies": {"born": Calendar()}}),  # a level more
    ],
)
def test_how_a_suppressed_value_is_written_shows_nowhere(tmp_path, column, value, how):
    frame = town(80).with_columns(pl.col("age").cast(pl.String)).sort(column)
    changed = frame.with_columns(
        pl.when(pl.int_range(pl.len()) < 1).then(pl.lit(value)).otherwise(column).alias(column)
    )
    labels = np.arange(80) // 8
    labels[0] = -1
    plain, other = (
        papers(_released(table, labels, how), tmp_path / str(at))
        for at, table in enumerate((frame, changed))
    )
    assert other == plain


def _released(frame, labels, how):
    kinds = {"age": "numeric", "born": "date"}
    table = read_table(frame, roles=Roles("name", ("age", "born"), "ill"), kinds=kinds)
    given = Given([*map(int, labels)])
    return Anonymizer(given, Generalize(**how), [KAnonymity(4)], 0.05).fit(table).release_


def test_how_a_suppressed_value_is_written_does_not_choose_a_grid(tmp_path):
    """Of twelve ages an audience's grid has steps of 2; one half year made them 0.5."""
    frame = town(80).with_columns(age=pl.Series([str(30 + i // 7) for i in range(80)]))
    labels = np.arange(80) // 8
    labels[0] = -1
    found = []
    for age in ("30", "34.5"):
        frame[0, "age"] = age
        table = read_table(frame, roles=Roles("name", ("age",), "ill"), kinds={"age": "numeric"})
        how = {"grid": grid_for(table, preset="public")}
        found.append(papers(_released(frame, labels, how), tmp_path / age))
    assert found[0] == found[1]


@pytest.mark.parametrize("hidden", ["62", "79.5", "95", "117"])
def test_a_value_that_a_label_hides_shows_in_no_paper(tmp_path, hidden):
    """Bars of what labels cover reached from the least to the greatest value of real people."""
    ages = [str(20 + i % 59) for i in range(60)]
    known = {*map(str, range(130)), "79.5"}
    names = ((25, "student"), (60, "worker"), (200, "retired"))
    rungs = [(a, next(name for top, name in names if float(a) < top), "*") for a in sorted(known)]
    tree, found = Taxonomy.from_ladder(rungs), []
    for age in ("70", hidden):
        frame = pl.DataFrame(
            {"name": ages, "age": [*ages[1:], age], "born": "2000-01-01", "ill": "flu"}
        )
        labels = np.searchsorted([25, 60], frame["age"].cast(pl.Float64), side="right")
        how = {"hierarchies": {"age": tree}}
        found.append(papers(_released(frame, labels, how), tmp_path / age))
    assert found[0] == found[1]
    assert b"retired: " in found[0]["report.html"]  # there are bars


def test_papers_do_not_tell_whether_one_more_person_was_left_out(tmp_path):
    frame = town(80)
    labels = np.arange(80) // 8
    extra = frame[:1].with_columns(age=pl.lit(117, pl.Int64), ill=pl.lit("plague"))
    with_extra = pl.concat([frame, extra])
    plain = papers(release_of(frame, labels), tmp_path / "a")
    assert papers(release_of(with_extra, np.append(labels, -1)), tmp_path / "b") == plain


@pytest.mark.parametrize(("k", "told"), [(4, True), (10, True), (11, False), (25, False)])
def test_a_twin_of_fewer_than_k_people_is_told_to_the_steward_alone(tmp_path, k, told):
    """In the one crowd of several counties, ``ward`` tells that of ten people."""
    frame = pl.DataFrame(
        {
            "county": [*"AAAAAAAAAABBBBBBBBBBCCCCCCCCCC", *"D" * 60],
            "ward": [*"aaaaaaaaaabbbbbbbbbbbbbbbbbbbb", *"def" * 20],
            "ill": ["flu", "gout"] * 45,
        }
    )
    table = read_table(frame, roles=Roles(quasi_identifiers="county", sensitive="ill"))
    crowds = np.arange(90) // 30
    release = Anonymizer(Given([*crowds]), Generalize(), [KAnonymity(k)]).fit(table).release_
    private = measure_exposure(table, crowds).twins
    assert [(t.telling, t.told, t.people) for t in private] == [("ward", "county", 10)]
    assert "'ward' tells 'county'" in " ".join(release.summary.warnings)
    papers(release, tmp_path / "out")
    found = release.manifest["singling_out"]
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert found["twins"] == ([{"telling": "ward", "told": "county"}] if told else [])
    assert found["open"] == (["ward"] if told else [])
    assert ("ward tells county again" in page) == told


@pytest.mark.parametrize(("alone", "told"), [(0, 0.0), (1, 0.0), (4, 0.0), (5, 0.12), (9, 0.12)])
def test_a_share_of_people_is_told_in_whole_steps(tmp_path, alone, told):
    """Whose rows are whose cannot be seen in a release: a share of people may not tell of one."""
    frame = pl.DataFrame(
        {
            "who": [f"Person {i // 2}" for i in range(80)],
            "county": [f"c{i // 16}" for i in range(80)],
            "note": [f"own {i // 2}" if i // 2 < alone else "all" for i in range(80)],
            "ill": ["flu"] * 80,
        }
    )
    roles = Roles(person="who", quasi_identifiers="county", sensitive="ill")
    table = read_table(frame, roles=roles)
    release = Anonymizer("auto", Generalize(), [KAnonymity(4)]).fit(table).release_
    papers(release, tmp_path / "out")
    found = release.manifest["singling_out"]
    assert (found["share_unique"], found["share_unique_plain"]) == (told, told)
    assert found["in_steps_of"] == 5
    named = told > 0
    assert (found["columns"], found["open"]) == (({"note": 0.12}, ["note"]) if named else ({}, []))
    assert found["helps_most"] == ("note" if named else None)
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert ("fewer than 5 people are unique on all that is published" in page) == (not named)
    exact = measure_exposure(table, release.lineage.grouping.labels)
    assert exact.found.share_unique == alone / 40  # for the steward
    assert ("note" in " ".join(release.summary.warnings)) == (alone > 2)


def test_exact_numbers_stay_with_the_steward(tmp_path):
    frame, labels = town(80), np.arange(80) // 8
    labels[:3] = -1
    labels[3:8] = 0
    release = release_of(frame, labels)
    release.write(tmp_path / "out", provenance=True, ledger="off")
    private = json.loads((tmp_path / "out" / "provenance.json").read_text("utf-8"))
    assert private["loss"]["suppressed"] == 3
    assert private["loss"]["ngil"] != release.manifest["ngil"]
    assert "provenance.json" not in release.manifest["files"]


# ------------------------------------------------------------------ input order plays no part


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_no_file_depends_on_the_order_of_rows(tmp_path_factory, random, grid):
    """Ties in bars, zeros of either sign and equal rows must not show who came first."""
    n = 48
    frame = pl.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "age": [[-0.0, 0.0, 1.5, 2.5][i % 4] for i in range(n)],
            "born": [f"200{i % 4}-01-01" for i in range(n)],
            "zip": [f"80{i % 6}{i % 2}" for i in range(n)],
            "job": [LADDER[i % 4][0] for i in range(n)],
            "sex": ["f", "m"] * (n // 2),
            "ill": ["flu", "cold", "gout"] * (n // 3),
            "pay": [[0.0, -0.0, -1.0][i // 2 % 3] for i in range(n)],
        }
    )
    order = list(range(n))
    random.shuffle(order)
    more = {"grid": {"age": 0.5}} if grid else {}
    plain = papers(release_of(frame, **more), tmp_path_factory.mktemp("a") / "out")
    assert papers(release_of(frame[order], **more), tmp_path_factory.mktemp("b") / "out") == plain
    assert b"-0.0" not in plain["data.csv"]
