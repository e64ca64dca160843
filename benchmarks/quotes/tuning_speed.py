"""How long a study takes."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import RESULTS, paragraph, read


def write() -> Iterator[str]:
    """Give the paragraph."""
    if not (RESULTS / "tuning_speed.json").is_file():
        yield "*Not measured yet: `python benchmarks/run.py tuning_speed` does it.*\n"
        return
    found = read("tuning_speed")
    results, load = found["results"], found["machine"]["load_average_at_start"]
    effort, study = results["effort"], results["study"]
    yield paragraph(
        f"**Speed.** UCI Adult, {results['rows']:,} rows, {results['cores']} cores. One effort",
        f"(anonymize all rows unrefined at k = {effort['k']}, learn one random forest, test it on",
        f"{effort['tested_on']:,} rows): {effort['auto']['wall_seconds']:.1f} s as trials do it,",
        f"{effort['best-first']['wall_seconds']:.1f} s in the order of a release. `shoal tune`",
        f"with {study['trials']} trials of the default search, from the file to the verified",
        f"release, once: {study['wall_seconds']:.0f} s ({study['cpu_seconds']:.0f} s of processor",
        f"time), {study['peak_memory_gb']:.1f} GB in all processes together. The load average when",
        f"it began was {load:.0f}: where that is more than 1, other work was on the cores.",
    )
