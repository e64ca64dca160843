"""How long somebody waits for each study."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import RESULTS, paragraph, read, table


def write() -> Iterator[str]:
    """Give the seconds of every small run."""
    if not (RESULTS / "small_studies.json").is_file():
        yield "*Not measured yet: `python benchmarks/run.py small_studies` does.*\n"
        return
    found = read("small_studies")
    results, machine = found["results"], found["machine"]
    yield paragraph(
        f"Small runs from nothing on {found['date']}, on {machine['cores']} cores",
        f"({machine['cpu']}, load average {machine['load_average_at_start']} when they began):",
    )
    rows = (
        (f"`{name}`", f"{run['seconds']:.0f}", f"{run['cpu_seconds']:.0f}", str(run["items"]))
        for name, run in results["studies"].items()
    )
    yield from table(("study", "seconds", "CPU seconds", "items of work"), *rows)
