"""Arrow files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.release.renderings._base import Rendering
from shoal.table.sources import Codebook


class ArrowRendering(Rendering):
    """An Arrow file: types as they are."""

    format = "arrow"
    title = "an Arrow file"

    def write(self, path: Path, frame: pl.DataFrame, book: Codebook) -> None:
        """Write plain columns."""
        frame.write_ipc(path, compression="zstd", compat_level=pl.CompatLevel.oldest())
