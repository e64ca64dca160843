"""Tables of people to try, test and measure with, each with its roles and hierarchies.

==================  ==========================================================================
`people`            hospital patients we make up, as many as asked for; works offline
`hospital`          three tables about such patients: people, stays, laboratory results
`adult`             UCI Adult, the table of the literature (48,842 rows in two parts)
`adult_graph`       300 people of it and who knows whom, the edges random (1,597)
`facebook_ego`      the friends of one person on Facebook (347 or 170) and who knows whom
`law_firm`          71 lawyers and who works with whom (Lazega)
`census_income`     KDD Census-Income, the large real one (199,523 and 99,762 rows)
`medical_cost`      the medical cost table of Augusto et al. (1,338 rows)
`wisconsin`         breast cancer measurements, from scikit-learn (569 rows)
==================  ==========================================================================

Each returns a `Dataset` (`hospital` plain frames); `malle2017_file` reads what a published
experiment left. Public files are looked for in the folder ``SHOAL_DATA`` names, in ``shared/data``
beside the repository, then in the user's cache; else they are downloaded. Whatever is found must
have the checksum pinned here.
"""

from shoal.datasets._adult import adult
from shoal.datasets._adult_graph import adult_graph
from shoal.datasets._census_income import census_income
from shoal.datasets._dataset import Dataset
from shoal.datasets._malle2017 import malle2017_file
from shoal.datasets._medical_cost import medical_cost
from shoal.datasets._people import hospital, people
from shoal.datasets._real_networks import facebook_ego, law_firm
from shoal.datasets._wisconsin import wisconsin

__all__ = [
    "Dataset",
    "adult",
    "adult_graph",
    "census_income",
    "facebook_ego",
    "hospital",
    "law_firm",
    "malle2017_file",
    "medical_cost",
    "people",
    "wisconsin",
]
