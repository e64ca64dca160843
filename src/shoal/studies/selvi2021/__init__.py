"""Anonymization by MapReduce with neural networks (Selvi and Pushpa, 2021), re-run on Spark."""

from shoal.studies.selvi2021._study import Selvi2021

__all__ = ["STUDY", "Selvi2021"]

STUDY = Selvi2021()
