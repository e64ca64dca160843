"""Doors that came later (plans, networks, deliveries, linked tables), tried as a burglar would."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import nullcontext
from types import SimpleNamespace

import polars as pl
import pytest
from serving import table_of

from shoal.datasets import hospital
from shoal.exceptions import InvalidParameterError
from shoal.plan import Plan
from shoal.table import Roles, read_table
from shoal.web import _later, _network
from shoal.web.pages._linked import _with_key

CANARY = "Kanarie7731"


def packed(**files):
    pack = io.BytesIO()
    with zipfile.ZipFile(pack, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name.replace("__", "."), content)
    return pack.getvalue()


def test_a_plan_opens_no_file_of_the_server(steward, table_id, tmp_path, monkeypatch):
    """Edges that a plan names lie on the server's disk: whoever opened it could read them."""
    edges = tmp_path / "edges.csv"
    edges.write_text(f"a,b\n{CANARY},1\n")
    opened = []
    monkeypatch.setattr(_network.Graph, "read", lambda path: opened.append(path))
    plan = Plan(roles=Roles(quasi_identifiers="age"), edges=str(edges), k=2).to_toml()
    answer = steward.put(f"/api/tables/{table_id}/plan", content=plan.encode())
    assert answer.status_code == 422, answer.text
    assert "network" in answer.json()["error"]
    assert not opened
    assert CANARY not in steward.get(f"/api/tables/{table_id}").text


@pytest.mark.parametrize("times", [1, 36])
def test_an_earlier_release_that_grows_is_refused_before_it_is_unpacked(
    steward, table_id, times, monkeypatch
):
    """36 MB of zeros fit into 36 KB: they were all unpacked into memory."""
    content = b"0" * (times << 20)
    pack = packed(data__csv=content, manifest__json="{}")
    read = []
    monkeypatch.setattr(_later, "_keep", lambda space, files, name: read.append(files))
    answer = steward.put(f"/api/tables/{table_id}/earlier", content=pack)
    assert answer.status_code == (204 if times == 1 else 413), answer.text
    assert bool(read) == (times == 1)


def test_a_broken_zip_is_a_sentence(steward, table_id):
    pack = bytearray(packed(data__csv=table_of() * 20, manifest__json="{}"))
    pack[60:90] = bytes(30)
    answer = steward.put(f"/api/tables/{table_id}/earlier", content=bytes(pack))
    assert answer.status_code == 422, answer.text
    assert "zip" in answer.json()["error"]


def test_a_zip_writes_nothing_outside_of_its_folder(steward, table_id, shoal_home):
    pack = packed(**{"../../data__csv": "a\n1\n", "/etc/manifest__json": "{}", "../x__py": "1"})
    assert steward.put(f"/api/tables/{table_id}/earlier", content=pack).status_code == 204
    written = {path.name for path in shoal_home.rglob("*") if path.parent.name == "earlier"}
    assert written == {"data.csv", "manifest.json"}
    assert not [*shoal_home.rglob("x.py")]


def test_edges_are_counted_before_they_are_read(steward, table_id):
    wide = ("a," * 5_000 + "b\n" + "1," * 5_000 + "2\n").encode()
    long = ("a,b\n" + "1,2\n" * 3_000).encode()
    cell = f"a,b\n{'1' * 3_000},2\n".encode()
    for content in (wide, long, cell):
        answer = steward.put(f"/api/tables/{table_id}/edges", content=content)
        assert answer.status_code == 413, answer.text
    bomb = b'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a0 "x">' + b"".join(
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">'.encode() for i in range(1, 12)
    )
    content = bomb + b"]><graphml><graph><node id='&a11;'/></graph></graphml>"
    answer = steward.put(f"/api/tables/{table_id}/edges", content=content)
    assert answer.status_code == 422, answer.text
    outside = b"<!DOCTYPE g [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
    outside += b"<graphml><graph id='&x;'/></graphml>"
    answer = steward.put(f"/api/tables/{table_id}/edges", content=outside)
    assert "root:" not in answer.text


def test_linked_tables_keep_what_each_plan_hides():
    """Joined by another key, names that told people apart were published as they are."""
    roles = Roles(quasi_identifiers="age", person="name", identifiers="mail")
    plan = Plan(roles=roles, dates={"seen": "shift"})
    joined = _with_key(plan, "ward")
    assert joined.roles.person == "ward"
    assert {*joined.roles.dropped} >= {"name", "mail"}


def test_linked_tables_keep_grids_limits_and_weights_of_each_plan():
    """Without its grid the ends of intervals are values of real people."""
    roles = Roles(quasi_identifiers=("age", "zip", "ward"))
    rules = {"grid": {"age": 5.0}, "limits": {"zip": 2.0}, "weights": {"age": 2.0, "ward": 3.0}}
    joined = _with_key(Plan(roles=roles, hierarchies={"zip": "mask"}, **rules), "ward")
    assert (joined.grid, joined.limits, joined.weights) == (
        {"age": 5.0}, {"zip": 2.0}, {"age": 2.0}
    )  # fmt: skip
    assert joined.hierarchies == {"zip": "mask"}


HIGH = 300  # levels: every one of them is drawn inside another


@pytest.mark.parametrize("door", ["api", "page"])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_tree_too_high_to_be_drawn_is_refused(steward, table_id, door, form):
    """It was taken, and no page of the table could be drawn again."""
    steward.patch(f"/api/tables/{table_id}/columns/disease", json={"role": "quasi_identifier"})
    values = ["flu", "gout", "asthma", "angina"]
    ladder = [[v, *(f"{v[0]}{i}" for i in range(HIGH)), "*"] for v in values]
    tree = {"*": {"all": values}}
    for i in range(HIGH):
        tree = {"*": {f"level {i}": tree["*"]}}
    content = json.dumps(tree) if form == "json" else "\n".join(";".join(row) for row in ladder)
    place = "tree/4" if door == "page" else "columns/disease/hierarchy"
    base = f"/t/{table_id}" if door == "page" else f"/api/tables/{table_id}"
    answer = steward.put(f"{base}/{place}", params={"format": form}, content=content.encode())
    assert answer.status_code == 422, answer.text
    assert "at most 50 levels" in answer.json()["error"]
    assert steward.get(f"/t/{table_id}/table").status_code == 200


def test_a_group_is_not_named_into_a_tree_too_high_to_be_drawn(steward, table_id):
    steward.patch(f"/api/tables/{table_id}/columns/disease", json={"role": "quasi_identifier"})

    def say(act, value=""):
        body = {"act": act, "value": value, "have": {}}
        return steward.post(f"/t/{table_id}/table", json=body).json()

    say("tree", "4")
    say("edit:gather", "0,1")
    told = say("edit:name:4", " > ".join(f"g{i}" for i in range(HIGH)))
    assert (told["kind"], "at most 50 levels" in told["say"]) == ("trouble", True)
    assert say("edit:name:4", "outer > inner")["kind"] == "info"


def brought(steward, names=("patients", "stays")):
    tables = hospital(60, stays=2)
    found = {}
    for name, as_named in zip(("patients", "stays"), names, strict=True):
        content = tables[name].write_csv().encode()
        answer = steward.post("/api/tables", params={"name": f"{as_named}.csv"}, content=content)
        assert answer.status_code == 201, answer.text
        found[name] = answer.json()["id"]
    return found


def did(client, act, value=""):
    answer = client.post("/linked", json={"act": act, "value": value, "have": {}})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_linked_tables_with_dates_to_be_shifted_are_not_released_unshifted(steward):
    ids = brought(steward)
    roles = Roles(
        quasi_identifiers="ward", person="patient_no", publish_as_is=("admitted", "discharged")
    )
    plan = Plan(roles=roles, dates={"admitted": "shift", "discharged": "shift"}, k=5)
    answer = steward.put(f"/api/tables/{ids['stays']}/plan", content=plan.to_toml().encode())
    assert answer.status_code == 200, answer.text
    did(steward, "key", "patient_no")
    made = did(steward, "group")
    assert made["kind"] == "trouble"
    assert "shifted" in made["say"]


def test_tables_whose_names_begin_with_digits_are_joined_too(steward):
    brought(steward, ("2024 Übersicht", "0stays"))
    did(steward, "key", "patient_no")
    made = did(steward, "group")
    assert made["kind"] != "trouble", made["say"]
    assert did(steward, "person", "²")["kind"] != "trouble"


@pytest.mark.parametrize("asks", ["pseudonyms", "dates", "nothing kept"])
def test_who_shares_a_server_does_not_share_the_keys_of_its_projects(shoal_home, asks):
    """With a table of likely names, published beside them, one reads everybody's pseudonyms."""
    from shoal.web._plans import open_plan

    roles = Roles(quasi_identifiers="age", person="name", publish_as_is="seen")
    more = {
        "pseudonyms": {"pseudonyms": {"name": "project"}},
        "dates": {"dates": {"seen": "shift"}},
        "nothing kept": {"pseudonyms": {"name": "release"}},
    }[asks]
    frame = pl.DataFrame({"name": ["a", "b"], "age": [1, 2], "seen": ["2020-01-01"] * 2})
    decided = []
    space = SimpleNamespace(
        folder=shoal_home.parent,
        table=read_table(frame, roles=roles),
        plan=Plan(roles=roles),
        decide=lambda **settings: decided.append(settings),
    )
    content = Plan(roles=roles, k=2, **more).to_toml().encode()
    open_plan(space, content)
    refused = pytest.raises(InvalidParameterError, match="key of a project")
    with nullcontext() if asks == "nothing kept" else refused:
        open_plan(space, content, shared=True)
    assert len(decided) == (2 if asks == "nothing kept" else 1)
