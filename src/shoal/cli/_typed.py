"""What is typed: columns and ``name=value`` lists, and options laid over a plan file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.table import Roles


def names(given: Sequence[str] | None, option: str) -> tuple[str, ...]:
    """Read the columns of an option that may be repeated.

    >>> names(["age,sex", '"zip, home"'], "--quasi")
    ('age', 'sex', 'zip, home')
    """
    return tuple(_bare(part, option) for text in given or () for part in _split(text, ",", option))


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """Read ``name=value`` pairs.

    >>> pairs(["age=numeric,zip=code", '"a,b=c"=date'], "--kind")
    {'age': 'numeric', 'zip': 'code', 'a,b=c': 'date'}
    """
    found: dict[str, str] = {}
    for name, value in _each_pair(given, option):
        if name in found:
            raise InvalidParameterError(f"{option} names column {name!r} twice.")
        found[name] = value
    return found


def numbers(given: Sequence[str] | None, option: str) -> dict[str, float]:
    """Read ``name=number`` pairs.

    >>> numbers(["age=2,zip=0.5"], "--weights")
    {'age': 2, 'zip': 0.5}
    """
    return {name: _number(value, name, option) for name, value in pairs(given, option).items()}


def several(given: Sequence[str] | None, option: str) -> dict[str, tuple[float, ...]]:
    """Read ``name=number`` pairs in which a name may come again: all its numbers are kept.

    >>> several(["age=10,age=20", "zip=2"], "--limit")
    {'age': (10, 20), 'zip': (2,)}
    """
    found: dict[str, tuple[float, ...]] = {}
    for name, value in _each_pair(given, option):
        found[name] = (*found.get(name, ()), _number(value, name, option))
    return found


def orders(given: Sequence[str] | None, option: str) -> dict[str, tuple[str, ...]]:
    """Read ``name=low,mid,high`` lists, one for each time the option is given.

    >>> orders(["pain=low,high", "mood=bad,good"], "--order")
    {'pain': ('low', 'high'), 'mood': ('bad', 'good')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in given or ():
        name, *rest = _split(text, "=", option)
        if not rest:
            raise InvalidParameterError(
                f"{option} takes a column and its values, such as pain=low,mid,high.",
                hint="Give the option once for each column.",
            )
        found[_bare(name, option)] = names(["=".join(rest)], option)
    return found


def _each_pair(given: Sequence[str] | None, option: str) -> Iterator[tuple[str, str]]:
    for text in given or ():
        for part in _split(text, ",", option):
            *left, value = _split(part, "=", option)
            if not left or not value.strip():
                raise InvalidParameterError(
                    f"{option} takes name=value pairs, separated by commas.",
                    hint="Quote a name that holds a comma or an equals sign.",
                )
            yield _bare("=".join(left), option), value.strip()


def _number(value: str, name: str, option: str) -> float:
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        raise InvalidParameterError(f"{option} of {name!r} must be a number.") from None


def _split(text: str, separator: str, option: str) -> Iterator[str]:
    """Cut at a separator that stands outside quotes; a quote opens only where a part begins."""
    start, quoted, fresh = 0, False, True
    for i, letter in enumerate(text):
        if letter == '"' and (quoted or fresh):
            quoted = not quoted
            fresh = not quoted  # a doubled quote opens again
        elif not quoted and letter in ",=":
            if letter == separator:
                yield text[start:i]
                start = i + 1
            fresh = True
        else:
            fresh = fresh and letter.isspace()
    if quoted:
        raise InvalidParameterError(f"{option} opens a quote that is never closed.")
    yield text[start:]


def _bare(part: str, option: str) -> str:
    """Take off the quotes, or the blanks around a name that has none."""
    name = part.strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1].replace('""', '"')
    if not name:
        raise InvalidParameterError(
            f"{option} has an empty name in its list.", hint="Is there a comma too many?"
        )
    return name


SAME = (  # options and fields of one name
    *("k", "preset", "method", "recoding", "order", "refine", "effort", "steps", "prove", "loss"),
    *("max_suppression", "format", "language", "ledger", "delimiter", "encoding"),
    *("project", "shift_days", "shift_keeps"),
    *("m", "push_back", "stir_mode", "max_divergence"),
    *("node", "graph_alpha", "graph_beta", "scale"),
)
Reader: TypeAlias = Callable[[Sequence[str] | None, str], Mapping[str, Any]]
BY_COLUMN: dict[str, tuple[str, Reader]] = {  # fields, and the options that set some columns
    "kinds": ("kind", pairs),
    "pseudonyms": ("pseudonym", pairs),
    "dates": ("shift_dates", lambda given, option: dict.fromkeys(names(given, option), "shift")),
    "hierarchies": ("hierarchy", pairs),
    "weights": ("weights", numbers),
    "limits": ("limit", numbers),
    "grid": ("grid", numbers),
    "radii": ("radius", numbers),
}


def plan_of(options: Mapping[str, Any]) -> Plan:
    """Read the plan file, if any, and lay the options over it."""
    from shoal.plan import SAYS_NOTHING, Plan

    file = options["plan"]
    plan = Plan.read(file) if file is not None else SAYS_NOTHING
    given = {name: options[name] for name in SAME if options[name] is not None}
    if options["data"] is None or "://" in options["data"] or any(map(options.get, OF_SOURCE)):
        given |= source_fields(options)
    else:
        given |= {"source": options["data"], **dict.fromkeys(OF_SOURCE.values())}
    if options["edges"] is not None:
        given["edges"] = str(options["edges"])
    if options["hierarchies"] is not None:
        given["hierarchy_folder"] = str(options["hierarchies"])
    if options.get("after") is not None:
        given["after"] = str(options["after"])
    if options["missing"]:
        given |= missing_fields(options["missing"], plan)
    for name in ("stir", "flatten"):
        if options[name]:
            given[name] = names(options[name], f"--{name}")
    for field, (option, read) in BY_COLUMN.items():
        if options[option]:
            given[field] = {
                **getattr(plan, field),
                **read(options[option], f"--{option.replace('_', '-')}"),
            }
    if options["data"] is None and plan.source is not None:
        let_ask(plan.source)
    return replace(plan, roles=roles_of(options, plan.roles), **given, **options["models"])


def source_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """Where the table is; another file or address leaves what the plan reads of its own."""
    asked = {field: options.get(name) for name, field in OF_SOURCE.items()}
    if "://" in str(options["data"]):
        let_ask(options["data"])
    if options["data"] is None:
        return {field: value for field, value in asked.items() if value is not None}
    return {"source": options["data"], **asked}


def let_ask(source: str | None) -> None:
    """Let a password be asked for at the terminal, if the table is in a database."""
    if "://" in str(source) and sys.stdin.isatty():
        from getpass import getpass

        from shoal.table.sources import ask_with

        ask_with(lambda whose: getpass(f"Password for {whose}: "))


def asked_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """What to read of a database or a workbook, as `read_table` takes it."""
    from shoal.plan import read_sql

    query = options.get("query")
    asked = {name: options.get(name) for name in OF_SOURCE}
    return {**asked, "query": None if query is None else read_sql(query)}


#: Options that say what to read, and the fields of a plan they set.
OF_SOURCE = {"table": "source_table", "query": "query", "sheet": "sheet"}


def missing_of(given: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """Texts that mean missing, in all columns (``*``) or in one; the empty cell always does.

    >>> missing_of(["?", "age=unknown,age=-9", '"a=b"'])
    {'*': ('', '?', 'a=b'), 'age': ('unknown', '-9')}
    """
    found: dict[str, tuple[str, ...]] = {"*": ("",)}
    for text in filter(None, given or ()):
        if len(list(_split(text, "=", "--missing"))) == 1:
            name, value = "*", _bare(text, "--missing") if "=" in text else text
            found[name] = (*found[name], value)
            continue
        for name, value in _each_pair([text], "--missing"):
            found[name] = (*found.get(name, ()), value)
    return found


def missing_fields(given: Sequence[str] | None, plan: Plan) -> dict[str, Any]:
    """Return the fields of a plan, in place of or beside its own."""
    found = missing_of(given)
    everywhere = found.pop("*")
    fields: dict[str, Any] = {"missing_in": {**plan.missing_in, **found}}
    return fields if found and everywhere == ("",) else {**fields, "missing": everywhere}


def roles_of(options: Mapping[str, Any], planned: Roles) -> Roles:
    """Lay the columns that were typed over the roles of a plan.

    Lists come beside what the plan says: whoever names one column takes no other answer back, and
    none that the plan protects is published as it is.
    """
    from shoal.table import Roles

    beside: dict[str, tuple[str, ...]] = {}
    for field, (name, dashed) in LISTED.items():
        known = getattr(planned, field)
        typed = names(options[name], f"--{dashed}")
        beside[field] = (*known, *(column for column in typed if column not in known))
    return Roles(
        **beside,
        target=options["target"] or planned.target,
        person=options["person"] or planned.person,
    )


#: Fields of roles -> the option that adds to them, and how it is typed.
LISTED = {
    "identifiers": ("identifier", "identifier"),
    "quasi_identifiers": ("quasi", "quasi"),
    "sensitive": ("sensitive", "sensitive"),
    "publish_as_is": ("publish_as_is", "publish-as-is"),
    "drop": ("drop", "drop"),
}
