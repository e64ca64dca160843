"""The second opinion: re-reads a written release and recounts it in SQL.

It shares no code with the anonymizer, on purpose: counting twice with the same code proves
nothing. From Shoal it imports the exceptions and nothing else.

- `recount` measures a file; `verify` holds claims against such a recount;
- `contradictions` holds the manifest of a written release against its files;
- `script_source` is the text of ``verify.py``, which travels with every release so that
  anyone can recount with nothing but Python.
"""

from __future__ import annotations

from shoal.verifier._claims import MEASURES, Claim, Measure, Outcome
from shoal.verifier._linked import (
    LinkedFiles,
    LinkedRecount,
    linked_script_source,
    recount_linked,
)
from shoal.verifier._papers import contradictions, network_faults
from shoal.verifier._recount import (
    Recount,
    Verification,
    judge_claims,
    recount,
    script_source,
    verify,
)

__all__ = [
    "MEASURES",
    "Claim",
    "LinkedFiles",
    "LinkedRecount",
    "Measure",
    "Outcome",
    "Recount",
    "Verification",
    "contradictions",
    "judge_claims",
    "linked_script_source",
    "network_faults",
    "recount",
    "recount_linked",
    "script_source",
    "verify",
]
