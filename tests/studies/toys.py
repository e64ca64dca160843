"""Studies small enough to watch."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shoal.studies import (
    Findings,
    Finished,
    Item,
    PaperClaim,
    Picture,
    ResultTable,
    Size,
    Study,
    new_figure,
)


class Squares(Study):
    """Squares numbers, then adds them up; writes a line for every item it works on."""

    name = "squares"
    title = "Squares <re-run>"
    citation = "Nobody, never."

    def __init__(self, log: Path | None = None, nap: float = 0.0, bad: int | None = None) -> None:
        self.log = log
        self.nap = nap
        self.bad = bad

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        items = [Item("square", {"n": n}) for n in range(3 if size == "small" else 6)]
        yield from items
        if all(item in done for item in items):
            yield Item("sum", {"of": [done[item]["square"] for item in items]})

    def work(self, item: Item) -> Mapping[str, Any]:
        time.sleep(self.nap)
        if self.log is not None:
            with self.log.open("a") as stream:
                stream.write(item.key + "\n")
        if item.part == "sum":
            return {"sum": sum(item.settings["of"])}
        if item.settings["n"] == self.bad:
            raise ArithmeticError("no such square")
        return {"square": item.settings["n"] ** 2}

    def conclude(self, size: Size, done: Finished) -> Findings:
        squares, total = done.records("square"), done.records("sum")[0]["sum"]
        return Findings(
            summary=f"They add up to {total}.",
            tables=[ResultTable("squares", "All squares", squares)],
            pictures=[Picture("curve", "A curve", lambda: _curve(squares))],
            claims=[PaperClaim("Squares grow.", "They do.", "holds", ("squares", "curve"))],
            numbers={"sum": total},
            unknown=["Why."],
        )


def _curve(squares: list[dict[str, Any]]) -> Any:
    figure, axes = new_figure()
    axes[0, 0].plot([r["n"] for r in squares], [r["square"] for r in squares])
    return figure
