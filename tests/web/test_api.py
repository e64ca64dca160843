"""The REST API: what the pages do, done by a script; and what one user cannot see of another."""

from __future__ import annotations

import asyncio
import json
import zipfile
from io import BytesIO

import pytest
from serving import HERE, TestClient, table_of, wait_for

from shoal.web._app import create_app
from shoal.web._server import Server
from shoal.web._workspace import Workspace

NOBODYS = "0" * 32


@pytest.fixture
def at(table_id):
    return f"/api/tables/{table_id}"


PLAN = """
[roles]
identifiers = ["name"]
quasi_identifiers = ["age", "zip"]
target = "readmitted"
[kinds]
zip = "code"
[weights]
age = 2.0
[limits]
age = 30
[privacy]
k = 4
[method]
name = "mondrian"
"""


def test_a_plan_from_elsewhere_is_opened_and_followed(steward, at, table_id):
    about = steward.put(f"{at}/plan", content=PLAN).json()
    roles = {name: column["role"] for name, column in about["columns"].items()}
    assert roles == {
        "name": "identifier",
        "age": "quasi_identifier",
        "zip": "quasi_identifier",
        "readmitted": "target",
        "sex": "other",
        "disease": "other",
    }
    assert about["columns"]["zip"]["kind"] == "code"
    assert (about["privacy"]["k"], about["privacy"]["method"]) == (4, "mondrian")
    job = steward.post(f"{at}/jobs", json={"kind": "release"}).json()
    assert wait_for(steward, table_id, job["id"])["state"] == "done"
    plan = steward.get(f"{at}/release/plan.toml").text
    assert 'name = "mondrian"' in plan
    assert "age = 30" in plan


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[privacy]\nk = 0", "k"),
        ("[roles]\nquasi_identifiers = ['nobody']", "nobody"),
        ("no plan at all", "not TOML"),
        ("[privcy]\nk = 3", "There is no section"),
        ("[roles]\nquasi_identifiers = ['age']\n[method]\nname = 'quantize'", "Outliers"),
        ("[roles]\nquasi_identifiers = ['sex']\n[hierarchies]\nsex = '/etc/secret.csv'", "'sex'"),
        ("[table]\nhierarchies = '/etc'\n[roles]\nquasi_identifiers = ['disease']", "'disease'"),
        ("#" * (257 << 10), "256 kilobytes"),
    ],
)
def test_a_plan_that_does_not_fit_changes_nothing(steward, at, text, says):
    before = steward.get(at).json()
    answer = steward.put(f"{at}/plan", content=text)
    assert answer.status_code in (400, 413, 422)
    assert says in answer.json()["error"] + answer.json()["hint"]
    assert steward.get(at).json() == before


def test_the_source_of_a_plan_is_never_read(steward, at):
    text = '[table]\nsource = "/etc/passwd"\n[roles]\nquasi_identifiers = ["age"]\n'
    assert steward.put(f"{at}/plan", content=text).json()["rows"] == 60


def test_the_api_documents_itself(steward):
    spec = steward.get("/api/openapi.json").json()
    assert spec["info"]["title"] == "Shoal"
    paths = set(spec["paths"])
    assert {"/api/tables", "/api/tables/{id}/answers", "/api/tables/{id}/release/{file}"} <= paths
    for methods in spec["paths"].values():
        assert all(operation["description"] for operation in methods.values())


def test_a_script_goes_the_whole_way(steward, at, table_id):
    about = steward.get(at).json()
    assert about["columns"]["age"] == {
        "role": "quasi_identifier",
        "kind": "numeric",
        "hierarchy": None,
    }
    assert steward.get(f"{at}/uniqueness").json()["alone"] > 30
    steward.put(f"{at}/privacy", json={"k": 4, "l": 2})
    for _ in range(3):
        question = steward.get(f"{at}/question").json()
        assert set(question["cost"]) == {"A", "B"}
        told = {"question": question["id"], "choice": "A"}
        learned = steward.post(f"{at}/answers", json=told).json()["learned"]
    assert learned["answers"] == 3
    assert sum(learned["weights"].values()) == pytest.approx(1)
    assert steward.post(f"{at}/undo").json()["learned"]["answers"] == 2
    assert steward.put(f"{at}/weights", json={"weights": {"age": 3}}).json()["bias"]["age"] > 0.4
    assert steward.post(f"{at}/preview").json()["smallest"] >= 4

    assert steward.get(f"{at}/release/data.csv").status_code == 404  # not before it is verified
    job = steward.post(f"{at}/jobs", json={"kind": "release"}).json()
    assert wait_for(steward, table_id, job["id"])["state"] == "done"
    released = steward.get(f"{at}/release").json()
    assert [found["holds"] for found in released["manifest"]["holds"]] == [True, True]
    pack = zipfile.ZipFile(BytesIO(steward.get(f"{at}/release/release.zip").content))
    assert sorted(name.removeprefix("release/") for name in pack.namelist()) == [
        "data.csv",
        "manifest.json",
        "report.html",
        "verify.py",
    ]
    assert b"Person" not in pack.read("release/data.csv")
    kinds = [entry["kind"] for entry in steward.get(f"{at}/journal").json()]
    assert kinds.count("exported") == 1 or any("export" in kind for kind in kinds)
    assert steward.get(f"{at}/journal/verification").json()["holds"] is True
    assert json.loads(steward.get(f"{at}/journal/witness").content)


def test_downloads_are_attachments_with_fixed_names(steward, at, table_id):
    job = steward.post(f"{at}/jobs", json={"kind": "release"}).json()
    wait_for(steward, table_id, job["id"])
    for name in ("report.html", "data.csv", "plan.toml"):
        answer = steward.get(f"{at}/release/{name}")
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    for name in ("../plan.toml", "%2e%2e%2fplan.toml", "table.csv", "name.txt"):
        assert steward.get(f"{at}/release/{name}").status_code == 404


def test_the_three_ways_are_compared(steward, at, table_id):
    steward.put(f"{at}/privacy", json={"k": 3, "l": 1})
    steward.put(f"{at}/weights", json={"weights": {"age": 4}})
    question = steward.get(f"{at}/question").json()
    steward.post(f"{at}/answers", json={"question": question["id"], "choice": "B"})
    job = steward.post(f"{at}/jobs", json={"kind": "compare"}).json()
    assert wait_for(steward, table_id, job["id"])["state"] == "done"
    found = steward.get(f"{at}/comparison").json()
    assert [way["name"] for way in found["ways"]] == ["equal", "bias", "iml"]
    assert found["target"] == "readmitted"
    assert set(found["original"]) == set(found["ways"][0]["scores"])
    assert found["original"]["random_forest"] > found["constant"]
    assert found["rows_tested"] == 15


def test_roles_kinds_and_hierarchies_are_changed(steward, at):
    changed = steward.patch(f"{at}/columns/zip", json={"kind": "code", "hierarchy": "mask"}).json()
    assert changed["columns"]["zip"] == {
        "role": "quasi_identifier",
        "kind": "code",
        "hierarchy": "mask",
    }
    tree = steward.get(f"{at}/columns/zip/hierarchy").json()
    assert tree["label"] in ("*", "80**")
    ladder = b"f;person;*\nm;person;*\n"
    changed = steward.put(f"{at}/columns/sex/hierarchy", content=ladder).json()
    assert changed["columns"]["sex"]["hierarchy"] == "uploaded"
    assert steward.get(f"{at}/columns/sex/hierarchy").json()["label"] == "person"
    gap = steward.put(f"{at}/columns/sex/hierarchy", content=b"f;*\n")
    assert gap.status_code == 422
    assert "1 of 2" in gap.json()["error"]
    assert steward.patch(f"{at}/columns/nothing", json={"role": "other"}).status_code == 422


def test_what_was_learned_goes_along_when_the_plan_changes(steward, at):
    steward.put(f"{at}/weights", json={"weights": {"age": 8}})
    before = steward.get(f"{at}/weights").json()["weights"]
    steward.put(f"{at}/privacy", json={"k": 5})
    after = steward.get(f"{at}/weights").json()["weights"]
    assert max(after, key=after.get) == max(before, key=before.get) == "age"


def test_an_impossible_wish_is_refused_with_the_reason(steward, at):
    answer = steward.put(f"{at}/limits/age", json={"value": 0})
    if answer.status_code == 200:  # possible for age alone; not for everything at once
        answer = steward.put(f"{at}/limits/zip", json={"value": 0})
    assert answer.status_code == 409
    assert answer.json()["error"]
    assert steward.get(f"{at}/weights").json()["limits"].get("zip") is None


def test_bad_requests_are_told_without_being_repeated(steward, at):
    canary = "SECRET-5ae1"
    for method, path, body in (
        ("post", f"{at}/answers", {"question": canary, "choice": "A"}),
        ("post", f"{at}/answers", {"question": "x", "choice": canary}),
        ("put", f"{at}/privacy", {"k": canary}),
        ("patch", f"{at}/columns/age", {"role": canary}),
        ("post", f"{at}/jobs", {"kind": canary}),
        ("put", f"{at}/weights", {"weights": {"age": -1}}),
    ):
        answer = steward.request(method, path, json=body)
        assert answer.status_code == 422
        assert canary not in answer.text


def test_another_user_sees_nothing_of_mine(steward, visit, at, table_id):
    """Every route with an id, with somebody else's and with nobody's: the same 404."""
    other = visit()
    job = steward.post(f"{at}/jobs", json={"kind": "release"}).json()["id"]
    wait_for(steward, table_id, job)
    question = steward.get(f"{at}/question").json()["id"]
    bodies = {
        "/answers": {"question": question, "choice": "A"},
        "/weights": {"weights": None},
        "/privacy": {"k": 3},
        "/jobs": {"kind": "release"},
        "/columns/{column}": {"role": "other"},
        "/limits/{column}": {"value": 1},
    }
    spec = steward.get("/api/openapi.json").json()["paths"]
    tried = 0
    for path, methods in spec.items():
        if "{id}" not in path:
            continue
        ending = path.removeprefix("/api/tables/{id}")
        for method in methods:
            filled = path.replace("{job}", job).replace("{column}", "age")
            filled = filled.replace("{file}", "data.csv")
            for id in (table_id, NOBODYS, "../x", "x" * 32):
                answer = other.request(method, filled.replace("{id}", id), json=bodies.get(ending))
                assert answer.status_code in (404, 405), (method, filled)
                tried += 1
    assert tried > 60
    assert other.get("/api/tables").json() == []
    assert steward.get(f"{at}/release/data.csv").status_code == 200  # mine is still there
    assert [table["id"] for table in steward.get("/api/tables").json()] == [table_id]


def test_a_table_is_forgotten_with_everything(steward, at, table_id, shoal_home):
    assert steward.delete(at).status_code == 204
    assert steward.get(at).status_code == 404
    assert not list((shoal_home / "web").glob(f"*/{table_id}"))


def test_work_stops_when_asked_and_leaves_nothing(steward, shoal_home):
    answer = steward.post("/api/tables/built-in", json={"name": "people", "rows": 20_000})
    id = answer.json()["id"]
    job = steward.post(f"/api/tables/{id}/jobs", json={"kind": "release"}).json()["id"]
    while steward.get(f"/api/tables/{id}/jobs/{job}").json()["phase"] in ("waiting",):
        pass
    asked = steward.delete(f"/api/tables/{id}/jobs/{job}").json()
    assert asked["stopping"] or asked["state"] == "stopped"
    assert wait_for(steward, id, job)["state"] == "stopped"
    folder = next((shoal_home / "web").glob(f"*/{id}"))
    assert not list(folder.glob("job-*"))
    assert not (folder / "release").exists()


def test_a_restarted_server_goes_on(site, steward, at):
    question = steward.get(f"{at}/question").json()["id"]
    steward.post(f"{at}/answers", json={"question": question, "choice": "A"})
    weights, asked = steward.get(f"{at}/weights").json(), steward.get(f"{at}/question").json()
    cookie = {"cookie": f"shoal={steward.cookies['shoal']}"}
    again = Server(site.settings)  # a second server on the same home, as after a crash
    with TestClient(create_app(again), base_url=HERE, headers=cookie) as client:
        assert client.get(f"{at}/weights").json() == weights
        assert client.get(f"{at}/question").json() == asked


def test_built_in_tables(steward):
    answer = steward.post("/api/tables/built-in", json={"name": "people", "rows": 200})
    assert answer.json()["rows"] == 200
    assert answer.json()["columns"]["zip"]["hierarchy"] == "uploaded"
    assert steward.post("/api/tables/built-in", json={"name": "nobody"}).status_code == 422


def test_nobody_fills_the_disk_with_tables(steward, monkeypatch):
    monkeypatch.setattr("shoal.web._server.MOST_WORKSPACES", 2)
    send = {"params": {"name": "a.csv"}, "content": table_of(40)}
    answers = [steward.post("/api/tables", **send).status_code for _ in range(3)]
    assert answers == [201, 201, 422]


@pytest.mark.parametrize("path", ["/etc/passwd.csv", "../table.csv", "table.csv", "x.JSON"])
def test_no_file_of_the_server_is_opened_because_somebody_names_it(steward, at, path, tmp_path):
    inside = tmp_path / "ladder.csv"
    inside.write_text("f;*\nm;*\n")
    for named in (path, str(inside)):
        answer = steward.patch(f"{at}/columns/sex", json={"hierarchy": named})
        assert answer.status_code == 422
        assert "not by a file" in answer.json()["error"]
    assert steward.patch(f"{at}/columns/sex", json={"hierarchy": "flat"}).status_code == 200
    uploaded = steward.put(f"{at}/columns/sex/hierarchy", content=inside.read_bytes())
    assert uploaded.json()["columns"]["sex"]["hierarchy"] == "uploaded"
    kept = steward.patch(f"{at}/columns/sex", json={"hierarchy": "uploaded"})
    assert kept.json()["columns"]["sex"]["hierarchy"] == "uploaded"


def test_a_dirty_table_is_read_and_it_is_said(steward):
    rows = [f"{i},{20 + i},{150 + i} cm,{('18-29', '30-64', '65+')[i % 3]}," for i in range(59)]
    text = "\n".join(["Patients of 2024", ",age,height,band,", *rows, "59,4o,170 cm,65+,"])
    made = steward.post("/api/tables", params={"name": "a.csv"}, content=text.encode()).json()
    about = steward.get(f"/api/tables/{made['id']}").json()
    kinds = {name: column["kind"] for name, column in about["columns"].items()}
    assert kinds == {"index": "numeric", "age": "numeric", "height": "numeric", "band": "ordinal"}
    assert "Read as missing: cells of 'age' (1)." in about["warnings"]
    page = steward.get(f"/t/{made['id']}/table").text
    assert "How the file was read" in page
    assert "Lines above the header were left out: 1." in page
    told = steward.patch(f"/api/tables/{made['id']}/columns/age", json={"kind": "nominal"}).json()
    assert told["columns"]["age"]["kind"] == "nominal"


def test_a_column_may_have_slashes_in_its_name(steward):
    table = table_of().replace(b"age", b"age/years").replace(b"sex", b"a/b/hierarchy")
    made = steward.post("/api/tables", params={"name": "a.csv"}, content=table).json()
    at = f"/api/tables/{made['id']}"
    for name, quoted in (("age/years", "age%2Fyears"), ("a/b/hierarchy", "a%2Fb%2Fhierarchy")):
        changed = steward.patch(f"{at}/columns/{quoted}", json={"role": "quasi_identifier"}).json()
        assert changed["columns"][name]["role"] == "quasi_identifier"
        assert steward.get(f"{at}/columns/{quoted}/hierarchy").status_code == 200
    assert steward.put(f"{at}/limits/age%2Fyears", json={"value": 40}).status_code == 200
    ladder = b"f;*\nm;*\n"
    put = steward.put(f"{at}/columns/a%2Fb%2Fhierarchy/hierarchy", content=ladder)
    assert put.json()["columns"]["a/b/hierarchy"]["hierarchy"] == "uploaded"


def test_what_is_passed_on_tells_neither_weights_nor_paths(steward, at, table_id):
    steward.put(f"{at}/weights", json={"weights": {"age": 3.0}})
    job = steward.post(f"{at}/jobs", json={"kind": "release"}).json()
    assert wait_for(steward, table_id, job["id"])["state"] == "done"
    pack = zipfile.ZipFile(BytesIO(steward.get(f"{at}/release/release.zip").content))
    assert {name.partition("/")[2] for name in pack.namelist()} == {
        *("data.csv", "manifest.json", "report.html", "verify.py"),
    }
    for name in pack.namelist():
        assert b"table.csv" not in pack.read(name), name
    plan = steward.get(f"{at}/release/plan.toml").text  # for the one who made it
    assert 'source = "people.csv"' in plan
    assert "[weights]" in plan


def test_nothing_about_a_table_is_worked_out_on_the_event_loop(steward, monkeypatch):
    """One slow table would hold up everybody's clicks: all of it runs in worker threads."""
    loops = []
    read = Workspace.table.fget

    def note(space):
        try:
            loops.append(asyncio.get_running_loop())
        except RuntimeError:
            loops.append(None)
        return read(space)

    monkeypatch.setattr(Workspace, "table", property(note))
    made = steward.post("/api/tables", params={"name": "a.csv"}, content=table_of()).json()
    at, page = f"/api/tables/{made['id']}", f"/t/{made['id']}"
    assert steward.put(f"{at}/columns/sex/hierarchy", content=b"f;*\nm;*\n").status_code == 200
    assert steward.put(f"{at}/plan", content=PLAN).status_code == 200
    for name in ("table", "teach", "result", "outliers"):
        assert steward.get(f"{page}/{name}").status_code == 200
    question = steward.get(f"{at}/question").json()["id"]
    answered = steward.post(f"{page}/teach", json={"act": f"answer:{question}", "value": "A"})
    assert "question" in answered.json()["fragments"]
    assert len(loops) > 10
    assert set(loops) == {None}
