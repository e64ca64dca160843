"""Real networks: lawyers who work together, and the friends of two people on Facebook."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from shoal.datasets._dataset import Dataset
from shoal.datasets._store import PublicFile, fetch
from shoal.exceptions import InvalidParameterError
from shoal.table import Roles
from shoal.typing import Kind

_LAW = "https://raw.githubusercontent.com/mapequation/infomap-notebooks/master/data"
_LAWYERS = PublicFile(
    "graph_lazega/ELattr.dat",
    "f39032236a61cf9ff06763d0d720a4dfcabed91167b4d23cfca69e33be4fc64b",
    f"{_LAW}/ELattr.dat",
)
_WORK = PublicFile(
    "graph_lazega/ELwork.dat",
    "1a1096c3ceb50f5161e8301a988f192d461050996f8d7bbcb540ab2a261c369e",
    f"{_LAW}/ELwork.dat",
)
_LAWYER = ("status", "gender", "office", "years", "age", "practice", "school")
_EGO = "https://raw.githubusercontent.com/lucashu1/link-prediction/master/facebook"
_EGOS = {
    0: {
        "edges": "305f5892deb29870b2d93aa7f7b0879b500e5fdf1cd12c9def5de309a7c003cc",
        "feat": "b907dd7360e71020a95d6e7bb0a14cdc02053acb7cbe7d4936927b71ea5b6a97",
        "featnames": "5afabbba309b4a57a68e88485dbc6408652b3c5695010ed0cab81856839fa7b4",
    },
    686: {
        "edges": "41a1c6a3df102d9dc8f6023cbfd23086928a8fb9c3226721f0ac41cecae53d3a",
        "feat": "03de9b3372cfba3004903e5e7c7819d19d05dc23f6d6f5557580cac8f9d70f5f",
        "featnames": "670794be83fd07a4169d3b25b7e964c2b750f4a0d7b9a747ed08e651af0cb49c",
    },
}
_PROFILE = ("gender", "locale", "education;type", "birthday")


def law_firm() -> tuple[Dataset, list[tuple[str, str]]]:
    """Load 71 lawyers of a firm and who works with whom (E. Lazega, 2001).

    Whoever names the other works with them: direction plays no part.

    >>> people, edges = law_firm()  # doctest: +SKIP
    >>> people.frame.height, len(edges)  # doctest: +SKIP
    (71, 378)
    """
    rows = [line.split() for line in fetch(_LAWYERS).read_text("utf-8").splitlines()]
    frame = pl.DataFrame(rows, schema=["id", *_LAWYER], orient="row")
    names = frame["id"].to_list()
    lines = [line.split() for line in fetch(_WORK).read_text("utf-8").splitlines() if line.strip()]
    found = {
        (min(one, two), max(one, two))
        for one, line in zip(names, lines, strict=True)
        for two, works in zip(names, line, strict=True)
        if works == "1"
    }
    kinds: dict[str, Kind] = dict.fromkeys(("id", *_LAWYER), "nominal")
    people = Dataset(
        name="law firm",
        frame=frame,
        roles=Roles(identifiers="id", quasi_identifiers=_LAWYER),
        kinds={**kinds, "years": "numeric", "age": "numeric"},
        hierarchies={},
        description="71 lawyers; E. Lazega, The Collegial Phenomenon, Oxford 2001.",
    )
    return people, sorted(found)


def facebook_ego(ego: int = 0) -> tuple[Dataset, list[tuple[str, str]]]:
    """Load the friends of one person on Facebook, and who of them knows whom (SNAP).

    J. McAuley and J. Leskovec: Learning to Discover Social Circles in Ego Networks, NIPS 2012.
    What profiles say is numbered, not named; four fields are taken, each as the numbers it holds.

    >>> people, edges = facebook_ego(686)  # doctest: +SKIP
    >>> people.frame.height, len(edges)  # doctest: +SKIP
    (170, 1656)
    """
    if ego not in _EGOS:
        raise InvalidParameterError(f"There is no ego network {ego}; there are 0 and 686.")
    fields = [line.split(" ", 1)[1].split(";anonymized")[0] for line in _lines(ego, "featnames")]
    rows = []
    for line in _lines(ego, "feat"):
        person, *flags = line.split()
        told: defaultdict[str, list[str]] = defaultdict(list)
        for number, (field, flag) in enumerate(zip(fields, flags, strict=True)):
            if flag == "1":
                told[field].append(str(number))
        rows.append([person, *("+".join(told[field]) or None for field in _PROFILE)])
    names = [field.replace(";", "_") for field in _PROFILE]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(["id", *names], pl.String), orient="row")
    pairs = (line.split() for line in _lines(ego, "edges"))
    kinds: dict[str, Kind] = dict.fromkeys(frame.columns, "nominal")
    people = Dataset(
        name=f"facebook {ego}",
        frame=frame,
        roles=Roles(identifiers="id", quasi_identifiers=tuple(names)),
        kinds=kinds,
        hierarchies={},
        description="An ego network of Facebook; McAuley and Leskovec, NIPS 2012.",
    )
    return people, sorted({(min(pair), max(pair)) for pair in pairs})


def _lines(ego: int, part: str) -> list[str]:
    name = f"{ego}.{part}"
    file = PublicFile(f"graph_facebook_ego/{name}", _EGOS[ego][part], f"{_EGO}/{name}")
    return fetch(file).read_text("utf-8").splitlines()
