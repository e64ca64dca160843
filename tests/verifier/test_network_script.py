"""The part of verify.py that counts a masked network, on one that can be counted by hand."""

from __future__ import annotations

from copy import deepcopy

import pytest

from shoal.verifier import _script_network as script
from shoal.verifier._script import CannotTellError

# three people who all know each other, four of whom two do, three who know nobody; two join
GROUPS = [("1", 3, 3), ("2", 4, 1), ("3", 3, 0)]
EDGES = [("1", "2", 2), ("1", "3", 9)]
LOST = 2 * 1 * (1 - 1 / 6) + 2 * 2 * (1 - 2 / 12)  # of the pairs that are neither sure nor absent
MANIFEST = {
    "file": "data.csv",
    "files": {key: {} for key in ["data.csv", "groups.csv", "edges.csv", "network.graphml"]},
    "quasi_identifiers": ["age", "group"],
    "holds": [{"measure": "k", "asked": 3}, {"measure": "distinct_l", "asked": 9}],
    "network": {
        "people": 10,
        "edges": 15,
        "inner_edges": 4,
        "joined_pairs": 2,
        "structural_loss": round(LOST, 6),
        "nsil": round(4 * LOST / 90, 9),
        "edge_loss": round(LOST / 30, 6),
    },
}


NUMBERS = tuple(MANIFEST["network"])


FRAME = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="size" for="node" attr.name="size" attr.type="int"/>
<key id="inner_edges" for="node" attr.name="inner_edges" attr.type="int"/>
<key id="edges" for="edge" attr.name="edges" attr.type="int"/>
<graph edgedefault="undirected">
{}
</graph>
</graphml>"""


def drawn(groups, edges):
    nodes = [
        f'<node id="{g}"><data key="size">{size}</data><data key="inner_edges">{own}</data></node>'
        for g, size, own in groups
    ]
    lines = [
        f'<edge source="{a}" target="{b}"><data key="edges">{n}</data></edge>' for a, b, n in edges
    ]
    return FRAME.format("\n".join([*nodes, *lines]))


@pytest.fixture
def found(tmp_path):
    """Write a network; return what verify.py finds wrong."""

    def write(groups=GROUPS, edges=EDGES, *, data=GROUPS, picture=None, **manifest):
        members = [f"*,{g}" for g, size, _ in data for _ in range(size)]
        texts = {
            "data.csv": ["age,group", *members],
            "groups.csv": ["group,size,inner_edges", *(",".join(map(str, g)) for g in groups)],
            "edges.csv": ["group_a,group_b,edges", *(",".join(map(str, e)) for e in edges)],
            "network.graphml": [picture or drawn(groups, edges)],
        }
        for name, lines in texts.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        told = deepcopy(MANIFEST) | manifest
        return [*script.of_network(told, tmp_path)]

    return write


def test_an_honest_network_adds_up(found, tmp_path, capsys):
    assert found() == []
    assert [*script.check_network(MANIFEST, tmp_path)] == []
    assert capsys.readouterr().out == "network: 15 edges inside and between the groups.\n"
    nobody = {"inner_edges": 0, "joined_pairs": 0, "edges": 0, "people": 10}
    nothing = MANIFEST["network"] | nobody | dict.fromkeys(["structural_loss", "nsil"], 0.0)
    strangers = [(g, size, 0) for g, size, _ in GROUPS]
    assert found(strangers, [], network=nothing | {"edge_loss": 0.0}) == []


@pytest.mark.parametrize("key", MANIFEST["network"])
@pytest.mark.parametrize("by", [-1, 1, 2e-5, float("nan")])
def test_every_number_is_counted_again(found, key, by):
    told = MANIFEST["network"] | {key: MANIFEST["network"][key] + by}
    assert found(network=told) == [f"{key} of the manifest are not those of the network."]


def test_rounding_is_no_lie(found):
    told = MANIFEST["network"] | {"structural_loss": LOST + 9e-6}
    assert found(network=told) == []


NOT_LISTED = "the manifest speaks of a network and does not list its files."
OTHER_GROUPS = "the groups of groups.csv are not those of the data."
TOO_SMALL = "a group of the network is smaller than k."
IMPOSSIBLE = "groups have more edges inside or between them than they could, or none."
NOT_DRAWN = "network.graphml is not the network of groups.csv and edges.csv."


@pytest.mark.parametrize("name", ["groups.csv", "edges.csv", "network.graphml"])
def test_files_that_are_not_listed_are_no_network(found, name):
    listed = {other: {} for other in MANIFEST["files"] if other != name}
    assert found(files=listed) == [NOT_LISTED]


def test_the_group_must_be_counted_by(found):
    assert found(quasi_identifiers=["age"]) == [NOT_LISTED]


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ([], [TOO_SMALL]),
        ([{"measure": "distinct_l", "asked": 2}], [TOO_SMALL]),
        ([{"measure": "k", "asked": 4}], [TOO_SMALL]),
        ([{"measure": "k", "asked": 2}, {"measure": "k", "asked": 4}], [TOO_SMALL]),
        ([{"measure": "k", "asked": 2}, {"model": "other"}], []),
    ],
)
def test_every_group_has_the_k_that_was_asked_for(found, claims, said):
    assert found(holds=claims) == said


def test_groups_are_those_of_the_data(found):
    assert OTHER_GROUPS in found(data=[("1", 4, 0), ("2", 3, 0), ("3", 3, 0)])
    assert OTHER_GROUPS in found(data=[*GROUPS, ("4", 1, 0)])
    assert OTHER_GROUPS in found(data=GROUPS[:2])


@pytest.mark.parametrize(
    ("groups", "edges", "impossible"),
    [
        ([("1", 3, 4), *GROUPS[1:]], EDGES, True),
        ([("1", 3, -1), *GROUPS[1:]], EDGES, True),
        (GROUPS, [("1", "2", 2), ("1", "3", 10)], True),
        (GROUPS, [("1", "2", 0), ("1", "3", 9)], True),
        (GROUPS, [("1", "2", 12), ("1", "3", 9)], False),
        ([("1", 3, 0), *GROUPS[1:]], EDGES, False),
    ],
)
def test_edges_are_as_many_as_there_can_be(found, groups, edges, impossible):
    failures = found(groups, edges)
    assert (IMPOSSIBLE in failures) is impossible
    assert any("not those of the network" in failure for failure in failures)


@pytest.mark.parametrize(
    ("groups", "edges"),
    [
        ([*GROUPS, GROUPS[0]], EDGES),
        (GROUPS, [*EDGES, EDGES[0]]),
        (GROUPS, [*EDGES, ("2", "1", 2)]),
        (GROUPS, [*EDGES, ("1", "1", 1)]),
        (GROUPS, [*EDGES, ("1", "9", 1)]),
    ],
)
def test_what_is_named_twice_or_not_there_cannot_be_told(found, groups, edges):
    with pytest.raises(CannotTellError):
        found(groups, edges)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("</graph>", "<node/></graph>"),
        lambda text: text.replace('size">3', 'size">4', 1),
        lambda text: text.replace('inner_edges">3', 'inner_edges">2', 1),
        lambda text: text.replace('edges">9', 'edges">8'),
        lambda text: "\n".join(line for line in text.splitlines() if 'target="3"' not in line),
        lambda text: text.replace('<node id="3"', '<node id="2"'),
        lambda text: text.replace("<graph ", "<desc>Anna is in group 1</desc>\n<graph "),
        lambda text: text + "<!-- Anna is in group 1 -->",
    ],
)
def test_the_picture_is_of_this_network(found, change):
    assert found(picture=change(drawn(GROUPS, EDGES))) == [NOT_DRAWN]


def test_two_groups_one_of_them_a_couple(found):
    """Who is in which pair is sure inside the couple, and between the groups nothing is."""
    groups, edges = [("1", 2, 1), ("2", 3, 0)], [("1", "2", 3)]
    lost = 2 * 3 * (1 - 3 / 6)
    told = {"people": 5, "edges": 4, "inner_edges": 1, "joined_pairs": 1, "structural_loss": lost}
    told |= {"nsil": 4 * lost / 20, "edge_loss": lost / 8}
    claims = [{"measure": "k", "asked": 2}]
    network = {"data": groups, "network": told, "holds": claims}
    assert found(groups, edges, **network) == []


def test_no_groups_are_smaller_than_any_k(found):
    nothing = {"holds": [{"measure": "k", "asked": 1}], "network": dict.fromkeys(NUMBERS, 0)}
    assert found([], [], data=[], **nothing) == [TOO_SMALL]


@pytest.mark.parametrize("name", ["groups.csv", "edges.csv"])
def test_no_column_rides_along(found, tmp_path, name):
    """Who is in a group would pass as a column that nobody reads."""
    assert found() == []
    head, *rows = (tmp_path / name).read_text("utf-8").splitlines()
    lines = [f"{head},members", *(f"{row},Anna" for row in rows)]
    (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with pytest.raises(CannotTellError, match=f"columns of {name}"):
        [*script.of_network(MANIFEST, tmp_path)]


def test_nothing_else_is_told_of_a_network(found):
    told = MANIFEST["network"] | {"friends_of_anna": 4}
    said = "friends_of_anna of the manifest are not those of the network."
    assert found(network=told) == [said]
