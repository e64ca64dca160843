"""The claim covers everything published: columns that single people out, and who accepted them."""

from __future__ import annotations

import json

import pytest

LINE = "anonymize t.csv -k 5 --quasi age,sex --sensitive ill"
FINE = "--drop phone,case,decade,row"


@pytest.fixture(autouse=True)
def table(here, monkeypatch):
    """Sixty people: a phone number, a case number that repeats, a twin of the age."""
    monkeypatch.setenv("SHOAL_HOME", str(here / "home"))
    lines = ["age,sex,phone,case,decade,ward,row,ill"]
    for i in range(120):
        age = 20 + (i * 7) % 50
        ill = ("flu", "cold", "gout", "mumps")[(i // 3) % 4]
        lines.append(f"{age},{'fm'[i % 2]},0043 {1000 + i},C{i % 70},{age // 5},w{i % 2},{i},{ill}")
    (here / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def manifest(here, folder="out"):
    return json.loads((here / folder / "manifest.json").read_text("utf-8"))


@pytest.mark.parametrize("preset", ["", "--preset internal"])
def test_without_an_audience_the_number_comes_first(shoal, here, preset) -> None:
    answer = shoal(f"{LINE} {preset} -o out")
    assert answer.code == 0
    first, *_ = answer.out.splitlines()
    assert first.startswith("Warning: 100 % of people are singled out by columns nobody accepted")
    assert "'phone' (100 %)" in answer.out
    told = " ".join(answer.out.split())
    assert "100 % of rows are unique on all that is published" in told
    assert told.count("nobody accepted: ") == 1
    for way in ("--quasi", "--drop", "--publish-as-is"):
        assert way in told
    page = (here / "out" / "report.html").read_text("utf-8")
    assert 'class="badge warn"' in page
    assert "are unique on all that is published</h1>" in page
    found = manifest(here)["singling_out"]
    assert found["share_unique"] == found["share_unique_plain"] == 1.0
    assert {"phone", "row", "decade"} <= {*found["open"]}
    assert {"telling": "decade", "told": "age"} in found["twins"]


@pytest.mark.parametrize("preset", ["partner", "public --l 3"])
def test_for_others_it_is_refused_and_nothing_is_written(shoal, here, preset) -> None:
    answer = shoal(f"{LINE.replace('-k 5', '-k 12')} --preset {preset} -o out")
    assert answer.code == 1
    assert not (here / "out").exists()
    assert "Not released: 100 % of people are singled out" in answer.err
    assert "'phone' (100 %)" in answer.err
    assert "'decade' tells 'age'" in answer.err
    assert "quasi-identifier (--quasi), leave it out (--drop)" in answer.err
    assert "0043" not in answer.err


def test_what_is_accepted_by_name_goes_out_and_is_recorded(shoal, here) -> None:
    accepted = "phone,case,decade,row,ward"
    answer = shoal(f"{LINE} --preset partner --publish-as-is {accepted} -o out --json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json["singling_out"]["accepted"] == accepted.split(",")
    assert answer.json["singling_out"]["share_unique"] == 1.0
    assert not any("nobody accepted" in warning for warning in answer.json["warnings"])
    found = manifest(here)
    assert found["singling_out"]["accepted"] == accepted.split(",")
    assert found["singling_out"]["open"] == []
    assert {c["name"]: c["role"] for c in found["columns"]}["phone"] == "publish-as-is"
    page = (here / "out" / "report.html").read_text("utf-8")
    assert 'class="badge"' in page
    assert "Accepted by name: phone" in page


def test_a_plan_accepts_by_name(shoal, here) -> None:
    planned = '[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age", "sex"]\n'
    planned += 'sensitive = ["ill"]\ndrop = ["phone", "row", "decade"]\n[privacy]\nk = 5\n'
    planned += 'preset = "partner"\n'
    (here / "plan.toml").write_text(planned, encoding="utf-8")
    refused = shoal("anonymize --plan plan.toml -o out")
    assert refused.code == 1
    assert "'case'" in refused.err
    more = planned.replace("drop =", 'publish_as_is = ["case"]\ndrop =')
    (here / "plan.toml").write_text(more, encoding="utf-8")
    assert shoal("anonymize --plan plan.toml -o out").code == 0


def test_harmless_columns_need_no_word(shoal, here) -> None:
    answer = shoal(f"{LINE} {FINE},ill --preset internal -o out".replace("--sensitive ill", ""))
    assert answer.code == 0
    assert "Warning" not in answer.out
    assert 'class="badge"' in (here / "out" / "report.html").read_text("utf-8")
    assert manifest(here)["singling_out"]["share_unique"] <= 0.05


def test_sensitive_columns_and_the_target_are_counted_apart(shoal, here) -> None:
    answer = shoal(f"{LINE} {FINE} --target ward -o out --json")
    found = answer.json["singling_out"]
    assert found["share_unique_plain"] == 0.0
    assert found["share_unique"] > 0.0
    assert found["open"] == []
    told = " ".join(shoal(f"{LINE} {FINE} --target ward -o again").out.split())
    assert "Without sensitive columns and the target, 0 % are unique" in told
