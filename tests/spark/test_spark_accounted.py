"""On a cluster too the claim covers everything published."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

from shoal.exceptions import ReleaseRefusedError, ValueKindError
from shoal.plan import Plan
from shoal.plan import run as run_local
from shoal.spark import anonymize, read_source


def roles_of(plan, **more):
    return replace(plan, roles=replace(plan.roles, **more))


def test_the_cluster_counts_what_the_local_engine_counts(spark, whole, plan, tmp_path):
    written = whole.write(tmp_path / "out", ledger="off")
    local = run_local(plan).summary.singling
    found = written.summary.singling
    assert found == local  # shares, columns, sets, twins, what helps most
    told = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["singling_out"]
    assert told["share_unique"] == local.unique > 0


def test_an_audience_refuses_what_nobody_accepted(spark, plan, tmp_path):
    source = read_source(spark, plan.source)
    unsaid = roles_of(replace(plan, preset="partner", l=2, ledger="off"), publish_as_is=())
    with (
        anonymize(source, unsaid) as release,
        pytest.raises(ReleaseRefusedError, match="nobody accepted"),
    ):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    accepted = roles_of(
        unsaid, publish_as_is=[c for c in source.names if c not in unsaid.roles.named]
    )
    with anonymize(source, accepted) as release:
        assert release.write(tmp_path / "out").summary.singling.open == ()


@pytest.fixture(scope="module")
def dirty(tmp_path_factory):
    """Three hundred people: one column tells the age, two tell people apart, cells are odd."""
    folder = tmp_path_factory.mktemp("dirty")
    lines = ["age;sex;town;pay;seen;decade;day;hour;zip;n"]
    for i in range(300):
        age = 20 + (i * 7) % 60
        town = ("Graz", "graz ", "LINZ", "Linz", "Linz")[i % 5]
        pay = "unbekannt" if i % 50 == 0 else f"1.{100 + i},50 €"
        seen = "?" if i % 40 == 7 else f"{i % 28 + 1}.3.2021"
        row = (f"{age} y", "fm"[i % 2], town, pay, seen, age // 5, i % 20, i // 20, "8010", i % 3)
        lines.append(";".join(map(str, row)))
    (folder / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "plan.toml").write_text(
        f"""[table]
source = "{folder / "t.csv"}"
[roles]
quasi_identifiers = ["age", "sex", "town"]
sensitive = ["pay"]
[missing]
pay = ["unbekannt"]
seen = ["?"]
[clean]
town = ["trim", "case"]
[formats]
age = {{ unit = "y" }}
pay = {{ unit = "€", decimal = "," }}
seen = {{ date = "%d.%m.%Y" }}
[kinds]
age = "numeric"
[privacy]
k = 4
[method]
order = "common"
refine = false
""",
        encoding="utf-8",
    )
    return Plan.read(folder / "plan.toml")


def test_cells_are_read_as_a_plan_asks_and_twins_and_sets_are_told(spark, dirty, tmp_path):
    local = run_local(dirty)
    with anonymize(read_source(spark, dirty.source), dirty) as release:
        written = release.write(tmp_path / "out", format="parquet", ledger="off")
    found = written.summary.singling
    assert found == local.summary.singling
    assert ("decade", "age") in found.twins
    assert any({"day", "hour"} == {*columns} for columns, _ in found.sets)
    frame = pl.read_parquet(tmp_path / "out" / "data" / "*.parquet")
    assert "LINZ" not in {*frame["town"]}
    kept = local.write(tmp_path / "local", format="parquet", ledger="off")
    same = pl.read_parquet(kept.folder / "data.parquet")
    assert dict(frame.schema) == dict(same.schema)  # numbers and dates, not text
    assert frame.sort(frame.columns).equals(same.sort(same.columns))


def test_a_cell_that_is_no_number_in_its_format_is_told_without_it(spark, dirty):
    wrong = replace(dirty, missing_in={"seen": ("?",)})
    with pytest.raises(ValueKindError, match="'pay' has cells that are not written") as told:
        anonymize(read_source(spark, wrong.source), wrong)
    assert "unbekannt" not in str(told.value)
