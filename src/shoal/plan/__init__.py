"""Plans: the whole recipe of a release as one readable TOML file.

A `Plan` is a frozen value: it describes, reads and writes itself, and builds an
`shoal.Anonymizer`. `run` reads the table of a plan and anonymizes it.
"""

from shoal.plan._plan import Plan
from shoal.plan._run import ENGINES, check_engine, run
from shoal.plan._writing import Comments

__all__ = ["ENGINES", "Comments", "Plan", "check_engine", "run"]
