"""Names for the columns of packed arrays.

Kernels pass structures of arrays to each other, and numba's time to compile grows with the
number of arrays in them. So what belongs together is one array, and these are its columns.
"""

from __future__ import annotations

# Attributes of Losses.meta; rules and groups keep their size and offset in the same places.
KIND, SIZE, OFFSET, MISSING, FULL, REACH_AT = range(6)

# Rules.meta: RULE, SIZE, OFFSET, L, SKIP
RULE, L, SKIP = 0, 3, 4

# Tree.nodes and Index.nodes (the latter ends with PARENT)
BEGIN, END, LEFT, RIGHT, PARENT, FREE, ROWS, FIRST = range(8)

# Tree.cells
IDS, COPIES, LEAF = range(3)

# Groups.pieces
CELL, COUNT, GROUP, AFTER, AHEAD = range(5)

# Groups.state: HEAD, SIZE, LOSS
HEAD, LOSS = 0, 2
