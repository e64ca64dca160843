"""Public papers: manifest and report, read as equations about the people who were left out."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from shoal._words import LANGUAGES, plural, say, speaking
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import BoolArray, FloatArray, IntArray

_SQUARES = "Discernibility (sum of squared group sizes)"  # as the report names them
_BARS = "Distribution of {name} before and after"
_BAR = re.compile(r"<title>([^<]*): ([\d.,]+)\xa0% \w+, [^<]*</title>")
_Places = dict[int, tuple[float, ...]]  # by quasi-identifier, where a person is claimed to be


class PublicPapers(Attack):
    """The attacker solves the numbers of manifest and report for those who are not in the data.

    Discernibility beyond the sum of squared group sizes gives how many were left out; a loss
    scaled by the range of the input gives that range, and so an extreme value; bars of everybody
    minus the released rows give a category. The people attacked are those whom no released row
    fits. The baseline guesses the value next to the published range, or the commonest one.
    """

    name: ClassVar[str] = "public_papers"
    title: ClassVar[str] = "Do manifest and report give away who was left out?"
    goal: ClassVar[str] = "form"
    scenario: ClassVar[str] = (
        "Somebody puts the numbers of the manifest and the report beside the data and solves for"
        " the people who are missing: how many they are, and the values that nobody else has."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Solve the papers for the people whom no row fits."""
        papers = _read_papers(scene.folder)
        if papers is None:
            return AttackResult.skipped(self.name, "The release is not in a folder with papers.")
        values = scene.values_of_original(scene.rows)
        gone = _fit_nowhere(scene, values)
        if not gone.any():
            return AttackResult.skipped(self.name, "Nobody is known to be left out.")
        claims = _solve(scene, papers)
        guesses = _guess(scene, claims)
        people = scene.people_of(scene.rows[gone])
        rate, attacked = mean_over_people(_right(scene, claims, values[gone]), people)
        baseline, _ = mean_over_people(_right(scene, guesses, values[gone]), people)
        missing = papers.missing(scene)
        return AttackResult(
            self.name,
            rate=rate,
            baseline=baseline,
            control=_control(scene, claims),
            people=attacked,
            note=f"{plural(len(claims), 'column')} could be solved for." if claims else "",
            details={"number_left_out_known": float(missing is not None and missing > 0)},
        )


@dataclass(frozen=True)
class Papers:
    """What manifest and report say."""

    manifest: dict[str, Any]
    report: str

    def missing(self, scene: AttackScene) -> int | None:
        """How many rows were left out, if the papers tell."""
        told = self.manifest.get("suppressed")
        if isinstance(told, int) and told:
            return told
        label = re.escape(escape(self._said(_SQUARES)))
        found = re.search(rf"{label}</td><td[^>]*>([\d.,]+)</td>", self.report)
        if found is None:
            return None
        beyond = int(re.sub(r"\D", "", found[1])) - int((scene.groups.sizes**2).sum())
        rows = scene.released.n_rows  # beyond = missing * (rows + missing)
        missing = round((math.sqrt(rows**2 + 4 * max(0, beyond)) - rows) / 2)
        return missing if missing * (rows + missing) == beyond else None

    def bars(self, name: str) -> dict[str, float]:
        """Shares before by name of a bar."""
        label = re.escape(escape(self._said(_BARS, name=name)))
        drawn = re.search(rf'aria-label="{label}".*?</svg>', self.report, re.DOTALL)
        found = _BAR.findall(drawn[0]) if drawn else []
        return {unescape(bar): float(share.replace(",", ".")) / 100 for bar, share in found}

    def _said(self, text: str, **values: str) -> str:
        """What the report calls something, in its own language."""
        spoken = re.search(r'<html lang="(\w+)"', self.report)
        with speaking(spoken[1] if spoken and spoken[1] in LANGUAGES else "en"):
            return say(text, **values)


def _read_papers(folder: Path | None) -> Papers | None:
    if folder is None or not (folder / "manifest.json").is_file():
        return None
    report = folder / "report.html"
    return Papers(
        json.loads((folder / "manifest.json").read_text("utf-8")),
        report.read_text("utf-8") if report.is_file() else "",
    )


def _fit_nowhere(scene: AttackScene, values: IntArray) -> BoolArray:
    fitting = scene.matching.sums(values, scene.groups.sizes[:, None].astype(np.float64))[:, 0]
    alone: BoolArray = fitting == 0
    return alone


def _solve(scene: AttackScene, papers: Papers) -> _Places:
    """Find places of missing people, column by column."""
    missing = papers.missing(scene)
    if not missing:
        return {}
    found: _Places = {}
    for column, name in enumerate(scene.names):
        solve = _solve_bars if scene.meanings[name].nominal else _solve_range
        places = solve(scene, papers, column, missing)
        if places:
            found[column] = places
    return found


def _solve_range(
    scene: AttackScene, papers: Papers, column: int, missing: int
) -> tuple[float, ...]:
    """Solve a loss for the range of the input; whoever widens it beyond the data is missing."""
    loss = papers.manifest.get("loss_by_attribute", {}).get(scene.names[column])
    low, high, width, hidden = _published(scene, column)
    if loss is None or not width:
        return ()
    rows = scene.released.n_rows + missing
    lost = [(loss + slip) * rows - missing - hidden for slip in (5e-7, -5e-7)]
    if min(lost) <= 0:
        return ()
    narrowest, widest = (width / share for share in lost)
    step = scene.meanings[scene.names[column]].granule
    if widest - narrowest > step or widest < high - low + step / 2:
        return ()
    reach = step * round((narrowest + widest) / 2 / step)
    places = (low + reach, high - reach)
    return tuple(p for p in places if p >= 0 or low < 0)  # no age, no income is below nothing


def _published(scene: AttackScene, column: int) -> tuple[float, float, float, int]:
    """Smallest and largest end that is published, the widths of all cells, how many are hidden."""
    meaning, texts = scene.meanings[scene.names[column]], scene.texts_of_rows[:, column]
    told = ~meaning.anything[texts] & ~np.isnan(meaning.lows[texts])
    lows, highs = meaning.lows[texts[told]], meaning.highs[texts[told]]
    if not told.any():
        return 0.0, 0.0, 0.0, int(texts.size)
    width = math.fsum((highs - lows).tolist())
    return float(lows.min()), float(highs.max()), width, int(meaning.anything[texts].sum())


def _solve_bars(scene: AttackScene, papers: Papers, column: int, missing: int) -> tuple[float, ...]:
    """Subtract the released rows from the bars of everybody; who is left has one category."""
    places, counts = _categories(scene, column)
    rows = scene.released.n_rows + missing
    bars = papers.bars(scene.names[column])
    if {*bars} != {*counts} or sum(counts.values()) != scene.released.n_rows:
        return ()
    left = {label: share * rows - counts[label] for label, share in bars.items()}
    whole = [label for label, rest in left.items() if round(rest) == missing]
    settled = all(abs(rest - round(rest)) < 0.4 for rest in left.values())
    return (places[whole[0]],) if settled and len(whole) == 1 else ()


def _categories(scene: AttackScene, column: int) -> tuple[dict[str, float], dict[str, int]]:
    """Place and number of rows of each text that is one value."""
    name = scene.names[column]
    texts = scene.released.cells.distinct(name).texts.to_list()
    meaning, codes = scene.meanings[name], scene.texts_of_rows[:, column]
    rows = np.bincount(codes, minlength=len(texts) + 1)
    plain = [i for i in range(len(texts)) if meaning.lows[i] == meaning.highs[i]]
    plain = [i for i in plain if not meaning.anything[i]]
    places = {texts[i]: float(meaning.lows[i]) for i in plain}
    return places, {texts[i]: int(rows[i]) for i in plain}


def _guess(scene: AttackScene, claims: _Places) -> _Places:
    """Guess without the papers: next to what is published, or the commonest category."""
    guesses: _Places = {}
    for column, name in enumerate(scene.names):
        if claims and column not in claims:
            continue
        meaning = scene.meanings[name]
        if not meaning.nominal:
            low, high, _, _ = _published(scene, column)
            guesses[column] = (low - meaning.granule, high + meaning.granule)
        elif column in claims:
            places, counts = _categories(scene, column)
            guesses[column] = (places[max(counts, key=lambda text: (counts[text], text))],)
    return guesses


def _right(scene: AttackScene, claims: _Places, values: IntArray) -> FloatArray:
    """How likely the best claim is right about each of these people."""
    right = np.zeros(len(values))
    for column, places in claims.items():
        meaning = scene.meanings[scene.names[column]]
        at = meaning.values[values[:, column]]
        hit = (np.abs(at[:, None] - np.array(places)) < meaning.granule / 2).any(axis=1)
        right = np.maximum(right, hit / len(places))
    return right


def _control(scene: AttackScene, claims: _Places) -> float | None:
    held_out = scene.values_of_control()
    if held_out is None:
        return None
    gone = held_out[_fit_nowhere(scene, held_out)]
    return float(_right(scene, claims, gone).mean()) if len(gone) else 0.0
