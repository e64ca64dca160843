"""Data anonymization as a vector quantization problem (Miche et al., 2016), tried for real."""

from shoal.studies.miche2016._study import Miche2016

__all__ = ["STUDY", "Miche2016"]

STUDY = Miche2016()
