"""Plans: the whole recipe of a release as one readable TOML file.

A `Plan` is a frozen value: it describes, reads and writes itself, and builds an
`shoal.Anonymizer`. `run` reads the table of a plan and anonymizes it; `propose` looks at a table
and proposes a plan, with the reason for each guess; `rehearse` tries a plan on part of its table
and attacks that, with the people who were held out as control.
"""

from shoal.plan._attacking import attack_network
from shoal.plan._exposure import say_unaccepted
from shoal.plan._hierarchies import build_hierarchies, named_hierarchy
from shoal.plan._plan import SAYS_NOTHING, Plan
from shoal.plan._proposal import Proposal, Proposed, propose, propose_plan
from shoal.plan._reading import fields_of, parse_plan, read_sql
from shoal.plan._rehearsal import Rehearsal, rehearse
from shoal.plan._run import ENGINES, check_engine, run
from shoal.plan._schema import plan_schema
from shoal.plan._writing import Comments, to_toml

__all__ = [
    "ENGINES",
    "SAYS_NOTHING",
    "Comments",
    "Plan",
    "Proposal",
    "Proposed",
    "Rehearsal",
    "attack_network",
    "build_hierarchies",
    "check_engine",
    "fields_of",
    "named_hierarchy",
    "parse_plan",
    "plan_schema",
    "propose",
    "propose_plan",
    "read_sql",
    "rehearse",
    "run",
    "say_unaccepted",
    "to_toml",
]
