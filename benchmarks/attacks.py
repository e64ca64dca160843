"""Every attack on Adult: on the raw table, and on releases at several k; and how long it takes.

Two attacks need a release that the others do not: columns published as they are, and people who
were left out, with the papers that are silent about them (``python benchmarks/attacks.py`` measures
these two alone, and keeps the rest).
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizer import Anonymizer
from shoal.datasets import adult
from shoal.grouping import Mondrian
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.release import attack_release
from shoal.risk import AttackScene, run_attacks
from shoal.table import Roles, Table, read_table

QUASI = ("age", "education", "marital-status", "race", "sex", "native-country", "workclass")
SECRET = "occupation"
RELEASES: tuple[tuple[int, str, Any, dict[str, float] | None], ...] = (
    (2, "auto", "auto", None),
    (5, "auto", "auto", None),
    (5, "mondrian", Mondrian(), None),
    (11, "auto", "auto", None),
    (11, "auto, grid of 5 years", "auto", {"age": 5}),
)
HELD_OUT = 6000
FURTHER = 10_000  # people of the releases for the two attacks that need others


def measure() -> dict[str, Any]:
    """Attack the raw table and releases; the rows held out never saw the anonymizer."""
    data = adult(part="both")
    frame = data.frame.select(*QUASI, SECRET)
    order = np.random.default_rng(0).permutation(frame.height)
    inside, outside = np.sort(order[:30_162]), np.sort(order[30_162 : 30_162 + HELD_OUT])
    trees = {name: tree for name, tree in data.hierarchies.items() if name in QUASI}
    original, control = (_read(frame[rows.tolist()], data.kinds) for rows in (inside, outside))
    records = [_attack("raw", original.frame, original, control, trees)]
    for k, name, grouping, grid in RELEASES:
        made = Anonymizer(grouping, Generalize(trees, grid=grid), KAnonymity(k), bound=False)
        release = made.fit(original).release_.frame
        records.append(_attack(f"{name}, k={k}", release, original, control, trees, k))
    found = {"rows": original.n_rows, "held_out": control.n_rows, "records": records}
    return {**found, "further": measure_further()}


def measure_further() -> list[dict[str, Any]]:
    """Attack what is published as it is, and the papers of a release that leaves people out."""
    data = adult(part="both")
    order = np.random.default_rng(0).permutation(data.frame.height)
    inside, outside = order[:FURTHER], order[FURTHER : 2 * FURTHER]
    trees = {name: tree for name, tree in data.hierarchies.items() if name in QUASI}
    found = []
    for name, columns, limits in (
        ("all columns generalized", (), {}),
        ("hours published as they are", ("hours-per-week",), {}),
        ("hours and census weight as they are", ("hours-per-week", "fnlwgt"), {}),
        ("ages at most 5 wide, 2 % left out", (), {"age": 5}),
    ):
        frame = data.frame.select(*QUASI, SECRET, *columns)
        original, control = (
            _read(frame[np.sort(rows).tolist()], data.kinds) for rows in (inside, outside)
        )
        made = Anonymizer(
            recoding=Generalize(trees, limits=limits or None),
            privacy=KAnonymity(5),
            suppression_limit=0.02 if limits else 0.0,
            bound=False,
        )
        release = made.fit(original).release_
        with TemporaryDirectory() as folder:
            release.write(Path(folder) / "out", ledger="off")
            report = attack_release(
                release,
                ["known_columns", "public_papers"],
                hierarchies=trees,
                control=control,
                folder=Path(folder) / "out",
            )
        tried = {r.name: _rounded(r.to_dict()) for r in report.results if r.applies}
        found.append({"release": name, "k": 5, "rows": FURTHER, "attacks": tried})
        print(f"  {name}: {[(n, r['rate'], r['risk']) for n, r in tried.items()]}", flush=True)
    return found


def _attack(
    name: str,
    release: pl.DataFrame,
    original: Table,
    control: Table,
    trees: dict[str, Any],
    k: int | None = None,
) -> dict[str, Any]:
    began, spent = perf_counter(), process_time()
    roles = Roles(quasi_identifiers=QUASI, sensitive=SECRET)
    scene = AttackScene(read_table(release, roles=roles), original, control, trees, k=k)
    report = run_attacks(scene, preset="public")
    seconds, cpu = perf_counter() - began, process_time() - spent
    print(f"  {name}: {seconds:.1f} s, too much: {', '.join(report.exceeding)}", flush=True)
    found = {r.name: _rounded(r.to_dict()) for r in report.results if r.applies}
    return {"release": name, "k": k, **_took(seconds, cpu), "attacks": found}


def _took(seconds: float, cpu: float) -> dict[str, float]:
    return {"seconds": round(seconds, 2), "cpu_seconds": round(cpu, 2)}


def _rounded(result: dict[str, Any]) -> dict[str, Any]:
    kept = ("rate", "baseline", "control", "risk", "people", "interval")
    return {name: _round(result[name]) for name in kept}


def _round(value: Any) -> Any:
    if isinstance(value, list):
        return [_round(part) for part in value]
    return round(value, 5) if isinstance(value, float) else value


def _read(frame: pl.DataFrame, kinds: Any) -> Table:
    roles = Roles(quasi_identifiers=QUASI, sensitive=SECRET)
    return read_table(frame, roles=roles, kinds={name: kinds[name] for name in frame.columns})


if __name__ == "__main__":
    path = Path(__file__).parent / "results" / "attacks.json"
    whole = json.loads(path.read_text("utf-8"))
    whole["results"]["further"] = measure_further()
    path.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
