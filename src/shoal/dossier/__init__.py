"""Dossiers: documents for regulators, written from what a release proves.

`write_dossier` is the door. Each kind of document is a `Dossier` in a file of its own and listed
in `DOSSIERS`; `Evidence` is all that any of them may quote. To add a kind, write one and run
`shoal.testing.check_dossier` on it.
"""

from shoal.dossier._base import BlankField, Dossier, DossierPart, MeasuredField
from shoal.dossier._dpia import DataProtectionAnnex
from shoal.dossier._ema import EmaReport
from shoal.dossier._evidence import Evidence, gather
from shoal.dossier._hipaa import HipaaAnnex
from shoal.dossier._ico import IntruderLog
from shoal.dossier._iso27559 import Iso27559Table
from shoal.dossier._rendering import to_html, to_markdown
from shoal.dossier._writing import DOSSIERS, write_dossier

__all__ = [
    "DOSSIERS",
    "BlankField",
    "DataProtectionAnnex",
    "Dossier",
    "DossierPart",
    "EmaReport",
    "Evidence",
    "HipaaAnnex",
    "IntruderLog",
    "Iso27559Table",
    "MeasuredField",
    "gather",
    "to_html",
    "to_markdown",
    "write_dossier",
]
