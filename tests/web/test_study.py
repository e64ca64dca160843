"""Study mode: many participants, one link, one table of weight vectors."""

from __future__ import annotations

import csv
import io

import pytest
from serving import HERE, TestClient, table_of

from shoal.plan import Plan
from shoal.table import Roles
from shoal.web._app import create_app
from shoal.web._server import Server
from shoal.web._settings import Settings

QUASI = ("age", "sex", "zip")


@pytest.fixture
def plan_file(tmp_path):
    (tmp_path / "people.csv").write_bytes(table_of(80))
    roles = Roles("name", QUASI, "disease", "readmitted")
    Plan(source=str(tmp_path / "people.csv"), roles=roles, k=4).write(tmp_path / "plan.toml")
    return tmp_path / "plan.toml"


@pytest.fixture
def settings(plan_file, shoal_home):
    return Settings(study=plan_file, game=True, questions=3)


@pytest.fixture
def site(settings):
    made = Server(settings)
    yield made
    made.close()


def take_part(site, choice="A", age=9.0):
    """Do what a participant does on the page."""
    participant = site.study.participant(site.visitors.new("participant"))
    while participant.step != "done":
        session = participant.session(participant.step)
        if participant.step == "bias":
            session.set_weights({"age": age, "sex": 1.0, "zip": 1.0})
        else:
            for _ in range(site.study.questions):
                session.tell(session.ask(), choice)
        participant.finish(participant.step)
    return participant


def test_weights_of_all_participants_come_as_one_table(site):
    for i in range(4):
        take_part(site, "AB"[i % 2], age=1.0 + i)
    rows = list(csv.DictReader(io.StringIO(site.study.to_csv())))
    assert len(rows) == 8
    assert sorted({row["way"] for row in rows}) == ["bias", "iml"]
    for row in rows:
        assert sum(float(row[f"weight_{name}"]) for name in QUASI) == pytest.approx(1, abs=1e-4)
    bias = sorted(float(row["weight_age"]) for row in rows if row["way"] == "bias")
    assert bias == pytest.approx([1 / 3, 2 / 4, 3 / 5, 4 / 6], abs=1e-4)
    assert {row["answers"] for row in rows if row["way"] == "iml"} == {"3"}


def test_half_of_the_participants_begin_with_the_questions(site):
    orders = {site.study.participant(site.visitors.new("participant")).order for _ in range(40)}
    assert orders == {("bias", "iml"), ("iml", "bias")}


def test_a_participant_goes_on_after_a_restart(site, settings):
    visitor = site.visitors.new("participant")
    first = site.study.participant(visitor)
    session = first.session("iml")
    session.tell(session.ask(), "A")
    weights = session.weights
    session.close()
    again = Server(settings)
    assert again.study.participant(visitor).session("iml").weights == weights
    again.close()


def test_the_game_compares_with_the_others(site):
    one = take_part(site)
    assert one.standing().finished == 1
    two = take_part(site, "B")
    standing = two.standing()
    assert standing.finished == 2
    assert 0 < standing.agreement <= 1
    assert {one.standing().closer_than, standing.closer_than} <= {0, 1}


def test_participants_see_the_study_and_nothing_else(site):
    app = create_app(site)
    with TestClient(app, base_url=HERE, headers={"origin": HERE}) as client:
        link = {"token": site.visitors.study_token}
        assert client.get("/study", params=link).status_code == 200
        for path in (
            "/",
            "/t/x/table",
            "/api/tables",
            "/api/study/weights.csv",
            "/api/openapi.json",
        ):
            assert client.get(path).status_code == 404
        assert (
            client.get("/api/tables", headers=_bearer(site.visitors.study_token)).status_code == 404
        )
        body = {"name": "people", "rows": 100}
        assert client.post("/api/tables/built-in", json=body).status_code == 404
        take_part(site)
        answer = client.get("/api/study/weights.csv", headers=_bearer(site.visitors.token))
        assert answer.status_code == 200
        assert answer.text.startswith("participant,way,weight_age")


def _bearer(token):
    return {"authorization": f"Bearer {token}"}
