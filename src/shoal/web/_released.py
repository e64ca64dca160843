"""Release that lies ready: verified, described, and folded into one file to fetch."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
import zipfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal._home import secret
from shoal._words import plain
from shoal.exceptions import InputError, LedgerDamagedError, OutputError
from shoal.ledger import (
    Composition,
    Ledger,
    Mode,
    Trace,
    enter_ledger,
    ledger_mode,
    trace_release,
    unrecorded,
)
from shoal.privacy import measure_privacy
from shoal.release import Release
from shoal.report import Summary
from shoal.table import Roles, Table, read_table
from shoal.web._kept import ReleaseCharts, find_kept, keep

PUBLIC = ("data.csv", "manifest.json", "report.html", "verify.py")  # what may be passed on
EVERYTHING = "everything.zip"  # for its maker: the release, the plan and the trees it names
PLAN_PACK = "plan.zip"  # the plan with the trees that it names
#: The last three are its maker's: they tell weights and name files.
FILES = (*PUBLIC, "plan.toml", PLAN_PACK, EVERYTHING)
PACK = "release.zip"
FOLLOWS = ".follows"  # what the ledger calls the release before it
TREES = "hierarchies"  # beside the plan that names them
TRACE = ".trace"  # gone once the release has left the house
MEASURES = "measures.json"  # what the pages show; not part of the release
CHARTS = "charts.json"  # likewise


@dataclass(frozen=True)
class Released:
    """What was released, as far as a page shows it.

    ``summary`` is None after a restart: the files are there, the numbers stand in the manifest.
    ``objection`` is why the ledger would not let it leave the house, empty if it would;
    ``caution`` is what it says and lets it leave all the same, unrecorded.
    """

    folder: Path
    manifest: dict[str, Any]
    measures: dict[str, Any]
    charts: ReleaseCharts | None = None
    summary: Summary | None = None
    objection: str = ""
    caution: str = ""

    @classmethod
    def read(cls, folder: Path) -> Released | None:
        """Find a release that a server before this one made."""
        try:
            manifest, measures = (
                json.loads((folder / name).read_text("utf-8"))
                for name in ("manifest.json", MEASURES)
            )
        except (OSError, ValueError):
            return None
        if not (folder / PACK).is_file():
            return None
        charts = find_kept(folder / CHARTS, ReleaseCharts)
        return cls(folder, manifest, measures, charts, None, *_weighed(folder, manifest))

    @property
    def fingerprint(self) -> str:
        """The digest of the released file: what is said of another one is not said of this."""
        return str(self.manifest["files"][self.manifest["file"]]["sha256"])

    @property
    def draft(self) -> bool:
        """Whether nothing of it has left the house, so that the ledger does not know it yet."""
        return (self.folder / TRACE).is_file()

    @property
    def holds(self) -> bool:
        """Whether everything that was asked was found again in the written file."""
        return all(bool(found["holds"]) for found in self.manifest["holds"])

    def facts(self) -> dict[str, Any]:
        """Return what a script may know."""
        found: dict[str, Any] = {
            "manifest": self.manifest,
            "measures": self.measures,
            "files": [*FILES, PACK],
        }
        return found | ({"summary": plain(self.summary)} if self.summary else {})


def keep_trace(folder: Path, release: Release) -> None:
    """Keep who was in which crowd, as keyed hashes, until the release leaves the house."""
    if release.lineage is None:
        return
    lineage = release.lineage
    trace = lineage.trace
    if trace is None:
        # the key suffices: whether the ledger is whole is asked at the door
        told: dict[str, Any] = {"k": release.summary.k or 0, "alignment": lineage.alignment}
        published = lineage.published  # so that a later delivery can follow it
        rows = lineage.table, lineage.grouping
        trace = trace_release(*rows, secret("ledger"), published=published, **told)
    (folder / TRACE).touch(mode=0o600)
    (folder / TRACE).write_bytes(trace.to_bytes())
    if lineage.follows:
        (folder / FOLLOWS).write_text(lineage.follows, encoding="utf-8")


def unentered(release: Release) -> Release:
    """A release that is entered into the ledger when it is fetched, not when it is written."""
    if release.lineage is None:
        return release
    return replace(release, lineage=replace(release.lineage, enter=None))


def pack_plan(folder: Path, text: str, trees: Mapping[str, Path]) -> None:
    """Write the plan of a release, alone and folded with its trees, under the paths it names."""
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    (folder / TREES).mkdir(mode=0o700)
    for path in trees.values():
        shutil.copyfile(path, folder / TREES / path.name)
    names = {path: name for name, path in trees.items()}
    _pack(folder / PLAN_PACK, {folder / "plan.toml": "plan.toml"} | names)


def hand_over(released: Released, table: Table) -> None:
    """Enter a release into the ledger the first time that something of it leaves the house.

    Raises `ReleaseRefusedError` if it gives too much away together with earlier ones. If the
    ledger is damaged, the rule is that of the command line: refused for partners, for the public
    and if the plan says so; elsewhere it leaves unrecorded, and is entered with the next file once
    the ledger is mended.
    """
    path = released.folder / TRACE
    if not path.is_file():
        return
    trace = Trace.from_bytes(path.read_bytes())

    def enter(ledger: Ledger) -> AbstractContextManager[Composition]:
        subject = replace(ledger.subject(table, folder=PACK), after=_follows(released.folder))
        return ledger.entering(subject, trace)

    with enter_ledger(_mode(released.folder, released.manifest), enter) as entry:
        if entry.composition is not None:
            path.unlink()


def fold(folder: Path, release: Release) -> Released:
    """Describe a release that was written, and fold its files into one."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    public = dict.fromkeys((*PUBLIC, *manifest["files"]))  # a network has more
    names = {folder / name: f"release/{name}" for name in public}
    _pack(folder / PACK, names)
    trees = {path: f"hierarchies/{path.name}" for path in sorted((folder / TREES).glob("*"))}
    _pack(folder / EVERYTHING, names | {folder / "plan.toml": "plan.toml"} | trees)
    shutil.rmtree(folder / TREES, ignore_errors=True)
    measures = _measures(release)
    (folder / MEASURES).write_text(json.dumps(measures), encoding="utf-8")
    charts = ReleaseCharts.of(release)
    keep(folder / CHARTS, charts)
    found = _weighed(folder, manifest)
    return Released(folder, manifest, measures, charts, release.summary, *found)


def _pack(target: Path, names: Mapping[Path, str]) -> None:
    """Fold files into one under the names given; whole or not at all."""
    draft = target.with_name(f".{target.name}")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as pack:
        for path, name in names.items():
            pack.write(path, name)
    os.chmod(draft, 0o600)
    draft.replace(target)


def _weighed(folder: Path, manifest: Mapping[str, Any]) -> tuple[str, str]:
    """Ask the ledger before anybody asks for a file: its objection, or its caution."""
    path = folder / TRACE
    if not path.is_file():
        return "", ""
    try:
        with Ledger.open() as ledger:
            ledger.check()
            found = ledger.weigh(Trace.from_bytes(path.read_bytes()))
    except (InputError, OutputError, LedgerDamagedError) as error:
        if _mode(folder, manifest) == "refuse":
            return f"{error} {error.hint or ''}".strip(), ""
        return "", unrecorded(error)
    return "" if found.holds else f"{found.reason} {found.advice}", ""


def _follows(folder: Path) -> str:
    """What the ledger calls the release that this one was made after; nothing, usually."""
    path = folder / FOLLOWS
    return path.read_text("utf-8") if path.is_file() else ""


def _mode(folder: Path, manifest: Mapping[str, Any]) -> Mode:
    """The rule of the audience; a plan may only ask for the stricter one."""
    path = folder / "plan.toml"
    plan = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    asked = plan.get("ledger", {}).get("mode")
    return "refuse" if asked == "refuse" else ledger_mode(preset=manifest.get("preset"))


def _measures(release: Release) -> dict[str, Any]:
    """Measure k, l and t of what is released; nothing where no k is promised, or k is of people."""
    summary = release.summary
    if summary.k is None or summary.people:
        return {}
    roles = Roles(quasi_identifiers=summary.quasi_identifiers, sensitive=summary.sensitive)
    return measure_privacy(read_table(release.frame, roles=roles)).to_dict()
