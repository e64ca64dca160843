"""Growing: a later delivery of a table that fits what was released before.

A table that is delivered every month must not be grouped anew every month: crowds of the same
people compose. `LaterDelivery` keeps the crowds of the earlier release word for word and publishes
newcomers in crowds of their own, or beside an earlier crowd whose box holds them. So all
releases together tell of a person what the first one that holds them told, and nothing more.
"""

from shoal.growing._earlier import Earlier, find_earlier
from shoal.growing._later import CHANGED, OVERDUE, LaterDelivery
from shoal.growing._refounding import Refounding

__all__ = ["CHANGED", "OVERDUE", "Earlier", "LaterDelivery", "Refounding", "find_earlier"]
