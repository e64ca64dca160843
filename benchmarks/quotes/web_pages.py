"""How long pages of the web app take, what holds its event loop up, and a large upload."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, raised, read, table

WIDE = "table of 200 columns"


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    run = read("web_pages")
    found, machine = run["results"], run["machine"]
    loop, upload = found["event_loop"], found["upload"]
    yield paragraph(
        "**Pages.** All of Adult, released, attacked and compared, in Chromium: milliseconds from",
        "the request to the page that has loaded.",
        f"{machine['cores']} cores, {run['date']}, load average {machine['load_average_at_start']}",
        f"at the start{raised(run)}.",
    )
    yield from table(
        ("page", "first", "median", "worst", "asked for"),
        *(
            (
                name.capitalize(),
                f"{ms['first']:,.0f}",
                f"{ms['median']:,.0f}",
                f"{ms['worst']:,.0f}",
                "1,000",
            )
            for name, ms in (found["pages_ms"] | {WIDE: found["columns_200_ms"]}).items()
        ),
    )
    answers, wide = upload["answer_meanwhile_ms"], found["columns_200_ms"]
    yield paragraph(
        "What a table seems to be is worked out while it is read, before its page opens:",
        f"{found['pages_ms']['table']['taken_in']:,.0f} ms for Adult,",
        f"{wide['taken_in']:,.0f} ms for the table of 200 columns.",
    )
    yield paragraph(
        f"Of {loop['callbacks']:,} callbacks of the event loop {loop['above_20_ms']} took over",
        f"20 ms of CPU time, the longest {loop['longest'][0]['ms']:.1f} ms{_when(loop)}. A file of",
        f"{upload['megabytes']} MB was received in {upload['received_s']:.0f} s and read behind",
        f"the page in {upload['read_s']:.0f} s; meanwhile 95 % of other requests were answered",
        f"within {answers['p95']:,.0f} ms, and *Cancel* took {upload['stopped_after_ms']:,.0f} ms.",
    )


def _when(loop: dict[str, Any]) -> str:
    return ", before the first request" if "Lifespan" in loop["longest"][0]["of"] else ""
