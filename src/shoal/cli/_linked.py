"""Linked tables on the command line: released, checked and attacked together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

from shoal._words import plural
from shoal.cli._bar import working
from shoal.cli._output import HOLDS, REFUSED, columns_of, print_json, print_lines
from shoal.exceptions import InvalidParameterError
from shoal.linked import (
    Family,
    JoinedView,
    LinkedAttack,
    LinkedPlan,
    LinkedRelease,
    anonymize_linked,
    attack_linked,
    check_family,
    check_linked_engine,
    is_linked_release,
    read_linked,
)
from shoal.release import check_folder
from shoal.risk import Threshold, find_threshold

TAKEN = ("plan", "output", "force", "k", "ledger", "draft", "as_json", "engine", "project")
OVER = ("k", "ledger", "max_suppression", "project", "preset", "language")  # typed over the plan


def anonymize_tables(options: Mapping[str, Any]) -> None:
    """Release the tables of a linked plan, and tell of it."""
    with working() as bar:
        began = perf_counter()
        plan = _plan(options)
        folder = options["output"]
        check_folder(folder, force=options["force"])
        bar.phase("reading")
        release = anonymize_linked(Family.read(plan), plan, bar)
        written = release.write(
            folder,
            force=options["force"],
            ledger=plan.ledger,
            draft=options["draft"],
            progress=bar,
        )
        bar.tell()
    spent = round(perf_counter() - began, 3)
    counted, notes = written.recount, [*release.notes, *written.ledger.warnings]
    if options["as_json"]:
        print_json(
            {
                **_facts(release),
                "k": counted.k,
                "k_joined": dict(counted.joined),
                "crowds": counted.crowds,
                "km": {"m": plan.km, "recounted": counted.combined},
                "holds": True,
                "ledger": written.ledger.to_dict(),
                "warnings": notes,
                "seconds": spent,
                "output": str(folder),
                "files": sorted([*written.manifest["files"], "manifest.json"]),
            }
        )
        return
    stamps = [stamp.upper() for stamp in written.manifest["stamps"]]
    told = [*_lines(release, counted.joined), "", *(f"Note: {note}" for note in notes)]
    where = (
        f"Recounted from the files: joined, k is {counted.k}. {spent:.1f} s in all; see {folder}."
    )
    print_lines([*stamps, *told, where])


def check_tables(options: Mapping[str, Any]) -> None:
    """Measure the joined view of a linked plan's tables, or of a release of some."""
    with working() as bar:
        bar.phase("reading")
        family, asked = _read(options)
        bar.phase("measuring")
        found = check_family(family)
    k = options["k"] or asked
    holds = k is None or found.k >= k
    if options["as_json"]:
        print_json({**found.to_dict(), "asked": k, "holds": holds})
    else:
        print_lines(_measured(found, k))
    raise typer.Exit(HOLDS if holds else REFUSED)


def attack_tables(folder: Path, *, preset: str | None, as_json: bool) -> None:
    """Try what somebody would who knows a person and several of their rows."""
    with working() as bar:
        bar.phase("reading")
        family, manifest = read_linked(folder)
        bar.phase("attacking")
        found = attack_linked(family)
    threshold = find_threshold(preset or manifest["preset"])
    exceeding = found.exceeding(threshold)
    if as_json:
        asked = {"k": manifest["k"]["asked"], "km": manifest["km"]["m"]}
        judged = {"holds": not exceeding, "threshold": threshold.risk, "exceeding": exceeding}
        print_json({**found.to_dict(), **asked, **judged})
    else:
        print_lines(_attacked(found, threshold))
    raise typer.Exit(REFUSED if exceeding else HOLDS)


def is_about_tables(options: Mapping[str, Any]) -> bool:
    """Tell whether what was typed names a release of linked tables, or a plan of some."""
    from shoal.linked import is_linked

    data, plan = options.get("data"), options.get("plan")
    if plan is not None and data is None:
        return is_linked(plan)
    return data is not None and is_linked_release(data)


def _plan(options: Mapping[str, Any]) -> LinkedPlan:
    check_linked_engine(options["engine"])
    typed = [n for n, value in options.items() if value and n not in (*TAKEN, *OVER)]
    typed = [n for n in typed if n not in ("context", "models")] + [*options.get("models", ())]
    if "://" in str(options.get("output")):
        raise InvalidParameterError(
            "Linked tables are written to files, not into a database.", hint="-o release/"
        )
    for name in {"after", "refound", "hide_changes"} & {*typed}:
        raise InvalidParameterError(
            f"--{name.replace('_', '-')} goes with one table, not with linked ones.",
            hint="Of these the ledger weighs every release against the earlier ones.",
        )
    if typed:
        raise InvalidParameterError(
            f"Of linked tables the plan says what --{typed[0].replace('_', '-')} would.",
            hint="Write it there: [tables.NAME], [privacy] or [release].",
        )
    over = {name: options[name] for name in OVER if options[name] is not None}
    return replace(LinkedPlan.read(options["plan"]), **over)


def _read(options: Mapping[str, Any]) -> tuple[Family, int | None]:
    if options["data"] is not None:
        family, manifest = read_linked(options["data"])
        return family, int(manifest["k"]["asked"])
    return Family.read(LinkedPlan.read(options["plan"])), None


def _facts(release: LinkedRelease) -> dict[str, Any]:
    return {
        "people": release.people,
        "rows_in": release.rows_in,
        "suppressed": release.suppressed,
        "share_suppressed": release.share_suppressed,
        "loss": dict(release.losses),
        "loss_alone": dict(release.alone),
        "trials": [
            {"crowd": t.crowd, "loss": t.loss, "suppressed": t.suppressed, **t.losses}
            for t in release.trials
        ],
        "unique": {n: e.found.share_unique for n, e in release.exposures.items()},
        "open": {n: list(e.open) for n, e in release.exposures.items() if e.open},
    }


def _lines(release: LinkedRelease, joined: Mapping[str, int]) -> Iterator[str]:
    plan = release.plan
    yield (
        f"Whatever one row tells of a person, joined, is shared by at least {plan.k} people:"
        f" {release.people:,} of them in {plural(release.crowds.n_groups, 'crowd')}."
    )
    if plan.km > 1:
        yield f"So is every combination of {plan.km} rows of one person."
    yield f"{release.share_suppressed:.1%} of {plural(release.rows_in, 'row')} are left out."
    for name, exposure in release.exposures.items():
        if exposure.warning:
            yield f"Warning: in {name!r}, {exposure.warning}"
    yield ""
    rows = [("table", "rows", "k, joined", "lost", "by itself", "unique on all of it")]
    for name, made in release.tables.items():
        alone = release.alone.get(name)
        rows.append(
            (
                name,
                f"{made.frame.height:,}",
                str(joined[name]),
                f"{release.losses[name]:.1%}",
                "-" if alone is None else f"{alone:.1%}",
                f"{release.exposures[name].found.share_unique:.1%}",
            )
        )
    yield from columns_of(rows, right=frozenset({1, 2, 3, 4, 5}))


def _measured(found: JoinedView, k: int | None) -> Iterator[str]:
    yield (
        f"Joined, k is {found.k}: {plural(found.singled, 'person')} of {found.people:,} told from"
        f" all others by some row, {found.only_joined:,} of them by a join alone."
    )
    if k is not None:
        yield f"{k} were asked for: {'that holds' if found.k >= k else 'that does not hold'}."
    rows = [("table", "k by itself", "k, joined")]
    rows += [(n, str(found.k_alone[n]), str(found.k_joined[n])) for n in found.k_joined]
    yield from columns_of(rows, right=frozenset({1, 2}))


def _attacked(found: LinkedAttack, threshold: Threshold) -> Iterator[str]:
    yield f"{found.people:,} people attacked; guessing is right in {found.baseline:.4f}."
    too_much = found.exceeding(threshold)
    rows = [("the attacker knows the person, and", "right", "without that", "")]
    rows.append(("nothing else", f"{found.crowd:.4f}", "", ""))
    tried = {f"{plural(m, 'row')}": (found.rates[m], found.control[m]) for m in found.rates}
    tried["how many rows there are"] = found.counts, found.crowd
    rows += [
        (known, f"{rate:.4f}", f"{before:.4f}", "TOO MUCH" if known in too_much else "")
        for known, (rate, before) in tried.items()
    ]
    yield from columns_of(rows, right=frozenset({1, 2}))
    if too_much:
        yield f"More than {threshold.risk:.0%} of what is left to gain. Bound it: [privacy] km = 2."
