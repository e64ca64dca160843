"""A re-founding: made anew from everybody, less the crowds that earlier releases give away."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from registry import CANARY, asked, check_difference, first, later, people, read

from shoal import Centroid
from shoal.anonymizer import Anonymizer
from shoal.cli import run
from shoal.exceptions import InvalidParameterError, ReleaseRefusedError
from shoal.growing import LaterDelivery, Refounding
from shoal.ledger import Ledger, offending
from shoal.table import Grouping

JANUARY = people(240, 1)
FEBRUARY = pl.concat([JANUARY, people(160, 2, start=240)])


def delivered(house):
    first(JANUARY, house / "one", asked(k=5, l=3))
    later(FEBRUARY, house / "one", house / "two", asked(k=5, l=3))


def test_crowds_that_offend_are_left_out_and_the_ledger_agrees(house):
    delivered(house)
    plain = asked(k=5, l=3).fit(read(FEBRUARY)).release_
    with pytest.raises(ReleaseRefusedError):  # the positive control: somebody would be given away
        plain.write(house / "anew", ledger="refuse")
    founding = Refounding(asked(k=5, l=3)).fit(read(FEBRUARY))
    assert 0 < founding.counts_["rows_dropped"] < 400
    assert founding.counts_["crowds_dropped"] > 0
    written = founding.release_.write(house / "three", ledger="refuse")
    assert written.ledger.composition.disclosed == 0
    assert int(written.manifest["rows"]) == 400 - founding.counts_["rows_dropped"]
    assert str(founding.counts_["rows_dropped"]) in founding.notes()[0]
    assert str(founding.counts_["rows_dropped"]) not in json.dumps(written.manifest["suppressed"])
    assert CANARY not in founding.notes()[0]


def test_who_was_left_out_comes_later_where_that_gives_nobody_away(house, monkeypatch):
    delivered(house)
    founding = Refounding(asked(k=5, l=3)).fit(read(FEBRUARY))
    founding.release_.write(house / "three", ledger="refuse")
    march = read(pl.concat([FEBRUARY, people(60, 3, start=800)]))
    with monkeypatch.context() as patch:  # the positive control: all who fit are published
        patch.setattr("shoal.growing._later.given_away", lambda t, b, n: np.zeros(n, dtype=bool))
        careless = LaterDelivery(asked(k=5, l=3), house / "three").fit(march)
    with pytest.raises(ReleaseRefusedError):
        careless.release_.write(house / "four")
    delivery = LaterDelivery(asked(k=5, l=3), house / "three").fit(march)
    written = delivery.release_.write(house / "four", ledger="refuse")
    assert written.ledger.composition.disclosed == written.ledger.composition.exposed == 0
    assert careless.counts_["waiting"] < delivery.counts_["waiting"] < delivery.counts_["newcomers"]
    check_difference(house / "three", house / "four", 5, 3)


def test_without_earlier_releases_nothing_offends(house):
    founding = Refounding(asked()).fit(read(JANUARY))
    assert founding.counts_ == {"rows_dropped": 0, "crowds_dropped": 0}
    assert founding.release_.frame.height == 240


def test_who_is_left_out_is_told_in_people(house, monkeypatch):
    """A crowd of people with many visits is a large part of the rows and a small one of people."""
    many = [JANUARY[:6].with_columns(pay=100.0 + i) for i in range(60)]
    frame = pl.concat([JANUARY, *many])

    def leave_out(self, table, labels, widest, k, alignment):
        often = np.bincount(labels).argmax()
        labels[labels == often] = -1

    monkeypatch.setattr(Refounding, "_leave_out", leave_out)
    founding = Refounding(asked()).fit(read(frame))
    assert founding.counts_["rows_dropped"] > 60
    assert founding.release_.summary.suppressed == "fewer than 5 %"


def test_whose_crowd_offends_is_counted_by_hand(house):
    """Two people of one crowd whose other value is shown by neither of their crowds."""
    frame = people(12, 4).with_columns(ill=pl.Series(["flu", "cold", "gout"] * 4))
    table = read(frame)
    with Ledger.open() as ledger:
        old = ledger.trace(table, Grouping(np.arange(12) // 3), k=3)  # each shows all three
        new = ledger.trace(table, Grouping(np.arange(12) % 2), k=3)
        alone = ledger.trace(table, Grouping(np.arange(12) % 3), k=3)  # one value in each
    assert not offending(new, [old]).any()
    assert offending(alone, [old]).all()
    assert not offending(alone, []).any()


def test_as_typed(house, capsys):
    JANUARY.write_csv(house / "january.csv")
    FEBRUARY.write_csv(house / "february.csv")
    common = [
        "--quasi",
        "age,sex",
        "--sensitive",
        "ill",
        "--person",
        "id",
        "--drop",
        "born,zip,job,pay",
    ]
    common += ["-k", "3", "--l", "2", "--ledger", "refuse", "--json"]
    assert run(["anonymize", str(house / "january.csv"), "-o", str(house / "one"), *common]) == 0
    capsys.readouterr()
    again = ["anonymize", str(house / "february.csv"), "-o", str(house / "two"), *common]
    assert run([*again, "--refound"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["refounding"]["rows_dropped"] >= 0
    assert run([*again, "--refound", "--after", str(house / "one"), "--force"]) == 2


def test_what_publishes_values_cannot_be_refounded(house):
    delivered(house)
    with pytest.raises(InvalidParameterError, match="publishes values"):
        Refounding(Anonymizer(recoding=Centroid())).fit(read(FEBRUARY))
