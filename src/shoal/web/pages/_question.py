"""Question, drawn: the row in the middle, group A on the left, group B on the right."""

from __future__ import annotations

from shoal._words import later, number, retell, say
from shoal.session import Question, Session, Side, plain
from shoal.web.pages._page import Markup, bar, breakable, h, icon, join, readable

HIGHEST = 10  # of a slider
MANY = 8  # details, before those that are the same in both crowds are told in a line
ENOUGH = later(
    "That is enough: more answers would hardly change the groups, and of those who click without"
    " looking at most 1 in 1,000 gets here."
)
CHANCE = later(
    "The groups would hardly change any more; about {n} more answers tell whether these were"
    " chance."
)


def draw_question(question: Question) -> Markup:
    """Draw the question as one table, an attribute a line, so that all three can be compared."""
    a, b = question.sides["A"], question.sides["B"]
    head = h(
        "tr",
        h("th", _group("A", a), scope="col"),
        h("th", icon("person"), h("span", say("This person")), scope="col", cls="middle"),
        h("th", _group("B", b), scope="col"),
    )
    told = [name for name in question.row if not (_many(question) and _the_same(name, a, b))]
    body = [_attribute(name, question.row[name], a, b) for name in told]
    rest = [name for name in question.row if name not in told]
    body += [_in_both(question, rest)] if rest else []
    foot = h("tr", _total(a), h("td", cls="middle"), _total(b))
    return h(
        "table",
        h(
            "caption",
            say("Question {number}: which crowd fits this person?", number=question.number),
            cls="unseen",
        ),
        h("thead", head),
        h("tbody", *body),
        h("tfoot", foot),
        cls="question",
        data_question=question.id,
    )


def _many(question: Question) -> bool:
    return len(question.row) > MANY


def _the_same(name: str, a: Side, b: Side) -> bool:
    """Say whether nothing can be chosen by a detail: it costs as much in both crowds."""
    return a.cost[name] == b.cost[name] and a.changed[name] == b.changed[name]


def _in_both(question: Question, names: list[str]) -> Markup:
    """Tell in a line or two what is the same in both crowds, so that the rest is seen at once."""
    changed = question.sides["A"].changed
    kinds = {
        say("Stays in both:"): [name for name in names if not changed[name]],
        say("Coarser in both, and as much:"): [name for name in names if changed[name]],
    }
    lines = [
        h("p", h("b", words), " ", join(*_parted(question, found)))
        for words, found in kinds.items()
        if found
    ]
    return h("tr", h("td", *lines, colspan="3"), cls="both")


def _parted(question: Question, names: list[str]) -> list[Markup]:
    """Name details with their values, commas between."""
    values = {name: readable(question.row[name]) or say("(missing)") for name in names}
    last = names[-1]
    return [
        h("span", breakable(name), f" {value}", "" if name == last else ", ")
        for name, value in values.items()
    ]


def _attribute(name: str, value: str, a: Side, b: Side) -> Markup:
    """Draw one attribute; where both sides lose alike there is nothing to choose by."""
    alike = a.cost[name] == b.cost[name] and a.changed[name] and b.changed[name]
    shown = readable(value) or say("(missing)")
    exact = value if shown != value and value else None
    middle = (h("span", breakable(name), cls="name"), h("strong", shown, title=exact))
    return h(
        "tr",
        _cell(a, name),
        h("th", *middle, scope="row", cls="middle"),
        _cell(b, name),
        cls="alike" if alike else None,
    )


def draw_answers(question: str, undo: Markup | None = None, *, either: bool = True) -> Markup:
    """Draw the buttons: each stands over the crowd it chooses, has a key, names its question.

    ``either`` offers to choose no crowd: about the same, or neither of them.
    """

    def choose(value: str, keys: str, *inner: str, cls: str) -> Markup:
        return h(
            "button",
            *inner,
            type_="button",
            cls=cls,
            data_act=f"answer:{question}",
            data_value=value,
            data_key=keys,
        )

    left = (icon("left"), say("Crowd A"), h("kbd", "←"))
    right = (say("Crowd B"), icon("right"), h("kbd", "→"))
    skip = choose("skip", "ArrowDown s S", say("Skip"), h("kbd", "↓"), cls="button")
    same = choose("same", "ArrowUp =", say("About the same"), h("kbd", "↑"), cls="button")
    neither = choose("neither", "n N", say("Neither"), h("kbd", "N"), cls="button")
    more = (same, neither) if either else ()
    return h(
        "div",
        choose("A", "ArrowLeft a A", *left, cls="button primary big a"),
        h("div", *more, undo, skip, cls="aside"),
        choose("B", "ArrowRight b B", *right, cls="button primary big b"),
        cls="answers",
    )


def _group(name: str, side: Side) -> Markup:
    one, more = say("1 person so far"), say("{n:,} people so far", n=side.size)
    people = one if side.size == 1 else more
    return join(
        h("span", name, cls=f"letter {name.lower()}"),
        h("span", say("Crowd {name}", name=name), h("small", people)),
    )


def _cell(side: Side, name: str) -> Markup:
    """Draw one attribute of a side: what it would read, and in words what is lost."""
    after = readable(side.after[name]) or say("(missing)")
    if not side.changed[name]:
        return h(
            "td",
            icon("check"),
            h("strong", after),
            h("span", say("stays"), cls="words"),
            cls="keeps",
        )
    share = min(1.0, side.loss.get(name, side.cost[name]))  # what the words say, drawn
    now, then = side.before[name], side.after[name]
    words = readable(side.words.get(name, f"{name} becomes {after}"))
    return h(
        "td",
        icon("widen"),
        h("strong", *_sentence(name, retell(words))),
        h("span", say("the crowd now: {now}", now=_plainly(now)), cls="words")
        if now != then
        else None,
        bar(share, "loss"),
        cls="loses",
    )


def _plainly(value: str) -> str:
    """Write what a crowd publishes as the sentence beside it does."""
    return readable(plain(value)) if value else say("(missing)")


def _sentence(name: str, words: str) -> tuple[Markup, str]:
    """Part the name from the rest; a telephone leaves it out, since it stands in the middle."""
    first = f"{name} " if words.startswith(f"{name} ") else ""
    return h("span", first, cls="attribute"), words[len(first) :]


def say_question(question: Question) -> Markup:
    """Say a question in one sentence, for those who listen."""
    sides = (
        say(
            "Crowd {name}: {value}.",
            name=name,
            value=", ".join(retell(readable(words)) for words in side.words.values())
            or say("nothing gets coarser"),
        )
        for name, side in question.sides.items()
    )
    return h("p", say("Question {number}. {parts}", number=question.number, parts=" ".join(sides)))


def _total(side: Side) -> Markup:
    lost = sum(side.changed.values())
    words = (
        say("{lost} of {n} details get coarser", lost=lost, n=len(side.changed))
        if lost
        else say("nothing gets coarser")
    )
    return h("td", words, cls="total")


def draw_sureness(session: Session) -> Markup:
    """Say how sure the app is, and about how many answers are left."""
    sure, left = session.sureness, session.answers_left
    if session.answers == 0:
        words = _first_words(left)
    elif left == 0:
        words = say(ENOUGH)
    elif left > 1 and session.settled:
        words = say(CHANCE, n=left)
    else:
        words = say("About 1 more answer.") if left == 1 else say("About {n} more answers.", n=left)
    return h(
        "div",
        h("span", h("b", number(sure, ".0%")), say(" sure"), cls="sure"),
        draw_meter(sure, say("How sure the app is of what matters")),
        h(
            "span",
            words,
            h(
                "span",
                say(
                    " {answers} given, {skipped} skipped.",
                    answers=session.answers,
                    skipped=session.skipped,
                ),
                cls="quiet",
            ),
        ),
        cls="sureness",
    )


def _first_words(left: int) -> str:
    if left == 0:
        return say("Whatever matters to you, the groups would hardly change.")
    return say("About {left} answers will probably tell what matters to you.", left=left)


def draw_meter(share: float, label: str) -> Markup:
    """Draw how far something is, for eyes and for screen readers."""
    return h(
        "div",
        bar(share),
        role="progressbar",
        aria_valuenow=f"{share * 100:.0f}",
        aria_valuemin="0",
        aria_valuemax="100",
        aria_label=label,
        cls="meter",
    )


def draw_consistency(session: Session) -> Markup | None:
    """Say how often a question that came back mirrored was answered as before."""
    agreed = session.consistency
    if agreed is None:
        return None
    words = say("Asked again, you agreed with yourself {agreed:.0%} of the time.", agreed=agreed)
    return h("p", words, cls="quiet" if agreed >= 0.5 else "quiet trouble")


def draw_weights(session: Session) -> Markup:
    """Draw each weight with the interval it lies in; bars move from where they were."""
    intervals = session.intervals
    top = max([0.01, *(span.high for span in intervals.values())])
    rows = [
        _weight(name, weight, intervals[name].low, intervals[name].high, top)
        for name, weight in sorted(session.weights.items(), key=lambda item: -item[1])
    ]
    return h("ul", *rows, cls="weights")


def _weight(name: str, now: float, low: float, high: float, top: float) -> Markup:
    fill, left, right = (f"{100 * place / top:.2f}%" for place in (now, low, high))
    width = f"{100 * (high - low) / top:.2f}%"
    track = h(
        "svg",
        h("rect", cls="fill", width=fill),
        h("rect", cls="reach", x=left, width=width),
        h("rect", cls="end", x=left),
        h("rect", cls="end", x=right),
        cls="track",
        aria_hidden="true",
    )
    value = h(
        "span",
        h("b", number(now, ".0%")),
        h("small", say("{low:.0%} to {high:.0%}", low=low, high=high)),
        cls="value",
    )
    return h("li", h("span", breakable(name), cls="name"), track, value, data_row=name)


def draw_slider(act: str, name: str, where: float) -> Markup:
    """Draw a slider for how much a detail matters."""
    return h(
        "label",
        h("span", breakable(name), cls="name"),
        h(
            "input",
            type_="range",
            min="0",
            max=str(HIGHEST),
            step="0.5",
            value=f"{where:.1f}",
            data_act=act,
            aria_label=say("How much {name} matters", name=name),
        ),
        h("output", f"{where:.1f}".removesuffix(".0")),
        cls="slider",
    )
