"""Sealing: what lies on the disk tells nothing without the key, not even which rows are alike."""

from __future__ import annotations

import hmac
from hashlib import sha256, shake_256

import numpy as np

from shoal.exceptions import InputError
from shoal.ledger._trace import OldTraceError

MARK = b"shoal trace 2\0\0\0"
_UNSEALED = b"\x93NUMPY"  # how traces of the first version begin
_TAG = 16


def seal(data: bytes, key: bytes) -> bytes:
    """Hide some bytes under a key, the same way each time.

    The tag is a keyed hash of the content and the start of the key stream at once (P. Rogaway,
    T. Shrimpton, Deterministic authenticated encryption, EUROCRYPT 2006).

    >>> sealed = seal(b"who was where", b"key")
    >>> b"where" in sealed, unseal(sealed, b"key")
    (False, b'who was where')
    """
    tag = _tag(data, key)
    return MARK + tag + _hidden(data, tag, key)


def unseal(sealed: bytes, key: bytes) -> bytes:
    """Bring the bytes back; whatever was not sealed with this key is an `InputError`."""
    if sealed.startswith(_UNSEALED):
        raise OldTraceError("A trace in the ledger is of another version of Shoal.")
    begin = len(MARK) + _TAG
    tag = sealed[len(MARK) : begin]
    data = _hidden(sealed[begin:], tag, key)
    if not (sealed.startswith(MARK) and hmac.compare_digest(tag, _tag(data, key))):
        raise InputError("A trace in the ledger is damaged.", hint="Run 'shoal ledger verify'.")
    return data


def _tag(data: bytes, key: bytes) -> bytes:
    return hmac.new(key, b"shoal trace tag" + data, sha256).digest()[:_TAG]


def _hidden(data: bytes, tag: bytes, key: bytes) -> bytes:
    stream = shake_256(hmac.new(key, b"shoal trace stream" + tag, sha256).digest())
    mask = np.frombuffer(stream.digest(len(data)), dtype=np.uint8)
    return (np.frombuffer(data, dtype=np.uint8) ^ mask).tobytes()
