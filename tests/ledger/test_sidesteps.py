"""What must not pass by another name: the pair of releases that is refused, written otherwise."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from house_gate import entered

from shoal.exceptions import ReleaseRefusedError
from shoal.ledger import Composition, Ledger, Trace, compose, trace_release
from shoal.table import Grouping, Roles, Table, read_table

KEY = b"k" * 32
N = 300
QUASI = ("age", "sex", "zip")


def people(n: int = N, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f"Jürgen {i:04}" for i in rng.permutation(n)],
            "age": rng.integers(20, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "zip": rng.choice(["9010", "9020", "8010", "Köln", "4020"], n),
            "ill": rng.choice(["flu", "gout", "cold", "ulcer"], n),
            "rare": (rng.random(n) < 0.01).astype(int),
        }
    )


def table(frame: pl.DataFrame, *, identifiers="name", sensitive="ill", quasi=QUASI) -> Table:
    roles = Roles(identifiers=identifiers, quasi_identifiers=quasi, sensitive=sensitive)
    return read_table(frame, roles=roles)


def crowds(n: int, seed: int) -> Grouping:
    labels = np.empty(n, dtype=np.int64)
    labels[np.random.default_rng(seed).permutation(n)] = np.minimum(np.arange(n) // 4, n // 4 - 1)
    return Grouping(labels)


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        yield book


def release(ledger: Ledger, data: Table, seed: int, *, order=None) -> Composition:
    """Release in random crowds; ``order`` is where the rows went, so that people keep theirs."""
    labels = crowds(N, seed).labels
    with ledger.releasing(data, Grouping(labels if order is None else labels[order]), k=4) as found:
        return found


def refused(ledger: Ledger, data: Table, seed: int = 2, *, order=None) -> bool:
    try:
        release(ledger, data, seed, order=order)
    except ReleaseRefusedError:
        return True
    return False


def test_the_plain_pair_is_refused(ledger):
    """The positive control of everything below."""
    release(ledger, table(people()), 1)
    assert refused(ledger, table(people()))


@pytest.mark.parametrize("between", [None, "rare"])
def test_a_release_in_between_with_another_sensitive_column(ledger, between):
    bare = people().select("name", *QUASI, "rare")
    release(ledger, table(people().drop("rare")), 1)
    release(ledger, table(bare, sensitive=between), 1)
    assert refused(ledger, table(people().drop("rare")))


@pytest.mark.parametrize("flag", [pl.lit(0), pl.col("rare")])
def test_a_nearly_constant_column_named_too(ledger, flag):
    """Everybody has one candidate in it from the start: that hid the others."""
    frame = people().with_columns(rare=flag)
    release(ledger, table(frame, sensitive=["rare", "ill"]), 1)
    assert refused(ledger, table(frame, sensitive=["rare", "ill"]))


@pytest.mark.parametrize("which", [0, 1])
def test_a_column_that_is_published_but_not_named(ledger, which):
    names = ["ill", "ill"]
    names[which] = None
    release(ledger, table(people(), sensitive=names[0]), 1)
    assert refused(ledger, table(people(), sensitive=names[1]))


def test_a_sensitive_column_that_was_renamed(ledger):
    release(ledger, table(people()), 1)
    renamed = people().rename({"ill": "diagnosis"})
    assert refused(ledger, table(renamed, sensitive="diagnosis"))


def test_a_sensitive_column_that_was_renamed_where_nobody_is_named(ledger):
    frame = people().drop("name")
    release(ledger, table(frame, identifiers=None), 1)
    renamed = frame.rename({"ill": "a_diagnosis"})
    assert refused(ledger, table(renamed, identifiers=None, sensitive="a_diagnosis"))


CHANGES = {
    "columns reordered": lambda frame: frame.select(*reversed(frame.columns)),
    "a constant column": lambda frame: frame.with_columns(country=pl.lit("at")),
    "a column more": lambda frame: frame.with_columns(number=pl.int_range(pl.len())),
    "a column less": lambda frame: frame.drop("rare"),
    "numbers as floats": lambda frame: frame.with_columns(pl.col("age").cast(pl.Float64)),
    "numbers with a point": lambda frame: frame.with_columns(
        pl.col("age").cast(pl.String) + ".0", pl.col("rare").cast(pl.String)
    ),
    "blanks and capitals": lambda frame: frame.with_columns(
        pl.col("ill").str.to_uppercase() + " ", pl.col("zip") + " "
    ),
    "numbers with a comma": lambda frame: frame.with_columns(pl.col("age").cast(pl.String) + ",0"),
    "marks apart from their letters": lambda frame: frame.with_columns(
        pl.col(pl.String).str.normalize("NFD")
    ),
    "characters nobody sees": lambda frame: frame.with_columns(
        pl.col(pl.String) + "\u200b", pl.col("age").cast(pl.String) + "\u00a0"
    ),
    "a quasi-identifier renamed": lambda frame: frame.rename({"rare": "a", "ill": "z"}).rename(
        {"z": "ill"}
    ),
}


@pytest.mark.parametrize("identifiers", ["name", None])
@pytest.mark.parametrize("change", CHANGES)
def test_the_same_people_in_another_dress(ledger, change, identifiers):
    frame = people() if identifiers else people().drop("name")
    release(ledger, table(frame, identifiers=identifiers), 1)
    assert refused(ledger, table(CHANGES[change](frame), identifiers=identifiers))


def test_a_renamed_identifier_and_a_constant(ledger):
    release(ledger, table(people()), 1)
    other = people().rename({"name": "patient"}).with_columns(country=pl.lit("at"))
    assert refused(ledger, table(other, identifiers="patient"))


def test_names_that_were_drawn_anew(ledger):
    release(ledger, table(people()), 1)
    other = people().with_columns("x" + pl.col("name"))
    assert refused(ledger, table(other))


def test_renamed_quasi_identifiers(ledger):
    release(ledger, table(people()), 1)
    names = {"age": "years", "sex": "gender", "zip": "area"}
    other = people().rename({**names, "name": "patient"})
    assert refused(ledger, table(other, identifiers="patient", quasi=tuple(names.values())))


def test_dates_written_otherwise(ledger):
    rng = np.random.default_rng(3)
    days = pl.date_range(pl.date(2020, 1, 1), pl.date(2022, 1, 1), eager=True)
    born = people().drop("name").with_columns(age=days.gather(rng.integers(0, len(days), N)))
    release(ledger, table(born, identifiers=None), 1)
    local = born.with_columns(pl.col("age").dt.strftime("%-d.%-m.%Y"))
    assert refused(ledger, table(local, identifiers=None))


def test_rows_in_another_order_and_a_few_of_them_corrected(ledger):
    release(ledger, table(people().drop("name"), identifiers=None), 1)
    order = np.random.default_rng(9).permutation(N)
    frame = (
        people()
        .drop("name")
        .with_columns(ill=pl.when(pl.int_range(pl.len()) < 9).then(pl.lit("gout")).otherwise("ill"))
    )
    assert refused(ledger, table(frame[order.tolist()], identifiers=None), order=order)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("n", [60, 300, 3000])
@pytest.mark.parametrize("quasi", [("sex",), ("sex", "zip"), QUASI])
def test_disjoint_samples_of_one_population_are_never_refused(n, seed, quasi):
    """The negative control: they have many rows in common, and nobody."""
    frame = people(2 * n, seed).drop("name")
    one, other = (table(part, identifiers=None, quasi=quasi) for part in (frame[:n], frame[n:]))
    first = trace_release(one, crowds(n, seed), KEY, k=4)
    found = compose(trace_release(other, crowds(n, seed + 1), KEY, k=4), [first])
    assert found.holds


def test_columns_that_look_alike_are_not_taken_for_each_other():
    """Two flags of other meaning, each in one release: nothing to compare."""
    rng = np.random.default_rng(5)
    frame = people().drop("ill", "rare")
    flags = [
        frame.with_columns(pl.Series(name, (rng.random(N) < 0.3).astype(int)))
        for name in ("smokes", "drives")
    ]
    traces = [
        trace_release(table(flagged, sensitive=name), crowds(N, seed), KEY, k=4)
        for seed, (flagged, name) in enumerate(zip(flags, ("smokes", "drives"), strict=True))
    ]
    found = compose(traces[1], traces[:1])
    assert (found.people, found.disclosed, found.single) == (N, 0, 0)


def test_values_under_other_codes_are_told(ledger):
    """Nobody can tell from hashes that 'flu' is 'J11' now; that they cannot be told is said."""
    release(ledger, table(people()), 1)
    recoded = people().with_columns(
        pl.col("ill").replace_strict({"flu": "J11", "gout": "M10", "cold": "J00", "ulcer": "K25"})
    )
    found = ledger.score(table(recoded), crowds(N, 2), k=4)
    assert found.recoded == ("ill",)


@pytest.mark.parametrize("blurred_first", [True, False])
def test_a_column_blurred_in_one_release_and_published_as_it_is_in_another(ledger, blurred_first):
    """Nobody's crowds changed, so it is not refused; it is said."""
    wide, narrow = table(people()), table(people(), quasi=QUASI[:2])
    first, second = (wide, narrow) if blurred_first else (narrow, wide)
    release(ledger, first, 1)
    assert release(ledger, first, 1).crossed == ()
    found = release(ledger, second, 1)
    assert (found.crossed, found.holds) == (("zip",), True)
    assert found.to_dict()["crossed"] == ["zip"]


def test_it_is_said_who_reads_what_in_which_release(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))
    for quasi in (QUASI, QUASI[:2]):
        with entered(table(people(), quasi=quasi), crowds(N, 1), k=4, mode="refuse") as entry:
            pass
    (told,) = entry.warnings
    assert told.startswith("What one release of these people blurs, another publishes as it is")
    assert "('zip')" in told


def test_a_trace_that_names_no_quasi_identifiers_is_read(ledger):
    """As they were written before these names were kept."""
    new = trace_release(table(people()), crowds(N, 1), KEY, k=4)
    packed = new.to_bytes()
    begin = packed.index(b"quasi") - 136  # the length of the name comes before it, as an array
    end = packed.index(b"lost") - 136
    old = Trace.from_bytes(packed[:begin] + packed[end:])
    assert (old.quasi, old.k, [*old.shown]) == ((), 4, [*new.shown])
    assert Trace.from_bytes(packed).quasi == QUASI
    assert compose(new, [old]).crossed == ()


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (crowds(N, 1).labels, None),
        (crowds(N, 1).labels // 2, None),  # pairs of crowds: nobody's crowd shrinks
        (crowds(N, 2).labels, "it leaves one possible sensitive value for"),
        (crowds(N, 2).labels // 25, "crowds smaller than k apart"),
    ],
)
def test_where_it_warns_it_says_what_it_would_refuse_or_what_shrinks(
    tmp_path, monkeypatch, labels, told
):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))
    data = table(people().drop("rare"))
    with entered(data, crowds(N, 1), k=4, mode="warn") as entry:
        assert entry.warnings == ()
    with entered(data, Grouping(labels), k=4, mode="warn") as entry:
        pass
    assert len(entry.warnings) == (told is not None)
    assert told is None or told in entry.warnings[0]
    assert entry.composition.holds == (told is None or "smaller" in told)
