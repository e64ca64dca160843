"""Roles that are proposed, against those of a careful steward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from quotes._markdown import paragraph, read, table
from shoal.studies._verdicts import ShareEstimate

LETTERS = ("I", "Q", "S", "H")


def write() -> Iterator[str]:
    """Give a row for each first look and one for all tables now, and say what the rows mean."""
    results = read("roles")["results"]
    first = results["first_look"]
    head = ("at the first look", "tables", "identifiers published", "quasi-identifiers found")
    *earlier, one, two = first["once"]
    j1_before, j1, j2_before, j2, k1, k2_before, k2, *latest_look = first["apart"]
    l1_before, l2_before, l1, _, l2, *fresh = latest_look
    last = fresh[-1]
    strangers = (j1, j2, k1, k2, l1, l2, *fresh)
    latest = [results["stewards"]["parts"][name]["agreed"] for name in ("J1", "J2")]
    yield from table(
        (*head, "sensitive found", "harmless taken"),
        _row("five rounds, labeled by us", _together([r for n in ROUNDS for r in first[n]])),
        _row("parts A to D, labeled by us twice", _together(_newest(first["stewards"]))),
        _row("parts E to H, labeled by us", _together(earlier)),
        _row("**labeled by one stranger**, I1, rules as they were", one),
        _row("**labeled by one stranger**, I2, rules mended on I1", two),
        _row("**labeled by two strangers**, J1, rules as they were", j1_before),
        _row("J1 with a second opinion", j1),
        _row("**labeled by two strangers**, J2, rules as they were", j2_before),
        _row("**J2 with a second opinion**, taught and mended on J1", j2),
        _row("**labeled by two strangers**, K1, rules as they were", k1),
        _row("**labeled by two strangers**, K2, rules as they were", k2_before),
        _row("**K2 with scales**, mended on K1", k2),
        _row("**labeled by two strangers**, L1, rules as they were", l1_before),
        _row("L1 with concepts", l1),
        _row("**labeled by two strangers**, L2, rules as they were", l2_before),
        _row("**L2 with concepts**, mended on L1", l2),
        *(
            _row(f"**labeled by two strangers**, {part['part']}, rules {part['rules']}", part)
            for part in fresh
        ),
        _row("one stranger judged by the other, J to M", _ceiling("first_by_second", *strangers)),
        _row("the other judged by the one", _ceiling("second_by_first", *strangers)),
        _row("*now:* made up (`tests/plan`)", results["made_up"]),
        _row("*now:* I1, I2", _together([results["once"][n] for n in ("I1", "I2")])),
        _row("*now:* J1, J2", _together(latest)),
        _row("*now:* all public tables", _together(_all_now(results))),
    )
    yield paragraph(
        "Somebody gives each column the role a careful steward would, some with a second that is",
        "as good, before anything is proposed; a column is met if the proposal is one of these.",
        "Rules are then mended on what was missed and the second opinion is taught with it, so",
        "that only a first look is fair; rows that say *now* are not. Strangers have read no rule;",
        "of two, columns count on which both begin alike",
        f"({_alike(*strangers)}).",
    )
    yield paragraph(
        "**The goals** (no identifier published, 90 % of quasi-identifiers and of sensitive",
        "columns found, at most 15 % of harmless ones taken) **are not all met at a first look.**",
        f"{last['part']}: {_leaked(last)} ({'not met' if last['leaked'] else 'met'} there; up to"
        f" {_possible(last)} in a hundred cannot be ruled out); quasi-identifiers",
        f"{_goal(last, 'Q')}, sensitive columns {_goal(last, 'S')}, harmless ones taken",
        f"{_goal(last, 'H')}, of which there are few (95 % intervals, as if columns were",
        "independent).",
        f"Against each stranger alone: {_against(last, 'against_first')} and",
        f"{_against(last, 'against_second')}; the mean over tables is {_by_table(last)}",
        "(quasi-identifiers, sensitive, harmless taken). Still missed are facts for secrets and",
        "secrets for facts, and what short names abbreviate.",
    )
    yield paragraph(
        _opinion(),
        "The history of the rounds is in [decision",
        "29](decisions/0029-what-is-proposed-and-who-decides.md); every missed column, and where",
        "tables are found, in `benchmarks/results/roles.json` and `benchmarks/roles_*`. Rows that",
        "say *now* keep what is on file for groups whose tables were not all at hand.",
    )


def _opinion() -> str:
    """Say what the second opinion meets by itself of strangers' tables it was not taught with."""
    found = read("second_opinion")["results"]["strangers"]
    met = {letter: round(100 * share) for letter, share in found["met"].items()}
    return (
        f"**The second opinion alone**, taught without parts I and J, meets {met['I']} % of the"
        f" identifiers, {met['Q']} % of the quasi-identifiers, {met['S']} % of the sensitive and"
        f" {met['H']} % of the harmless columns of these {found['tables']} tables"
        " ([decision 40](decisions/0040-a-second-opinion-on-roles.md))."
    )


def _newest(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the last first look of each part."""
    return list({part["part"]: part for part in parts}.values())


def _ceiling(which: str, *parts: dict[str, Any]) -> dict[str, Any]:
    found = [part["ceiling"][which] for part in parts]
    leaked = sum(part["identifiers_published"] for part in found)
    return {
        "tables": sum(part["tables"] for part in parts),
        "columns": _added(part["columns"] for part in found),
        "met": _added(part["met"] for part in found),
        "leaked": [""] * leaked,
    }


def _alike(*parts: dict[str, Any]) -> str:
    """Say on how many columns of all both strangers begin alike."""
    agreed = sum(sum(part["columns"].values()) for part in parts)
    everything = sum(sum(part["against_first"]["columns"].values()) for part in parts)
    return f"{agreed:,} of {everything:,}"


def _against(part: dict[str, Any], whom: str) -> str:
    found = part[whom]
    shares = {a: found["met"][a] / found["columns"][a] for a in "QSH"}
    return _listed([shares["Q"], shares["S"], 1 - shares["H"]])


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
    """Say a share, and whether its goal is met, where the interval tells."""
    met, columns = part["met"][letter], part["columns"][letter]
    shown = ShareEstimate(columns - met if letter == "H" else met, columns)
    low, high = shown.interval()
    enough, missed = (high <= 0.15, low > 0.15) if letter == "H" else (low >= 0.9, high < 0.9)
    answer = "met" if enough else "not met" if missed else "cannot be told"
    return f"{100 * shown.value:.0f} % ({100 * low:.0f} to {100 * high:.0f}; {answer})"


def _by_table(part: dict[str, Any]) -> str:
    means = part["by_table"]
    return _listed([means["Q"], means["S"], 1 - means["H"]])


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


def _possible(first: dict[str, Any]) -> str:
    """How many identifiers of a hundred may be published elsewhere, at most."""
    found = ShareEstimate(len(first["leaked"]), first["columns"]["I"])
    return f"{100 * found.interval()[1]:.0f}"


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
