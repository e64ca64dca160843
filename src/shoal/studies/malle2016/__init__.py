"""The right to be forgotten (Malle et al., 2016): what models lose as people leave a release."""

from shoal.studies.malle2016._study import Malle2016

__all__ = ["STUDY", "Malle2016"]

STUDY = Malle2016()
