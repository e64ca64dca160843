"""Walk: how many files of Shoal one thing that a user does runs through, counted by a profiler.

A file counts if one of its functions is called; so this is what a newcomer would have to open to
follow the way. Once before counting everything is done in full, so that imports, caches and
compiled kernels do not count.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

ROWS = 400
NAMELESS = ("<module>", "<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")


class Walk(NamedTuple):
    """Files and functions of the package that were run through."""

    files: frozenset[str]
    functions: frozenset[tuple[str, str]]


def walk(act: Callable[[], Any]) -> Walk:
    """Do something under a profiler, also in the threads that it starts."""
    import shoal

    root = f"{Path(shoal.__file__).resolve().parent}{os.sep}"
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name not in NAMELESS:
            seen.add((code.co_filename.removeprefix(root), code.co_qualname))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return Walk(frozenset(file for file, _ in seen), frozenset(seen))


def count_answer() -> Walk:
    """Answer one question on the Teach page: from the request to the fragments that come back.

    The preview of the whole table is another thread's work and is made before.
    """
    with _open_page() as (post, session):
        for _ in range(2):
            session.preview()
            post(f"answer:{session.ask().id}", "A")
        session.preview()
        question = session.ask().id
        session.batch = 1_000  # no preview begins meanwhile
        return walk(lambda: post(f"answer:{question}", "B"))


@contextmanager
def _open_page() -> Iterator[tuple[Callable[[str, str], None], Any]]:
    """Open the Teach page of a small table in an application of this process."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have httpx2, which nothing else needs
        from starlette.testclient import TestClient

    from shoal.web import Settings
    from shoal.web._app import create_app
    from shoal.web._server import Server

    with tempfile.TemporaryDirectory() as folder:
        server = Server(Settings(), Path(folder))
        base = "http://127.0.0.1:8080"
        client = TestClient(create_app(server), base_url=base, headers={"origin": base})
        client.get("/", params={"token": server.visitors.token})  # every request has its threads
        made = client.post("/api/tables/built-in", json={"name": "people", "rows": ROWS}).json()
        (space,) = server._open.values()
        client.get(f"/t/{made['id']}/teach")
        have: dict[str, str] = {}

        def post(act: str, value: str) -> None:
            body = {"act": act, "value": value, "have": have}
            answer = client.post(f"/t/{made['id']}/teach", json=body).json()
            assert answer["kind"] == "info", answer["say"]
            have.update({name: f["version"] for name, f in answer["fragments"].items()})

        yield post, space.session
        server.close()


if __name__ == "__main__":
    found = count_answer()
    print(f"one answer: {len(found.files)} files, {len(found.functions)} functions")
    for file in sorted(found.files):
        names = sorted(name for where, name in found.functions if where == file)
        print(f"  {file:<36} {', '.join(names)}")
