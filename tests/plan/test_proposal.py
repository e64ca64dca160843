"""Proposals in Python: a plan with reasons, whom it singles out, what tells a column again."""

import numpy as np
import polars as pl

import shoal
from shoal.plan import Plan

ROWS = 400
CODES = {"White": "1", "Black": "2", "Asian": "3", "Hispanic": "4"}


def survey():
    random = np.random.default_rng(7)
    question = random.choice(["White", "Black", "Asian", "Hispanic", "Other"], ROWS)
    return pl.DataFrame(
        {
            "age": random.integers(18, 90, ROWS),
            "race": question,
            "<b>code": [CODES.get(q, "9") for q in question],
            **{f"shelf {n}": random.integers(1, 8, ROWS) for n in "abcd"},
        }
    )


def test_a_frame_is_proposed_a_plan_that_runs():
    proposal = shoal.propose(survey())
    assert isinstance(proposal.plan, Plan)
    assert proposal.plan.source is None
    assert set(proposal.plan.roles.quasi_identifiers) == {"age", "race", "<b>code"}
    assert repr(proposal) == "Proposal(400 rows, 7 columns: 3 with a role)"
    release = proposal.plan.anonymizer(proposal.table).fit(proposal.table).release_
    assert release.verdict.holds


def test_a_file_is_read_as_asked(tmp_path):
    path = tmp_path / "t.csv"
    survey().write_csv(path, separator=";")
    proposal = shoal.propose(path, delimiter=";", kinds={"shelf a": "nominal"}, missing=["", "9"])
    assert (proposal.plan.source, proposal.plan.delimiter) == (str(path), ";")
    assert proposal.table.kinds["shelf a"] == "nominal"
    assert proposal.table.cells.distinct("<b>code").n_missing > 0


def test_a_column_that_tells_another_is_generalized_along():
    part = {column.name: column for column in shoal.propose(survey()).columns}["<b>code"]
    assert part.role == "quasi_identifier"
    assert part.role_reason.startswith("It tells 'race' in ")


def test_sets_that_single_out_and_the_column_that_helps_are_said():
    proposal = shoal.propose(survey())
    assert proposal.singling.people == ROWS
    assert proposal.singling.sets
    assert any("smallest sets" in note for note in proposal.notes)
    assert any(f"{proposal.singling.helps_most!r} helps most" in note for note in proposal.notes)


def test_a_notebook_shows_reasons_and_no_cell():
    page = shoal.propose(survey())._repr_html_()
    assert "&lt;b&gt;code" in page
    assert "<b>" not in page
    assert "Hispanic" not in page


def test_without_quasi_identifiers_those_that_single_out_together_are_taken():
    random = np.random.default_rng(8)
    cells = {"hours": random.integers(0, 60, ROWS), "level": random.integers(0, 50, ROWS)}
    frame = pl.DataFrame(
        {**cells, "left": random.integers(0, 2, ROWS), "x": random.integers(0, 2, ROWS)}
    )
    assert set(shoal.propose(frame).plan.roles.quasi_identifiers) == {"hours", "level"}


def test_of_columns_alike_the_first_are_taken_in_every_run():
    random, names = np.random.default_rng(9), [f"k{n}x" for n in range(12)]
    frame = pl.DataFrame({name: random.choice(["a", "b"], ROWS) for name in names})
    assert shoal.propose(frame).plan.roles.quasi_identifiers == tuple(names[:8])


def test_diversity_is_asked_for_where_crowds_can_show_it():
    random = np.random.default_rng(9)
    rare = random.choice(["no", "yes", "maybe"], ROWS, p=[0.96, 0.03, 0.01])
    frame = survey().with_columns(
        pl.Series("hiv", rare),
        pl.Series("diagnosis", random.choice(["flu", "gout", "asthma", "copd"], ROWS)),
        pl.Series("smoker", random.choice(["yes", "no"], ROWS)),
        pl.Series("salary", random.integers(1000, 9000, ROWS)),
    )
    assert shoal.propose(frame).plan.l == {"diagnosis": 3, "smoker": 2, "salary": 3}


def test_what_is_dropped_need_not_be_cleaned():
    names = [
        f"{first} Brook{'' if i % 2 else ' '}"
        for i, first in enumerate(["Ann", "Ben", "Cy", "Di", "Ed"] * 16)
    ]
    towns = ["Graz", "graz ", "Linz", "Wels"] * 20
    found = shoal.propose(
        pl.DataFrame({"full name": names, "town": towns, "age": [*range(20, 100)]})
    )
    assert {part.name: part.role for part in found.columns}["full name"] == "identifier"
    assert set(found.plan.clean) == set(found.formats) == {"town"}
