"""Data and structural k-anonymity (Campan and Truta, 2009): what attributes and edges lose."""

from shoal.studies.campan2009._study import Campan2009

__all__ = ["STUDY", "Campan2009"]

STUDY = Campan2009()
