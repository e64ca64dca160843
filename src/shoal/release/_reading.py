"""A release read back, as somebody who received it would."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.exceptions import InputError, InvalidParameterError
from shoal.hierarchies import Hierarchy, read_hierarchies, read_hierarchy
from shoal.release._files import describe
from shoal.release._manifest import MANIFEST, read_manifest
from shoal.release._types import give_types
from shoal.table import Roles, Table, give_back, read_table
from shoal.typing import Kind
from shoal.verifier import contradictions

if TYPE_CHECKING:
    from shoal.utility import GeneralizedEncoder


DATABASE_VARIABLE = "SHOAL_RELEASE_DATABASE"


@dataclass(frozen=True, eq=False)
class ReleaseOnDisk:
    """A release as it lies in its folder.

    Attributes
    ----------
    table : Table
        The released rows; quasi-identifiers, sensitive columns and target as the manifest says.
    folder : Path
        Where it lies.
    manifest : mapping
        What it says of itself; empty for a plain file.
    hierarchies : mapping of str to Hierarchy
        The trees that lie in the folder, or were given.
    """

    table: Table
    folder: Path
    manifest: Mapping[str, Any]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    @property
    def roles(self) -> Roles:
        """Which columns are quasi-identifiers, sensitive and target."""
        return self.table.roles

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The rows with types: numbers, dates and text; generalized columns are text."""
        return give_types(self.table.frame, self.table.kinds, self.table.column_names)

    def to_pandas(self) -> Any:
        """Return the same as a pandas frame."""
        return give_back(self.frame, "pandas")

    def encoder(self, **settings: Any) -> GeneralizedEncoder:
        """Make the encoder for models that learn from this release; settings are its own."""
        from shoal.utility import GeneralizedEncoder

        names = list(self.roles.quasi_identifiers)
        told = {"hierarchies": dict(self.hierarchies), "quasi_identifiers": names}
        return GeneralizedEncoder(**{**told, **settings})

    @property
    def k(self) -> int | None:
        """The k that it claims."""
        claims = self.manifest.get("holds", ())
        found = [c.get("asked") for c in claims if c.get("measure") == "k"]
        return int(found[0]) if found and isinstance(found[0], int | float) else None

    @property
    def moved(self) -> bool:
        """Whether values were pushed back or stirred."""
        return bool(self.manifest.get("relinkage"))

    @property
    def preset(self) -> str | None:
        """The preset it was made for."""
        return self.manifest.get("preset")


def read_release(
    path: str | PathLike[str],
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    hierarchies: str | PathLike[str] | Mapping[str, Hierarchy] | None = None,
    database: str | None = None,
    texts_only: bool = False,
) -> ReleaseOnDisk:
    """Read a release from its folder; or the plain file of another tool, whose roles are given.

    The rows of a release that was written back are in a database, whose address its public papers
    do not name: ``database`` does, or the environment (``SHOAL_RELEASE_DATABASE``).
    Roles that are given replace what the manifest says. Trees are those that lie in the folder
    and those given: a mapping, or a folder of ``<column>.csv`` and ``<column>.json``. Whoever wants
    ``texts_only`` is not told which columns are numbers or dates.

    Examples
    --------
    >>> import tempfile
    >>> import polars as pl
    >>> from shoal import anonymize
    >>> people = pl.DataFrame({"age": [30, 31, 50, 52], "pay": [1.5, 2.0, 2.5, 3.0]})
    >>> folder = tempfile.TemporaryDirectory()
    >>> release = anonymize(people, quasi_identifiers="age", sensitive="pay", k=2)
    >>> _ = release.write(f"{folder.name}/out", ledger="off")
    >>> back = read_release(f"{folder.name}/out")
    >>> back.frame.schema["age"], back.frame.schema["pay"], back.roles.quasi_identifiers
    (String, Float64, ('age',))
    >>> back.encoder().fit(back.frame).get_feature_names_out().tolist()
    ['age (midpoint)', 'age (missing)']
    >>> folder.cleanup()
    """
    given = _trees(hierarchies)
    path = Path(path)
    if path.is_file():
        if not quasi_identifiers:
            raise InvalidParameterError(
                f"{path.name!r} is a file without a manifest.",
                hint="Name its quasi-identifiers (--quasi), or a folder written by Shoal.",
            )
        roles = Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive)
        return ReleaseOnDisk(read_table(path, roles=roles), path.parent, {}, given)
    manifest = _manifest_of(path)
    database = database or os.environ.get(DATABASE_VARIABLE)
    having: dict[str, list[str]] = {}
    for column in manifest.get("columns", ()):
        having.setdefault(column["role"], []).append(column["name"])
    known = list(quasi_identifiers) or having.get("quasi-identifier", [])
    secret = [n for n in (sensitive or having.get("sensitive", [])) if n not in known]
    target = next((n for n in having.get("target", ()) if n not in known), None)
    exact = [
        n for n in manifest.get("singling_out", {}).get("accepted", ()) if n in (*secret, target)
    ]
    accepted = [n for n in having.get("publish-as-is", ()) if n not in (*known, *secret)] + exact
    named = {
        p["column"]: p["of"] for p in manifest.get("pseudonyms", ()) if p["column"] not in known
    }
    roles = Roles(
        identifiers=[name for name, of in named.items() if of != "person"],
        quasi_identifiers=known,
        sensitive=secret,
        target=target,
        person=next((name for name, of in named.items() if of == "person"), None),
        publish_as_is=accepted,
    )
    lying = [name for name in manifest["files"] if name.startswith("hierarchies/")]
    trees = {Path(name).stem: read_hierarchy(path / name) for name in lying}
    if isinstance(manifest.get("table"), dict):
        table = _read_back(path, manifest, roles, database)
    else:
        names = [column["name"] for column in manifest["columns"]] if texts_only else []
        kinds: dict[str, Kind] = dict.fromkeys(names, "nominal")
        table = _read_data(path / manifest["file"], roles, kinds)
    return ReleaseOnDisk(table, path, manifest, {**trees, **given})


def _trees(
    given: str | PathLike[str] | Mapping[str, Hierarchy] | None,
) -> Mapping[str, Hierarchy]:
    if given is None or isinstance(given, Mapping):
        return given or {}
    return read_hierarchies(given)


def _read_data(data: Path, roles: Roles, kinds: Mapping[str, Kind]) -> Table:
    """Read the released rows: one file, or a folder of parts."""
    if not data.is_dir():
        return read_table(data, roles=roles, kinds=kinds)
    parts = [read_table(part).frame for part in sorted(data.iterdir())]
    return read_table(pl.concat(parts), roles=roles)


def _read_back(
    folder: Path, manifest: Mapping[str, Any], roles: Roles, database: str | None
) -> Table:
    """Read the rows from their table; one that is not as it was released is refused."""
    name, kind = str(manifest["table"].get("name")), str(manifest["table"].get("kind"))
    if database is None:
        raise InputError(
            f"The rows of the release in {folder.name!r} are in the table {name!r} of a database.",
            hint=f"Say in which: {DATABASE_VARIABLE}={kind}:"
            + ("//host/db" if kind == "postgresql" else "///file.db"),
        )
    from shoal.release.targets import digest_of

    table = read_table(database, table=name, roles=roles)
    told = [column["name"] for column in manifest["columns"]]
    changed = [
        file
        for file, facts in manifest["files"].items()
        if describe(folder / file)["sha256"] != facts.get("sha256")
    ]
    same = digest_of([table.frame]) == manifest["table"].get("sha256")
    if changed or [*table.column_names] != told or not same:
        what = f"{changed[0]} was changed." if changed else f"the table {name!r} is another."
        raise InputError(
            f"The release in {folder.name!r} does not agree with its manifest: {what}",
            hint="Ask whoever released it for the papers and the table as they were.",
        )
    return table


def _manifest_of(folder: Path) -> dict[str, Any]:
    try:
        manifest = read_manifest((folder / MANIFEST).read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"There is no release in {folder.name!r}: it holds no {MANIFEST}.",
            hint="Name the folder that 'shoal anonymize -o' wrote, or a file and --quasi.",
        ) from None
    except (OSError, ValueError):
        raise InputError(f"The {MANIFEST} in {folder.name!r} cannot be read.") from None
    if isinstance(manifest.get("table"), dict):
        return manifest
    if not manifest.get("file") or not (folder / str(manifest["file"])).exists():
        raise InputError(f"The data of the release in {folder.name!r} are not there.")
    if wrong := contradictions(folder):
        raise InputError(
            f"The release in {folder.name!r} does not agree with its manifest: {wrong[0]}",
            hint="Ask whoever gave it to you for the folder as it was released.",
        )
    return manifest
