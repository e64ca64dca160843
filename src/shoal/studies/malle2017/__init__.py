"""Interactive anonymization for privacy aware machine learning (Malle et al., 2017), re-run."""

from shoal.studies.malle2017._study import Malle2017

__all__ = ["STUDY", "Malle2017"]

STUDY = Malle2017()
