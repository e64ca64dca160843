"""What a hospital's three tables lose together, who is found, and how long many rows take."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import read, table


def write() -> Iterator[str]:
    """Give losses beside those alone, attackers beside controls, and the time for many rows."""
    run = read("linked")
    found = run["results"]
    three, many, km = found["three"], found["many"], found["km"]
    yield (
        f"Measured on {run['date']}, once: {three['patients']:,} made-up patients"
        f" ({three['rows']:,} rows in three tables, {three['crowds']:,} crowds), k = {found['k']}:"
        f" {three['suppressed']:.1%} of the rows are left out."
    )
    yield ""
    names = list(three["loss"])
    lines = [
        (n, f"{three['loss'][n]:.1%}", f"{three['loss_alone'][n]:.1%}", str(three["k_joined"][n]))
        for n in names
    ]
    yield from table(("table", "lost, linked", "lost, by itself", "k, joined"), *lines)
    yield ""
    after, before = three["attack"], three["attack_originals"]
    rows = [
        (
            f"{m} of their rows",
            f"{before['rates'][f'm{m}']:.0%}",
            f"{after['rates'][f'm{m}']:.1%}",
            f"{after['control'][f'm{m}']:.1%}",
            f"{km['attack']['rates'][f'm{m}']:.1%}",
        )
        for m in (1, 2, 3)
    ]
    rows.append(
        (
            "how many there are",
            f"{before['counts']:.0%}",
            f"{after['counts']:.1%}",
            "",
            f"{km['attack']['counts']:.1%}",
        )
    )
    bounded = f"km = {km['m']}"
    apart = f"{bounded}, {km['patients']:,} others"
    head = ("knows the person and", "originals", "released", "if nothing joined", apart)
    yield from table(head, *rows)
    yield ""
    yield (
        f"With `km = {km['m']}` ({km['patients']:,} patients, {km['crowds']:,} crowds)"
        f" {km['suppressed']:.1%} of the rows are left out, and {_lost(km['loss'])} are lost."
        " Here pairs of rows are common in large crowds only; this is what each size came to,"
        " tried on some of its crowds:"
    )
    yield ""
    tried = [
        (str(t["crowd"]), f"{t['suppressed']:.0%}", *(f"{t[name]:.0%}" for name in names))
        for t in km["trials"]
    ]
    yield from table(("people of a crowd", "left out", *(f"{n}, lost" for n in names)), *tried)
    yield ""
    load = run["machine"]["load_average_at_start"]
    yield (
        f"{many['patients']:,} patients with {many['stays']:,} stays, from files to a verified"
        f" folder: {many['cpu_seconds']:.0f} s of CPU ({many['seconds']:.0f} s on two cores that"
        f" others used too: their load average was {load:.0f})."
    )


def _lost(losses: dict[str, float]) -> str:
    return ", ".join(f"{loss:.0%} of {name}" for name, loss in losses.items())
