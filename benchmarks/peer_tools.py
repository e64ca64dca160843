"""One other tool groups the rows of a file; run by the Python of an environment of its own.

``python peer_tools.py anonypy rows.csv 10 quasi.json`` prints JSON: the tool's version, the CPU
seconds of its call, and the group of each row (-1: left out). `peers` makes the environments and
measures the groups of all tools by one evaluator. Nothing of Shoal is imported here.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

#: Name: (its package, what it needs beside it).
TOOLS = {
    "anonypy": ("anonypy", ("pandas",)),
    "anjana-10": ("anjana", ("pandas",)),
    "anjana-0": ("anjana", ("pandas",)),
    "pycanon": ("pycanon", ("pandas",)),
}


def main(tool: str, file: str, k: int, about: dict) -> dict:
    """Group the rows, and tell how long it took; pycanon only counts."""
    frame = pd.read_csv(file)
    run = {"anonypy": anonypy, "pycanon": pycanon}.get(tool, anjana)
    if tool.startswith("anjana"):
        about = {**about, "left_out": float(tool.split("-")[1])}
    seconds, found = run(frame, k, about)
    return {"version": version(TOOLS[tool][0]), "cpu_seconds": seconds, **found}


def anonypy(frame, k, about):
    """Mondrian; text columns have to be categories."""
    from anonypy import Mondrian

    names = about["quasi"]
    typed = frame[names].copy()
    for name in about["text"]:
        typed[name] = typed[name].astype("category")
    begun = time.process_time()
    parts = Mondrian(typed, names).partition(k)
    seconds = time.process_time() - begun
    labels = np.full(len(frame), -1)
    for group, rows in enumerate(parts):
        labels[np.asarray(rows)] = group
    return seconds, {"labels": labels.tolist()}


def anjana(frame, k, about):
    """Global recoding by ladders, at most so many percent left out; rows are found by a number."""
    from anjana.anonymity import k_anonymity

    names = about["quasi"]
    ladders = {
        name: {int(level): np.asarray(values) for level, values in levels.items()}
        for name, levels in about["ladders"].items()
    }
    typed = frame[names].astype(str)
    typed["row"] = np.arange(len(frame))
    begun = time.process_time()
    made = k_anonymity(typed, [], names, k, about["left_out"], ladders)
    seconds = time.process_time() - begun
    labels = np.full(len(frame), -1)
    if len(made):
        labels[made["row"].to_numpy(int)] = made.groupby(names, sort=False).ngroup()
    return seconds, {"labels": labels.tolist()}


def pycanon(frame, k, about):
    """Count k of a table that was released; nothing is grouped."""
    from pycanon import anonymity

    begun = time.process_time()
    counted = anonymity.k_anonymity(frame, about["quasi"])
    return time.process_time() - begun, {"k": int(counted)}


if __name__ == "__main__":
    tool, file, k, about = sys.argv[1:]
    print(json.dumps(main(tool, file, int(k), json.loads(Path(about).read_text("utf-8")))))
