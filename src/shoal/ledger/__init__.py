"""The ledger: what left the house before, and what that means for the next release.

Every release is known by keyed hashes, never by values. `enter_ledger` asks the `Ledger` before a
release is written, for what is safe alone may not be safe beside an earlier one. `forget_people`
removes people for good; `KeptCrowds` groups as an earlier release did.
"""

from shoal.ledger._changes import FEWEST_CHANGES
from shoal.ledger._composition import Composition, compose, offending
from shoal.ledger._entry import (
    MODES,
    NOT_ASKED,
    Entered,
    Mode,
    abandon,
    announce,
    enter_ledger,
    ledger_mode,
    unrecorded,
)
from shoal.ledger._forgetting import Forgotten, forget_people
from shoal.ledger._kept_crowds import KeptCrowds
from shoal.ledger._ledger import Ledger
from shoal.ledger._records import Recorded, Subject, part_of
from shoal.ledger._resetting import Reset, reset_ledger
from shoal.ledger._trace import Shown, Trace
from shoal.ledger._tracing import canonical_marks, trace_release

__all__ = [
    "FEWEST_CHANGES",
    "MODES",
    "NOT_ASKED",
    "Composition",
    "Entered",
    "Forgotten",
    "KeptCrowds",
    "Ledger",
    "Mode",
    "Recorded",
    "Reset",
    "Shown",
    "Subject",
    "Trace",
    "abandon",
    "announce",
    "canonical_marks",
    "compose",
    "enter_ledger",
    "forget_people",
    "ledger_mode",
    "offending",
    "part_of",
    "reset_ledger",
    "trace_release",
    "unrecorded",
]
