"""Walk: how many files of Shoal one thing that a user does runs through, counted by a profiler.

A file counts if one of its functions is called; so this is what a newcomer would have to open to
follow the way. Once before counting everything is done in full, so that imports, caches and
compiled kernels do not count.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

ROWS = 400
NAMELESS = ("<module>", "<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")


GROUND = {  # open to all: going there is not leaving a room
    *("exceptions.py", "typing.py", "presets.py", "_progress.py", "_random.py"),
    *("_estimator.py", "_home.py", "_checks.py", "_plugins.py", "_words.py"),
}


class Walk(NamedTuple):
    """Files and functions of the package that were run through, and how often it was left."""

    files: frozenset[str]
    functions: frozenset[tuple[str, str]]
    crossings: int  # from one package into another, at every call in the main thread


class _Trail(list[str]):
    """The packages in the order they were entered."""

    def enter(self, file: str) -> None:
        room = file.split(os.sep)[0]
        if room not in GROUND and (not self or self[-1] != room):
            self.append(room)


def walk(act: Callable[[], Any]) -> Walk:
    """Do something under a profiler, also in the threads that it starts."""
    import shoal

    root = f"{Path(shoal.__file__).resolve().parent}{os.sep}"
    seen: set[tuple[str, str]] = set()
    trail = _Trail()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name not in NAMELESS:
            file = code.co_filename.removeprefix(root)
            seen.add((file, code.co_qualname))
            if threading.current_thread() is threading.main_thread():  # others run beside it
                trail.enter(file)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return Walk(frozenset(file for file, _ in seen), frozenset(seen), len(trail))


def count_anonymize() -> Walk:
    """Type ``shoal anonymize`` for a small CSV: from the command line to the release."""
    from shoal.cli import run

    with tempfile.TemporaryDirectory() as folder, _own_house(folder):
        source = Path(folder, "town.csv")
        people = (
            f"{20 + i * 7 % 60},{'MF'[i % 2]},{1000 + i % 40},{'abcd'[i % 4]}" for i in range(600)
        )
        source.write_text("\n".join(["age,sex,zip,disease", *people, ""]), encoding="utf-8")

        def release(name: str) -> None:
            words = ["--quasi", "age,sex,zip", "--sensitive", "disease", "--l", "2", "--json"]
            target = str(Path(folder, name))
            with redirect_stdout(io.StringIO()):
                code = run(["anonymize", str(source), "-k", "5", *words, "-o", target])
            assert code == 0, code

        release("warm")
        return walk(lambda: release("counted"))


@contextmanager
def _own_house(folder: str) -> Iterator[None]:
    before = os.environ.get("SHOAL_HOME")
    os.environ["SHOAL_HOME"] = str(Path(folder, "house"))
    try:
        yield
    finally:
        os.environ.pop("SHOAL_HOME")
        if before is not None:
            os.environ["SHOAL_HOME"] = before


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


def tell(title: str, found: Walk) -> None:
    """Print what was counted, file by file."""
    files, functions = len(found.files), len(found.functions)
    crossings = f", {found.crossings} crossings" if found.crossings else ""
    print(f"{title}: {files} files, {functions} functions{crossings}")
    for file in sorted(found.files):
        names = sorted(name for where, name in found.functions if where == file)
        print(f"  {file:<36} {', '.join(names)}")


if __name__ == "__main__":
    tell("shoal anonymize", count_anonymize())
    tell("one answer", count_answer())
