"""Attacks on networks: they work on the network as it was, and little is left of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import shoal
from graph_towns import town, write_town
from shoal.cli import run
from shoal.exceptions import InvalidParameterError
from shoal.graphs import Graph, build_network
from shoal.plan import rehearse
from shoal.risk.networks import NETWORK_ATTACKS, NetworkScene, run_network_attacks

PLAN = """
[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age", "sex"]
sensitive = ["ill"]
[privacy]
k = 5
[graph]
edges = "edges.csv"
"""


def by_name(scene):
    return {result.name: result for result in run_network_attacks(scene)}


def test_everybody_alone_is_found_and_a_release_hides_them():
    """The positive control: groups of one are the network as it was."""
    people, edges = town(n=60, chance=0.1)
    table = shoal.read_table(people)
    graph = build_network(table, edges).graph
    bare = by_name(NetworkScene(graph, np.arange(60)))
    release = shoal.anonymize(people, quasi_identifiers=["age", "sex"], k=5, edges=edges)
    held = by_name(NetworkScene(graph, release.lineage.grouping.labels))
    for name in ("network_neighbourhood", "network_friends"):
        assert bare[name].rate > 0.8
        assert bare[name].details["original"] > 0.8
        assert held[name].rate <= 0.2
    assert bare["network_certain_edges"].rate == 1.0
    for result in held.values():
        assert set(result.details) >= {"original"}
        assert result.baseline > 0
        assert result.control is not None
        low, high = result.interval
        assert low <= result.rate <= high


def test_degrees_by_hand():
    """A star of six in two groups: only its middle stands out, and only in the first group."""
    star = Graph.from_pairs([("0", str(i)) for i in range(1, 6)])
    found = by_name(NetworkScene(star, np.array([0, 0, 0, 1, 1, 1])))["network_degree"]
    # degree 5 points at the first group: right for one of its three members; degree 1 is likelier
    # in the second: right for its three members, each in one of three cases
    assert found.rate == pytest.approx((1 / 3 + 3 * 1 / 3) / 6)
    assert found.details["original"] == pytest.approx((1 + 5 * 1 / 5) / 6)


def test_edges_that_are_certain_by_hand():
    graph = Graph.from_pairs(["ab", "bc", "ca", "de", "ad"])
    found = by_name(NetworkScene(graph, np.array([0, 0, 0, 1, 1])))["network_certain_edges"]
    assert found.rate == pytest.approx(4 / 5)  # the triangle, and the pair; ad may be any of six
    assert found.baseline == pytest.approx(5 / 10)
    assert found.details["absent_for_certain"] == 0.0


def test_nobody_to_find():
    lonely = Graph.from_pairs([], people="abcd")
    found = by_name(NetworkScene(lonely, np.array([0, 0, 1, 1])))
    assert not found["network_friends"].applies
    assert not found["network_certain_edges"].applies
    with pytest.raises(InvalidParameterError, match="no attack on networks named"):
        run_network_attacks(NetworkScene(lonely, np.zeros(4, dtype=int)), ["telepathy"])


def test_few_are_drawn_of_many():
    people, edges = town(n=60)
    graph = build_network(shoal.read_table(people), edges).graph
    scene = NetworkScene(graph, np.arange(60) // 5, at_most=10)
    assert by_name(scene)["network_degree"].people == 10


@pytest.fixture
def made(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_town(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    assert run(["anonymize", "--plan", "plan.toml", "-o", "out"]) == 0
    capsys.readouterr()
    return tmp_path


def test_attacks_as_typed(made, capsys):
    assert run(["attack", "out", "--plan", "plan.toml", "--json"]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    assert [a["name"] for a in told["attacks"]] == [*NETWORK_ATTACKS]
    assert run(["attack", "--plan", "plan.toml", "--page", "page.html"]) in (0, 1)
    assert "original" in capsys.readouterr().out
    assert "By how many friends somebody has" in (made / "page.html").read_text("utf-8")


def test_another_release_is_not_that_of_the_plan(made, capsys):
    (made / "other.toml").write_text(PLAN.replace("k = 5", "k = 6"))
    assert run(["attack", "out", "--plan", "other.toml"]) == 2
    assert "not the one that the plan makes" in capsys.readouterr().err
    assert run(["attack", ".", "--plan", "plan.toml"]) == 2
    assert run(["attack", "out", "--plan", "plan.toml", "--quasi", "age"]) == 2
    with pytest.raises(InvalidParameterError, match="held out"):
        rehearse(shoal.Plan.read(made / "plan.toml"))


def test_rows_of_a_network_are_attacked_as_those_of_any_release(made, capsys):
    """Nobody knows the number of somebody's group from elsewhere."""
    typed = ["attack", "out", "--original", "people.csv", "--attacks", "exact_linkage", "--json"]
    assert run(typed) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    assert told["attacks"][0]["rate"] <= 1 / 5


def test_check_counts_a_network_again(made, capsys):
    assert run(["check", "out", "-k", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["k"] >= 5
    assert told["network"]["edges"] == len((made / "edges.csv").read_text().splitlines()) - 1
    assert run(["check", "out"]) == 0
    assert "counted again" in capsys.readouterr().out
    assert run(["check", "out", "-k", "9"]) == 1
    capsys.readouterr()
    manifest = json.loads((made / "out" / "manifest.json").read_text())
    manifest["network"]["edges"] += 1
    (made / "out" / "manifest.json").write_text(json.dumps(manifest))
    assert run(["check", "out"]) == 2
    assert "network of the release does not hold" in capsys.readouterr().err
