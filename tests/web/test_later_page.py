"""The page of later deliveries: an earlier release made here or brought, what is kept and new."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter

import pytest
from serving import wait_for

from shoal.web._later import HOW

K = 4


def town(first, n):
    """People of a registry, as CSV: everybody from the first on."""
    lines = ["name,age,sex,ill"]
    ills = ["flu", "gout", "cold"]
    lines += [
        f"Person {i},{20 + 7 * i % 60},{'fm'[i % 2]},{ills[(i * 5 + i // 4) % 3]}"
        for i in range(first, first + n)
    ]
    return ("\n".join(lines) + "\n").encode()


def brought(client, name, content):
    answer = client.post("/api/tables", params={"name": name}, content=content)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def decided(client, id):
    roles = {"name": "person", "age": "quasi_identifier", "sex": "quasi_identifier"}
    for column, role in {**roles, "ill": "sensitive"}.items():
        answer = client.patch(f"/api/tables/{id}/columns/{column}", json={"role": role})
        assert answer.status_code == 200, answer.text
    answer = client.put(f"/api/tables/{id}/privacy", json={"k": K, "l": 2})
    assert answer.status_code == 200, answer.text


def released(client, id):
    """Make a release and fetch it: now it has left the house."""
    job = client.post(f"/api/tables/{id}/jobs", json={"kind": "release"}).json()
    assert wait_for(client, id, job["id"])["state"] == "done"
    return fetched(client, id)


def fetched(client, id):
    answer = client.get(f"/api/tables/{id}/release/release.zip")
    assert answer.status_code == 200, answer.text
    return answer.content


def did(client, id, act, value=""):
    answer = client.post(f"/t/{id}/later", json={"act": act, "value": value, "have": {}})
    assert answer.status_code == 200, answer.text
    return answer.json()


def delivered(client, id):
    """Let a job deliver, and return what the page says then."""
    job = client.post(f"/api/tables/{id}/jobs", json={"kind": "later"})
    assert job.status_code == 202, job.text
    wait_for(client, id, job.json()["id"])
    return did(client, id, "")["fragments"]


def crowds(pack):
    """Count boxes of a release that was fetched."""
    text = zipfile.ZipFile(io.BytesIO(pack)).read("release/data.csv").decode()
    return Counter(tuple(line.split(",")[:-1]) for line in text.splitlines()[1:])


@pytest.fixture
def january(steward):
    id = brought(steward, "january.csv", town(0, 48))
    decided(steward, id)
    return id, released(steward, id)


def test_a_second_delivery_follows_a_release_made_here(steward, january):
    id = brought(steward, "february.csv", town(0, 69))
    page = steward.get(f"/t/{id}/later").text
    assert "january.csv, 48 rows" in page
    assert "Deliver</button>" not in page
    chosen = did(steward, id, "follow", january[0])
    assert "After january.csv" in chosen["fragments"]["deliver"]["html"]
    told = delivered(steward, id)
    assert "What changed" in told["grown"]["html"], told["deliver"]["html"]
    assert "waiting for others" in told["grown"]["html"]
    assert "founded by newcomers" in told["grown"]["html"]
    before, now = crowds(january[1]), crowds(fetched(steward, id))
    assert all(now[box] >= many for box, many in before.items())
    came = now - before
    assert sum(came.values()) > 0
    assert min(came.values()) >= K
    manifest = steward.get(f"/api/tables/{id}/release").json()["manifest"]
    assert manifest["since_earlier"]["rows_before"] == 48
    assert "follows" not in json.dumps(manifest)


PLAN = f"""
[roles]
person = "name"
quasi_identifiers = ["age", "sex"]
sensitive = ["ill"]

[privacy]
k = {K}
l = 2

[pseudonyms]
name = "project"
"""


def test_pseudonyms_of_a_project_are_carried_on(steward):
    first = brought(steward, "january.csv", town(0, 48))
    assert steward.put(f"/api/tables/{first}/plan", content=PLAN).status_code == 200
    then = words(released(steward, first))
    id = brought(steward, "february.csv", town(0, 69))
    did(steward, id, "follow", first)  # with its plan, and so its pseudonyms
    told = delivered(steward, id)
    assert "What changed" in told["grown"]["html"], told["deliver"]["html"]
    assert then < words(fetched(steward, id))


def words(pack):
    """The first column of a release that was fetched."""
    text = zipfile.ZipFile(io.BytesIO(pack)).read("release/data.csv").decode()
    return {line.partition(",")[0] for line in text.splitlines()[1:]}


def test_a_release_is_brought_as_a_zip_and_another_after_it_is_refused(steward, january):
    for number, n in enumerate((69, 74)):
        id = brought(steward, f"later{number}.csv", town(0, n))
        decided(steward, id)
        answer = steward.put(f"/api/tables/{id}/earlier", content=january[1])
        assert answer.status_code == 204, answer.text
        assert "a release that you brought" in steward.get(f"/t/{id}/later").text
        told = delivered(steward, id)
        assert "What changed" in told["grown"]["html"], told["deliver"]["html"]
        answer = steward.get(f"/api/tables/{id}/release/release.zip")
        assert (answer.status_code == 200) == (number == 0)
    assert "Another delivery follows" in answer.json()["error"]


def test_whoever_must_be_corrected_leaves_with_their_crowd(steward, january):
    id = brought(steward, "february.csv", town(0, 69))
    did(steward, id, "follow", january[0])
    names = f"/api/tables/{id}/corrected"
    assert steward.put(names, content=b"\n\n").json()["error"] == "This file names nobody."
    assert steward.put(names, content=b"\xff\xfe").status_code == 422
    assert steward.put(names, content=b"x" * (2 << 20)).status_code == 413
    assert steward.put(names, content=b"Person 4\nPerson 900\n").status_code == 204
    told = delivered(steward, id)["deliver"]["html"]
    assert "1 name of 2 to correct are not in" in told
    assert "Person 900" not in told
    assert "2 people to correct" in told  # still there: nothing was delivered
    assert "People to correct" in did(steward, id, "uncorrect")["fragments"]["deliver"]["html"]
    assert steward.put(names, content=b"\xef\xbb\xbfPerson 4\r\n").status_code == 204
    assert "1 person to correct" in did(steward, id, "")["fragments"]["deliver"]["html"]
    told = delivered(steward, id)
    assert "of crowds that left" in told["grown"]["html"]
    assert "to correct:" not in told["deliver"]["html"]  # the names went with the delivery
    before, now = crowds(january[1]), crowds(fetched(steward, id))
    gone = [box for box in before if box not in now]
    assert len(gone) == 1
    assert all(now[box] >= many for box, many in before.items() if box not in gone)


def test_what_is_no_release_is_refused_in_a_sentence(steward, january):
    id = brought(steward, "other.csv", town(0, 60))
    decided(steward, id)
    answer = steward.put(f"/api/tables/{id}/earlier", content=b"no zip")
    assert answer.status_code == 422
    assert answer.json()["hint"] == HOW
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as pack:
        pack.writestr("../data.csv", "age\n1\n")
    assert (
        "no release"
        in steward.put(f"/api/tables/{id}/earlier", content=empty.getvalue()).json()["error"]
    )
    assert did(steward, id, "start", "later")["kind"] == "trouble"
    assert steward.post(f"/api/tables/{id}/jobs", json={"kind": "later"}).status_code == 422
    assert did(steward, id, "follow", "0" * 32)["kind"] == "trouble"
    altered = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(january[1])) as was, zipfile.ZipFile(altered, "w") as now:
        for name in was.namelist():
            content = was.read(name)
            now.writestr(name, content.replace(b"flu", b"gout") if "data" in name else content)
    assert steward.put(f"/api/tables/{id}/earlier", content=altered.getvalue()).status_code == 204
    told = delivered(steward, id)
    assert "trouble" in told["deliver"]["html"]
    assert told["grown"]["html"] == ""


def test_releases_that_did_not_leave_and_those_of_others_are_not_offered(steward, visit):
    draft = brought(steward, "draft.csv", town(0, 48))
    decided(steward, draft)
    job = steward.post(f"/api/tables/{draft}/jobs", json={"kind": "release"}).json()
    assert wait_for(steward, draft, job["id"])["state"] == "done"
    mine = brought(steward, "mine.csv", town(0, 60))
    assert "draft.csv, " not in steward.get(f"/t/{mine}/later").text
    fetched(steward, draft)
    assert "draft.csv, 48 rows" in steward.get(f"/t/{mine}/later").text
    other = visit()
    theirs = brought(other, "theirs.csv", town(0, 60))
    assert "draft.csv" not in other.get(f"/t/{theirs}/later").text
    assert did(other, theirs, "follow", draft)["kind"] == "trouble"
