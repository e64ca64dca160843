"""Roles that are proposed, against those of a careful steward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from quotes._markdown import paragraph, read, table

LETTERS = ("I", "Q", "S", "H")


def write() -> Iterator[str]:
    """Give a row for each first look and one for all tables now, and say what the rows mean."""
    results = read("roles")["results"]
    first = results["first_look"]
    look = {name: _together(rounds) for name, rounds in first.items()}
    head = ("at the first look", "tables", "identifiers published", "quasi-identifiers found")
    *earlier, one, two = first["once"]
    yield from table(
        (*head, "sensitive found", "harmless taken"),
        *(_row(said, look[name]) for name, said in ROUNDS.items()),
        *(_row(_drawn(part), part) for part in first["stewards"]),
        *(_row(_drawn_once(part), part) for part in earlier),
        _row("**labeled by somebody else**, part I1, rules as they were", one),
        _row("the same, by first letters alone", one, "met_first"),
        _row("**labeled by somebody else**, part I2, rules mended on I1", two),
        _row("the same, by first letters alone", two, "met_first"),
        _row("part I2 without its two very wide tables", two["narrow"]),
        _row("*now:* made up (`tests/plan`)", results["made_up"]),
        _row("*now:* parts I1 and I2", _together([results["once"][n] for n in ("I1", "I2")])),
        _row("*now:* all public tables", _together(_all_now(results))),
    )
    yield paragraph(
        "Somebody gives each column the role a careful steward would, some with a second that is",
        "as good, before anything is proposed; a column is met if the proposal is one of these.",
        "Rules are then mended on what was missed, so that only a first look is fair, and of those",
        "only I1 and I2 were labeled by somebody who had not read the rules.",
    )
    yield paragraph(
        "**The goals** (no identifier published, 90 % of quasi-identifiers and of sensitive",
        "columns found, at most 15 % of harmless ones taken) **are not met at that first look.**",
        f"I1: {_leaked(one)}; quasi-identifiers {_goal(one, 'Q')}, sensitive columns",
        f"{_goal(one, 'S')}, harmless ones taken {_goal(one, 'H')}.",
        f"I2, rules mended on I1: {_leaked(two)}; quasi-identifiers {_goal(two, 'Q')}, sensitive",
        f"columns {_goal(two, 'S')}, harmless ones taken {_goal(two, 'H')}.",
        f"The mean over tables is {_by_table(one)} in I1 and {_by_table(two)} in I2",
        "(quasi-identifiers, sensitive, harmless taken). Still missed are answers of",
        "questionnaires, opinions, abbreviations, and facts that no name tells.",
    )
    yield paragraph(
        f"{len(one['refused']) + len(two['refused'])} tables could not be read at the first look",
        "and are not counted. Rows that say *now* keep what is on file for groups whose tables",
        "were not all at hand. The history of the rounds is in [decision",
        "29](decisions/0029-what-is-proposed-and-who-decides.md); every missed column, and where",
        "tables are found, in `benchmarks/results/roles.json` and `benchmarks/roles_*`.",
    )


ROUNDS = {
    "rounds": "set aside in three rounds",
    "fresh": "two dozen never seen",
    "abroad": "in several languages, of illnesses",
    "strangers": "of every subject",
    "careful": "after unknown columns were kept",
}
GROUPS = ("developed_on", "set_aside", "set_aside_last", "walked", *list(ROUNDS)[1:])


def _all_now(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the latest count of every group of public tables."""
    parts = [part["agreed"] for part in results["stewards"]["parts"].values()]
    return [*(results[name] for name in GROUPS), *parts, *results["once"].values()]


def _goal(part: dict[str, Any], letter: str) -> str:
    """Say a share, and whether its goal is met."""
    share = part["met"][letter] / part["columns"][letter]
    met = share >= (0.85 if letter == "H" else 0.9)
    shown = 1 - share if letter == "H" else share
    return f"{100 * shown:.0f} % ({'met' if met else 'not met'})"


def _by_table(part: dict[str, Any]) -> str:
    means = part["by_table"]
    return _listed([means["Q"], means["S"], 1 - means["H"]])


def _drawn(part: dict[str, Any]) -> str:
    return f"labeled twice, part {part['part']}, first look with rules {part['rules']}"


def _drawn_once(part: dict[str, Any]) -> str:
    return f"labeled once, part {part['part']}, first look with rules {part['rules']}"


def _listed(shares: Iterable[float]) -> str:
    *first, last = (f"{100 * share:.0f}" for share in shares)
    return f"{', '.join(first)} and {last} %"


def _together(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "tables": sum(part["tables"] for part in rounds),
        "columns": _added(part["columns"] for part in rounds),
        "met": _added(part["met"] for part in rounds),
        "leaked": [name for part in rounds for name in part["leaked"]],
    }


def _row(name: str, found: dict[str, Any], met: str = "met") -> tuple[str, ...]:
    share = {letter: found[met][letter] / found["columns"][letter] for letter in "QSH"}
    return (
        name,
        str(found["tables"]),
        f"{len(found['leaked'])} of {found['columns']['I']}",
        f"{100 * share['Q']:.0f} % of {found['columns']['Q']}",
        f"{100 * share['S']:.0f} % of {found['columns']['S']}",
        f"{100 * (1 - share['H']):.0f} % of {found['columns']['H']}",
    )


def _leaked(first: dict[str, Any]) -> str:
    """Name the identifiers that would have been published."""
    names = ", ".join(f"`{name}`" for name in first["leaked"])
    told = (
        f"{len(first['leaked'])} of {first['columns']['I']} identifiers would have been published"
    )
    return f"{told} ({names}; mended)" if names else told


def _added(parts: Any) -> dict[str, int]:
    total = dict.fromkeys(LETTERS, 0)
    for part in parts:
        total = {letter: total[letter] + part.get(letter, 0) for letter in LETTERS}
    return total
