"""From efforts to alphas: which effort of a scheme has the largest Q, for which alphas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.studies._base import Finished
from shoal.studies.augusto2019._cases import CASES, PaperCase
from shoal.studies.augusto2019._schemes import EFFORTS
from shoal.tuning import Point, Reign, pareto, reigns


@dataclass(frozen=True)
class Tried:
    """One scheme on one case: its six efforts and the original, in order."""

    case: str
    scheme: str
    columns: str
    efforts: tuple[dict[str, Any], ...]

    @property
    def points(self) -> list[Point]:
        """Q_F and k (raw, as in the paper) of each effort."""
        return [Point(effort["q_f"], effort["k"]) for effort in self.efforts]

    @property
    def reigns(self) -> list[Reign]:
        """Efforts that some alpha chooses."""
        return reigns(self.points)

    @property
    def stated(self) -> dict[str, Any]:
        """Whether this scheme has the paper's optimum, and which alphas would choose it."""
        case = CASES[self.case]
        effort = case.stated_effort
        reign = next((r for r in self.reigns if r.index == effort), None)
        has_k = self.efforts[effort]["k"] == case.stated_k
        return {
            "has_k": has_k,
            "on_front": effort in pareto(self.points),
            "on_hull": reign is not None,
            "alphas": "" if reign is None else f"{reign.low:.4g} to {reign.high:.4g}",
            "reproduced": has_k and reign is not None,
        }


def all_tried(done: Finished) -> list[Tried]:
    """Group the efforts by case, scheme and columns, where all are done; originals are effort 0."""
    records = done.records("effort")
    originals = {r["case"]: r for r in done.records("original")}
    counts = Counter((r["case"], r["scheme"], r["columns"]) for r in records)
    return [
        Tried(*key, tuple(sorted(_of(records, key, originals), key=lambda r: int(r["effort"]))))
        for key, n in counts.items()
        if n == EFFORTS and key[0] in originals
    ]


def best_example(tried: Sequence[Tried], case: PaperCase) -> Tried:
    """The scheme to draw: one that has the stated optimum if there is any, else its k."""
    own = [one for one in tried if one.case == case.name]
    return max(own, key=lambda one: (one.stated["reproduced"], one.stated["has_k"]))


def _of(
    records: Sequence[dict[str, Any]],
    key: tuple[str, str, str],
    originals: Mapping[str, dict[str, Any]],
) -> Iterator[dict[str, Any]]:
    case, scheme, columns = key
    named = {"case": case, "scheme": scheme, "columns": columns, "effort": 0}
    yield {**named, **originals[case]}
    yield from (r for r in records if (r["case"], r["scheme"], r["columns"]) == key)
