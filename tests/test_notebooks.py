"""What a notebook shows of a table and a release: columns and crowds, never a cell or a name."""

from __future__ import annotations

from html import unescape

import polars as pl
import pytest

from shoal import Plan, Session, anonymize, read_table
from shoal.exceptions import InvalidParameterError
from shoal.table import Roles


@pytest.fixture
def people():
    return pl.DataFrame(
        {
            "name": [f"Quincy{i}" for i in range(40)],
            "age": [20 + i % 8 for i in range(40)],
            "disease": ["flu", "gout"] * 20,
        }
    )


def test_a_table_shows_its_columns_and_no_cell(people):
    roles = Roles(identifiers="name", quasi_identifiers="age", sensitive="disease")
    shown = read_table(people, roles=roles)._repr_html_()
    assert "Quincy" not in shown
    assert "gout" not in shown
    assert all(words in shown for words in ("quasi identifier", "identifier", ">8<", "100%"))


def test_a_table_draws_how_far_it_tells_people_apart_and_no_cell(people):
    roles = Roles(identifiers="name", quasi_identifiers="age", sensitive="disease")
    table = read_table(people, roles=roles)
    assert all(words in table.plot().svg for words in (">name<", ">100%<", ">20%<"))
    assert "5 to 9</text>" in table.plot("crowds").svg
    assert ">alone<" in table.plot("name").svg
    drawn = "".join(table.plot(what)._repr_svg_() for what in ("columns", "crowds", "disease"))
    assert "Quincy" not in drawn
    assert "gout" not in drawn
    with pytest.raises(InvalidParameterError, match="no drawing 'weight'"):
        table.plot("weight")
    with pytest.raises(InvalidParameterError, match="no drawing 'crowds'"):
        read_table(people).plot("crowds")


def test_a_release_shows_its_report(people):
    release = anonymize(people, quasi_identifiers="age", identifiers="name", k=4)
    shown = release._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "<script" not in shown
    inside = unescape(shown)
    assert "Every row hides in a crowd of at least" in inside
    assert "Quincy" not in inside


def test_a_release_draws_its_loss_its_crowds_and_its_columns(people, tmp_path):
    release = anonymize(people, quasi_identifiers="age", identifiers="name", k=4)
    assert "Loss of each" in release.plot()._repr_svg_()
    assert "group size" in release.plot("sizes")._repr_svg_()
    assert "age before and after" in repr(release.plot("age"))
    assert release.plot().save(tmp_path / "loss.svg").read_text().startswith("<svg xmlns=")
    with pytest.raises(InvalidParameterError, match="no drawing 'weight'"):
        release.plot("weight")


def test_a_question_shows_a_person_and_two_crowds(people):
    roles = Roles(identifiers="name", quasi_identifiers=["age", "disease"])
    question = Session(read_table(people, roles=roles), Plan(roles=roles, k=4), seed=1).ask()
    shown = question._repr_html_()
    assert all(words in shown for words in ("Question 1", "in A, with", "in B, with", "→"))
    assert f"<td>{question.row['age']}</td>" in shown
    assert "Quincy" not in shown
    assert "A" in question.plot()._repr_svg_()
    assert question.row["disease"] not in repr(question)
