"""A second delivery that fits the first: crowds stay, newcomers come in crowds of their own."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from registry import (
    CANARY,
    QUASI,
    asked,
    check_difference,
    first,
    holds,
    later,
    people,
    read,
    rows_of,
)

import shoal
from shoal import KAnonymity, TCloseness
from shoal.exceptions import InputError, InvalidParameterError, ReleaseRefusedError
from shoal.growing import LaterDelivery
from shoal.ledger import Ledger
from shoal.privacy import AlphaK, BasicBetaLikeness, EntropyLDiversity

JANUARY = people(90, 1)
FEBRUARY = pl.concat([JANUARY, people(60, 2, start=90)])


@pytest.mark.parametrize(
    ("trees", "more"),
    [("plain", {}), ("plain", {"grid": {"age": 5}}), ("steps", {})],
    ids=["plain", "grid", "steps"],
)
def test_earlier_rows_come_back_word_for_word(house, trees, more):
    first(JANUARY, house / "one", asked(trees=trees, **more))
    delivery = later(FEBRUARY, house / "one", house / "two", asked(trees=trees, **more))
    came, left = check_difference(house / "one", house / "two", 3, 2)
    assert not left
    counts = delivery.counts_
    assert came.total() == 60 - counts["waiting"] > 0
    told = json.loads((house / "two" / "manifest.json").read_text())["since_earlier"]
    assert told["rows_before"] == told["rows_kept"] == 90
    assert told["rows_new"] == came.total()
    assert told["crowds_kept"] + told["crowds_grown"] == told["crowds_before"]


@pytest.mark.parametrize("careless", ["one arrives", "one is deleted"])
def test_the_recount_finds_the_harm_of_careless_deliveries(house, careless):
    """The control: whoever is subtracted from a crowd that grows or shrinks by one is found."""
    first(JANUARY, house / "one")
    (house / "two").mkdir()
    header, *rows = (house / "one" / "data.csv").read_text().splitlines()
    rows = [*rows, rows[0]] if careless == "one arrives" else rows[1:]
    (house / "two" / "data.csv").write_text("\n".join([header, *rows, ""]))
    with pytest.raises(AssertionError):
        check_difference(house / "one", house / "two", 3, 2)


def test_past_many_pairs_batches_found_crowds_of_their_own(house, monkeypatch):
    monkeypatch.setattr("shoal.growing._arrivals.MOST_PAIRS", 0)
    wide = JANUARY.with_columns(born=pl.lit("1950-01-01"), zip=pl.lit("8000"), job=pl.lit("nurse"))
    first(wide, house / "one")
    later(pl.concat([wide, people(30, 15, start=90)]), house / "one", house / "two")
    came, left = check_difference(house / "one", house / "two", 3, 2)
    assert came
    assert not left


def test_the_whole_town_may_have_left_the_table(house):
    first(JANUARY, house / "one")
    delivery = later(people(40, 3, start=500), house / "one", house / "two")
    _, left = check_difference(house / "one", house / "two", 3, 2)
    assert not left
    assert delivery.counts_["stopped"] == 90


def test_nobody_new_is_the_same_release_again(house):
    first(JANUARY, house / "one")
    later(JANUARY, house / "one", house / "two")
    assert (house / "one" / "data.csv").read_bytes() == (house / "two" / "data.csv").read_bytes()


def test_too_few_newcomers_wait_and_come_with_others(house):
    first(JANUARY, house / "one")
    few = pl.concat([JANUARY, people(2, 4, start=200)])
    assert later(few, house / "one", house / "two").counts_["waiting"] == 2
    more = pl.concat([few, people(30, 5, start=300)])
    delivery = later(more, house / "two", house / "three", waiting=0.0)
    assert delivery.counts_["newcomers"] == 32
    assert delivery.counts_["waiting"] == 0
    check_difference(house / "two", house / "three", 3, 2)


@pytest.mark.parametrize("overdue", ["generalize", "suppress"])
def test_whoever_waited_long_enough_is_generalized_or_left_out(house, overdue):
    first(JANUARY, house / "r0")
    odd = people(3, 6, start=400).with_columns(age=pl.Series([18, 50, 89]))
    odd = odd.with_columns(ill=pl.Series(["flu", "cold", "gout"]))
    table, waiting = pl.concat([JANUARY, odd]), []
    for number in range(1, 5):
        delivery = later(
            table, house / f"r{number - 1}", house / f"r{number}", deadline=2, overdue=overdue
        )
        waiting.append(delivery.counts_["waiting"])
    assert waiting == ([3, 3, 0, 0] if overdue == "generalize" else [3, 3, 3, 3])


def test_people_who_changed_stay_as_they_were_or_their_crowds_leave(house):
    first(JANUARY, house / "one")
    moved = JANUARY.with_columns(
        age=pl.when(pl.col("id") == "p00004").then(88).otherwise("age"),
        ill=pl.when(pl.col("id") == "p00009").then(pl.lit("new")).otherwise("ill"),
    )
    kept = later(moved, house / "one", house / "two").counts_
    assert (kept["moved"], kept["revalued"], kept["left_out"]) == (1, 1, 0)
    assert (house / "one" / "data.csv").read_bytes() == (house / "two" / "data.csv").read_bytes()
    gone = later(moved, house / "two", house / "three", changed="leave").counts_
    assert gone["left_out"] >= 3
    _, left = check_difference(house / "two", house / "three", 3, 2)
    assert left.total() == gone["left_out"]


def test_a_deletion_takes_its_crowd_along_for_good(house):
    first(JANUARY, house / "one")
    with Ledger.open() as ledger:
        ledger.forget(read(JANUARY), "id", ["p00004"])
    rest = JANUARY.filter(pl.col("id") != "p00004")
    out = later(rest, house / "one", house / "two").counts_["left_out"]
    _, left = check_difference(house / "one", house / "two", 3, 2)
    assert left.total() == out + 1
    again = later(pl.concat([rest, people(20, 7, start=600)]), house / "two", house / "three")
    assert again.counts_["left_out"] == out  # they do not come back as newcomers
    check_difference(house / "two", house / "three", 3, 2)


def test_who_was_only_waiting_is_forgotten_too(house):
    first(JANUARY, house / "one")
    table = pl.concat([JANUARY, people(2, 8, start=700)])
    later(table, house / "one", house / "two")
    with Ledger.open() as ledger:
        ledger.forget(read(table), "id", ["p00700"])
        *_, last = ledger.traces().values()
        assert ledger.verify().holds
    assert last.waiting.size == 1


def test_rows_are_known_where_nothing_names_people(house):
    january, february = JANUARY.drop("id"), FEBRUARY.drop("id")
    roles = shoal.Roles(quasi_identifiers=QUASI, sensitive="ill")
    table = shoal.read_table(january, roles=roles, kinds={"zip": "code"})
    asked().fit(table).release_.write(house / "one", ledger="refuse")
    table = shoal.read_table(february, roles=roles, kinds={"zip": "code"})
    delivery = LaterDelivery(asked(), house / "one").fit(table)
    delivery.release_.write(house / "two")
    assert (delivery.counts_["known"], delivery.counts_["newcomers"]) == (90, 60)
    check_difference(house / "one", house / "two", 3, 2)
    other = shoal.read_table(february.with_columns(x=pl.lit(1)), roles=shoal.Roles(
        quasi_identifiers=QUASI, sensitive="ill", drop="x"), kinds={"zip": "code"})  # fmt: skip
    with pytest.raises(InvalidParameterError, match="whole rows"):
        LaterDelivery(asked(), house / "two").fit(other)


def test_people_with_several_rows_are_counted_once(house):
    visits = pl.concat([JANUARY, JANUARY.with_columns(pay=pl.col("pay") + 1)])
    first(visits, house / "one", asked(k=3))
    more = pl.concat([visits, *[people(20, 9, start=800).with_columns(pay=i) for i in (1.0, 2.0)]])
    delivery = later(more, house / "one", house / "two", asked(k=3))
    check_difference(house / "one", house / "two", 3, 2)
    assert delivery.release_.summary.group_sizes.smallest >= 3
    closeness = shoal.Anonymizer(privacy=[KAnonymity(3), TCloseness(0.9, "ill")])
    with pytest.raises(InvalidParameterError, match="several rows"):
        LaterDelivery(closeness, house / "two").fit(read(more))


def test_who_waits_is_told_in_people_however_many_rows_they_have(house):
    """Two people with thirty visits each wait: in rows they were a quarter of the table."""
    visits = pl.concat([JANUARY, JANUARY.with_columns(pay=pl.col("pay") + 1)])
    first(visits, house / "one", asked(k=3))
    odd = pl.concat([people(2, 9, start=800).with_columns(pay=1.0 * i) for i in range(30)])
    delivery = later(pl.concat([visits, odd]), house / "one", house / "two", asked(k=3))
    assert delivery.counts_["waiting"] == 60
    manifest = json.loads((house / "two" / "manifest.json").read_text())
    told = [manifest["suppressed"], manifest["since_earlier"]["waiting"]]
    assert told == ["fewer than 10 %"] * 2


def test_a_crowd_that_fails_beside_the_newcomers_is_left_out_and_counted(house):
    flu = JANUARY.with_columns(ill=pl.lit("flu"))
    mixed = flu.with_columns(
        ill=pl.when(pl.int_range(90) % 3 == 0).then(pl.lit("cold")).otherwise("ill")
    )
    close = shoal.Anonymizer(privacy=[KAnonymity(3), TCloseness(0.45, "ill")], bound=False)
    first(mixed, house / "one", close)
    cold = people(400, 10, start=900).with_columns(ill=pl.lit("cold"))
    delivery = later(pl.concat([mixed, cold]), house / "one", house / "two", close)
    assert delivery.counts_["left_out"] > 0
    check_difference(house / "one", house / "two", 3, 1)


ALONE = {
    "t": (TCloseness(0.5, "ill"), {}, 0.0),
    "beta": (BasicBetaLikeness(2.0, "ill"), {}, 0.0),  # held against everybody who came
    "entropy": (EntropyLDiversity(2, "ill"), {}, 0.1),
    "alpha": (AlphaK(0.6, 4, "ill"), {"limits": {"age": 40}}, 0.3),
}


@pytest.mark.parametrize("case", ALONE)
def test_whoever_comes_satisfies_every_model_alone(house, case):
    """The attacker subtracts two files, and checks the difference as a table of its own."""
    model, recoding, suppressed = ALONE[case]
    plain = asked(k=4, **recoding).recoding
    models = [KAnonymity(4), model]
    made = shoal.Anonymizer("auto", plain, models, bound=False, suppression_limit=suppressed)
    table = people(120, 1)
    first(table, house / "r0", made)
    for number in (1, 2, 3):
        table = pl.concat([table, people(60, number + 1, start=1000 * number)])
        delivery = later(table, house / f"r{number - 1}", house / f"r{number}", made)
        came, _ = check_difference(house / f"r{number - 1}", house / f"r{number}", 4, 1)
        assert came.total() >= delivery.counts_["newcomers"] - delivery.counts_["waiting"]
        header = (house / "r0" / "data.csv").read_text().splitlines()[0].split(",")
        rows = [row for (_, row), many in came.items() for _ in range(many)]
        difference = shoal.read_table(
            pl.DataFrame(rows, schema=header, orient="row"),
            roles=shoal.Roles(quasi_identifiers=QUASI, sensitive="ill"),
            kinds=dict.fromkeys(QUASI, "nominal"),
        )
        assert shoal.check(difference, asked=models).holds


def test_nothing_of_the_table_is_in_public_or_in_errors(house):
    first(JANUARY, house / "one")
    table = pl.concat([JANUARY, people(2, 11, start=200).with_columns(ill=pl.lit("Secret99"))])
    delivery = later(table, house / "one", house / "two")
    public = b"".join(path.read_bytes() for path in (house / "two").iterdir())
    assert b"Secret99" not in public
    assert b"p00200" not in public
    assert "Secret99" not in str(delivery.facts()) + repr(delivery)
    lines = (house / "two" / "report.html").read_text()
    assert "Since the earlier release" in lines
    assert "fewer than" in lines


def test_who_waits_changes_no_public_byte(house):
    first(JANUARY, house / "one")
    papers = []
    for number, (age, ill) in enumerate([(18, "flu"), (99, "Secret99")]):
        odd = people(2, 14, start=200).with_columns(age=pl.lit(age, pl.Int64), ill=pl.lit(ill))
        release = (
            LaterDelivery(asked(), house / "one").fit(read(pl.concat([JANUARY, odd]))).release_
        )
        out = house / f"draft{number}"
        release.write(out, draft=True)
        papers.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert papers[0] == papers[1]


def test_public_numbers_can_be_counted_in_the_two_files(house):
    first(JANUARY, house / "one")
    later(FEBRUARY, house / "one", house / "two")
    then, now = (
        json.loads((house / name / "manifest.json").read_text()) for name in ("one", "two")
    )
    one, two = (
        pl.read_csv(house / name / "data.csv", infer_schema=False) for name in ("one", "two")
    )
    boxes = [{*frame.select(QUASI).rows()} for frame in (one, two)]
    sizes = [Counter(frame.select(QUASI).rows()) for frame in (one, two)]
    told = now["since_earlier"]
    assert told["crowds_before"] == len(boxes[0]) == then["groups"]
    assert told["crowds_new"] == len(boxes[1] - boxes[0])
    assert told["crowds_grown"] == sum(sizes[1][box] > n for box, n in sizes[0].items())
    assert told["crowds_left"] == 0
    assert (told["loss_before"], told["loss_now"]) == (then["ngil"], now["ngil"])
    ages = [
        [float(end) for end in text.strip("[]").split(", ")]
        for text in two["age"]
        if text and text != "*"
    ]
    reach = max(map(max, ages)) - min(map(min, ages))
    widths = [max(ends) - min(ends) for ends in ages] + [reach] * (two["age"] == "*").sum()
    assert now["loss_by_attribute"]["age"] == pytest.approx(
        sum(widths) / reach / two.height, abs=1e-6
    )
    heights = two["job"].replace_strict({"*": 1.0, "care": 0.5, "office": 0.5}, default=0.0)
    assert now["loss_by_attribute"]["job"] == pytest.approx(heights.mean(), abs=1e-6)


def test_another_delivery_after_the_same_release_is_refused(house):
    first(JANUARY, house / "one")
    later(FEBRUARY, house / "one", house / "two")
    again = later(FEBRUARY, house / "one", house / "again")  # the same bytes tell no more
    assert again.counts_["newcomers"] == 60
    march = pl.concat([JANUARY, people(30, 12, start=300)])
    with pytest.raises(ReleaseRefusedError, match="follows that release already"):
        later(march, house / "one", house / "three")
    assert not (house / "three").exists()


def test_going_unrecorded_is_refused_but_for_drafts(house):
    first(JANUARY, house / "one")
    release = LaterDelivery(asked(), house / "one").fit(read(FEBRUARY)).release_
    with pytest.raises(InvalidParameterError, match="must be entered"):
        release.write(house / "two", ledger="off")
    assert release.write(house / "draft", draft=True).summary.draft


REFUSED = {
    "more": (lambda: asked(k=4), FEBRUARY, "hides people among 3, and 4"),
    "values": (lambda: shoal.Anonymizer(recoding=shoal.Centroid()), FEBRUARY, "publishes values"),
    "tree": (lambda: shoal.Anonymizer(privacy=KAnonymity(3)), FEBRUARY, "'job'"),
    "column": (asked, FEBRUARY.with_columns(new=pl.lit(1)), "'new'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_follow_is_said_in_a_sentence(house, case):
    first(JANUARY, house / "one")
    make, frame, words = REFUSED[case]
    with pytest.raises(InvalidParameterError, match=words) as told:
        later(frame, house / "one", house / "two", make())
    assert CANARY not in str(told.value)
    assert not (house / "two").exists()


def test_an_earlier_release_altered_lost_or_unknown(house, monkeypatch):
    first(JANUARY, house / "one")
    data, manifest = house / "one" / "data.csv", house / "one" / "manifest.json"
    was, told = data.read_text(), manifest.read_text()
    data.write_text(was.replace("flu", "cold", 1))
    with pytest.raises(InputError, match="does not agree with its manifest"):
        later(FEBRUARY, house / "one", house / "two")
    facts = json.loads(told)
    from hashlib import sha256

    changed = {"bytes": data.stat().st_size, "sha256": sha256(data.read_bytes()).hexdigest()}
    manifest.write_text(json.dumps({**facts, "files": {**facts["files"], "data.csv": changed}}))
    with pytest.raises(InputError, match="knows no release like the one"):
        later(FEBRUARY, house / "one", house / "two")
    data.unlink()
    with pytest.raises(InputError, match="are not there"):
        later(FEBRUARY, house / "one", house / "two")
    data.write_text(was)
    manifest.write_text(told)
    later(FEBRUARY, house / "one", house / "two")  # as it was: nothing was lost
    monkeypatch.setenv("SHOAL_HOME", str(house / "elsewhere"))
    with pytest.raises(InputError, match="knows no release like the one"):
        later(FEBRUARY, house / "two", house / "three")


def test_a_release_of_a_version_without_boxes_cannot_be_followed(house, monkeypatch):
    import shoal.ledger._ledger as module

    plain = module.trace_release
    with monkeypatch.context() as patch:
        patch.setattr(module, "trace_release", lambda *a, published=None, **b: plain(*a, **b))
        first(JANUARY, house / "one")
    with pytest.raises(InputError, match="without its boxes"):
        later(FEBRUARY, house / "one", house / "two")


def test_typed_frames_keep_their_types(house):
    frame = JANUARY.with_columns(pl.col("born").str.to_date(), well=pl.col("pay") > 0)
    first(frame, house / "one")
    more = pl.concat([frame, people(40, 13, start=100).with_columns(
        pl.col("born").str.to_date(), well=pl.col("pay") > 0)])  # fmt: skip
    delivery = LaterDelivery(asked(), house / "one").fit(read(more))
    written = delivery.release_.write(house / "two", format="parquet")
    assert pl.read_parquet(written.folder / "data.parquet").schema["pay"] == pl.Float64
    pandas = shoal.anonymize(
        more.to_pandas(), quasi_identifiers=QUASI, sensitive="ill", person="id", k=3, l=2,
        kinds={"zip": "code"}, hierarchies=asked().recoding.hierarchies, after=house / "two",
    )  # fmt: skip
    assert type(pandas.data).__module__.startswith("pandas")


STEP = st.fixed_dictionaries(
    {
        "arrive": st.integers(0, 40),
        "stop": st.integers(0, 5),
        "move": st.integers(0, 3),
        "fall_ill": st.integers(0, 3),
        "forget": st.booleans(),
    }
)


@settings(max_examples=6, deadline=None, phases=[Phase.generate])
@given(st.lists(STEP, min_size=2, max_size=4), st.integers(2, 4), st.integers(1, 2), st.integers(0))
def test_no_sequence_of_deliveries_tells_more_than_the_first_of_each(
    tmp_path_factory, steps, k, l, seed
):
    house, rng = tmp_path_factory.mktemp("house"), np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOAL_HOME", str(house / "home"))
        table, known = people(40, rng.integers(99)), {}
        first(table, house / "r0", asked(k, l))
        _learn(known, table, rows_of(house / "r0")[0])
        for number, step in enumerate(steps, 1):
            table = _live(table, step, rng, 1000 * number)
            later(table, house / f"r{number - 1}", house / f"r{number}", asked(k, l))
            came, _ = check_difference(house / f"r{number - 1}", house / f"r{number}", k, l)
            _check_candidates(known, rows_of(house / f"r{number}")[0])
            _learn(known, table.filter(~pl.col("id").is_in(list(known))), came)


def _live(table, step, rng, start):
    """Let people come, go, move and fall ill; somebody may ask to be forgotten."""
    ids = rng.permutation(table["id"].to_list()).tolist()
    cuts = np.cumsum([step["stop"], step["move"], step["fall_ill"]]).tolist()
    gone, moved, ill = ids[: cuts[0]], ids[cuts[0] : cuts[1]], ids[cuts[1] : cuts[2]]
    if step["forget"] and cuts[2] < len(ids):
        with Ledger.open() as ledger:
            ledger.forget(read(table), "id", [ids[cuts[2]]])
        gone = [*gone, ids[cuts[2]]]
    table = table.filter(~pl.col("id").is_in(gone)).with_columns(
        age=pl.when(pl.col("id").is_in(moved)).then(pl.lit(33)).otherwise("age"),
        ill=pl.when(pl.col("id").is_in(ill)).then(pl.lit("gout")).otherwise("ill"),
    )
    return pl.concat([table, people(step["arrive"], rng.integers(99), start)])


def _learn(known, newcomers, came):
    """What an attacker finds for each newcomer: the boxes that may hold them, and their values."""
    shown = {}
    for box, row in came:
        shown.setdefault(box, set()).add(row[6 - 1])
    for person in newcomers.rows(named=True):
        boxes = {box: values for box, values in shown.items() if holds(box, person)}
        if any(person["ill"] in values for values in boxes.values()):
            known[person["id"]] = boxes


def _check_candidates(known, now):
    """Every box that is still there shows every value that it showed when it was learned."""
    shown = {}
    for box, row in now:
        shown.setdefault(box, set()).add(row[6 - 1])
    for boxes in known.values():
        for box, values in boxes.items():
            assert box not in shown or values <= shown[box]
