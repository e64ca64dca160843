"""What must hold, on the page Table: for whom, crowds, sensitive values, who may be left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal._words import later, say
from shoal.exceptions import InvalidParameterError
from shoal.grouping import GROUPERS
from shoal.privacy import MODELS, PrivacyModel
from shoal.web._gate import choose_audience
from shoal.web._promise import nothing_asked, unasked_columns
from shoal.web._publishing import RANGES, VALUES, publish, way_of
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, h, icon

AUDIENCES = {
    "": later("nobody in particular"),
    "internal": later("the house"),
    "partner": later("a partner"),
    "public": later("the public"),
}
METHODS = {
    "auto": later("as fits the table"),
    "sangreea": later("person by person"),
    "mondrian": later("by halving"),
}
PUBLISHED = {
    RANGES: later("ranges, of crowds"),
    VALUES: later("values, moved about"),
}
VALUES_MOVE = later(
    "Values are moved among people who are alike: no k, l or t is promised, only measured how many"
    " are found again."
)
OWN_FIELDS = ("l", "t")  # drawn as sentences; all others by what they are called


def draw_privacy(space: Workspace) -> Markup:
    """Draw what must hold, the usual first, and all other models under a fold."""
    values = way_of(space.plan) == VALUES
    return h(
        "section",
        h("h2", say("What must hold")),
        h(
            "div",
            _choice(say("The release is for"), "preset", AUDIENCES, space.plan.preset or ""),
            _choice(say("Published are"), "publish", PUBLISHED, way_of(space.plan)),
            *([] if values else _crowd_fields(space)),
            cls="promises",
        ),
        *(_no_crowds(space) if values else _of_sensitive(space)),
        cls="panel",
    )


def _crowd_fields(space: Workspace) -> Iterator[Markup | None]:
    """Draw what may be asked of crowds; where values are moved there is none to ask it of."""
    plan, sensitive = space.plan, bool(space.table.roles.sensitive)
    among, shows = say("Everybody hides among at least"), say("Each crowd shows at least")
    yield _field("k", among, plan.k, say("people"), True)
    yield _field("l", shows, _one(plan.l), say("sensitive values"), sensitive)
    mix = say("of the whole table's mix (t)")
    yield _field("t", say("and stays within"), _one(plan.t), mix, sensitive)
    left = f"{100 * plan.max_suppression:g}"
    yield _field("suppress", say("At most"), left, say("% of people may be left out instead"), True)
    yield _crowds(space)


def _of_sensitive(space: Workspace) -> Iterator[Markup]:
    """Say of which sensitive columns nothing is asked, and offer what else may be."""
    sensitive = bool(space.table.roles.sensitive)
    none = say("l, t and other models speak of sensitive columns; none is marked.")
    unasked = nothing_asked(space.plan) if sensitive else none
    if unasked:
        yield h("p", unasked, cls="quiet")
    if sensitive and _could_ask(space):
        words = say("Ask l of them, too, where there are values enough")
        yield h("button", words, type_="button", cls="button small", data_act="l-rest")
    if sensitive:
        yield _others(space)


def _could_ask(space: Workspace) -> dict[str, int]:
    """Find what l could be asked of sensitive columns of which nothing is asked, as of others."""
    asked, table = space.plan.l, space.table
    if not isinstance(asked, dict) or not asked:
        return {}
    shown = {n: len(table.column(n).labels) for n in unasked_columns(space.plan)}
    return {name: min(max(asked.values()), count) for name, count in shown.items() if count > 1}


def _no_crowds(space: Workspace) -> Iterator[Markup]:
    page = h("a", say("Outliers"), href=f"/t/{space.id}/outliers")
    yield h("p", icon("warning"), say(VALUES_MOVE), cls="amber")
    yield h("p", say("How far they are moved is set on the page "), page, ".", cls="quiet")


def decide_privacy(space: Workspace, act: str, value: str) -> None:
    """Change what must hold."""
    kind, _, key = act.partition(":")
    if kind == "preset":
        choose_audience(space, value)
    elif kind == "publish":
        publish(space, value)
    elif kind == "l-rest":
        asked = space.plan.l
        space.decide(l={**(asked if isinstance(asked, dict) else {}), **_could_ask(space)})
    elif kind in ("k", "l", "t"):
        space.decide(**{kind: _number(kind, value)})
    elif kind == "suppress":
        share = float(_number("t", value) or 0) / 100
        space.decide(max_suppression=round(share, 6))
    elif kind == "method" and value in GROUPERS:
        space.decide(method=value)
    elif kind == "model" and key in MODELS:
        _ask(space, key, value)


def _ask(space: Workspace, key: str, value: str) -> None:
    """Ask for a model of sensitive columns, or no longer."""
    models = {name: asked for name, asked in space.plan.models.items() if name != key}
    setting = MODELS[key].setting
    assert setting is not None  # or it could not be registered
    space.decide(models=models | ({key: setting.typed(value)} if value.strip() else {}))


def _one(asked: Any) -> Any:
    return max(asked.values(), default=None) if isinstance(asked, dict) else asked


def _number(name: str, value: str) -> float | int | None:
    """Read a number that somebody typed; nothing means not asked for."""
    if not value.strip():
        return None
    try:
        return float(value) if name == "t" else int(value)
    except ValueError:
        raise InvalidParameterError(f"{name} must be a number.") from None


def _crowds(space: Workspace) -> Markup | None:
    """Offer how crowds are formed."""
    method = space.plan.method or "auto"
    known = METHODS | {name: name for name in GROUPERS if name not in METHODS}
    return _choice(say("Crowds are formed"), "method", known, method) if method in known else None


def _others(space: Workspace) -> Markup:
    others = {key: model for key, model in MODELS.items() if key not in OWN_FIELDS}
    asked = space.plan.models
    rows = [_other(key, model, asked.get(key)) for key, model in others.items()]
    return h(
        "details",
        h("summary", say("More that may be asked of sensitive columns")),
        *rows,
        cls="fold",
        open=bool(asked),
    )


def _other(key: str, model: type[PrivacyModel], asked: Any) -> Markup:
    words = say(model.setting.help) if model.setting is not None else key
    return h(
        "label",
        h("span", words),
        h(
            "input",
            type_="text",
            value=_written(asked),
            placeholder=say("not asked"),
            data_act=f"model:{key}",
            cls="short",
            aria_label=f"{key.replace('_', ' ')}: {words}",
        ),
        cls="limit",
    )


def _written(asked: Any) -> str:
    """Write a value as it would be typed; nothing if it was not asked for, or differs by column.

    >>> _written(None), _written(2.5), _written((3, 2)), _written({"disease": 2})
    ('', '2.5', '3,2', '2')
    """
    if isinstance(asked, dict):
        asked = max(asked.values(), default=None)
    if isinstance(asked, list | tuple):
        return ",".join(f"{part:g}" for part in asked)
    return "" if asked is None else f"{asked:g}"


def _choice(words: str, act: str, options: dict[str, str], value: str) -> Markup:
    items = [
        h("option", say(shown), value=key, selected=key == value) for key, shown in options.items()
    ]
    select = h("select", *items, data_act=act, aria_label=words)
    return h("label", h("span", words), select)


def _field(name: str, before: str, value: object, after: str, on: bool) -> Markup:
    return h(
        "label",
        h("span", before),
        h(
            "input",
            type_="number",
            value="" if value is None else str(value),
            data_act=name,
            min="0" if name in ("t", "suppress") else "2",
            step="any" if name in ("t", "suppress") else "1",
            disabled=not on,
            placeholder=say("any"),
            aria_label=f"{name}: {before} … {after}",
        ),
        h("span", after),
    )
