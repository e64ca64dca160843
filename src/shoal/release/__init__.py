"""A release: data, manifest, report and the script that recounts it.

`Release` holds what the anonymizer made. `Release.write` puts it into a folder in one step: it is
written under a temporary name, forced to disk, read back and recounted by `shoal.verifier`, and
only then renamed into place. If a claim does not hold, nothing is left behind. `claims_of` says
what the verifier must recount for the privacy models that were asked for.

The `Ledger` knows every release of this house by keyed hashes; `entered` asks it before a release
is written, for what is safe alone may not be safe beside an earlier one.
"""

from __future__ import annotations

from shoal.release._attacking import attack_release
from shoal.release._claims import claims_of
from shoal.release._forgetting import Forgotten, forget_people, leave_out
from shoal.release._kept_crowds import KeptCrowds
from shoal.release._ledger import Ledger, Recorded, Subject
from shoal.release._ledger_gate import (
    NOT_ASKED,
    Entered,
    Mode,
    announce,
    entered,
    ledger_mode,
    through_gate,
)
from shoal.release._ledger_score import FEWEST_CHANGES, Composition, compose
from shoal.release._ledger_trace import Trace, trace_release
from shoal.release._manifest import RELEASE_FILES
from shoal.release._parts import write_parts
from shoal.release._reading import ReleaseOnDisk, read_release
from shoal.release._release import Lineage, Release, Written
from shoal.release._relinkage import Relinkage, measure_relinkage

__all__ = [
    "FEWEST_CHANGES",
    "NOT_ASKED",
    "RELEASE_FILES",
    "Composition",
    "Entered",
    "Forgotten",
    "KeptCrowds",
    "Ledger",
    "Lineage",
    "Mode",
    "Recorded",
    "Release",
    "ReleaseOnDisk",
    "Relinkage",
    "Subject",
    "Trace",
    "Written",
    "announce",
    "attack_release",
    "claims_of",
    "compose",
    "entered",
    "forget_people",
    "leave_out",
    "ledger_mode",
    "measure_relinkage",
    "read_release",
    "through_gate",
    "trace_release",
    "write_parts",
]
