"""The attack that solves manifest and report for the people who were left out."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import polars as pl
import pytest

from shoal import Anonymizer, KAnonymity, SaNGreeA
from shoal.risk import AttackScene, PublicPapers
from shoal.risk.attacks._papers import _read_papers
from shoal.table import Grouping, Roles, read_table
from shoal.testing import check_attack

ROLES = Roles(quasi_identifiers=["age", "sex"], sensitive="ill")


def town(n=200, seed=2):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["flu", "cold", "gout"], n),
        }
    )


class Given(SaNGreeA):
    """A grouper that was told who hides with whom."""

    def __init__(self, labels):
        super().__init__()
        self.labels = labels

    def fit(self, problem, progress=None):
        self.grouping_ = Grouping(np.asarray(self.labels))
        self.method_ = "given"
        return self


def release_without_the_oldest(folder, age=117):
    """Leave out one man; hide all others in tens."""
    frame = town()
    order = frame.with_row_index("row").sort("sex", "age")["row"].to_numpy()
    labels = [*(np.argsort(order) // 10).tolist(), -1]
    frame = pl.concat([frame, pl.DataFrame({"age": [age], "sex": ["m"], "ill": ["gout"]})])
    anonymizer = Anonymizer(Given(labels), privacy=KAnonymity(5), suppression_limit=0.02)
    anonymizer.fit(read_table(frame, roles=ROLES)).release_.write(folder, ledger="off")
    return frame, anonymizer


def scene_of(frame, folder, control=None):
    released = read_table(pl.read_csv(folder / "data.csv", infer_schema=False), roles=ROLES)
    held_out = None if control is None else read_table(control, roles=ROLES)
    return AttackScene(released, read_table(frame, roles=ROLES), held_out, folder=folder, k=5)


def as_it_was_written_once(frame, anonymizer, folder, target):
    """Write the papers as they were before decision 25: exact, and of all rows."""
    shutil.copytree(folder, target)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    loss = anonymizer.loss_
    manifest["suppressed"] = "fewer than 5"
    manifest["loss_by_attribute"] = {n: round(x, 6) for n, x in loss.loss_by_attribute.items()}
    (target / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    shares = {s: 100 * (frame["sex"] == s).mean() for s in ("f", "m")}
    bars = "".join(
        f"<title>{s}: {x:.1f}\xa0% before, 1\xa0% after</title>" for s, x in shares.items()
    )
    report = (folder / "report.html").read_text("utf-8")
    squares = r"(Discernibility[^<]*</td><td[^>]*>)[\d,]+"
    report = re.sub(squares, rf"\g<1>{loss.discernibility:,}", report)
    drawn = r'(aria-label="Distribution of sex before and after">).*?</svg>'
    report = re.sub(drawn, rf"\g<1>{bars}</svg>", report, count=1, flags=re.DOTALL)
    (target / "report.html").write_text(report, "utf-8")
    return target


def test_old_papers_gave_a_suppressed_person_away_and_new_ones_do_not(tmp_path):
    new = tmp_path / "new"
    frame, anonymizer = release_without_the_oldest(new)
    old = as_it_was_written_once(frame, anonymizer, new, tmp_path / "old")
    oldest = pl.DataFrame({"age": [99], "sex": ["f"], "ill": ["flu"]})
    control = pl.concat([town(100, seed=9), oldest])
    broken, held = check_attack(
        PublicPapers(), scene_of(frame, old, control), scene_of(frame, new, control)
    )
    assert (broken.rate, broken.baseline, broken.control, broken.people) == (1.0, 0.0, 0.0, 1)
    assert broken.details == {"number_left_out_known": 1.0}
    assert broken.note == "1 column could be solved for."
    assert (held.rate, held.people, held.note) == (0.0, 1, "")
    assert held.details == {"number_left_out_known": 0.0}


@pytest.mark.parametrize(("age", "rate"), [(-40, 0.0), (3, 0.5), (101, 0.5), (117, 1.0)])
def test_an_extreme_value_is_found_unless_it_could_lie_on_either_side(tmp_path, age, rate):
    frame, anonymizer = release_without_the_oldest(tmp_path / "new", age)
    old = as_it_was_written_once(frame, anonymizer, tmp_path / "new", tmp_path / "old")
    assert PublicPapers().run(scene_of(frame, old)).rate == rate
    assert PublicPapers().run(scene_of(frame, tmp_path / "new")).rate == 0.0


def test_bars_of_everybody_give_the_category_of_one_away(tmp_path):
    """Where sexes are published, what the bars have beyond them is the missing person."""
    new = tmp_path / "new"
    frame, anonymizer = release_without_the_oldest(new)
    exact = pl.read_csv(new / "data.csv", infer_schema=False)
    kept = frame[:200].sort("sex", "age")["sex"]
    exact = exact.sort("sex", "age").with_columns(sex=kept)
    exact.write_csv(new / "data.csv")
    old = as_it_was_written_once(frame, anonymizer, new, tmp_path / "old")
    scene = scene_of(frame, old)
    squares = int((scene.groups.sizes**2).sum()) + 201
    report = (old / "report.html").read_text("utf-8")
    report = re.sub(r"(Discernibility[^<]*</td><td[^>]*>)[\d,]+", rf"\g<1>{squares:,}", report)
    (old / "report.html").write_text(report, "utf-8")
    assert PublicPapers().run(scene).note == "2 columns could be solved for."


def test_a_german_report_is_read_like_an_english_one(tmp_path):
    frame, anonymizer = release_without_the_oldest(tmp_path / "en")
    anonymizer.release_.write(tmp_path / "de", ledger="off", language="de")
    english, german = (_read_papers(tmp_path / name) for name in ("en", "de"))
    assert german.bars("sex") == english.bars("sex") != {}
    scene = scene_of(frame, tmp_path / "de")
    assert (german.missing(scene), english.missing(scene)) == (0, 0)  # it was read, and fits


def test_papers_that_are_not_there_are_not_attacked(tmp_path):
    frame, _ = release_without_the_oldest(tmp_path / "new")
    scene = scene_of(frame, tmp_path / "new")
    assert not PublicPapers().run(AttackScene(scene.released, scene.original)).applies
    assert not PublicPapers().run(scene_of(frame[:200], tmp_path / "new")).applies
