"""Errors from far away: our own come through, those of others say no more than their kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from shoal import exceptions
from shoal.exceptions import InputError, ShoalError

_MARK = "<<" + "shoal"  # in two parts: a traceback quotes this line too
Work = TypeVar("Work", bound=Callable[..., Any])


def telling(work: Work) -> Work:
    """Make a function of a worker tell its errors so that `understood` can read them.

    What Python says of other errors may quote a cell, so nothing but their type gets through.
    """

    @wraps(work)
    def told(*arguments: Any) -> Any:
        try:
            return work(*arguments)
        except ShoalError as error:
            body = {"type": type(error).__name__, "text": str(error), "hint": error.hint}
            raise RuntimeError(_MARK + json.dumps(body)) from None
        except MemoryError:
            raise
        except Exception as error:
            body = {"type": "RuntimeError", "text": type(error).__name__, "hint": None}
            raise RuntimeError(_MARK + json.dumps(body)) from None

    return told  # type: ignore[return-value]


@contextmanager
def understood() -> Iterator[None]:
    """Raise a worker's error as the type it had; hide what Spark would quote."""
    try:
        yield
    except (ShoalError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        raise read_error(str(error), type(error).__name__) from None


def read_error(text: str, kind: str) -> Exception:
    """Read our own error out of what Spark tells.

    >>> body = '{"type": "ImpossibleError", "text": "No.", "hint": null}'
    >>> read_error(f"Job aborted: <<shoal{body} at some place", "PythonException")
    ImpossibleError('No.')
    """
    _, mark, after = text.partition(_MARK)
    if mark:
        body, _ = json.JSONDecoder().raw_decode(after)
        ours = getattr(exceptions, body["type"], None)
        if isinstance(ours, type) and issubclass(ours, ShoalError):
            return ours(body["text"], hint=body["hint"])
        return RuntimeError(f"a worker failed ({body['text']})")
    if "MALFORMED_RECORD" in text or "malformed" in text.lower():
        return InputError(
            "Some rows of the file have more or fewer fields than the header.",
            hint="Quote fields that hold the delimiter, or give the right delimiter.",
        )
    return RuntimeError(f"Spark failed ({kind})")
