"""Dirty columns: what is read as asked, what is suggested, and what is said if nobody asks."""

import datetime as dt
import random

import polars as pl
import pytest

from shoal.exceptions import InvalidParameterError, UnknownColumnError, ValueKindError
from shoal.table import CellFormat, Cells, read_again, read_table, suggest_formats

CANARY = "Kanarie7731"
DRAW = random.Random(7)
SOON = dt.datetime.now(dt.UTC) + dt.timedelta(days=60)


def numbers(n, low=18, high=90):
    return [str(DRAW.randint(low, high)) for _ in range(n)]


def dates(n, form="{y}-{m:02}-{d:02}", y=(1930, 2005)):
    return [
        form.format(y=DRAW.randint(*y), m=DRAW.randint(1, 12), d=DRAW.randint(1, 28))
        for _ in range(n)
    ]


DIRTY = {  # case: (cells, kind, tokens, format, cells that are odd)
    "one bad age": ([*numbers(60), CANARY], "numeric", (), {"odd": "missing"}, 1),
    "unbekannt": ([*dates(97), *["unbekannt"] * 3], "date", ("unbekannt",), {}, 0),
    "many unknown": ([*numbers(60), *["unknown"] * 40], "numeric", ("unknown",), {}, 0),
    "a word that repeats": ([*numbers(95), *["moved"] * 4], "numeric", ("moved",), {}, 0),
    "?": ([*numbers(60), "?", "k.A."], "numeric", ("?", "k.A."), {}, 0),
    "unit": ([f"{n} cm" for n in numbers(50)], "numeric", (), {"unit": "cm"}, 0),
    "unit and odd": (
        *([*(f"{n}cm" for n in numbers(60)), "1,70 m"], "numeric", ()),
        *({"unit": "cm", "odd": "missing"}, 1),
    ),
    "currency": ([f"€ {n}" for n in numbers(50)], "numeric", (), {"unit": "€"}, 0),
    "$59k": ([f"${n}k" for n in numbers(50)], "numeric", (), {"unit": "$", "short": True}, 0),
    "59k": ([f"{n}k" for n in numbers(50)], "numeric", (), {"short": True}, 0),
    "59k and 1.2m": (
        *([*(f"{n}k" for n in numbers(50)), *["1.2m", "2m", "3.5M"] * 4], "numeric", ()),
        *({"short": True}, 0),
    ),
    "59,5 Tsd. €": (
        *([f"{n},5 Tsd. €" for n in numbers(50)], "numeric", ()),
        *({"unit": "€", "short": True, "decimal": ","}, 0),
    ),
    "1.8m": ([f"1.{n}m" for n in numbers(50)], "numeric", (), {"unit": "m"}, 0),
    "decimal comma": ([f"{n},5" for n in numbers(50)], "numeric", (), {"decimal": ","}, 0),
    "1.234,50": ([f"1.{n}4,50" for n in numbers(50)], "numeric", (), {"decimal": ","}, 0),
    "1,234.50": ([f"1,{n}4.50" for n in numbers(50)], "numeric", (), {"decimal": "."}, 0),
    "£40,805": (
        *([f"£{n},{m}" for n, m in zip(numbers(50), numbers(50, 100, 999), strict=True)],),
        *("numeric", (), {"unit": "£", "decimal": "."}, 0),
    ),
    "29.611 EUR": (
        *([f"{n}.{m} EUR" for n, m in zip(numbers(50), numbers(50, 100, 999), strict=True)],),
        *("numeric", (), {"unit": "EUR", "decimal": ","}, 0),
    ),
    "29.611 kg": ([f"{n}.611 kg" for n in numbers(50)], "numeric", (), {"unit": "kg"}, 0),
    "comma and unit": (
        *([f"1.{n}4,50 €" for n in numbers(50)], "numeric", ()),
        *({"unit": "€", "decimal": ","}, 0),
    ),
    "5/10/18 4:01": (
        *(dates(60, "{m}/{d}/18 4:01"), "date", ()),
        *({"date": "%m/%d/%y %H:%M"}, 0),
    ),
    "the next visit": (
        *([f"{day}/{SOON:%m/%y} 9:30" for day in range(1, 29)], "date", ()),
        *({"date": "%d/%m/%y %H:%M"}, 0),
    ),
    "31.12.1999 and a word": (
        *([*dates(60, "{d:02}.{m:02}.{y}"), CANARY], "date", ()),
        *({"date": "%d.%m.%Y", "odd": "missing"}, 1),
    ),
    "31.12.1999 14:05": (
        *(dates(60, "{d:02}.{m:02}.{y} 14:05"), "date", ()),
        *({"date": "%d.%m.%Y %H:%M"}, 0),
    ),
    "1999.12.31.": (
        *(dates(60, "{y}.{m:02}.{d:02}."), "date", ()),
        *({"date": "%Y.%m.%d."}, 0),
    ),
    "1999. 3. 7.": (
        *(dates(60, "{y}. {m}. {d}."), "date", ()),
        *({"date": "%Y. %m. %d."}, 0),
    ),
    "1999年3月7日 and a word": (
        *([*dates(60, "{y}年{m}月{d}日"), CANARY], "date", ()),
        *({"date": "%Y年%m月%d日", "odd": "missing"}, 1),
    ),
    "7. 3. 1999": (
        *(dates(60, "{d}. {m}. {y}"), "date", ()),
        *({"date": "%d. %m. %Y"}, 0),
    ),
    "eight digits and a word": (
        *([*dates(97, "{y}{m:02}{d:02}"), *["unbekannt"] * 3], "date", ("unbekannt",)),
        *({"date": "%Y%m%d"}, 0),
    ),
    "month by name": (
        *([f"{d} May 2019" for d in range(1, 30)], "date", ()),
        *({"date": "%d %b %Y"}, 0),
    ),
}


@pytest.mark.parametrize("case", DIRTY)
def test_what_nearly_all_cells_say_is_suggested(case):
    cells, kind, tokens, form, odd = DIRTY[case]
    table = read_table(pl.DataFrame({"x": cells}))
    assert table.kinds["x"] == "nominal"
    found = suggest_formats(table.cells, table.kinds)["x"]
    assert (found.kind, found.missing, dict(found.format), found.odd) == (kind, tokens, form, odd)
    assert CANARY not in repr(found)
    again = read_again(
        table, missing={"x": found.missing}, formats={"x": found.format}, kinds={"x": found.kind}
    )
    assert again.kinds["x"] == kind
    assert again.cells.distinct("x").n_missing == odd + found.named


def test_dates_in_eight_digits_are_told_from_numbers():
    days, case_numbers = dates(60, "{y}{m:02}{d:02}"), [f"2019{n:04}" for n in range(60)]
    cells = Cells(pl.DataFrame({"born": days, "case": case_numbers}))
    found = suggest_formats(cells, dict.fromkeys(("born", "case"), "numeric"))
    assert {name: (one.kind, dict(one.format)) for name, one in found.items()} == {
        "born": ("date", {"date": "%Y%m%d"})
    }


@pytest.mark.parametrize("ways", [("${}", "€{}", "£{}"), ("{} EUR", "{} USD"), ("€{}k", "${}k")])
def test_amounts_in_several_currencies_stay_text_and_it_is_said_why(ways):
    cells = [ways[i % len(ways)].format(n) for i, n in enumerate(numbers(60))]
    table = read_table(pl.DataFrame({"x": cells}))
    found = suggest_formats(table.cells, table.kinds)["x"]
    assert (found.kind, dict(found.format)) == (None, {})
    assert f"amounts in {len(ways)} currencies, which cannot be compared" in found.reason
    assert any(f"amounts in {len(ways)} currencies" in warning for warning in table.warnings)


def test_shortened_numbers_are_written_out_exactly():
    cells = pl.Series("x", ["$59k", "1.2m", "0.35 bn", "$ 700", "-3k", None, "k"])
    form = CellFormat(unit="$", short=True, odd="missing")
    read = ["59000", "1200000", "350000000", "700", "-3000", None, None]
    assert form.read(cells).to_list() == read


@pytest.mark.parametrize("case", DIRTY)
def test_without_a_word_from_anybody_cells_stay_and_the_cost_is_said(case):
    cells, *_ = DIRTY[case]
    table = read_table(pl.DataFrame({"x": cells}))
    assert table.frame["x"].to_list() == cells
    said = [warning for warning in table.warnings if "nearly all is lost" in warning]
    assert len(said) == 1
    assert "shoal init" in said[0]
    assert CANARY not in said[0]


CLEAN = {
    "numbers": numbers(50),
    "towns": ["Graz", "Linz"] * 20,
    "too many odd": [*numbers(90), *(f"x{n}y" for n in range(10))],
    "states": ["ND", "NY", "NA", "CA"] * 9,
    "names": [f"Person {i}" for i in range(40)],
    "rooms": [f"{i % 9}{'ABC'[i % 3]}" for i in range(40)],
    "a negative number": ["-9", "-4", "3", *numbers(20)],
    "a number that is large": [*numbers(50), "999"],
}


@pytest.mark.parametrize("case", CLEAN)
def test_nothing_is_suggested_for(case):
    table = read_table(pl.DataFrame({"x": CLEAN[case]}))
    assert suggest_formats(table.cells, table.kinds) == {}


@pytest.mark.parametrize(
    ("name", "cells"),
    [("zip", [*numbers(60, 1000, 9999), "A-8010"]), ("x", [*(f"0{n}" for n in range(60)), "a"])],
)
def test_codes_are_no_numbers(name, cells):
    table = read_table(pl.DataFrame({name: cells}), kinds={name: "nominal"})
    assert suggest_formats(table.cells, table.kinds) == {}


@pytest.mark.parametrize(
    ("cells", "codes"),
    [([*numbers(50, 0, 5), "-9"], ("-9",)), ([*numbers(50), *["999"] * 4], ("999",))],
)
def test_codes_far_outside_are_suggested_as_missing(cells, codes):
    table = read_table(pl.DataFrame({"x": cells}))
    assert suggest_formats(table.cells, table.kinds)["x"].missing == codes


@pytest.mark.parametrize("words", [("yes", "no"), ("Ja", "Nein", "vielleicht")])
@pytest.mark.parametrize("code", ["-9", "-99", "999"])
def test_a_code_among_words_is_suggested_as_missing(words, code):
    table = read_table(pl.DataFrame({"x": [*words * 20, code]}))
    found = suggest_formats(table.cells, table.kinds)["x"]
    assert (found.missing, found.named) == ((code,), 1)
    with_numbers = read_table(pl.DataFrame({"x": [*words * 20, code, "ward 3"]}))
    assert suggest_formats(with_numbers.cells, with_numbers.kinds) == {}


def test_spellings_are_suggested_and_cleaned_only_if_asked():
    towns = ["Graz", "graz ", "GRAZ", "Graz", "Linz", "?", "Göss", "Goss", "Göss"]
    table = read_table(pl.DataFrame({"town": towns}))
    found = suggest_formats(table.cells, table.kinds)["town"]
    assert (found.missing, found.clean) == (("?",), ("trim", "case", "accents"))
    assert table.frame["town"].to_list() == towns
    cleaned = read_table(pl.DataFrame({"town": towns}), clean={"town": found.clean})
    assert cleaned.column("town").labels == ("?", "Graz", "Göss", "Linz")
    assert "Rewritten: cells of 'town' (3)." in cleaned.warnings
    everywhere = read_table(pl.DataFrame({"town": towns, "n": range(9)}), clean=["trim"])
    assert everywhere.frame["town"][1] == "graz"


def test_missing_texts_of_one_column_stand_beside_those_of_all():
    frame = pl.DataFrame({"a": ["1", "?", "x"], "b": ["x", "?", "y"], "n": [1, -9, 3]})
    table = read_table(frame, missing={"*": ["", "?"], "a": ["x"], "n": ["-9"]})
    assert [table.text(name).to_list() for name in ("a", "b", "n")] == [
        ["1", None, None],
        ["x", None, "y"],
        ["1", None, "3"],
    ]
    assert table.kinds["a"] == "numeric"


def test_numbers_are_read_as_they_are_written():
    frame = pl.DataFrame({"x": ["1.234,50", "-1'000", "12", "1 234", None]})
    table = read_table(frame, formats={"x": {"decimal": ","}})
    assert table.frame["x"].to_list() == ["1234.50", "-1000", "12", "1234", None]
    assert table.kinds["x"] == "numeric"


BAD = {
    "odd cells": ({"x": {"decimal": ","}}, ValueKindError, "1, the first in row 2"),
    "no such column": ({"y": {"unit": "cm"}}, UnknownColumnError, "'y'"),
    "no such key": ({"x": {"units": "cm"}}, InvalidParameterError, "'units'"),
    "no such mark": ({"x": {"decimal": "·"}}, InvalidParameterError, "decimal"),
    "no date": ({"x": {"date": "%Q"}}, InvalidParameterError, "%Q"),
    "odd without a kind": ({"x": {"odd": "missing"}}, InvalidParameterError, "numeric or a date"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_formats_are_told(case):
    formats, error, said = BAD[case]
    with pytest.raises(error, match=said) as caught:
        read_table(pl.DataFrame({"x": ["1,5", CANARY]}), formats=formats)
    assert CANARY not in str(caught.value)


def test_a_frame_of_numbers_has_no_format():
    with pytest.raises(InvalidParameterError, match="not text"):
        read_table(pl.DataFrame({"x": [1, 2]}), formats={"x": {"unit": "cm"}})


def test_many_odd_texts_in_few_cells_do_not_hide_the_numbers():
    odd = [f"{CANARY} {n}" for n in range(300)]
    table = read_table(pl.DataFrame({"x": [*odd, *numbers(9_700, 1, 9)]}))
    found = suggest_formats(table.cells, table.kinds)["x"]
    assert (found.kind, found.odd) == ("numeric", 300)


@pytest.mark.parametrize(
    ("cells", "missing"),
    [
        ([f"{150 + i % 40} cm" for i in range(60)] + ["-9"] * 2, ("-9",)),
        ([f"{40 + i % 9},5" for i in range(60)] + ["-99"], ("-99",)),
        ([f"{i % 9 - 4},5" for i in range(60)] + ["-9"], ()),  # others are negative, too
    ],
)
def test_a_minus_code_among_written_numbers_is_suggested_as_missing(cells, missing):
    table = read_table(pl.DataFrame({"size": cells}))
    found = suggest_formats(table.cells, table.kinds)["size"]
    assert (found.kind, found.missing, found.odd) == ("numeric", missing, 0)


def test_one_word_that_stands_for_no_number_is_known_in_any_language():
    pay = [f"{900 + 7 * n},50" if n % 10 else "nenurodė" for n in range(200)]
    scale = [str(n % 7) if n % 10 else "niekada" for n in range(200)]  # a scale, never included
    table = read_table(pl.DataFrame({"pay": pay, "scale": scale}))
    found = suggest_formats(table.cells, table.kinds)
    assert (found["pay"].kind, found["pay"].missing) == ("numeric", ("nenurodė",))
    assert "scale" not in found


def test_exact_measures_are_rounded_where_that_is_asked():
    cells = pl.DataFrame({"crp": ["7.26", "0.4", "12", None], "pay": ["1.234,50", "99", "0", "7"]})
    formats = {"crp": {"round": 0.5}, "pay": {"decimal": ",", "round": 100}}
    table = read_table(cells, formats=formats)
    assert table.frame.get_column("crp").to_list() == ["7.5", "0.5", "12.0", None]
    assert table.frame.get_column("pay").to_list() == ["1200", "100", "0", "0"]
    with pytest.raises(InvalidParameterError, match="above 0"):
        read_table(cells, formats={"crp": {"round": 0}})
