"""The reference to agree with: anonymeter on the same rows, beside our own attacks.

anonymeter needs an older NumPy than Shoal, so it runs in an interpreter of its own::

    uv venv -p 3.11 /some/where && uv pip install -p /some/where/bin/python anonymeter
    ANONYMETER_PYTHON=/some/where/bin/python python benchmarks/run.py anonymeter_reference

It cannot read intervals and labels: every released cell is decoded to one value drawn from what
the cell may stand for. Linkage has no counterpart there (it links two halves of a record).
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizer import Anonymizer
from shoal.datasets import adult
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.risk import AttackScene
from shoal.risk.attacks import AttributeInference, LoneDescription
from shoal.table import Roles, read_table

QUASI = ("age", "education", "marital-status", "race", "sex", "native-country", "workclass")
SECRET = "occupation"
ROWS, HELD_OUT, ATTACKS = 4000, 1000, 500
KS = (None, 5, 20)  # None: the raw table, which both must break
SCRIPT = """
import json, sys, warnings
warnings.simplefilter("ignore")
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, SinglingOutEvaluator
folder, quasi, secret, attacks = sys.argv[1], sys.argv[2].split(","), sys.argv[3], int(sys.argv[4])
read = lambda name: pd.read_csv(f"{folder}/{name}.csv", keep_default_na=False)
ori, syn, control = read("original"), read("released"), read("control")
found = {}
single = SinglingOutEvaluator(ori=ori[quasi], syn=syn[quasi], control=control[quasi],
                              n_attacks=attacks, n_cols=len(quasi))
single.evaluate(mode="multivariate")
infer = InferenceEvaluator(ori=ori, syn=syn, control=control, aux_cols=quasi, secret=secret,
                           regression=False, n_attacks=min(attacks, len(control)))
infer.evaluate(n_jobs=1)
for name, evaluator in (("singling_out", single), ("attribute_inference", infer)):
    results = evaluator.results()
    found[name] = {
        "rate": results.attack_rate.value, "baseline": results.baseline_rate.value,
        "control": results.control_rate.value, "risk": evaluator.risk().value,
    }
print(json.dumps(found))
"""


def measure() -> dict[str, Any]:
    """Run both on the raw table and on releases."""
    interpreter = os.environ.get("ANONYMETER_PYTHON")
    if not interpreter:
        raise SystemExit("Set ANONYMETER_PYTHON to an interpreter that has anonymeter.")
    data = adult()
    frame = data.frame.select(*QUASI, SECRET)
    order = np.random.default_rng(1).permutation(frame.height)
    roles = Roles(quasi_identifiers=QUASI, sensitive=SECRET)
    kinds = {name: data.kinds[name] for name in frame.columns}
    original, control = (
        read_table(frame[np.sort(rows).tolist()], roles=roles, kinds=kinds)
        for rows in (order[:ROWS], order[ROWS : ROWS + HELD_OUT])
    )
    trees = {name: tree for name, tree in data.hierarchies.items() if name in QUASI}
    records = []
    for k in KS:
        released = original.frame
        if k is not None:
            made = Anonymizer(recoding=Generalize(trees), privacy=KAnonymity(k), bound=False)
            released = made.fit(original).release_.frame
        scene = AttackScene(read_table(released, roles=roles), original, control, trees, k=k)
        theirs = _anonymeter(interpreter, scene)
        ours = {attack.name: attack.run(scene).to_dict() for attack in _ATTACKS}
        records.append({"k": k, "shoal": _short(ours), "anonymeter": _short(theirs)})
        print(f"  k={k}: {records[-1]}", flush=True)
    return {"rows": ROWS, "held_out": HELD_OUT, "attacks": ATTACKS, "records": records}


_ATTACKS = (LoneDescription(tries=ATTACKS), AttributeInference())


def _anonymeter(interpreter: str, scene: AttackScene) -> dict[str, Any]:
    assert scene.control is not None
    with tempfile.TemporaryDirectory() as folder:
        scene.original.frame.write_csv(Path(folder) / "original.csv")
        scene.control.frame.write_csv(Path(folder) / "control.csv")
        _decoded(scene).write_csv(Path(folder) / "released.csv")
        told = subprocess.run(
            [interpreter, "-c", SCRIPT, folder, ",".join(QUASI), SECRET, str(ATTACKS)],
            capture_output=True,
            text=True,
            check=True,
            timeout=1200,
        )
    found: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return found


def _decoded(scene: AttackScene) -> pl.DataFrame:
    """One value for each released cell, drawn from the values of people that it may stand for."""
    rng = np.random.default_rng(2)
    columns: dict[str, Any] = {}
    for place, (name, meaning) in enumerate(scene.meanings.items()):
        texts = scene.texts_of_rows[:, place]
        covers = meaning.covers(np.arange(meaning.values.size - 1)).T  # texts by values
        choices = [np.flatnonzero(row) for row in covers]
        labels = np.array(scene.original.column(name).labels, dtype=object)
        known = [choices[t][choices[t] < labels.size] for t in texts]
        drawn = [labels[int(rng.choice(each))] for each in known]
        columns[name] = pl.Series(drawn, dtype=pl.String)
    columns[SECRET] = scene.released.frame[SECRET]
    return pl.DataFrame(columns)


def _short(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    kept = ("rate", "baseline", "control", "risk")
    return {name: {each: round(result[each], 4) for each in kept} for name, result in found.items()}
