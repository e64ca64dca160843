"""``shoal demo`` tells the whole story, and can be told again."""

from __future__ import annotations


def test_tells_the_story(shoal, here) -> None:
    answer = shoal("demo --rows 300")
    assert (answer.code, answer.err) == (0, "")
    assert "300 patients" in answer.out
    assert "are still alone" in answer.out
    assert "10-anonymity holds" in answer.out
    assert "shoal init" in answer.out
    assert (here / "demo-release" / "report.html").is_file()


def test_can_be_told_again_and_elsewhere(shoal, here) -> None:
    assert shoal("demo --rows 200").code == 0
    again = shoal("demo --rows 200 --json")
    assert again.code == 0
    assert again.json["output"] == "demo-release"
    assert again.json["k"] >= 10
    assert 0 < again.json["sample_unique_fraction_before"] <= 1
    assert shoal("demo --rows 200 -o mine").code == 0
    assert shoal("demo --rows 200 -o mine").code == 2
    assert shoal("demo --rows 200 -o mine --force").code == 0


def test_the_demo_leaves_nobody_to_be_singled_out(shoal, here) -> None:
    found = shoal("demo --rows 300 --json").json
    assert found["singling_out"]["share_unique_plain"] == 0.0
    assert found["singling_out"]["open"] == []
    assert "nobody accepted" not in shoal("demo --rows 300").out
