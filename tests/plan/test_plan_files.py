"""A plan and its file: what is written is read back, and paths stay true."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.exceptions import EncodingError, InputError, InvalidParameterError, OutputError
from shoal.plan import Plan
from shoal.table import Roles
from shoal.typing import KINDS

columns = st.text(min_size=1, max_size=8) | st.sampled_from(
    ["age", "zip code", "ä", "a.b", "#", '"']
)
few = {"max_size": 3}
positive = st.floats(0.001, 1e9) | st.integers(1, 10**9)
shares = st.floats(0, 1)


def by_column(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(columns, values, **few)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    names = draw(st.lists(columns, unique=True, max_size=6))
    first, second = len(names) // 3, 2 * len(names) // 3
    sensitive = names[second:]

    def of_sensitive(values: st.SearchStrategy) -> st.SearchStrategy:
        if not sensitive:
            return st.none()
        some = st.dictionaries(st.sampled_from(sensitive), values, min_size=1)
        return st.none() | values | some

    optional = st.none
    return Plan(
        source=draw(optional() | st.sampled_from(["t.csv", "data/t.parquet", "/data/t.csv"])),
        delimiter=draw(optional() | st.sampled_from([";", "\t", "|"])),
        encoding=draw(optional() | st.just("latin-1")),
        missing=tuple(draw(st.lists(st.text(max_size=4), **few))),
        kinds=draw(by_column(st.sampled_from(KINDS))),
        orders={k: tuple(v) for k, v in draw(by_column(st.lists(st.text(), **few))).items()},
        roles=Roles(names[:first], names[first:second], sensitive),
        hierarchies=draw(by_column(st.sampled_from(["mask", "flat", "intervals:5,10", "h/a.csv"]))),
        hierarchy_folder=draw(optional() | st.just("h")),
        weights=draw(by_column(positive)),
        limits=draw(by_column(positive)),
        grid=draw(by_column(positive)),
        k=draw(optional() | st.integers(2, 10**6)),
        l=draw(of_sensitive(st.integers(1, 99))),
        t=draw(of_sensitive(shares)),
        entropy_l=draw(of_sensitive(st.floats(1.5, 99))),
        recursive=draw(of_sensitive(st.tuples(positive, st.integers(2, 9)))),
        basic_beta=draw(of_sensitive(positive)),
        enhanced_beta=draw(of_sensitive(positive)),
        delta_disclosure=draw(of_sensitive(positive)),
        alpha=draw(of_sensitive(st.floats(0.01, 1))),
        method=draw(st.sampled_from(["auto", "sangreea"])),
        order=draw(optional() | st.sampled_from(["best-first", "common", "content"])),
        refine=draw(optional() | st.booleans()),
        max_suppression=draw(shares),
        format=draw(st.sampled_from(["csv", "parquet"])),
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("here")
@given(plan=plans(), remark=st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_plan_is_read_back_as_it_was(plan: Plan, remark: str) -> None:
    comments = {(): "first\nsecond", ("weights",): "heavy", ("privacy", "k"): remark}
    beside = {("roles", name): remark for name in plan.roles.named}
    for told in (None, comments | beside):
        plan.write("plan.toml", comments=told)
        assert Plan.read("plan.toml") == plan


def test_paths_are_relative_to_the_file(here: Path) -> None:
    (here / "plans").mkdir()
    plan = Plan(
        source="data/t.csv", hierarchies={"a": "h/a.csv", "b": "mask"}, hierarchy_folder="h"
    )
    plan.write("plans/plan.toml")
    written = tomllib.loads(Path("plans/plan.toml").read_text())
    assert written["table"] == {"source": "../data/t.csv", "hierarchies": "../h"}
    assert written["hierarchies"] == {"a": "../h/a.csv", "b": "mask"}
    assert Plan.read("plans/plan.toml") == plan


def test_a_path_below_the_file_is_written_short(tmp_path: Path) -> None:
    plan = Plan(source=str(tmp_path / "t.csv"))
    assert 'source = "t.csv"' in plan.to_toml(tmp_path)
    assert 'source = "/elsewhere/t.csv"' in Plan(source="/elsewhere/t.csv").to_toml(tmp_path)


def test_reads_the_plan_of_the_design(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("""
        [table]
        source = "patients.csv"

        [roles]
        identifiers = ["name"]
        quasi_identifiers = ["age", "sex", "zip"]
        sensitive = ["disease"]
        target = "readmitted"

        [hierarchies]
        zip = "mask"                          # 8010, 801*, 80**, 8***, *
        country = "hierarchies/country.csv"

        [weights]                             # what matters
        zip = 2.0

        [limits]
        age = 10                              # never wider than ten years

        [privacy]
        k = 10
        l = { disease = 3 }

        [method]
        name = "auto"
        refine = true
    """)
    assert Plan.read(tmp_path / "plan.toml") == Plan(
        source=str(tmp_path / "patients.csv"),
        roles=Roles("name", ["age", "sex", "zip"], "disease", "readmitted"),
        hierarchies={"zip": "mask", "country": str(tmp_path / "hierarchies" / "country.csv")},
        weights={"zip": 2.0},
        limits={"age": 10},
        k=10,
        l={"disease": 3},
        method="auto",
        refine=True,
    )


def test_comments_stand_beside_their_entries() -> None:
    plan = Plan(roles=Roles(quasi_identifiers=["age", "sex"], target="cured"), k=5)
    comments = {
        (): "top",
        ("roles",): "head",
        ("roles", "age"): "known",
        ("roles", "cured"): "to\npredict",
        ("privacy", "k"): "few",
        ("method",): "nothing said",
    }
    assert plan.to_toml(comments=comments).splitlines() == [
        "# top",
        "",
        "[roles]",
        "# head",
        "quasi_identifiers = [",
        '    "age",             # known',
        '    "sex",',
        "]",
        'target = "cured"       # to predict',
        "",
        "[privacy]",
        "k = 5  # few",
        "",
        "[method]",
        "# nothing said",
    ]


@pytest.mark.parametrize(
    ("content", "error", "says"),
    [
        (b"k = = 1", InputError, "not TOML"),
        (b"\xff", EncodingError, "byte 0"),
        (b"[privcay]\nk = 2", InvalidParameterError, r"plan.toml: There is no section \[privcay\]"),
        (b"[privacy]\nkay = 2", InvalidParameterError, "'kay'"),
        (b"[roles]\nquasi = ['a']", InvalidParameterError, "'quasi'"),
        (b"[roles]\ntarget = ['a']", InvalidParameterError, "target"),
        (b"[roles]\nsensitive = ['a', 'a']", InvalidParameterError, "twice"),
        (b"[orders]\npain = 'low'\nmood = [1]", InvalidParameterError, "order of 'mood'"),
        (b"[kinds]\na = 1979-05-27", InvalidParameterError, "kind of 'a'"),
        (b"[grid]\na = inf", InvalidParameterError, "grid of 'a'"),
        (b"[release]\nformat = 'xls'", InvalidParameterError, "format"),
        (b"preset = 'public'", InvalidParameterError, "no section"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(content, error, says, tmp_path) -> None:
    (tmp_path / "plan.toml").write_bytes(content)
    with pytest.raises(error, match=says) as caught:
        Plan.read(tmp_path / "plan.toml")
    assert "\n" not in str(caught.value)


def test_a_misplaced_key_is_sent_home(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("preset = 'public'")
    with pytest.raises(InvalidParameterError) as caught:
        Plan.read(tmp_path / "plan.toml")
    assert caught.value.hint == "It belongs in [privacy]."


def test_no_file_and_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Plan.read(tmp_path / "plan.toml")
    with pytest.raises(OutputError, match="could not be written"):
        Plan().write(tmp_path / "no" / "plan.toml")
