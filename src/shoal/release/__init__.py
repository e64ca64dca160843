"""A release: data, manifest, report and the script that recounts it.

`Release` holds what the anonymizer made. `Release.write` puts it into a folder in one step: it is
written under a temporary name, forced to disk, read back and recounted by `shoal.verifier`, and
only then renamed into place. If a claim does not hold, nothing is left behind. `claims_of` says
what the verifier must recount for the privacy models that were asked for.
"""

from __future__ import annotations

from shoal.release._claims import claims_of
from shoal.release._manifest import RELEASE_FILES
from shoal.release._reading import ReleaseOnDisk, read_release
from shoal.release._release import Release, Written
from shoal.release._relinkage import Relinkage, measure_relinkage

__all__ = [
    "RELEASE_FILES",
    "Release",
    "ReleaseOnDisk",
    "Relinkage",
    "Written",
    "claims_of",
    "measure_relinkage",
    "read_release",
]
