"""Roles: accepted in any shape, refused in conflict, checked against the columns."""

import pytest

from shoal.exceptions import InvalidParameterError, RoleConflictError, UnknownColumnError
from shoal.table import Roles


def test_lists_single_names_and_none_become_tuples():
    roles = Roles(identifiers=None, quasi_identifiers=["age", "zip"], sensitive="disease")
    assert roles.identifiers == ()
    assert roles.quasi_identifiers == ("age", "zip")
    assert roles.sensitive == ("disease",)
    assert roles == Roles(quasi_identifiers=("age", "zip"), sensitive=["disease"])
    assert hash(roles) == hash(Roles(quasi_identifiers=("age", "zip"), sensitive=["disease"]))


def test_a_target_may_be_sensitive_and_a_person_an_identifier():
    roles = Roles(identifiers=["id", "name"], person="id", sensitive="pay", target="pay")
    assert roles.dropped == ("id", "name")
    assert roles.named == ("id", "name", "pay")
    assert [roles.role_of(c) for c in ("id", "name", "pay", "x")] == [
        "person",
        "identifier",
        "sensitive",
        "other",
    ]


@pytest.mark.parametrize(
    "roles",
    [
        {"identifiers": "a", "quasi_identifiers": "a"},
        {"quasi_identifiers": "a", "sensitive": "a"},
        {"quasi_identifiers": ["a", "a"]},
        {"identifiers": "a", "sensitive": "a"},
        {"quasi_identifiers": "a", "target": "a"},
        {"quasi_identifiers": "a", "person": "a"},
        {"sensitive": "a", "person": "a"},
        {"target": "a", "person": "a"},
        {"drop": "a", "publish_as_is": "a"},
        {"drop": "a", "person": "a"},
        {"publish_as_is": "a", "quasi_identifiers": "a"},
        {"drop": ["a", "a"]},
    ],
)
def test_two_roles_for_one_column_are_a_conflict(roles):
    with pytest.raises(RoleConflictError, match="'a'"):
        Roles(**roles)


def test_a_secret_may_be_accepted_by_name_and_stays_one():
    roles = Roles(sensitive="hba1c", target="cured", publish_as_is=["hba1c", "cured", "ward"])
    assert [roles.role_of(n) for n in ("hba1c", "cured", "ward")] == [
        "sensitive",
        "target",
        "publish_as_is",
    ]
    assert roles.accepted_secrets == ("hba1c", "cured")


@pytest.mark.parametrize(
    "roles", [{"identifiers": 3}, {"sensitive": [1]}, {"target": ["a"]}, {"person": 4}]
)
def test_roles_are_names(roles):
    with pytest.raises(InvalidParameterError, match="must be"):
        Roles(**roles)


def test_check_names_the_nearest_column():
    with pytest.raises(UnknownColumnError, match="'agee'") as caught:
        Roles(quasi_identifiers="agee").check(["age", "zip"])
    assert "'age'" in caught.value.hint
    Roles(quasi_identifiers="age").check(["age", "zip"])


def test_a_column_can_be_accepted_or_dropped_by_name():
    roles = Roles("name", "age", publish_as_is="ward", drop=["notes", "row"])
    assert roles.dropped == ("name", "notes", "row")
    assert (roles.role_of("ward"), roles.role_of("notes")) == ("publish_as_is", "drop")
    assert {*roles.named} == {"name", "age", "ward", "notes", "row"}
    choices = {c: roles.role_of(c) for c in ("name", "age", "ward", "notes", "row", "bed")}
    assert Roles.from_choices(choices) == roles
    assert roles.role_of("bed") == "other"


def test_from_choices_takes_one_target_and_one_person():
    choices = {"id": "person", "age": "quasi_identifier", "y": "target", "n": "other"}
    assert Roles.from_choices(choices) == Roles(quasi_identifiers="age", target="y", person="id")
    with pytest.raises(RoleConflictError, match="one column"):
        Roles.from_choices({"y": "target", "z": "target"})
    with pytest.raises(InvalidParameterError, match="no role"):
        Roles.from_choices({"y": "victim"})
