"""Releases of networks: as typed, as planned, as called, and counted again by anybody."""

from __future__ import annotations

import csv
import json
import math
import re
import subprocess
import sys
from collections import Counter

import networkx as nx
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from graph_towns import town, write_town
from shoal.cli import run
from shoal.exceptions import InvalidParameterError, ShoalError
from shoal.graphs import SCALES
from shoal.ledger import Ledger
from shoal.verifier import network_faults

ASKED = ["--quasi", "age,sex", "--sensitive", "ill", "-k", "5"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_town(tmp_path)
    return tmp_path


def rows_of(path):
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def recount(folder):
    return subprocess.run(
        [sys.executable, str(folder / "verify.py")], capture_output=True, text=True, timeout=60
    )


def test_a_network_as_typed(here, capsys):
    assert (
        run(["anonymize", "people.csv", "--edges", "edges.csv", *ASKED, "-o", "out", "--json"]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["k"] >= 5
    assert told["method"] == "network"
    data, groups, edges = (rows_of(here / "out" / f"{n}.csv") for n in ("data", "groups", "edges"))
    assert list(data[0]) == ["age", "sex", "ill", "group"]
    assert list(groups[0]) == ["group", "size", "inner_edges"]
    assert list(edges[0]) == ["group_a", "group_b", "edges"]
    sizes = {g["group"]: int(g["size"]) for g in groups}
    assert {g: sum(row["group"] == g for row in data) for g in sizes} == sizes
    counted = sum(int(g["inner_edges"]) for g in groups) + sum(int(e["edges"]) for e in edges)
    assert counted == len(rows_of(here / "edges.csv")) == told["network"]["edges"]
    drawn = nx.read_graphml(here / "out" / "network.graphml")
    assert {g: d["size"] for g, d in drawn.nodes(data=True)} == sizes
    assert {(e["group_a"], e["group_b"]): int(e["edges"]) for e in edges} == {
        (a, b): d["edges"] for a, b, d in drawn.edges(data=True)
    }
    again = recount(here / "out")
    assert again.returncode == 0, again.stdout
    assert f"network: {counted} edges" in again.stdout
    everything = "".join(p.read_text("utf-8") for p in (here / "out").iterdir())
    assert not [name for name in town()[0]["id"] if name in everything]


def test_a_network_as_planned_and_as_called_is_the_same(here):
    (here / "plan.toml").write_text(
        '[table]\nsource = "people.csv"\n[roles]\nquasi_identifiers = ["age", "sex"]\n'
        'sensitive = ["ill"]\n[privacy]\nk = 5\nl = 2\n[method]\norder = "content"\n'
        '[graph]\nedges = "edges.csv"\nnode = "id"\nalpha = 1\nbeta = 2.5\nscale = "edges"\n'
    )
    plan = shoal.Plan.read(here / "plan.toml")
    assert shoal.Plan.read(here / "plan.toml").to_toml(here) == plan.to_toml(here)
    assert '[graph]\nedges = "edges.csv"\nnode = "id"' in plan.to_toml(here)
    planned = shoal.run(plan)
    called = shoal.anonymize(
        here / "people.csv", quasi_identifiers=["age", "sex"], sensitive="ill", k=5, l=2,
        edges=here / "edges.csv", node="id",
        network={"alpha": 1, "beta": 2.5, "scale": "edges", "order": "content"},
    )  # fmt: skip
    assert planned.frame.equals(called.frame)
    assert dict(planned.papers) == dict(called.papers)
    assert planned.verdict.holds
    assert planned.frame.group_by("group").agg(pl.col("ill").n_unique())["ill"].min() >= 2


@pytest.mark.parametrize("scale", SCALES)
def test_a_plan_takes_every_scale(here, scale):
    plan = shoal.Plan("people.csv", edges="edges.csv", scale=scale)
    assert f'scale = "{scale}"' in plan.to_toml(here)


def test_only_structure_needs_no_quasi_identifier(here, capsys):
    assert run(["anonymize", "people.csv", "--edges", "edges.csv", "--drop", "age,sex,ill",
                "-k", "4", "-o", "out"]) == 0  # fmt: skip
    assert "network.graphml" in capsys.readouterr().out
    assert list(rows_of(here / "out" / "data.csv")[0]) == ["group"]
    assert recount(here / "out").returncode == 0
    assert run(["anonymize", "people.csv", "--drop", "age,sex,ill", "-k", "4", "-o", "two"]) == 2
    with pytest.raises(InvalidParameterError, match="No quasi-identifier"):
        shoal.anonymize(town()[0], k=4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--node", "nobody"], "There is no column named 'nobody'"),
        (["--node", "age"], "names the people of the network"),
        (["--alpha", "0", "--beta", "0"], "both 0"),
        (["--alpha", "-1"], "alpha"),
        (["--beta", "much"], "not a number"),
        (["--scale", "friends"], "scale"),
        (["--order", "common"], "no order 'common'"),
        (["--method", "mondrian"], "grouped by sangreea"),
        (["--max-suppression", "0.1"], "left out"),
        (["--person", "id"], "every row is another person"),
        (["--engine", "spark"], "local engine"),
        (["--hide-changes"], "--hide-changes"),
        (["-k", "100"], "100"),
        (["--edges", "nothing.csv"], "nothing.csv"),
    ],
)
def test_what_makes_no_network_is_told_in_a_sentence(here, capsys, arguments, said):
    typed = ["anonymize", "people.csv", "--edges", "edges.csv", *ASKED, *arguments, "-o", "out"]
    if "spark" in arguments:
        pytest.importorskip("pyspark")
    assert run(typed) in (1, 2)
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert not (here / "out").exists()


def test_settings_of_networks_need_edges(here, capsys):
    assert run(["anonymize", "people.csv", *ASKED, "--beta", "2", "-o", "out"]) == 2
    assert "no edges are named" in capsys.readouterr().err
    assert run(["anonymize", "people.csv", *ASKED, "--order", "degree", "-o", "out"]) == 2


def test_a_network_goes_into_no_database(tmp_path):
    people, edges = town()
    release = shoal.anonymize(
        people, quasi_identifiers="age", drop=["sex", "ill"], k=5, edges=edges
    )
    with pytest.raises(InvalidParameterError, match="not into a table"):
        release.write_back(f"sqlite:///{tmp_path}/town.db", "released", papers=tmp_path / "out")
    assert [*tmp_path.iterdir()] == []


def test_a_group_column_is_refused_and_can_be_dropped():
    people, edges = town()
    people = people.with_columns(group=pl.lit("x"))
    with pytest.raises(InvalidParameterError, match="column 'group'"):
        shoal.anonymize(people, quasi_identifiers="age", k=4, edges=edges)
    kept = shoal.anonymize(people, quasi_identifiers="age", drop="group", k=4, edges=edges)
    assert kept.frame["group"].n_unique() == 10


def test_names_that_are_missing_or_twice():
    people, edges = town()
    for odd in (None, "p001"):
        named = people.with_columns(
            id=pl.when(pl.col("age") > 60).then(pl.lit(odd)).otherwise("id")
        )
        with pytest.raises(ShoalError, match=r"do not name|more than once"):
            shoal.anonymize(named, quasi_identifiers="age", k=4, edges=edges)


def test_friends_nobody_knows_of_are_refused_without_naming_them():
    people, edges = town()
    strangers = pl.concat([edges, pl.DataFrame({"a": ["p001"], "b": ["canary"]})])
    with pytest.raises(ShoalError, match="1 person with edges is not in the table") as error:
        shoal.anonymize(people, quasi_identifiers="age", k=4, edges=strangers)
    assert "canary" not in f"{error.value} {error.value.hint}"


def test_people_without_edges_and_parts_are_told_to_the_steward():
    people, edges = town(chance=0.02)
    release = shoal.anonymize(people, quasi_identifiers="age", k=4, edges=edges)
    assert any("no edge" in warning for warning in release.summary.warnings)
    empty = shoal.anonymize(people, quasi_identifiers="age", k=4, edges=edges.clear())
    assert empty.summary.network.facts["edges"] == 0


FAULTS = {
    "a size": ("groups.csv", lambda text: text.replace("\n1,", "\n1,9", 1)),
    "an inner edge": ("groups.csv", lambda text: text.replace(",0\n", ",1\n", 1)),
    "a pair twice": ("edges.csv", lambda text: text + text.splitlines()[1] + "\n"),
    "a pair turned round": ("edges.csv", lambda text: text + turned(text)),
    "a stranger": ("edges.csv", lambda text: text + "1,999,1\n"),
    "a loop": ("edges.csv", lambda text: text + "1,1,1\n"),
    "too many edges": ("edges.csv", lambda text: text.replace(",1\n", ",99\n", 1)),
    "no edge at all": ("edges.csv", lambda text: text.replace(",1\n", ",0\n", 1)),
    "an edge less": ("edges.csv", lambda text: text.rsplit("\n", 2)[0] + "\n"),
    "a drawn size": ("network.graphml", lambda text: text.replace('size">5', 'size">6', 1)),
    "a hidden node": ("network.graphml", lambda text: text.replace("</graph>", "<node/></graph>")),
    "an edge not drawn": ("network.graphml", lambda text: drop_line(text, "<edge ")),
    "a header": ("groups.csv", lambda text: text.replace("inner_edges", "inner")),
}


def turned(text):
    a, b, count = text.splitlines()[1].split(",")
    return f"{b},{a},{count}\n"


def drop_line(text, mark):
    lines = text.splitlines(keepends=True)
    lines.remove(next(line for line in lines if mark in line))
    return "".join(lines)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    people, edges = town()
    release = shoal.anonymize(
        people, quasi_identifiers="age", drop=["sex", "ill"], k=5, edges=edges
    )
    folder = tmp_path_factory.mktemp("made") / "out"
    release.write(folder, ledger="off")
    return folder


def numbers_of(folder):
    """Compute the numbers of a manifest from the three tables of a network, by hand."""
    rows, groups, edges = (
        [*csv.DictReader((folder / f"{name}.csv").read_text("utf-8").splitlines())]
        for name in ("data", "groups", "edges")
    )
    ends = [[float(n) for n in re.findall(r"[\d.]+", row["age"])] for row in rows]
    reach = max(e[-1] for e in ends) - min(e[0] for e in ends)
    age = round(math.fsum((e[-1] - e[0]) / reach for e in ends) / len(rows), 6)
    sizes = Counter(row["group"] for row in rows)
    own = {g["group"]: int(g["inner_edges"]) for g in groups}
    joined = {(e["group_a"], e["group_b"]): int(e["edges"]) for e in edges}
    lost = [2 * n * (1 - n / math.comb(sizes[g], 2)) for g, n in own.items()]
    lost += [2 * n * (1 - n / (sizes[a] * sizes[b])) for (a, b), n in joined.items()]
    sil, n, known = math.fsum(lost), len(rows), sum(own.values()) + sum(joined.values())
    network = {
        "people": n,
        "edges": known,
        "inner_edges": sum(own.values()),
        "joined_pairs": len(joined),
        "structural_loss": round(sil, 6),
        "nsil": round(4 * sil / (n * (n - 1)), 9),
        "edge_loss": round(sil / (2 * known), 6),
    }
    return {
        "rows": n,
        "groups": len({(row["age"], row["group"]) for row in rows}),
        "suppressed": 0,
        "ngil": age,
        "loss_by_attribute": {"age": age},
        "network": network,
    }, min(sizes.values())


def test_the_manifest_of_a_network_can_be_recomputed_byte_for_byte(made):
    text = (made / "manifest.json").read_text("utf-8")
    manifest, (found, k) = json.loads(text), numbers_of(made)
    nobody = dict.fromkeys(("share_unique", "share_unique_plain"), 0.0)
    nothing = {"columns": {}, "accepted": [], "open": [], "twins": [], "sets": []}
    found["singling_out"] = {**nobody, **nothing, "helps_most": None}
    assert json.dumps(manifest | found, indent=2, ensure_ascii=False) + "\n" == text
    assert [claim["recounted"] for claim in manifest["holds"]] == [k]
    told = text + (made / "report.html").read_text("utf-8")
    assert "on a network" in told
    assert "alpha" not in told
    assert "beta" not in told
    assert manifest["ngil_bound"] == float(f"{manifest['ngil_bound']:.2g}")  # needs originals
    assert {*manifest} == {
        *("shoal", "format", "file", "rows", "groups", "suppressed", "counts", "holds"),
        *("quasi_identifiers", "columns", "columns_dropped", "ngil", "ngil_bound"),
        *("loss_by_attribute", "loss_measured_by", "singling_out", "network", "method"),
        *("preset", "draft", "stamps", "not_promised", "files"),
    }  # a new key must be recomputed above before it is published


@pytest.mark.parametrize("fault", FAULTS)
def test_a_network_that_does_not_add_up_is_noticed(made, tmp_path, fault):
    """Even if the manifest was made to agree with the file, byte for byte."""
    folder = copied(made, tmp_path)
    name, change = FAULTS[fault]
    text = (folder / name).read_text("utf-8")
    assert change(text) != text
    (folder / name).write_text(change(text), "utf-8")
    assert network_faults(folder) != ()  # its SHA-256 differs
    seal(folder, name)
    assert network_faults(folder) != ()
    assert recount(folder).returncode in (1, 2)


NUMBERS = ["people", "edges", "inner_edges", "joined_pairs", "structural_loss", "nsil", "edge_loss"]


@pytest.mark.parametrize("key", NUMBERS)
def test_numbers_of_the_manifest_are_counted_again(made, tmp_path, key):
    folder = copied(made, tmp_path)
    assert network_faults(folder) == ()
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["network"][key] += 1
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert f"{key} of the manifest are not those of the network" in network_faults(folder)[0]
    manifest["network"][key] = float("nan")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert network_faults(folder) == ("its manifest cannot be read.",)


def test_a_network_without_its_files_is_none(made, tmp_path):
    folder = copied(made, tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"]["groups.csv"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert "does not list its files" in network_faults(folder)[0]
    manifest["network"] = None
    (folder / "manifest.json").write_text("{")
    assert network_faults(folder) == ("its manifest cannot be read.",)


def test_a_group_smaller_than_promised_is_noticed(made, tmp_path):
    folder = copied(made, tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["holds"][0] |= {"asked": 6, "model": "6-anonymity"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert "smaller than k" in network_faults(folder)[0]


def copied(made, tmp_path):
    import shutil

    return shutil.copytree(made, tmp_path / "copy")


def seal(folder, name):
    import hashlib

    manifest = json.loads((folder / "manifest.json").read_text())
    data = (folder / name).read_bytes()
    facts = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest["files"][name] = facts
    (folder / "manifest.json").write_text(json.dumps(manifest))


# Whatever the town, whatever the order.


@settings(max_examples=12)
@given(
    st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["degree", "content", "best-first"])
)
def test_groups_have_k_edges_are_conserved_and_order_says_nothing(seed, k, order):
    people, edges = town(n=24, seed=seed, chance=0.15)
    asked = {"quasi_identifiers": ["age", "sex"], "sensitive": "ill", "k": k, "bound": False}
    scale = ("balance", "people", "edges")[seed % 3]
    network = {"order": order, "beta": 1 + seed % 3, "scale": scale}
    release = shoal.anonymize(people, edges=edges, network=network, **asked)
    masked = release.summary.network.masked
    assert masked.sizes.min() >= k
    assert masked.n_edges == edges.height
    assert masked.n_people == people.height
    turned_round = edges.select(a="b", b="a").sample(fraction=1, shuffle=True, seed=seed)
    scaled = {**network, "alpha": 3, "beta": 3 * network["beta"]}
    other = shoal.anonymize(
        people.sample(fraction=1, shuffle=True, seed=seed),
        edges=turned_round,
        network=scaled,
        **asked,
    )
    assert other.frame.equals(release.frame)
    assert dict(other.papers) == dict(release.papers)


def test_beta_acts_and_alpha_acts():
    people, edges = town(n=60)
    asked = {"quasi_identifiers": ["age", "sex"], "k": 4, "edges": edges, "drop": "ill"}
    lost = {}
    for alpha, beta in ((1, 0), (0, 1)):
        found = shoal.anonymize(people, network={"alpha": alpha, "beta": beta}, **asked)
        lost[alpha] = found.summary.utility["ngil"], found.summary.network.facts["nsil"]
    assert lost[1][0] < lost[0][0]
    assert lost[1][1] > lost[0][1]


def test_refinement_never_raises_the_sum():
    people, edges = town(n=60, seed=4)
    asked = {"quasi_identifiers": ["age", "sex"], "k": 5, "edges": edges, "drop": "ill"}
    sums = []
    for refine in (False, True):
        found = shoal.anonymize(people, network={"refine": refine, "scale": "people"}, **asked)
        sums.append(found.summary.utility["ngil"] + found.summary.network.facts["nsil"])
    assert sums[1] < sums[0]


def test_a_network_of_people_released_before_is_held_against_it(here):
    line = ["anonymize", "people.csv", *ASKED, "--identifier", "id"]
    assert run([*line, "-o", "table"]) == 0
    assert run([*line, "--edges", "edges.csv", "--node", "id", "-o", "network"]) == 0
    with Ledger.open() as book:
        bodies = [entry.body for entry in book.journal.entries() if entry.kind == "releasing"]
    assert [(body["compared"], body["people"]) for body in bodies] == [(0, 0), (1, 40)]
