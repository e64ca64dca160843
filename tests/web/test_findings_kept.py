"""What was found out about a release: it survives a restart, and says when it is out of date."""

from __future__ import annotations

import tomllib
import zipfile

import pytest
from serving import table_of

from shoal._progress import SILENT
from shoal._words import speaking
from shoal.cli import run
from shoal.exceptions import InputError, InvalidParameterError
from shoal.web._first_look import read_first
from shoal.web._kept import AttackedRelease, KeptStudy, ReleaseCharts, find_kept
from shoal.web._sign_off import sign_off, signed_off
from shoal.web._tune import STUDY, Tuner
from shoal.web._workspace import Workspace
from shoal.web.pages import JournalPage, ResultPage, TablePage, draw_page
from shoal.web.pages._attacks import FOUND, attack_work, attacked_release
from shoal.web.pages._ranking import draw_ranking, ranked_shifts
from shoal.web.pages._result import COMPARED_BEFORE, OUTDATED
from shoal.web.pages._tune import TunePage


@pytest.fixture
def space(site):
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    (folder / "table.csv").write_bytes(table_of(90))
    plan = read_first(folder / "table.csv", site.settings.limits)
    made = site._begin(visitor, folder, plan, "people.csv")
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "zip": "quasi_identifier"}
    for column, role in {**roles, "disease": "sensitive", "readmitted": "target"}.items():
        made.set_role(column, role)
    made.decide(k=4)
    return made


def again(space):
    """The same workspace as a server after this one opens it."""
    space.close()
    return Workspace(space.folder, space._pool, space.actor)


def test_charts_attacks_and_comparison_survive_a_restart(space):
    space.make_release()
    attack_work(space)(SILENT)
    space.make_comparison()
    before = draw_page(ResultPage(space))
    assert 'class="ranking"' in before
    assert 'class="compared"' in before
    later = again(space)
    after = draw_page(ResultPage(later))
    charts, attacked = later.released.charts, attacked_release(later)
    assert (
        charts
        == space.released.charts
        == find_kept(later.released.folder / "charts.json", ReleaseCharts)
    )
    assert attacked == find_kept(later.folder / FOUND, AttackedRelease)
    assert attacked.fingerprint == later.released.fingerprint
    for part in ("ranking", "compared", "charts"):
        assert f'class="{part}"' in after
    assert "stale" not in after


def test_a_finding_of_another_version_is_none(tmp_path):
    path = tmp_path / "charts.json"
    assert find_kept(path, ReleaseCharts) is None
    path.write_text('{"attributes": 3}')
    assert find_kept(path, ReleaseCharts) is None


def test_release_and_comparison_say_when_more_was_said_since(space):
    space.make_release()
    space.make_comparison()
    assert not space.outdated
    space.session.set_weights({"age": 9})
    page = draw_page(ResultPage(space))
    assert space.outdated
    assert OUTDATED in page
    assert COMPARED_BEFORE in page
    space.make_release()
    page = draw_page(ResultPage(space))
    assert OUTDATED not in page
    assert COMPARED_BEFORE in page


def test_risks_attacks_and_losses_stand_in_one_ranking(space):
    space.make_release()
    attack_work(space)(SILENT)
    shifts = ranked_shifts(space.released.charts, attacked_release(space), 5_000)
    assert [shift.after for shift in shifts] == sorted((s.after for s in shifts), reverse=True)
    assert {shift.what for shift in shifts} == {"risk", "attack", "loss"}
    named = {shift.name: shift for shift in shifts}
    assert named["People who are alone on what describes them"].after == 0
    easiest = named["Chance to find the person who is easiest to find"]
    assert easiest.after <= 1 / 4 <= easiest.before
    assert {"Detail of age that is lost", "Detail of zip that is lost"} <= set(named)


def test_of_many_columns_those_that_lost_less_stand_behind_a_fold(space, monkeypatch):
    space.make_release()
    losses = [s for s in ranked_shifts(space.released.charts, None, None) if s.what == "loss"]
    assert "<details>" not in draw_ranking(space, None)
    monkeypatch.setattr("shoal.web.pages._ranking.LOSSES", 1)
    first, _, folded = draw_ranking(space, None).partition("<details>")
    assert losses[0].name in first
    assert all(loss.name in folded and loss.name not in first for loss in losses[1:])
    assert "Chance to find" in first  # risks are never put aside
    assert f"Columns that lost less: {len(losses) - 1}" in folded


def test_the_population_is_asked_for_and_joins_the_ranking(space):
    space.make_release()
    page = ResultPage(space)
    page.act("population", "100000")
    assert "cannot be estimated: no two people are alike" in draw_ranking(space, None)
    page.act("population", "")
    estimated = "Alone in the whole population"
    assert estimated not in draw_ranking(space, None)
    page.act("population", "90")
    assert estimated in draw_ranking(space, None)
    with pytest.raises(InvalidParameterError):
        page.act("population", "12")
    page.act("population", "")
    assert estimated not in draw_ranking(space, None)


def test_a_sign_off_is_of_one_release_and_stands_in_the_journal(space):
    with pytest.raises(InputError):
        sign_off(space, "Ada", "asked for by the board")
    space.make_release()
    page = ResultPage(space)
    with pytest.raises(InvalidParameterError):
        page.act("sign", "Ada\n ")
    page.act("sign", "Ada\nasked for by the board")
    (signed,) = signed_off(space)
    assert (signed.who, signed.why) == ("Ada", "asked for by the board")
    assert "Signed off by Ada" in draw_page(page)
    assert "asked for by the board" in draw_page(JournalPage(space))
    space = again(space)
    assert signed_off(space) == [signed]
    space.decide(k=9)
    space.make_release()
    assert signed_off(space) == []
    earlier = draw_page(JournalPage(space))
    assert "asked for by the board" in earlier  # in the journal before, which can be opened
    assert "the chain is whole" in earlier


def test_everything_holds_trees_and_a_plan_that_the_command_line_runs(space, tmp_path, monkeypatch):
    """Unpacked beside the table, it makes the same data, and a report in the same language."""
    values = sorted({str(8010 + (i * 13) % 90) for i in range(90)})
    ladder = "".join(f"{value};{value[:3]}*;*\n" for value in values)
    space.set_kind("zip", "code")
    space.add_hierarchy("zip", ladder.encode(), json=False)
    with speaking("de"):
        space.make_release()
    assert not space.outdated  # whoever reads it in another language
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(space.released.folder / "everything.zip") as pack:
        pack.extractall(folder)
    assert {"release", "plan.toml", "hierarchies"} == {path.name for path in folder.iterdir()}
    told = tomllib.loads((folder / "plan.toml").read_text())
    assert told["hierarchies"]["zip"] == "hierarchies/1.csv"
    assert told["release"]["language"] == "de"
    (folder / "people.csv").write_bytes(table_of(90))
    monkeypatch.chdir(folder)
    assert run(["anonymize", "--plan", "plan.toml", "--ledger", "off", "-o", "again"]) == 0
    assert (folder / "again/data.csv").read_text() == (folder / "release/data.csv").read_text()
    assert '<html lang="de"' in (folder / "again/report.html").read_text()
    assert '<html lang="de"' in (folder / "release/report.html").read_text()


def test_a_column_may_be_sensitive_and_the_target(space):
    page = TablePage(space)
    page.act("also-target", str(space.table.column_names.index("disease")))
    assert (space.plan.roles.target, space.plan.roles.sensitive) == ("disease", ("disease",))
    assert "models predict it, too" in draw_page(page)
    space.set_role("sex", "drop")
    assert space.plan.roles.target == "disease"  # another column's role is no reason to forget it
    page.act("no-target", str(space.table.column_names.index("disease")))
    assert (space.plan.roles.target, space.plan.roles.sensitive) == (None, ("disease",))


def test_trials_survive_a_restart_and_no_stale_one_can_be_used(space):
    space.set_role("disease", "other")
    tuner = Tuner.of(space)
    tuner.set("model", "logistic_regression")
    tuner.n_trials = 3
    tuner.search(SILENT)
    assert find_kept(space.folder / STUDY, KeptStudy) == tuner.kept
    assert len(tuner.kept.finalists) > 1
    later = again(space)
    page = TunePage(later)
    drawn = draw_page(page)
    for words in ("of the model.", "Finalists, tried again", "On test rows", "Use this one"):
        assert words in drawn
    page.act("use", "")
    assert page.tuner.used == page.tuner.kept.chosen
    page.act("see", "0")
    page.act("use", "")  # another one may be taken instead
    assert not page.tuner.stale
    later.decide(k=30)
    assert page.tuner.stale
    assert "nothing of it can be used" in draw_page(page)
    with pytest.raises(InvalidParameterError, match="changed after"):
        page.act("use", "")
