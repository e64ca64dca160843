"""Where the time of a release goes."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import RESULTS, paragraph, read, short, table

BUSY = "Others worked on the machine, so that the clock on the wall says little."


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("phases")
    runs = found["results"]["records"]
    file = runs[0]["file_mb"]
    yield paragraph(
        f"**Phases.** From CSV ({file:.0f} MB) to verified release: a made-up census of"
        f" {runs[0]['rows']:,} rows, 8 QIs, no hierarchies, k = 10. Seconds on the wall and, in",
        f"brackets, CPU seconds of all threads; {found['machine']['cores']} cores,"
        f" {found['date']},",
        f"load average {found['machine']['load_average_at_start']} at the start. The ledger is part"
        " of writing. The third number is the memory held at most.",
        *([BUSY] if found["machine"]["load_average_at_start"] > found["machine"]["cores"] else []),
    )
    names = dict.fromkeys(name for run in runs for name in run["phases"])
    lines = [(name.replace("_", " "), *(_clocks(run["phases"].get(name)) for run in runs))
             for name in names]  # fmt: skip
    both = [{"wall": run["wall_seconds"], "cpu": run["cpu_seconds"]} for run in runs]
    lines.append(("**all, with the start of Python**", *map(_clocks, both)))
    lines.append(("memory", *(f"{run['peak_memory_mb'] / 1000:.1f} GB" for run in runs)))
    lines.append(("loss", *(f"{run['ngil']:.4f}" for run in runs)))
    yield from table(("", *(f"`{run['effort']}`" for run in runs)), *lines)
    if (RESULTS / "ten_million.json").exists():
        yield from _ten_million()


def _ten_million() -> Iterator[str]:
    found = read("ten_million")
    (run,) = found["results"]["records"]
    spent = ", ".join(
        f"{name.replace('_', ' ')} {_clocks(clocks)}" for name, clocks in run["phases"].items()
    )
    yield paragraph(
        f"{run['rows']:,} rows ({run['file_mb'] / 1000:.2f} GB), `{run['effort']}`:"
        f" {short(run['wall_seconds'])} s on the wall, {short(run['cpu_seconds'])} CPU s, memory at"
        f" most {run['peak_memory_mb'] * 2**20 / 1e9:.1f} GB,"
        f" {run['peak_memory_mb'] * 2**20 / 1e6 / run['file_mb']:.1f} times the file; loss"
        f" {run['ngil']:.4f}; {found['date']}, load average"
        f" {found['machine']['load_average_at_start']} at the start. By phase: {spent}."
    )


def _clocks(spent: dict[str, float] | None) -> str:
    if spent is None:
        return "–"
    held = f", {spent['memory_mb'] / 1000:.1f} GB" if "memory_mb" in spent else ""
    return f"{short(spent['wall'])} ({short(spent['cpu'])}){held}"
