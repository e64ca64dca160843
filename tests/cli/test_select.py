"""``shoal select`` as a user types it."""

from __future__ import annotations

import pytest


@pytest.fixture
def coins(here):
    """A table with a relevant column, a copy of it, and noise."""
    lines = ["age,born,coin,ill"]
    for i in range(400):
        age = 20 + i % 60
        lines.append(f"{age},{2020 - age},{'ht'[(i // 7) % 2]},{'yes' if age > 50 else 'no'}")
    (here / "town.csv").write_text("\n".join(lines) + "\n")
    return here


def test_json_gives_ranking_selected_and_redundant(shoal, coins):
    answer = shoal("select town.csv --target ill --json")
    assert answer.code == 0
    assert [row["column"] for row in answer.json["ranking"]] == ["age", "born", "coin"]
    assert answer.json["ranking"][0]["symmetrical_uncertainty"] == pytest.approx(1.0)
    assert answer.json["selected"] == ["age"]
    assert answer.json["redundant"] == {"born": "age"}


def test_people_see_a_table_with_bars(shoal, coins):
    answer = shoal("select town.csv --target ill --method cfs")
    assert answer.code == 0
    assert "█" in answer.out
    assert "repeats age" in answer.out
    assert "not relevant" in answer.out


def test_a_plan_and_a_picture_come_out_on_wish(shoal, coins):
    (coins / "plan.toml").write_text('[roles]\nquasi_identifiers = ["age", "born", "coin"]\n')
    line = "select town.csv --target ill --plan plan.toml --use drop -o less.toml --plot a.svg"
    assert shoal(line).code == 0
    assert 'quasi_identifiers = ["age"]' in (coins / "less.toml").read_text()
    assert (coins / "a.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    "line",
    [
        "select",
        "select town.csv",
        "select town.csv --target sick",
        "select none.csv --target ill",
        "select town.csv --target ill --method relief",
        "select town.csv --target ill --threshold 7",
        "select town.csv --target ill --master local[2]",
        "select town.csv --target ill -o plan.toml",
        "select town.csv --target ill --engine flink",
    ],
)
def test_wrong_usage_is_a_sentence(shoal, coins, line):
    answer = shoal(line)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("Error: ")
