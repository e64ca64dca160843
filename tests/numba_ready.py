"""What every process that loads kernels does first, done once before processes are forked.

Numba learns all that it can compile when the first kernel is loaded: a quarter of a second.
"""

from __future__ import annotations

from numba.core.registry import cpu_target

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
