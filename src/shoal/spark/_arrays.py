"""Arrays of whole numbers as cells: one binary value per row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.typing import IntArray


def pack_rows(rows: IntArray) -> pa.Array:
    """Turn each row of an int32 matrix into one binary cell.

    >>> unpack_rows(pack_rows(np.array([[1, 2], [3, 4]])), 2).tolist()
    [[1, 2], [3, 4]]
    """
    plain = np.ascontiguousarray(rows, dtype=np.int32)
    size = plain.shape[1] * 4
    bounds = np.arange(len(plain) + 1, dtype=np.int32) * size
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(plain)]
    return pa.Array.from_buffers(pa.binary(), len(plain), buffers)


def unpack_rows(cells: Any, width: int) -> IntArray:
    """Turn binary cells back into a matrix."""
    array = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
    if isinstance(array, pa.ChunkedArray):  # a column of no chunks
        array = pa.array([], pa.binary())
    data = b"".join(array.to_pylist()) if array.offset else _bytes_of(array)
    return np.frombuffer(data, dtype=np.int32).reshape(len(array), width)


def to_polars(table: pa.Table, places: list[str], names: list[str]) -> pl.DataFrame:
    """Take some columns of an Arrow table, under the names they have outside Spark."""
    return pl.DataFrame(
        [
            pl.Series(name, table.column(place)) if len(table) else pl.Series(name, [])
            for place, name in zip(places, names, strict=True)
        ]
    )


def plain_text(words: pl.Series) -> pa.Array:
    """Text in Arrow as Spark takes it: no large or view types."""
    return words.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(pa.string())


def _bytes_of(array: pa.Array) -> bytes | memoryview:
    if not len(array):
        return b""
    bounds = np.frombuffer(array.buffers()[1], dtype=np.int32)
    return memoryview(array.buffers()[2])[bounds[0] : bounds[len(array)]]
