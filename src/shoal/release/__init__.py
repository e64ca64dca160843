"""A release: data, manifest, report and the script that recounts it.

`Release` holds what the anonymizer made. `Release.write` puts it into a folder in one step: it is
written under a temporary name, forced to disk, read back and recounted by `shoal.verifier`, entered
in the ledger, and only then renamed into place. If a claim does not hold, nothing is left behind.
`claims_of` says what the verifier must recount for the privacy models that were asked for.
"""

from __future__ import annotations

from shoal.release._attacking import attack_release
from shoal.release._manifest import RELEASE_FILES
from shoal.release._parts import write_parts
from shoal.release._reading import ReleaseOnDisk, read_release
from shoal.release._release import Lineage, Release, Written

__all__ = [
    "RELEASE_FILES",
    "Lineage",
    "Release",
    "ReleaseOnDisk",
    "Written",
    "attack_release",
    "read_release",
    "write_parts",
]
