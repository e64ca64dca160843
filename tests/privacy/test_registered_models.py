"""A registered model is known to plans and the command line, and named nowhere else."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.cli import run
from shoal.exceptions import InvalidParameterError
from shoal.plan import Plan
from shoal.privacy import (
    MODELS,
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
    build_models,
    claims_of,
    register,
)
from shoal.table import Roles, read_table

SOURCE = Path(shoal.__file__).parent
ROLES = Roles(quasi_identifiers="zip", sensitive=["ill", "pay"])
ASKED = {  # key -> what is typed, what it is in a plan, and the model of the column ill
    "l": ("2", 2, DistinctLDiversity(2, "ill")),
    "entropy_l": ("1.5", 1.5, EntropyLDiversity(1.5, "ill")),
    "recursive": ("9,2", (9, 2), RecursiveCLDiversity(9, 2, "ill")),
    "t": ("0.9", 0.9, TCloseness(0.9, "ill")),
    "basic_beta": ("9", 9, BasicBetaLikeness(9, "ill")),
    "enhanced_beta": ("9", 9, EnhancedBetaLikeness(9, "ill")),
    "delta_disclosure": ("9", 9, DeltaDisclosure(9, "ill")),
    "alpha": ("0.9", 0.9, AlphaK(0.9, 2, "ill")),
}


@pytest.fixture
def town() -> pl.DataFrame:
    return pl.DataFrame(
        {"zip": ["A"] * 6 + ["B"] * 6, "ill": ["flu", "gout"] * 6, "pay": [1, 2] * 6}
    )


def test_every_model_is_tried_here() -> None:
    assert list(ASKED) == list(MODELS)


@pytest.mark.parametrize("key", ASKED)
def test_python_plan_and_file_ask_for_the_same(key, town, tmp_path) -> None:
    _, value, model = ASKED[key]
    table = read_table(town, roles=ROLES)
    one = build_models(table, k=2, **{key: {"ill": value}})
    plan = Plan(roles=ROLES, k=2, **{key: {"ill": value}})
    plan.write(tmp_path / "plan.toml")
    again = Plan.read(tmp_path / "plan.toml")
    assert again == plan
    assert plan.asked == {key: {"ill": value}}
    assert one == [KAnonymity(2), model]
    assert one == list(plan.anonymizer(table).privacy) == list(again.anonymizer(table).privacy)
    assert [claim.column for claim in claims_of([model], table)][-1] == "ill"


@pytest.mark.parametrize("key", ASKED)
def test_commands_have_an_option_for_it(key, town, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    town.write_csv("town.csv")
    typed, _, model = ASKED[key]
    option = f"--{key.replace('_', '-')}"
    line = ["check", "town.csv", "--quasi", "zip", "--sensitive", "ill", option, typed, "--json"]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert run(line) == 0
    found = json.loads(said.getvalue())
    assert [result["model"] for result in found["models"]][-1] == str(model)
    assert set(MODELS[key].column_measures) - {"t_ordered", "t_hierarchical"} <= set(
        found["sensitive"]["ill"]
    )


@pytest.mark.parametrize(
    ("typed", "says"), [("x", "cannot be"), ("1", "above 1"), ("nan", "above")]
)
def test_what_is_typed_is_checked(typed, says, capsys) -> None:
    assert run(["check", "t.csv", "--quasi", "a", "--entropy-l", typed]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert "--entropy-l" in answer.err
    assert says in answer.err


def test_a_key_belongs_to_one_model_and_means_something() -> None:
    class Another(EntropyLDiversity):
        """Has the key of its parent."""

    with pytest.raises(InvalidParameterError, match="'entropy_l'"):
        register(Another)
    with pytest.raises(InvalidParameterError, match="KAnonymity"):
        register(KAnonymity)
    with pytest.raises(InvalidParameterError, match="entrop_l") as caught:
        Plan(roles=ROLES, models={"entrop_l": 2})
    assert "entropy_l" in str(caught.value.hint)


@pytest.mark.parametrize(
    "model", [model for model in MODELS.values() if model not in (DistinctLDiversity, TCloseness)]
)
def test_a_model_is_named_in_few_files(model) -> None:
    """Its own file, two tables of contents, and the cases every grouper is tried with."""
    word = re.compile(rf"\b{model.__name__}\b")
    named = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if word.search(path.read_text(encoding="utf-8"))
    }
    own = {name for name in named if name.startswith("privacy/_") and "__init__" not in name}
    assert len(own) == 1
    assert named - own == {"__init__.py", "privacy/__init__.py", "testing/_cases.py"}
