"""States of the US: by division and region of the Census Bureau."""

from __future__ import annotations

from functools import cache

from shoal.hierarchies.ready._base import ReadyLadder, simple

_REGIONS = """
Northeast; New England; CT Connecticut, ME Maine, MA Massachusetts, NH New Hampshire
Northeast; New England; RI Rhode Island, VT Vermont
Northeast; Middle Atlantic; NJ New Jersey, NY New York, PA Pennsylvania
Midwest; East North Central; IL Illinois, IN Indiana, MI Michigan, OH Ohio, WI Wisconsin
Midwest; West North Central; IA Iowa, KS Kansas, MN Minnesota, MO Missouri, NE Nebraska
Midwest; West North Central; ND North Dakota, SD South Dakota
South; South Atlantic; DE Delaware, DC District of Columbia, FL Florida, GA Georgia, MD Maryland
South; South Atlantic; NC North Carolina, SC South Carolina, VA Virginia, WV West Virginia
South; East South Central; AL Alabama, KY Kentucky, MS Mississippi, TN Tennessee
South; West South Central; AR Arkansas, LA Louisiana, OK Oklahoma, TX Texas
West; Mountain; AZ Arizona, CO Colorado, ID Idaho, MT Montana, NV Nevada, NM New Mexico, UT Utah
West; Mountain; WY Wyoming
West; Pacific; AK Alaska, CA California, HI Hawaii, OR Oregon, WA Washington
"""


def state_steps(value: str) -> tuple[str, ...] | None:
    """Division and region of a state, by its postal code or name.

    >>> state_steps("CA"), state_steps("new york"), state_steps("Graz")
    (('Pacific', 'West'), ('Middle Atlantic', 'Northeast'), None)
    """
    return _states().get(simple(value))


US_STATES = ReadyLadder("us_states", "states of the US", ("division", "region"), state_steps)


@cache
def _states() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for line in _REGIONS.strip().splitlines():
        region, division, states = line.split("; ")
        for state in states.split(", "):
            code, _, name = state.partition(" ")
            found |= dict.fromkeys((simple(code), simple(name)), (division, region))
    return found
