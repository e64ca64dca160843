"""Result page: the verdict, what was lost, how the three ways compare, and the files."""

from __future__ import annotations

from typing import Any

from shoal._words import listing
from shoal.exceptions import ShoalError
from shoal.presets import choose_k
from shoal.report import Attribute, Summary, distribution_chart, loss_bars, percent, size_columns
from shoal.risk import TOO_MANY
from shoal.session import ComparedRelease, ReleaseComparison
from shoal.web._gate import Gate
from shoal.web._jobs import BackgroundJob
from shoal.web._released import Released
from shoal.web._workspace import Workspace
from shoal.web.pages._attacks import KIND as ATTACK
from shoal.web.pages._attacks import attack_work, attacking
from shoal.web.pages._gate import draw_gate
from shoal.web.pages._page import (
    LATER,
    SOON,
    Fragment,
    Markup,
    WorkspacePage,
    h,
    icon,
    join,
    refusal,
)

WAYS = {
    "equal": ("Equal", "all details matter alike"),
    "bias": ("Sliders", "as you set them"),
    "iml": ("Questions", "as learned from your answers"),
}
DRAFT = "A draft: it enters the ledger, and counts as released, with the first download."
NOT_YET = "Nothing can be downloaded before the release is made and recounted."


class ResultPage(WorkspacePage):
    """The release, attacks on it, and the three ways side by side."""

    title = "The result"
    lead = "Made with what you said, written, read back and recounted."

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.gate = Gate.of(space)
        self.decided: set[str] = set()  # columns whose answer was given here: they stay to be seen

    def fragments(self) -> list[Fragment]:
        """Draw the gate, the release, its numbers, the attacks and the comparison."""
        space = self.space
        try:
            space.session  # noqa: B018 - without questions to ask there is nothing to release
        except ShoalError as error:
            return [refusal("Not yet", error)]
        self.gate.poke()
        return [
            Fragment("gate", draw_gate(self.gate, self.decided)),
            Fragment("making", _making(space, closed=self.gate.closed)),
            Fragment("shown", _shown(space)),
            Fragment("attacks", attacking(space, _progress)),
            Fragment("comparison", _comparing(space)),
        ]

    def act(self, kind: str, value: str) -> None:
        """Decide about a column, start a job, or stop one."""
        if kind.startswith("gate:"):
            name = self.space.table.column_names[int(kind.removeprefix("gate:"))]
            self.space.set_role(name, value)
            self.decided.add(name)
        elif kind == "gate-rest":
            self.gate.accept_harmless()
        elif kind == "start":
            self.space.start(value, attack_work(self.space) if value == ATTACK else None)
        elif kind == "stop":
            self.space.jobs[value].stop()

    @property
    def look_again(self) -> float:
        """Soon while a job runs."""
        return SOON if self.space.busy else LATER


def _making(space: Workspace, *, closed: bool = False) -> Markup:
    job, released = space.running("release"), space.released
    busy = job is not None and not job.over
    button = h(
        "button",
        "Make the release" if released is None else "Make it again",
        type_="button",
        cls="button primary big" if released is None else "button",
        data_act="start",
        data_value="release",
        disabled=busy or closed,
        aria_describedby="gate" if closed else None,
    )
    return h(
        "section",
        _verdict(space, released),
        h("div", button, *_downloads(space, released), cls="line downloads"),
        _why_not(released),
        h("p", released.caution, cls="trouble", role="alert")
        if released is not None and released.caution
        else None,
        _progress(job) if job is not None else None,
        cls="panel",
    )


def _verdict(space: Workspace, released: Released | None) -> Markup:
    if released is None:
        k = choose_k(space.plan.k, space.plan.preset)
        words = f"Everybody will hide among at least {k} people."
        return h(
            "div", icon("crowd"), h("div", h("h2", "No release yet"), h("p", words)), cls="verdict"
        )
    manifest = released.manifest
    holds = [
        h(
            "li",
            icon("check" if found["holds"] else "warning"),
            h("b", str(found["model"])),
            f" {'holds' if found['holds'] else 'does not hold'}{_worst(found)}",
        )
        for found in manifest["holds"]
    ]
    linked = manifest.get("relinkage")
    if linked:  # values were moved: no crowd is promised, only this was measured
        rate, raw = (f"{linked[f'relink_{name}']:.1%}" for name in ("rate", "unprotected"))
        words = f"{rate} of former outliers are found again by linkage; {raw} before"
        holds.append(h("li", icon("crowd"), words))
    singled = manifest.get("singling_out", {})
    alone = singled.get("share_unique_plain", 0) > TOO_MANY
    promised = "Values were moved; no k is promised" if linked else "Nobody stands out"
    title = promised if released.holds else "It does not hold"
    opened = singled.get("open", [])
    doubtful = bool(linked or opened or alone)
    if singled:
        holds.append(h("li", icon("warning" if opened or alone else "crowd"), _singled(singled)))
    if opened and released.holds:
        title = "Somebody stands out by columns that nobody accepted"
    elif alone and released.holds and not linked:
        share = percent(singled["share_unique_plain"])
        title = f"{share} stand out by columns that were accepted by name"
    return h(
        "div",
        icon("shield" if released.holds and not doubtful else "warning"),
        h(
            "div",
            h("h2", title),
            h("ul", *holds, cls="holds"),
            h("p", DRAFT, cls="quiet") if released.draft else None,
            h(
                "p",
                "Recounted from the written file by code that shares nothing with the code that "
                "made it.",
                cls="quiet",
            ),
        ),
        cls=f"verdict {('amber' if doubtful else 'good') if released.holds else 'bad'}",
    )


def _singled(found: dict[str, Any]) -> str:
    """Say who is unique on all that is published, and by which columns nobody accepted."""
    words = f"{percent(found['share_unique'])} are unique on all that is published"
    if found["share_unique_plain"] != found["share_unique"]:
        words += f", {percent(found['share_unique_plain'])} without sensitive columns and target"
    opened = listing(found["open"])
    return f"{words}; nobody accepted {opened}" if found["open"] else words


def _worst(found: dict[str, object]) -> str:
    """Tell what was recounted; of some models the file shows nothing."""
    value = found.get("recounted")
    shown = f"{value:.3g}" if isinstance(value, float) else str(value)
    return "" if value is None else f"; worst crowd: {shown}"


def _downloads(space: Workspace, released: Released | None) -> list[Markup]:
    files = {
        "release.zip": "Release",
        "data.csv": "Data",
        "plan.zip": "Plan and trees",
        "report.html": "Report",
    }
    if _why_not(released) is not None:
        return [
            h(
                "button",
                icon("download"),
                words,
                type_="button",
                cls="button",
                disabled=True,
                aria_describedby="why-not",
            )
            for words in files.values()
        ]
    return [
        h(
            "a",
            icon("download"),
            words,
            href=f"/api/tables/{space.id}/release/{name}",
            download=name,
            cls="button primary" if name == "release.zip" else "button",
        )
        for name, words in files.items()
    ]


def _why_not(released: Released | None) -> Markup | None:
    """Why nothing can be downloaded; None if it can."""
    if released is None:
        reason = NOT_YET
    elif not released.holds:
        reason = "What was asked for does not hold in the written file."
    else:
        reason = released.objection
    return h("p", icon("lock"), reason, cls="quiet", id_="why-not") if reason else None


def _progress(job: BackgroundJob) -> Markup | None:
    if job.state == "done":
        return None
    if job.state == "failed":
        return h("p", f"{job.problem} {job.hint}", cls="trouble", role="alert")
    if job.state == "stopped":
        return h("p", "Stopped; nothing was left behind.", cls="quiet")
    share, stopping = job.progress.share, job.progress.cancelled
    return h(
        "div",
        h(
            "progress",
            max="1",
            value=None if share is None else f"{share:.2f}",
            aria_label="Progress",
        ),
        h("span", "stopping …" if stopping else f"{job.progress.name} …"),
        h(
            "button",
            icon("stop"),
            "Stop",
            type_="button",
            cls="button small",
            data_act="stop",
            data_value=job.id,
            disabled=stopping,
        ),
        cls="line working",
    )


# ---------------------------------------------------------------------- what was made


def _shown(space: Workspace) -> Markup:
    released = space.released
    if released is None:
        return Markup("")
    if released.summary is None:
        text = "This release was made before the server started again. Its report has all numbers."
        return h("section", _numbers(released), h("p", text, cls="quiet"), cls="panel")
    summary = released.summary
    return join(
        h("section", _numbers(released), cls="panel"),
        h(
            "p",
            h("a", "See people before and after", href=f"/t/{space.id}/people", cls="button"),
        ),
        h(
            "section",
            h(
                "div",
                h("div", h("h2", "Detail lost"), _losses(summary)),
                h("div", h("h2", "Crowds"), Markup(size_columns(summary.group_sizes.slots))),
                cls="halves",
            ),
            cls="panel",
        ),
        _distributions(summary),
        _sample(summary),
    )


def _numbers(released: Released) -> Markup:
    manifest = released.manifest
    facts = {
        "rows released": f"{manifest['rows']:,}",
        "crowds": f"{manifest['groups']:,}",
        "rows left out": str(manifest["suppressed"]),
    }
    if isinstance(manifest.get("ngil"), float):
        facts["of the detail lost (NGIL)"] = f"{manifest['ngil']:.1%}"
    if isinstance(manifest.get("ngil_bound"), float):
        facts["no grouping can lose less"] = f"{manifest['ngil_bound']:.1%}"
    facts |= _measured(released.measures)
    parts = (h("div", h("b", number), h("span", words)) for words, number in facts.items())
    stamps = [h("p", stamp, cls="trouble") for stamp in manifest.get("stamps", ())]
    return join(*stamps, h("div", *parts, cls="facts"))


def _measured(measures: dict[str, Any]) -> dict[str, str]:
    """Name k, l and t as they are, whether they were asked for or not."""
    if not measures:
        return {}
    facts = {"k: people in the smallest crowd": f"{measures['k']:,}"}
    for name, found in measures.get("sensitive", {}).items():
        t = found.get("t_ordered", found["t_equal"])
        facts[f"l: fewest values of {name} in a crowd"] = f"{found['distinct_l']:,}"
        facts[f"t: how far {name} strays from the whole"] = f"{t:.2f}"
    return facts


def _losses(summary: Summary) -> Markup:
    rows = sorted(((a.name, a.loss) for a in summary.attributes), key=lambda row: -row[1])
    return Markup(loss_bars(rows))


def _distributions(summary: Summary) -> Markup:
    legend = h(
        "p",
        h("i", cls="swatch before"),
        "original ",
        h("i", cls="swatch after"),
        "as a reader of the release sees it",
        cls="quiet key",
    )
    charts = [_chart(a) for a in summary.attributes if a.distribution is not None]
    return h(
        "section", h("h2", "Before and after"), legend, h("div", *charts, cls="charts"), cls="panel"
    )


def _chart(attribute: Attribute) -> Markup:
    assert attribute.distribution is not None
    drawn = Markup(distribution_chart(attribute.distribution, attribute.name))
    shares = {
        "as they were": attribute.exact,
        "widened": attribute.widened,
        "hidden": attribute.hidden,
    }
    kept = ", ".join(f"{share:.0%} {words}" for words, share in shares.items())
    return h(
        "figure", h("figcaption", h("b", attribute.name), " ", h("span", kept, cls="quiet")), drawn
    )


def _sample(summary: Summary) -> Markup:
    sample = summary.sample
    if not sample.rows:
        return Markup("")
    head = h("tr", *(h("th", name, scope="col") for name in sample.columns))
    body = [h("tr", *(h("td", cell) for cell in row)) for row in sample.rows]
    return h(
        "section",
        h("h2", "A few released rows"),
        h(
            "div",
            h("table", h("thead", head), h("tbody", *body)),
            cls="scroll",
            tabindex="0",
            role="region",
            aria_label="A few released rows",
        ),
        cls="panel",
    )


# ---------------------------------------------------------------------- the comparison


def _comparing(space: Workspace) -> Markup:
    job = space.running("compare")
    busy = job is not None and not job.over
    target = space.table.roles.target
    about = (
        f"Releases three quarters of the rows each way, lets models learn {target} from them and "
        "tests them on the rest, untouched."
        if target
        else "Mark a column to predict on the Table page, and models will be compared too."
    )
    return h(
        "section",
        h("h2", "What did your knowledge change?"),
        h("p", about, cls="quiet"),
        h(
            "button",
            "Compare equal, sliders and questions",
            type_="button",
            cls="button",
            data_act="start",
            data_value="compare",
            disabled=busy,
        ),
        _progress(job) if job is not None else None,
        _table(space.comparison) if space.comparison else None,
        cls="panel",
    )


def _table(found: ReleaseComparison) -> Markup:
    head = h(
        "tr",
        h("th", "", scope="col"),
        *(_way_head(way) for way in found.ways),
        h("th", "Originals", scope="col"),
        h("th", "Constant", scope="col"),
    )
    rows = [_line("Detail lost", [f"{way.ngil:.1%}" for way in found.ways], "0%", "–")]
    constant = "–" if found.constant is None else f"{found.constant:.3f}"
    rows += [
        _line(
            f"F1, {model.replace('_', ' ')}",
            [f"{way.scores[model]:.3f}" for way in found.ways],
            f"{score:.3f}",
            constant,
        )
        for model, score in found.original.items()
    ]
    names = list(found.ways[0].loss_by_attribute)
    rows += [
        _line(
            f"lost: {name}", [f"{way.loss_by_attribute[name]:.1%}" for way in found.ways], "0%", "–"
        )
        for name in names
    ]
    note = (
        f"Macro F1 on {found.rows_tested:,} untouched rows; models learned from "
        f"{found.rows_learned:,} rows. Constant: always the most frequent class."
    )
    return h(
        "div",
        h(
            "div",
            h("table", h("thead", head), h("tbody", *rows)),
            cls="scroll",
            tabindex="0",
            role="region",
            aria_label="Comparison",
        ),
        h("p", note, cls="quiet") if found.target else None,
    )


def _way_head(way: ComparedRelease) -> Markup:
    title, words = WAYS[way.name]
    return h("th", title, h("small", words), scope="col")


def _line(name: str, values: list[str], original: str, constant: str) -> Markup:
    cells = [*values, original, constant]
    return h("tr", h("th", name, scope="row"), *(h("td", cell) for cell in cells))
