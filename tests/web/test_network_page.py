"""The page of networks: edges brought, weights, drawings, usefulness, attacks, files."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest
from serving import wait_for

K = 4


def village(n=40):
    """People and who knows whom, as two CSV files."""
    rng = np.random.default_rng(4)
    people = ["id,age,sex", *(f"v{i:03},{20 + i * 7 % 50},{'fm'[i % 2]}" for i in range(n))]
    parts = n // 10
    pairs = [
        (i, j)
        for i in range(n)
        for j in range(i)
        if i == j + parts or rng.random() < (0.4 if i % parts == j % parts else 0.5 / n)
    ]
    edges = ["a,b", *(f"v{i:03},v{j:03}" for i, j in pairs)]
    return "\n".join([*people, ""]).encode(), "\n".join([*edges, ""]).encode()


def brought(client, people):
    answer = client.post("/api/tables", params={"name": "village.csv"}, content=people)
    assert answer.status_code == 201, answer.text
    id = answer.json()["id"]
    for column, role in {
        "id": "identifier",
        "age": "quasi_identifier",
        "sex": "quasi_identifier",
    }.items():
        assert client.patch(f"/api/tables/{id}/columns/{column}", json={"role": role}).is_success
    assert client.put(f"/api/tables/{id}/privacy", json={"k": K}).is_success
    return id


def did(client, id, act="", value=""):
    answer = client.post(f"/t/{id}/network", json={"act": act, "value": value, "have": {}})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def home(steward):
    people, edges = village()
    id = brought(steward, people)
    answer = steward.put(f"/api/tables/{id}/edges", content=edges)
    assert answer.status_code == 204, answer.text
    return id


def hidden(client, id, **asked):
    until = time.monotonic() + 60
    job = client.post(f"/api/tables/{id}/jobs", json={"kind": "network", **asked})
    while "worked on already" in job.text and time.monotonic() < until:  # begun on the page
        time.sleep(0.05)
        job = client.post(f"/api/tables/{id}/jobs", json={"kind": "network", **asked})
    assert job.status_code == 202, job.text
    return wait_for(client, id, job.json()["id"])


def test_a_network_is_hidden_drawn_attacked_and_fetched(steward, home, tmp_path):
    page = did(steward, home)["fragments"]
    assert "edges between 40 people" in page["edges"]["html"]
    assert "Hide the network" in page["weights"]["html"]
    assert page["found"]["html"] == ""
    assert hidden(steward, home)["state"] == "done"
    found = did(steward, home)["fragments"]["found"]["html"]
    before, after = found.split("As published")
    assert before.count("<circle") == 40
    assert "v001" not in found
    assert 2 <= after.count("<circle") <= 40 // K
    assert "mean degree" in found
    assert "in the original" in found
    pack = steward.get(f"/api/tables/{home}/release/release.zip")
    assert pack.status_code == 200, pack.text
    with zipfile.ZipFile(io.BytesIO(pack.content)) as opened:
        opened.extractall(tmp_path)
    folder = tmp_path / "release"
    groups = list(csv.DictReader((folder / "groups.csv").read_text().splitlines()))
    assert min(int(group["size"]) for group in groups) >= K
    assert (folder / "network.graphml").is_file()
    checked = subprocess.run(
        [sys.executable, "verify.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert not list(folder.glob(".*"))  # drawings of the original stay in the house


def test_weights_are_chosen_and_odd_ones_refused(steward, home):
    assert did(steward, home, "beta", "5")["kind"] == "info"
    assert 'value="5"' in did(steward, home)["fragments"]["weights"]["html"]
    for odd in ("-1", "many", "nan", "1e9"):
        assert did(steward, home, "alpha", odd)["kind"] == "trouble"
    did(steward, home, "node", "sex")
    assert did(steward, home, "start", "network")["kind"] == "info"
    assert hidden(steward, home, node="sex")["state"] == "failed"


def test_edges_of_strangers_and_files_that_are_none_are_a_sentence(steward, home):
    answer = steward.put(f"/api/tables/{home}/edges", content=b"a\nx\n")
    assert answer.status_code == 422
    assert "two columns" in answer.json()["error"]
    answer = steward.put(f"/api/tables/{home}/edges", content=b"<notgraphml")
    assert answer.status_code == 422
    assert steward.put(f"/api/tables/{home}/edges", content=b"a,b\nv001,Zz9\n").status_code == 204
    failed = hidden(steward, home)
    assert failed["state"] == "failed"
    assert "Zz9" not in str(failed)
    graphml = (
        '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph'
        ' edgedefault="undirected"><node id="v001"/><node id="v002"/>'
        '<edge source="v001" target="v002"/></graph></graphml>'
    )
    assert steward.put(f"/api/tables/{home}/edges", content=graphml.encode()).status_code == 204
    assert "1 edges between 2 people" in did(steward, home)["fragments"]["edges"]["html"]


def test_without_edges_there_is_nothing_to_hide(steward):
    id = brought(steward, village()[0])
    assert "Hide the network" not in steward.get(f"/t/{id}/network").text
    assert did(steward, id, "start", "network")["kind"] == "trouble"


@pytest.mark.parametrize("asked", ["grid", "audience"])
def test_ends_of_ranges_lie_on_the_grid(steward, site, home, asked):
    """The plan's grid, and the one that an audience asks for, were left out beside edges."""
    space = next(space for (_, known), space in site._open.items() if known == home)
    space.decide(**({"grid": {"age": 10.0}} if asked == "grid" else {"preset": "public", "k": 11}))
    told = hidden(steward, home)
    assert space.released is not None, told
    text = (space.released.folder / "data.csv").read_text("utf-8")
    ends = [int(end) for row in csv.DictReader(io.StringIO(text)) for end in
            row["age"].strip("[]").split(", ")]  # fmt: skip
    step = 10 if asked == "grid" else 5
    assert {end % step for end in ends[::2]} == {0}
