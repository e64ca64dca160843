"""The claim covers everything published: columns that single people out, and who accepted them."""

from __future__ import annotations

import json

import pytest

import shoal as package
from shoal.exceptions import InvalidParameterError, ReleaseRefusedError

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


def test_the_papers_name_the_smallest_sets_and_what_helps_most(shoal, here) -> None:
    lines = ["age,sex,ill,day,hour"]
    for i in range(200):
        ill = ("flu", "cold", "gout")[i % 3]
        lines.append(f"{20 + i % 40},{'fm'[i % 2]},{ill},{i % 14},{i // 14}")
    (here / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    answer = shoal(f"{LINE.replace('-k 5', '-k 60')} -o out")
    found = manifest(here)["singling_out"]
    assert found["sets"] == [{"columns": ["hour", "day"], "share": 1.0}]
    assert found["helps_most"] in ("hour", "day")
    page = " ".join((here / "out" / "report.html").read_text("utf-8").split())
    for words in (
        "The smallest sets that single out together: hour and day (100 %).",
        f"Made a quasi-identifier, {found['helps_most']} helps most",
    ):
        assert words in page
        assert words in " ".join(answer.out.split()).replace("quasi- id", "quasi-id")
    assert "by columns nobody accepted: 'hour' with 'day' (100 %)" in " ".join(answer.out.split())


def manifest(here, folder="out"):
    return json.loads((here / folder / "manifest.json").read_text("utf-8"))


@pytest.mark.parametrize("preset", ["", "--preset internal"])
def test_without_an_audience_the_number_comes_first(shoal, here, preset) -> None:
    answer = shoal(f"{LINE.replace('-k 5', '-k 12')} {preset} -o out")
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


def test_with_less_than_the_preset_asks_for_columns_are_told_as_well(shoal, here) -> None:
    answer = shoal(f"{LINE} --preset public --l 3 -o out")
    assert answer.code == 2
    assert "asks for k of at least 11" in answer.err
    assert "Nor is this accepted" in answer.err
    assert "'phone' (100 %)" in answer.err
    assert "0043" not in answer.err
    fine = shoal(f"{LINE} {FINE},ward --preset public --l 3 -o out")
    assert "Nor is this" not in fine.err
    assert (
        "Nor is this" not in shoal(f"{LINE} -k 2 --preset internal -o out".replace("-k 5 ", "")).err
    )


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
    assert 'class="badge warn"' in page  # accepted or not: no green badge over people who stand out
    assert "but 100\xa0% are singled out by columns published as they are</span>" in page
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


def test_columns_that_are_typed_come_beside_those_of_a_plan(shoal, here) -> None:
    planned = '[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age"]\n'
    planned += 'drop = ["phone", "row", "decade", "case"]\n[privacy]\nk = 5\n'
    (here / "plan.toml").write_text(planned, encoding="utf-8")
    told = shoal("anonymize --plan plan.toml --quasi sex --sensitive ill -o out")
    assert told.code == 0, told.err
    assert "--quasi adds to the plan: age, sex." in " ".join(told.out.split())
    roles = {column["name"]: column["role"] for column in manifest(here)["columns"]}
    assert (roles["age"], roles["sex"]) == ("quasi-identifier", "quasi-identifier")
    assert roles["ill"] == "sensitive"
    twice = shoal("anonymize --plan plan.toml --quasi phone -o other")
    assert twice.code == 2
    assert "phone" in twice.err


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


def test_check_never_says_holds_without_quasi_identifiers(shoal, here) -> None:
    told = shoal("check t.csv -k 50")
    assert told.code == 1
    assert "holds" not in told.out
    assert told.out.startswith("No quasi-identifier is named, so nothing can be said to hold")
    assert "100 % of rows are unique on all columns together" in " ".join(told.out.split())
    assert "phone" in told.out
    assert "Columns that single out more than 5 %:" in told.out  # no crowds to be seen with
    plain = shoal("check t.csv --json")
    assert (plain.code, plain.json["holds"]) == (0, False)
    assert plain.json["singling_out"]["share_unique"] == 1.0
    assert "phone" in plain.json["singling_out"]["singling"]
    assert shoal("check t.csv --sensitive ill --l 1").code == 1


def test_check_names_the_smallest_sets(shoal, here) -> None:
    told = shoal("check t.csv --drop phone,row,case")
    assert told.code == 0
    found = shoal("check t.csv --drop phone,row,case --json").json["singling_out"]
    assert found["sets"]
    assert f"{', '.join(found['sets'][0]['columns'])}: " in told.out
    assert not {"phone", "row", "case"} & {column["name"] for column in found["columns"]}


def test_check_takes_a_release_folder(shoal, here) -> None:
    assert shoal(f"{LINE} --l 2 {FINE} -o out").code == 0
    told = shoal("check out")
    assert told.code == 0
    assert "5-anonymity holds" in told.out
    assert "distinct 2-diversity of 'ill' holds" in told.out
    found = shoal("check out --json").json
    assert found["models"][0]["model"] == "5-anonymity"
    assert shoal("check out -k 100").code == 1
    assert shoal(f"{LINE} {FINE} --draft -o draft").code == 0
    assert "This is a draft" in shoal("check draft").out
    assert shoal("check home").code == 2


def test_check_takes_a_plan(shoal, here) -> None:
    planned = '[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age", "sex"]\n'
    planned += 'identifiers = ["phone"]\nsensitive = ["ill"]\n'
    planned += 'drop = ["row", "decade", "case"]\n[privacy]\nk = 5\nl = 2\n'
    (here / "plan.toml").write_text(planned, encoding="utf-8")
    raw = shoal("check --plan plan.toml")
    assert raw.code == 1
    assert "5-anonymity does not hold" in raw.out
    assert shoal("anonymize --plan plan.toml -o out").code == 0
    told = shoal("check out/data.csv --plan plan.toml")
    assert told.code == 0
    assert "distinct 2-diversity of 'ill' holds" in told.out
    assert shoal("check out/data.csv --plan plan.toml -k 100").code == 1


def test_attack_says_who_is_unique_and_whom_one_or_two_columns_find(shoal, here) -> None:
    assert shoal(f"{LINE} -o out").code == 0
    told = shoal("attack out --original t.csv")
    assert told.code == 1
    text = " ".join(told.out.split())
    assert "100 % of rows are unique on all that is published" in text
    assert "picks the right row in 100 %" in text
    found = shoal("attack out --original t.csv --json").json
    assert "known_columns" in found["exceeding"]
    assert found["singling_out"]["share_unique"] == 1.0


def test_attack_tries_a_release_without_some_columns(shoal, here) -> None:
    assert shoal(f"{LINE} -o out").code == 0
    ask = "attack out --original t.csv --attacks known_columns --json"
    told = shoal(f"{ask} --drop phone,case,decade,row --publish-as-is ward").json
    assert told["attacks"][0]["note"].startswith("Known: ward")
    roles = {c["name"]: c["role"] for c in told["singling_out"]["columns"]}
    assert roles == {"ward": "publish_as_is"}
    plan = '[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age", "sex"]\n'
    (here / "plan.toml").write_text(f'{plan}sensitive = ["ill"]\n[privacy]\nk = 5\n', "utf-8")
    told = shoal("attack --plan plan.toml --attacks known_columns --json --drop phone,case,[dr]*")
    assert told.json["attacks"][0]["note"].startswith("Known: ward")


@pytest.mark.parametrize("way", ["typed", "planned"])
def test_columns_are_accepted_by_a_pattern_and_recorded_by_name(shoal, here, way) -> None:
    asked = "--publish-as-is ?hone,[cr]*,w* --drop d*"
    if way == "planned":
        plan = '[roles]\npublish_as_is = ["?hone", "[cr]*", "w*"]\ndrop = ["d*"]\n'
        (here / "plan.toml").write_text(plan, encoding="utf-8")
        asked = "--plan plan.toml"
    answer = shoal(f"{LINE} {asked} --preset partner -o out")
    assert answer.code == 0, answer.err
    assert manifest(here)["singling_out"]["accepted"] == ["phone", "case", "row", "ward"]
    assert "decade" not in (here / "out" / "data.csv").read_text("utf-8")
    refused = shoal(f"{LINE} --drop Z* -o other")
    assert refused.code == 2
    assert "There is no column named 'Z*'" in refused.err


def test_python_refuses_a_table_of_which_nothing_is_known() -> None:
    with pytest.raises(InvalidParameterError, match="No quasi-identifier is named"):
        package.anonymize("t.csv", quasi_identifiers=[], k=5)
    with pytest.raises(InvalidParameterError, match="No quasi-identifier is named"):
        package.check(package.read_table("t.csv"), [package.KAnonymity(5)])


def test_python_says_it_first_and_refuses_for_others(here) -> None:
    asked = {"quasi_identifiers": ["age", "sex"], "sensitive": "ill", "k": 5}
    release = package.anonymize("t.csv", **asked)
    assert release.summary.warnings[0].startswith("100 % of people are singled out")
    assert release.summary.singling.open
    for_others = package.anonymize("t.csv", **asked, preset="partner")
    with pytest.raises(ReleaseRefusedError, match="'phone'"):
        for_others.write("out")
    assert not (here / "out").exists()


def exact_secrets(here):
    """Two hundred people with an exact blood value, which tells nearly everybody in a crowd."""
    lines = ["age,sex,ill,hba1c"]
    for i in range(200):
        ill = ("flu", "cold", "gout")[(i // 3) % 3]
        lines.append(f"{20 + i % 40},{'fm'[i % 2]},{ill},{4 + (i * 37 % 97) / 20:.2f}")
    (here / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_secret_so_exact_that_it_tells_the_person_is_said_first(shoal, here) -> None:
    exact_secrets(here)
    answer = shoal(f"{LINE},hba1c -o out")
    told = " ".join(answer.out.split())
    assert answer.code == 0
    assert told.startswith("Warning: sensitive columns are so exact that whoever knows one of")
    assert "'hba1c' (100 %)" in told
    assert manifest(here)["singling_out"]["open"] == ["hba1c"]


def test_for_others_an_exact_secret_is_accepted_by_name_or_made_coarser(shoal, here) -> None:
    exact_secrets(here)
    line = f"{LINE},hba1c --preset partner -o out"
    refused = shoal(line)
    assert refused.code == 1
    assert "'hba1c' (100 %)" in " ".join(refused.err.split())
    assert shoal(f"{line} --publish-as-is hba1c").code == 0
    told = manifest(here)
    assert told["singling_out"]["accepted"] == ["hba1c"]
    assert {c["name"]: c["role"] for c in told["columns"]}["hba1c"] == "sensitive"
    assert package.read_release(here / "out").roles.sensitive == ("ill", "hba1c")
    frame = package.read_table(here / "t.csv", formats={"hba1c": {"round": 2}})
    roles = package.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill", "hba1c"])
    coarse = package.Anonymizer(privacy=[package.KAnonymity(5)], preset="partner")
    assert coarse.fit(frame.with_roles(roles)).release_.verdict.holds
