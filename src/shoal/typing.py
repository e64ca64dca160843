"""Names for the arrays and small vocabularies that travel through Shoal."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.integer[Any]]
FloatArray: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]

Kind: TypeAlias = Literal["numeric", "ordinal", "nominal", "date", "code"]
KINDS: tuple[Kind, ...] = get_args(Kind)
