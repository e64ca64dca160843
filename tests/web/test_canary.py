"""A thousand planted strings, a full run with errors: found in the table, and nowhere else."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from pathlib import Path

import httpx
import pytest
from serving import start_server

CANARIES = [f"CANARY{i:04d}QX" for i in range(1_000)]
FOUND_IN = ("table.csv",)  # the only place where they belong


def planted(canaries=CANARIES):
    """A table whose names, jobs and notes are canaries; every one of them is in two columns."""
    lines = ["name,age,sex,job,disease,readmitted"]
    diseases = ["flu", "gout", "asthma", "angina"]
    lines += [
        f"{canary},{20 + i % 60},{'fm'[i % 2]},job {canary},{diseases[i % 4]},{'yn'[i // 7 % 2]}"
        for i, canary in enumerate(canaries)
    ]
    return ("\n".join(lines) + "\n").encode()


def search(folder):
    """Files with a canary in them, also behind zip and gzip."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and any(b"CANARY" in layer for layer in layers(path.read_bytes()))
    }


def layers(content):
    yield content
    if content[:2] == b"PK":
        import io

        with zipfile.ZipFile(io.BytesIO(content)) as pack:
            yield from (pack.read(name) for name in pack.namelist())
    if content[:2] == b"\x1f\x8b":
        try:
            yield gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            return


def everything_goes_wrong(client, at):
    """Ask for what cannot be; every answer is searched, too."""
    bad = [
        client.post("/api/tables?name=a.csv", content=planted() + b"one,too,many,fields,x,y,z\n"),
        client.post("/api/tables?name=a.csv", content=planted() + b'"never closed'),
        client.post("/api/tables?name=a.parquet", content=planted()),
        client.post("/api/tables?name=a.csv.gz", content=gzip.compress(planted())[:-30]),
        client.post("/api/tables?name=a.csv", content=b"\xff\xfe\x00" + planted()),
        client.patch(f"{at}/columns/job", json={"kind": "numeric"}),
        client.patch(f"{at}/columns/name", json={"kind": "date"}),
        client.put(f"{at}/columns/job/hierarchy", content=b"job CANARY0001QX;*\n"),
        client.put(f"{at}/columns/job/hierarchy?format=json", content=b'{"CANARY0002QX": ['),
        client.post(f"{at}/answers", json={"question": "CANARY0003QX", "choice": "A"}),
        client.put(f"{at}/weights", json={"weights": {"age": -1}}),
        client.put(f"{at}/limits/job", json={"value": 0}),
        client.get("/CANARY0005QX"),
        client.get(f"{at}/release/CANARY0006QX"),
    ]
    assert all(answer.status_code >= 400 for answer in bad)
    return bad


@pytest.fixture
def ran(tmp_path):
    """The whole way with errors on it, in a server of its own; then it ends."""
    server = start_server(tmp_path / "home")
    token = server.link.partition("token=")[2]
    key = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=server.base, headers=key, timeout=120) as client:
        table = client.post("/api/tables?name=people.csv", content=planted()).json()["id"]
        at = f"/api/tables/{table}"
        for i in range(4):
            question = client.get(f"{at}/question").json()["id"]
            client.post(f"{at}/answers", json={"question": question, "choice": "AB"[i % 2]})
        bad = everything_goes_wrong(client, at)
        client.patch(f"{at}/columns/job", json={"role": "quasi_identifier", "hierarchy": "flat"})
        client.post(f"{at}/preview")
        job = client.post(f"{at}/jobs", json={"kind": "release"}).json()["id"]
        while client.get(f"{at}/jobs/{job}").json()["state"] in ("waiting", "running"):
            pass
        journal = client.get(f"{at}/journal").text
        release = client.get(f"{at}/release").text
        report = client.get(f"{at}/release/report.html").text
        pack = client.get(f"{at}/release/release.zip").content
    server.stop()
    return tmp_path, bad, [journal, release, report], pack


def test_a_thousand_canaries_stay_in_the_table(ran):
    folder, bad, shown, pack = ran
    found = search(folder)
    assert {Path(path).name for path in found} == set(FOUND_IN)
    assert len(found) == 1  # the refused uploads are gone
    for text in (*shown, *(answer.text for answer in bad)):
        assert "CANARY" not in text
    assert pack[:2] == b"PK"
    assert all(b"CANARY" not in layer for layer in layers(pack))
    assert (folder / "home.log").read_text().count("Traceback") == 0


def test_the_search_finds_what_is_there(tmp_path):
    """The positive control: each hiding place, with a canary in it, is found."""
    (tmp_path / "plain.log").write_text("WARNING CANARY0001QX")
    (tmp_path / "packed.gz").write_bytes(gzip.compress(b"CANARY0002QX"))
    with zipfile.ZipFile(tmp_path / "release.zip", "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("data.csv", "CANARY0003QX" * 50)
    (tmp_path / "clean.txt").write_text("nothing")
    assert search(tmp_path) == {"plain.log", "packed.gz", "release.zip"}
