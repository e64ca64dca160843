"""What a hospital's three tables lose together, who is found, and how long many rows take."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import read, table


def write() -> Iterator[str]:
    """Give losses beside those alone, attackers beside controls, and the time for many rows."""
    found = read("linked")["results"]
    three, many, km = found["three"], found["many"], found["km"]
    yield (
        f"Measured on {three['patients']:,} made-up patients ({three['rows']:,} rows in three"
        f" tables, {three['crowds']:,} crowds), k = {found['k']}: {three['suppressed']:.1%} of the"
        " rows are left out."
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
    head = ("knows the person and", "originals", "released", "if nothing joined", bounded)
    yield from table(head, *rows)
    yield ""
    yield (
        f"With `km = {km['m']}` and `max_rows = {km['max_rows']}` ({km['patients']:,} patients)"
        f" {km['suppressed']:.0%} of the rows are left out, those above the cap included."
    )
    yield ""
    yield (
        f"{many['patients']:,} patients with {many['stays']:,} stays, from files to a verified"
        f" folder: {many['seconds']:.0f} s on two cores that others used too,"
        f" {many['cpu_seconds']:.0f} s of CPU."
    )
