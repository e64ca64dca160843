"""The same plan on Spark: as good as local, whatever the partitioning, and never silent."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

from shoal.cli import run
from shoal.exceptions import (
    HeaderError,
    ImpossibleError,
    InputError,
    InvalidParameterError,
    ReleaseRefusedError,
    ValueKindError,
)
from shoal.plan import Plan
from shoal.plan import run as run_local
from shoal.release import read_release
from shoal.spark import Source, _anonymize, anonymize, read_source, spark_session
from shoal.table import Roles

CANARY = "Kanarie7731"


def rows_of(folder):
    """All released rows, as a multiset."""
    parts = sorted((folder / "data").glob("part-*.csv"))
    frames = [pl.read_csv(part, infer_schema=False) for part in parts]
    return Counter(pl.concat(frames).rows())


def test_one_fragment_is_what_the_local_engine_makes(whole, plan, tmp_path):
    local = run_local(plan)
    assert whole.fragments == 1
    assert whole.ngil == pytest.approx(local.summary.utility["ngil"], abs=1e-6)
    written = whole.write(tmp_path / "out")
    assert written.verification.holds
    local.write(tmp_path / "local")
    ours = pl.read_csv(tmp_path / "local" / "data.csv", infer_schema=False)
    assert rows_of(tmp_path / "out") == Counter(ours.rows())


def test_partitioning_changes_nothing(spark, plan, tmp_path):
    """Rows neither lost nor doubled, k holds, and 1, 7 or 24 partitions give the same numbers."""
    source = read_source(spark, plan.source)
    found, digests = set(), set()
    for n in (1, 7, 24):
        cut = Source(source.frame.repartition(n), source.names)
        with anonymize(cut, plan, rows_per_fragment=250, boundary=n != 24) as release:
            assert release.fragments >= 4
            assert release.packing.sizes.min() >= plan.k
            assert release.packing.sizes.max() <= 250
            found.add((round(release.ngil + release.gain, 12), *release.packing.sizes.tolist()))
            if n != 24:
                files = release.write(tmp_path / str(n)).manifest["files"].items()
                digests.add(tuple(facts["sha256"] for name, facts in files if "part" in name))
    assert len(found) == 1
    assert len(digests) == 1
    original = pl.read_csv(plan.source, infer_schema=False)
    released = pl.read_csv(tmp_path / "7" / "data" / "part-00000.csv", infer_schema=False)
    left_out = {*plan.roles.quasi_identifiers, *plan.roles.identifiers}
    same = [name for name in source.names if name not in left_out]
    assert Counter(original.select(same).rows()) == Counter(released.select(same).rows())
    assert released.group_by(plan.roles.quasi_identifiers).len()["len"].min() >= plan.k


def test_the_network_routes_and_the_boundary_pass_never_harms(spark, plan):
    source = read_source(spark, plan.source)
    with anonymize(source, plan, routing="network", rows_per_fragment=300, boundary=False) as cut:
        assert cut.fragments >= 3
        assert cut.packing.sizes.min() >= plan.k
        routed = cut.ngil
        assert cut.verdict.holds
    with anonymize(source, plan, routing="random", rows_per_fragment=300, boundary=False) as dealt:
        random = dealt.ngil
    with anonymize(source, plan, routing="random", rows_per_fragment=300) as mended:
        assert mended.ngil <= random
    assert routed < random


def test_of_many_pools_a_few_are_tried_before_all_are(spark, plan, monkeypatch):
    """Mending goes on only where it paid in the few; trying neither loses nor doubles a row."""
    asked = []
    pays = _anonymize._pays

    def spying(before, after, recipe):
        rows = int(sum(n for *_, n in before.counts[recipe.spaces.names[0]]))
        asked.append((rows, pays(before, after, recipe)))
        return asked[-1][1]

    monkeypatch.setattr(_anonymize, "_pays", spying)
    source = read_source(spark, plan.source)
    with anonymize(source, plan, routing="random", rows_per_fragment=50) as release:
        (few, paid), *rest = asked
        assert few < sum(rows for rows, _ in rest) or not paid
        assert len(rest) == paid
        assert bool(release.pooled) == all(paid for _, paid in asked)
        assert release.verdict.holds
        assert release.verdict.recount.rows == 900


def test_a_verdict_that_fails_refuses_the_release(whole, tmp_path):
    """The control for every release that holds: the same rows, a few of them gone."""
    few = whole.frame.filter(whole.frame["x_cost"] >= 0).limit(7)
    broken = replace(whole, frame=few)
    with pytest.raises(ReleaseRefusedError):
        broken.write(tmp_path / "out")
    assert not list(tmp_path.iterdir())
    written = whole.write(tmp_path / "out", format="parquet")
    assert written.verification.holds
    with pytest.raises(OSError, match="not empty"):
        whole.write(tmp_path / "out")
    whole.write(tmp_path / "out", force=True)
    assert sorted(p.suffix for p in (tmp_path / "out" / "data").iterdir()) == [".csv"]


def test_models_beside_k_hold_over_the_whole_release(spark, town, tmp_path, plan):
    """Groups must look like the whole table, not like their fragment."""
    wanted = replace(plan, l=2, t=0.45)
    with anonymize(read_source(spark, plan.source), wanted, rows_per_fragment=450) as release:
        written = release.write(tmp_path / "out")
    names = {outcome.claim.name for outcome in written.verification.outcomes}
    assert names >= {"k", "distinct_l", "rows"}
    assert written.verification.holds
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert all(model["recounted"] is not None for model in manifest["holds"])


def test_no_row_travels_to_the_driver(spark, tmp_path, monkeypatch):
    """Spy on every collect: values of quasi-identifiers may come, never a row or another cell."""
    from pyspark.sql.classic.dataframe import DataFrame

    frame = pl.DataFrame(
        {
            "age": [20 + i % 40 for i in range(400)],
            "name": [f"name {i}" for i in range(400)],
            "note": [f"{CANARY} {i}" for i in range(400)],
        }
    )
    frame.write_csv(tmp_path / "a.csv")
    seen = []
    collect, to_arrow = DataFrame.collect, DataFrame.toArrow

    def spying(self):
        found = collect(self)
        seen.extend(found)
        return found

    def spying_arrow(self):
        found = to_arrow(self)
        seen.extend(found.to_pylist())
        return found

    monkeypatch.setattr(DataFrame, "collect", spying)
    monkeypatch.setattr(DataFrame, "toArrow", spying_arrow)
    plan = Plan(source=str(tmp_path / "a.csv"), roles=Roles("name", "age"), k=5)
    with anonymize(read_source(spark, plan.source), plan, rows_per_fragment=150) as release:
        assert release.fragments > 1
    assert seen
    told = repr(seen)
    assert CANARY not in told
    assert "name 7" not in told


def test_odd_names_and_types_come_through(spark, tmp_path):
    rows = [(20 + i % 7, "A" if i % 2 else None, 1.5 * (i % 3), f"x{i}") for i in range(60)]
    frame = spark.createDataFrame(rows, '`a.b` int, `A.b` string, `w``eird, "q"` double, z string')
    plan = Plan(roles=Roles((), ["a.b", "A.b", 'w`eird, "q"']), k=4, format="parquet")
    with anonymize(frame, plan) as release:
        assert release.data.columns == ["a.b", "A.b", 'w`eird, "q"', "z"]
        written = release.write(tmp_path / "out")
    assert written.verification.recount.rows == 60
    assert written.verification.recount.k >= 4
    header = (tmp_path / "out" / "data" / "part-00000.csv").read_text().splitlines()[0]
    assert header == 'a.b,A.b,"w`eird, ""q""",z'


def test_what_cannot_be_is_a_sentence_without_a_cell(spark, tmp_path):
    (tmp_path / "ragged.csv").write_text(f"age,x\n30,1\n31,2,{CANARY}\n32,1\n")
    (tmp_path / "text.csv").write_text(f"age,x\n30,1\n{CANARY},2\n32,1\n")
    roles = Roles((), "age")
    with pytest.raises(InputError) as ragged:
        anonymize(read_source(spark, tmp_path / "ragged.csv"), Plan(roles=roles, k=2))
    plan = Plan(roles=roles, k=2, kinds={"age": "numeric"})
    with pytest.raises(ValueKindError) as text:
        anonymize(read_source(spark, tmp_path / "text.csv"), plan)
    for error in (ragged, text):
        assert CANARY not in f"{error.value} {error.value.hint}"
    small = read_source(spark, tmp_path / "text.csv")
    with pytest.raises(ImpossibleError):
        anonymize(small, Plan(roles=roles, k=50))
    with pytest.raises(InvalidParameterError, match="people"):
        anonymize(small, Plan(roles=Roles((), "age", person="x"), k=2))
    with pytest.raises(InvalidParameterError, match="routing"):
        anonymize(small, Plan(roles=roles, k=2), routing="guess")
    with pytest.raises(InputError):
        read_source(spark, tmp_path / "none.csv")


def test_streams_and_later_deliveries_are_refused_before_anything_is_read(spark, tmp_path):
    (tmp_path / "months").mkdir()
    stream = spark.readStream.schema("age INT, x INT").csv(str(tmp_path / "months"))
    plan = Plan(roles=Roles((), "age"), k=2)
    with pytest.raises(InputError, match="Spark knows nobody again"):
        anonymize(stream, plan)
    with pytest.raises(InvalidParameterError, match="Spark knows nobody again"):
        anonymize(stream, Plan(roles=Roles((), "age"), k=2, after=str(tmp_path / "one")))


def test_everyday_headers_are_read_or_told(spark, tmp_path):
    (tmp_path / "a.csv").write_text("age,age,\n30,1,\n31,2,\n")
    source = read_source(spark, tmp_path / "a.csv")
    assert source.names == ("age", "age_2")
    assert sorted(map(tuple, source.frame.collect())) == [("30", "1"), ("31", "2")]
    (tmp_path / "b.csv").write_text(f"age,\n30,1\n31,{CANARY}\n")
    with pytest.raises(HeaderError, match="no name"):
        read_source(spark, tmp_path / "b.csv")
    (tmp_path / "c.csv").write_text("Patients of 2024\nage,sex\n30,f\n")
    with pytest.raises(HeaderError, match="a title"):
        read_source(spark, tmp_path / "c.csv")


def test_cells_with_line_ends_and_quotes_are_read_whole(spark, tmp_path):
    (tmp_path / "a.csv").write_text('age;n\n30;"a\nb"\n30;"c ""d"""\n31;" e "\n31;\n')
    source = read_source(spark, tmp_path / "a.csv")
    assert source.names == ("age", "n")
    with anonymize(source, Plan(roles=Roles((), "age"), k=2)) as release:
        release.write(tmp_path / "out")
        assert sorted(str(row[1]) for row in release.data.collect()) == [
            " e ", "None", "a\nb", 'c "d"',
        ]  # fmt: skip
    text = (tmp_path / "out" / "data" / "part-00000.csv").read_text()
    assert " e " in text
    assert '"a\nb"' in text


def test_the_session_is_closed_to_others(spark):
    conf = spark.sparkContext.getConf()
    assert conf.get("spark.ui.enabled") == "false"
    assert conf.get("spark.authenticate") == "true"
    assert conf.get("spark.io.encryption.enabled") == "true"
    assert conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert spark.sparkContext.uiWebUrl is None
    with spark_session() as again:
        assert again is spark
    with pytest.raises(InvalidParameterError), spark_session("spark://nowhere:7077"):
        pass


def test_the_command_line_keeps_its_contract(spark, plan, town, tmp_path, capsys):
    quasi = ",".join(plan.roles.quasi_identifiers)
    line = [
        *("anonymize", plan.source, "-k", "5", "--quasi", quasi, "--engine", "spark"),
        *("--hierarchies", str(town / "hierarchies"), "--rows-per-fragment", "400"),
        *("--routing", "mondrian", "--order", "common", "--no-refine", "--json"),
        *("--identifier", ",".join(plan.roles.identifiers), "-o", str(tmp_path / "out")),
    ]
    run_local(plan).write(tmp_path / "out", ledger="off")  # which only --force replaces
    assert run(line) == 2
    assert "not empty" in capsys.readouterr().err
    assert run([*line, "--force"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["routing"] == "mondrian"
    assert told["fragments"] >= 3
    assert told["k"] >= 5
    on_disk = read_release(tmp_path / "out")
    assert on_disk.table.n_rows == 900
    assert on_disk.k == 5
    assert told["rows_out"] == told["rows_in"] == 900
    assert set(told["files"]) >= {"manifest.json", "report.html", "data/part-00000.csv"}
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "data", "manifest.json", "report.html", "verify.py",
    }  # fmt: skip
    script = [sys.executable, str(tmp_path / "out" / "verify.py")]
    assert subprocess.run(script, check=False, capture_output=True).returncode == 0
    assert "Interval ends" in (tmp_path / "out" / "report.html").read_text()
    line[3] = "5000"
    line[-1] = str(tmp_path / "more")
    assert run(line) == 2
    assert not (tmp_path / "more").exists()
