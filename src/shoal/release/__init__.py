"""A release: data, manifest, report and the script that recounts it.

`Release` holds what the anonymizer made. `Release.write` puts it into a folder in one step: it is
written under a temporary name, forced to disk, read back and recounted by `shoal.verifier`, entered
in the ledger, and only then renamed into place. If a claim does not hold, nothing is left behind.
`write_release` is that way out, the same for every engine; it takes a `Draft`. `ReleasedPeople`
tells what became of whom.
"""

from __future__ import annotations

from shoal.release._attacking import attack_release
from shoal.release._files import describe, sort_by_content, write_data, write_text
from shoal.release._manifest import (
    FORMATS,
    MANIFEST,
    MANIFEST_KEYS,
    PLAIN_FORMATS,
    RELEASE_FILES,
    REPORT,
    SCRIPT,
    check_folder,
    to_json,
)
from shoal.release._people import CellStory, ReleasedPeople
from shoal.release._reading import ReleaseOnDisk, read_release
from shoal.release._release import Lineage, Release
from shoal.release._staging import Stage, staged
from shoal.release._writer import Draft, Written, write_release

__all__ = [
    "FORMATS",
    "MANIFEST",
    "MANIFEST_KEYS",
    "PLAIN_FORMATS",
    "RELEASE_FILES",
    "REPORT",
    "SCRIPT",
    "CellStory",
    "Draft",
    "Lineage",
    "Release",
    "ReleaseOnDisk",
    "ReleasedPeople",
    "Stage",
    "Written",
    "attack_release",
    "check_folder",
    "describe",
    "read_release",
    "sort_by_content",
    "staged",
    "to_json",
    "write_data",
    "write_release",
    "write_text",
]
