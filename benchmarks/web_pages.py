"""Pages of the web app: how long each takes on all of Adult, and what its event loop is held up by.

In a real Chromium, from the request to the page that has loaded, after a release was made, attacked
and compared; a table of 200 columns beside it; and a file of 200 MB that is read as a job, with
progress and a stop, while somebody else goes on clicking. The server runs on asyncio's own loop
here, and the CPU time of every callback is counted: what others do on the machine plays no part.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from selenium.webdriver.support.ui import WebDriverWait

from latency import _browser, _server, _spread

PAGES = ("table", "teach", "result", "journal", "people", "later", "network", "tune", "outliers")
REPEATS = 5
COLUMNS, COLUMN_ROWS = 200, 2_000
UPLOAD_MB = int(os.environ.get("SHOAL_BENCH_UPLOAD_MB", "200"))
HELD = "SHOAL_BENCH_HELD"  # where a server leaves what held its loop
LOADED = """
const [done] = arguments;
const tell = () => {
  const found = performance.getEntriesByType("navigation")[0];
  found.loadEventEnd ? done(found.duration) : setTimeout(tell, 10);
};
tell();
"""


def measure() -> dict[str, Any]:
    """Walk through all pages, upload a large file, and ask what held the loop."""
    with tempfile.TemporaryDirectory() as folder:
        held = Path(folder) / "held.json"
        os.environ[HELD] = str(held)
        with (
            _server(Path(folder), script=Path(__file__)) as (base, token),
            _browser() as driver,
        ):
            driver.get(f"{base}/?token={token}")
            WebDriverWait(driver, 60).until(lambda _: "token" not in driver.current_url)
            cookies = {cookie["name"]: cookie["value"] for cookie in driver.get_cookies()}
            how: dict[str, Any] = {"cookies": cookies, "headers": {"origin": base}, "timeout": 600}
            with httpx.Client(base_url=base, **how) as client:  # the same visitor
                pages = _adult_pages(client, driver, base)
                wide = _wide(client, driver, base)
                upload = _upload(client, Path(folder))
        found = json.loads(held.read_text())
    return {"pages_ms": pages, "columns_200_ms": wide, "upload": upload, "event_loop": found}


def _adult_pages(client: httpx.Client, driver: Any, base: str) -> dict[str, Any]:
    """Load every page of Adult a few times, with everything on it that can be."""
    began = time.perf_counter()
    made = client.post("/api/tables/built-in", json={"name": "adult"}).json()
    taken = 1000 * (time.perf_counter() - began)
    id = made["id"]
    for name, told in made["columns"].items():
        if told["role"] == "other":
            client.patch(f"/api/tables/{id}/columns/{name}", json={"role": "drop"})
    for kind in ("release", "compare"):
        _finish(client, id, kind)
    driver.get(f"{base}/t/{id}/result")
    driver.execute_script("document.querySelector('button[data-value=attack]').click()")
    while "Try attacks on it" not in driver.page_source or _busy(driver):
        time.sleep(0.5)
    addresses = {path: f"{base}/t/{id}/{path}" for path in PAGES}
    found = {name: _load(driver, at) for name, at in {"start": f"{base}/", **addresses}.items()}
    found["table"]["taken_in"] = round(taken, 1)  # reading and guessing, before the page opens
    return found


def _busy(driver: Any) -> bool:
    return bool(driver.execute_script("return document.querySelector('progress') !== null"))


def _finish(client: httpx.Client, id: str, kind: str) -> None:
    job = client.post(f"/api/tables/{id}/jobs", json={"kind": kind}).json()["id"]
    while (found := client.get(f"/api/tables/{id}/jobs/{job}").json())["state"] in (
        "waiting",
        "running",
    ):
        time.sleep(0.2)
    if found["state"] != "done":
        sys.exit(f"The job {kind} {found['state']}: {found['problem']}")


def _load(driver: Any, address: str) -> dict[str, float]:
    times = []
    for _ in range(REPEATS + 1):  # the first one warms up
        driver.get(address)
        times.append(driver.execute_async_script(LOADED))
    return {"first": round(times[0], 1), **_spread(times[1:])}


def _wide(client: httpx.Client, driver: Any, base: str) -> dict[str, Any]:
    """Open a table of 200 columns, and filter them."""
    head = ",".join(f"column{i}" for i in range(COLUMNS))
    rows = (",".join(str((i * j) % 97) for j in range(COLUMNS)) for i in range(COLUMN_ROWS))
    content = "\n".join([head, *rows]).encode()
    began = time.perf_counter()
    made = client.post("/api/tables", params={"name": "wide.csv"}, content=content).json()
    taken = 1000 * (time.perf_counter() - began)
    return {"taken_in": round(taken, 1), **_load(driver, f"{base}/t/{made['id']}/table")}


def _upload(client: httpx.Client, folder: Path) -> dict[str, Any]:
    """Read a large file to its end, then again until it is stopped; click all the while."""
    path = folder / "large.csv"
    size = _write_large(path)
    reading = _read(client, path, stop_after=None)
    stopped = _read(client, path, stop_after=5.0)
    return {
        "megabytes": round(size / 1e6),
        "received_s": reading["received_s"],
        "read_s": reading["ended_s"],
        "shares_seen": reading["shares"],
        "answer_meanwhile_ms": _spread(reading["answers_ms"]),
        "stopped_after_ms": stopped["stopped_ms"],
    }


def _write_large(path: Path) -> int:
    line = "{n},{a},{s},{z},{d},{c},ward {w},{t:05d},{t:07d},visit of the {w}th week\n"
    with path.open("w") as file:
        file.write("number,age,sex,zip,diagnosis,cost,ward,room,device,visit\n")
        n = 0
        while file.tell() < UPLOAD_MB * 1_000_000:
            for _ in range(20_000):
                n += 1
                file.write(
                    line.format(
                        n=n,
                        a=18 + n * 7 % 80,
                        s="fm"[n % 2],
                        z=8000 + n * 31 % 999,
                        d=("flu", "asthma", "diabetes", "none")[n * 5 % 4],
                        c=n * 37 % 10_000,
                        w=n * 3 % 50,
                        t=n * 11 % 99_991,
                    )
                )
    return path.stat().st_size


def _read(client: httpx.Client, path: Path, stop_after: float | None) -> dict[str, Any]:
    begin = time.perf_counter()
    answer = client.post(
        "/api/tables/readings", params={"name": "large.csv"}, content=_pieces(path)
    )
    if answer.status_code != 202:
        sys.exit(f"The upload was refused: {answer.text}")
    found, received = answer.json(), time.perf_counter() - begin
    shares: set[int] = set()
    answers, stopped = [], None
    while found["state"] in ("waiting", "running"):
        before = time.perf_counter()
        client.get("/api/tables")
        answers.append(1000 * (time.perf_counter() - before))
        found = client.get(f"/api/tables/readings/{found['id']}").json()
        shares |= {round(100 * found["share"])} if found["share"] else set()
        if stop_after is not None and stopped is None and before - begin - received > stop_after:
            stopped = time.perf_counter()
            found = client.delete(f"/api/tables/readings/{found['id']}").json()
        time.sleep(0.05)
    ended = time.perf_counter()
    return {
        "received_s": round(received, 1),
        "ended_s": round(ended - begin - received, 1),
        "state": found["state"],
        "shares": len(shares),
        "answers_ms": answers,
        "stopped_ms": None if stopped is None else round(1000 * (ended - stopped), 1),
    }


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            yield piece


def _serve_watched() -> None:
    """Run ``shoal serve`` as typed, and count the CPU time of each callback of its loop."""
    import asyncio
    import signal

    sys.modules["uvloop"] = None  # type: ignore[assignment]  # its callbacks cannot be watched
    spent: list[tuple[float, str]] = []
    plain = asyncio.Handle._run

    def run(self: Any) -> Any:
        begin = time.thread_time()
        try:
            return plain(self)
        finally:
            spent.append((1000 * (time.thread_time() - begin), _name(self._callback)))

    asyncio.Handle._run = run  # type: ignore[method-assign]
    atexit.register(lambda: _tell(spent))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    from shoal.cli import main

    sys.exit(main())


def _name(callback: Any) -> str:
    owner = getattr(callback, "__self__", None)
    coroutine = getattr(owner, "get_coro", lambda: None)()
    return str(getattr(coroutine, "__qualname__", None) or getattr(callback, "__qualname__", "?"))


def _tell(spent: list[tuple[float, str]]) -> None:
    longest = sorted(spent, reverse=True)[:5]
    found = {
        "callbacks": len(spent),
        "above_20_ms": sum(ms > 20 for ms, _ in spent),
        "median_ms": round(median(ms for ms, _ in spent), 3),
        "longest": [{"ms": round(ms, 1), "of": name} for ms, name in longest],
    }
    Path(os.environ[HELD]).write_text(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        _serve_watched()
    else:
        print(json.dumps(measure(), indent=2))
