"""Test-driven anonymization for artificial intelligence (Augusto et al., 2019), re-run."""

from shoal.studies.augusto2019._study import Augusto2019

__all__ = ["STUDY", "Augusto2019"]

STUDY = Augusto2019()
