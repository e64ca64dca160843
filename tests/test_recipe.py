"""The recipe: decided once, from copies, with a word for whatever cannot be."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.exceptions import InvalidParameterError
from shoal.recipe import METHODS, as_grouper, resolve
from shoal.recoding import Generalize, Recoded, Recoder
from shoal.testing import check_recoder


class Stars(Recoder):
    """A recoder of somebody else: one group, one star."""

    def spaces(self, table, weights=None):
        return Generalize().spaces(table, weights)

    def recode(self, table, grouping, spaces=None, grouper=None):
        empty = [table.text(n).is_null().to_numpy() for n in table.roles.quasi_identifiers]
        columns, keys = {}, []
        for name, missing in zip(table.roles.quasi_identifiers, empty, strict=True):
            shown = np.ones(grouping.n_groups, dtype=np.int64)
            for group in range(grouping.n_groups):
                shown[group] = not missing[grouping.members(group)].all()
            cells = np.append(shown, 1)[grouping.labels]
            columns[name] = pl.Series(name, ["*" if cell else None for cell in cells], pl.String)
            keys.append(shown)
        same = shoal.Grouping.from_keys(keys, grouping.n_groups).labels
        return Recoded(columns, shoal.Grouping(np.append(same, -1)[grouping.labels]))


def town():
    frame = pl.DataFrame({"age": [30, 31, 50, 52, 53], "sex": ["f", "f", "m", "m", "m"]})
    return shoal.read_table(frame, roles=shoal.Roles(quasi_identifiers=["age", "sex"]))


def test_a_recoder_of_somebody_else_is_taken_wherever_ours_is():
    check_recoder(Stars(), tables=5)
    made = shoal.Anonymizer(recoding=Stars(), privacy=shoal.KAnonymity(2)).fit(town())
    assert made.release_.frame["age"].to_list() == ["*"] * 5
    session = shoal.Session(town(), shoal.Anonymizer(recoding=Stars(), privacy=shoal.KAnonymity(2)))
    assert session.release().frame.equals(made.release_.frame)


def test_what_a_user_gave_is_never_changed():
    grouper, recoder = shoal.SaNGreeA(), shoal.Generalize()
    made = shoal.Anonymizer(grouper, recoder, shoal.KAnonymity(2)).fit(town())
    assert not hasattr(grouper, "grouping_")
    assert made.grouping is grouper
    assert made.recipe_.grouper is not grouper
    assert made.recipe_.recoder is not recoder


@pytest.mark.parametrize("wrong", ["mondrain", "", "AUTO"])
def test_a_misspelt_grouping_is_refused_everywhere(wrong):
    anonymizer = shoal.Anonymizer(grouping=wrong, privacy=shoal.KAnonymity(2))
    with pytest.raises(InvalidParameterError, match="no grouping named"):
        anonymizer.fit(town())
    with pytest.raises(InvalidParameterError, match="no grouping named"):
        shoal.Session(town(), anonymizer)
    with pytest.raises(InvalidParameterError, match="no grouping named"):
        shoal.anonymize(town(), quasi_identifiers="age", k=2, method=wrong)


def test_a_recoding_that_is_none_is_refused():
    with pytest.raises(InvalidParameterError, match="A recoding is"):
        resolve(town(), recoding="generalize")
    with pytest.raises(InvalidParameterError, match="A recoding is"):
        resolve(town(), recoding=[shoal.KAnonymity(2)])


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_known_by_its_name(name):
    grouper = as_grouper(name)
    assert grouper.name == name
    recipe = resolve(town(), grouping=name, privacy=shoal.KAnonymity(2))
    assert recipe.method == ("sangreea" if name == "auto" else name)


def test_moved_values_promise_nothing_but_ask_of_clusters():
    recipe = resolve(town(), grouping=shoal.EpsilonClusters(m=2))
    assert recipe.models == ()
    assert [str(model) for model in recipe.within] == ["3-anonymity"]
    assert recipe.k is None
    assert recipe.recoder.moves_values


def test_weights_given_beside_a_grouper_are_not_lost():
    people = {"quasi_identifiers": ["age", "sex"], "k": 2}
    plain = shoal.anonymize(town(), method=shoal.SaNGreeA(), weights={"age": 9.0}, **people)
    assert plain.provenance["weights"] == {"age": 9.0}


def test_limits_and_grids_are_refused_where_values_move():
    for setting in ({"limits": {"age": 5}}, {"grid": {"age": 5}}):
        with pytest.raises(InvalidParameterError, match="that publish ranges"):
            shoal.anonymize(town(), quasi_identifiers="age", k=2, method="quantize", **setting)
