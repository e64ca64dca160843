"""Networks of real people, as their descriptions say."""

import pytest

from shoal.datasets import _real_networks, facebook_ego, law_firm
from shoal.datasets._store import PublicFile
from shoal.exceptions import InvalidParameterError
from shoal.graphs import as_graph


def _file(ego: int, part: str) -> PublicFile:
    return PublicFile(f"graph_facebook_ego/{ego}.{part}", _real_networks._EGOS[ego][part])


def test_lawyers_and_who_works_with_whom(need):
    need(_real_networks._LAWYERS, _real_networks._WORK)
    people, edges = law_firm()
    assert people.frame.shape == (71, 8)
    assert people.frame.row(0) == ("01", "1", "1", "1", "31", "64", "1", "1")
    assert len(edges) == 378  # of 756 named, in both directions
    assert as_graph(edges).arranged(people.frame["id"].to_list()).notes == ()


@pytest.mark.parametrize(("ego", "people", "edges"), [(0, 347, 2_519), (686, 170, 1_656)])
def test_the_friends_of_one_person(need, ego, people, edges):
    need(*(_file(ego, part) for part in ("edges", "feat", "featnames")))
    found, known = facebook_ego(ego)
    assert (found.frame.height, len(known)) == (people, edges)
    assert found.frame.columns == ["id", "gender", "locale", "education_type", "birthday"]
    assert as_graph(known).arranged(found.frame["id"].to_list()).n_edges == edges


def test_another_person_is_not_there():
    with pytest.raises(InvalidParameterError, match="0 and 686"):
        facebook_ego(1)
