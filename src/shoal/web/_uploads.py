"""Uploads: from the wire into a private file, measured on the way, gone if anything fails."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

from starlette.requests import ClientDisconnect, Request

from shoal.exceptions import CancelledError, InputError
from shoal.web._upload_limits import (
    MEGABYTE,
    TooMuchError,
    UploadLimits,
    check_parquet,
    check_workbook,
    counter_for,
)

ZIPPED = (".xlsx", ".xlsm", ".xlsb", ".ods")
WORKBOOKS = (*ZIPPED, ".xls")
STATISTICS = (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt")
SUFFIXES = {
    ".csv": ".csv",
    ".tsv": ".csv",
    ".txt": ".csv",
    ".csv.gz": ".csv.gz",
    ".parquet": ".parquet",
    ".pq": ".parquet",
    **{ending: ending for ending in (".arrow", ".feather", ".ndjson", ".jsonl")},
    **{ending: ending for ending in (*WORKBOOKS, *STATISTICS)},
}
CHECKS = {".parquet": check_parquet, **dict.fromkeys(ZIPPED, check_workbook)}
ARRIVING = "arriving"
MOST_LADDER = 8 << 20


def plain_name(given: str) -> str:
    """Keep the last part of a file name, for people to read; it is never used as a path.

    >>> plain_name("../../etc/passwd"), plain_name("C:\\\\me\\\\a\\x00b.csv"), plain_name("")
    ('passwd', 'a b.csv', 'table')
    """
    last = re.split(r"[/\\\\]", given)[-1]
    return re.sub(r"[^\w.,()\[\]+ -]", " ", last).strip(". ")[:100].strip() or "table"


def suffix_of(name: str) -> str:
    """Tell how a file of this name is kept."""
    lower = name.lower()
    for ending, kept in sorted(SUFFIXES.items(), key=lambda item: -len(item[0])):
        if lower.endswith(ending):
            return kept
    raise InputError(
        "Files of this kind cannot be read.",
        hint="Known are CSV, CSV.gz, Excel, SPSS, Stata, SAS, Parquet, Arrow and JSON lines.",
    )


async def receive(
    pieces: AsyncIterator[bytes], folder: Path, suffix: str, limits: UploadLimits
) -> Path:
    """Write an upload to ``folder``, readable by this user only; whole, or not at all."""
    draft, target = folder / f"{ARRIVING}{suffix}", folder / f"table{suffix}"
    counter = counter_for(suffix, limits)
    began, size = monotonic(), 0
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            async for piece in _patiently(pieces, limits.idle):
                size += len(piece)
                check_size(size, limits)
                if monotonic() - began > limits.seconds:
                    raise TooMuchError("The upload took too long.")
                await asyncio.to_thread(_take, counter.feed, file.write, piece)
        if size == 0:
            raise InputError("The file is empty.")
        if suffix in CHECKS:
            await asyncio.to_thread(CHECKS[suffix], draft, limits)
        draft.replace(target)
    except ClientDisconnect:
        raise CancelledError("The upload was broken off.") from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return target


async def read_small(request: Request, most: int, words: str) -> bytes:
    """Read the body of a request, unless it is larger than it can be."""
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > most:
            raise TooMuchError(words)
    return content


def check_size(size: int, limits: UploadLimits) -> None:
    """Refuse more bytes than we take."""
    if size > limits.upload:
        raise TooMuchError(f"The file has more than {limits.upload // MEGABYTE:,} megabytes.")


async def _patiently(pieces: AsyncIterator[bytes], idle: float) -> AsyncIterator[bytes]:
    """Wait for each piece, but not for ever."""
    while True:
        try:
            piece = await asyncio.wait_for(anext(pieces), idle)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise TooMuchError("The upload stopped halfway.") from None
        if piece:
            yield piece


def _take(feed: object, write: object, piece: bytes) -> None:
    feed(piece)  # type: ignore[operator]
    write(piece)  # type: ignore[operator]
