"""Tables that belong together: people, and what happened to them, joined by a key.

A `LinkedPlan` names the tables. `Family` holds them joined, `anonymize_linked` hides people in
crowds and, inside each crowd, the rows of all other tables, so that whatever is published of a
person in any one row is shared by at least k people. `check_family` measures the joined view of any
such tables, `attack_linked` tries what an attacker would who knows several rows of a person.
"""

from shoal.linked._anonymize import anonymize_linked, check_linked_engine, run_linked
from shoal.linked._attack import LinkedAttack, attack_linked
from shoal.linked._check import JoinedView, check_family
from shoal.linked._crowds import CrowdTrial, Hiding, Nested, nameless
from shoal.linked._family import Family
from shoal.linked._plan import LinkedPlan, is_linked
from shoal.linked._reading import is_linked_release, read_linked
from shoal.linked._release import LinkedRelease, LinkedWritten, ReleasedTable
from shoal.linked._schema import any_plan_schema

__all__ = [
    "CrowdTrial",
    "Family",
    "Hiding",
    "JoinedView",
    "LinkedAttack",
    "LinkedPlan",
    "LinkedRelease",
    "LinkedWritten",
    "Nested",
    "ReleasedTable",
    "anonymize_linked",
    "any_plan_schema",
    "attack_linked",
    "check_family",
    "check_linked_engine",
    "is_linked",
    "is_linked_release",
    "nameless",
    "read_linked",
    "run_linked",
]
