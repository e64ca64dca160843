"""Attackers who join rows: by pseudonyms of two releases, by several rows of a person."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import read, table


def write() -> Iterator[str]:
    """Tell each attack beside its control."""
    found = read("joined")
    results = found["results"]
    two, rows = (record["attacks"] for record in results["records"][:2])
    linked, known = two["pseudonym_linkage"], rows["known_rows"]
    told = known["details"]
    patients = f"{results['patients']:,} made-up patients"
    measured = [attack for record in (two, rows) for attack in record.values()]
    reach = max(abs(end - a["rate"]) for a in measured for end in a["interval"])
    yield (
        f"Measured on {found['date']}, once: {patients}, k = {results['k']}; 95 % intervals, over"
        f" the people attacked, reach about {100 * reach:.0f} points to either side:"
    )
    yield ""
    apart = results["records"][0]["without"]
    lines: list[tuple[str, float, float | None]] = [
        ("has two releases with the same pseudonyms", linked["rate"], linked["control"]),
        ("the same, under another key", apart["rate"], apart["control"]),
    ]
    whose = "of a person's stays, released as one table"
    controls = {3: known["control"]}  # the attack keeps that of its rate, three known rows
    lines += [(f"knows {m} {whose}", told[f"m{m}"], controls.get(m)) for m in (1, 2, 3)]
    rows_told = [
        (what, f"{right:.0%}", "–" if control is None else f"{control:.0%}")
        for what, right, control in lines
    ]
    yield from table(("attacker", "right", "without the join"), *rows_told)
