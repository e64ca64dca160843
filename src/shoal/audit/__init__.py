"""The audit trail: a journal whose entries are chained by a keyed hash.

Whoever lacks the key can neither change, remove nor reorder an entry without `Journal.verify`
naming it; a witness file kept elsewhere also gives away a tail that was cut off. What an entry says
can be taken out for good (`Journal.redact`), and the chain still holds.
"""

from shoal.audit._chain import ChainVerification, Entry, row_name
from shoal.audit._journal import Journal, find_journals, is_journal
from shoal.audit._witness import Witness

__all__ = [
    "ChainVerification",
    "Entry",
    "Journal",
    "Witness",
    "find_journals",
    "is_journal",
    "row_name",
]
