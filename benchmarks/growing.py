"""Ten deliveries of a table that grows: what they tell together, what they lose, what they take.

Each table is delivered ten times with ``--after`` and, beside it, grouped anew ten times; before
each delivery a re-founding is made in its place, measured, and thrown away. The attacker knows
everybody's crowd in every delivery, who came when, and who was deleted: what remains are the values
that all crowds of a person show, and that the batch they came with shows. What the attacker
believes of newcomers, more than of the people of the first delivery, is measured over slices drawn
by several seeds, since the two are other people; the last delivery and a release are timed in
turns.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree
from statistics import median
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from measuring import timed
from shoal.anonymizer import Anonymizer
from shoal.datasets import adult, people
from shoal.exceptions import ImpossibleError
from shoal.growing import LaterDelivery, Refounding
from shoal.ledger import Ledger, Trace
from shoal.privacy import DistinctLDiversity, KAnonymity
from shoal.recoding import Generalize
from shoal.table import Grouping, Roles, Table, read_table

DELIVERIES = 10
ADULT = ("age", "education", "marital-status", "race", "sex", "native-country", "workclass")
REAL = ("age", "gender", "race", "time_in_hospital")
STAYS = ("age", "sex", "zip", "marital_status")
ROWS = {"adult": 30_162, "stays": 6_000, "registry": 8_000}
K, L = 5, 2
REFOUNDED = (2, 4)  # l of a release made anew after all of them
SEEDS, SEED_ROWS = range(30, 40), 4_000
T_95 = 2.262  # of Student's t with as many seeds less one
TURNS, LONG = 5, 5.0  # times that something is timed; three if it takes so many seconds
MOST_REFOUNDED = 50_000  # rows of a table beyond which only the last delivery is re-founded
FORGOTTEN = 3  # people who ask for it before every third delivery of the registry


class Months(NamedTuple):
    """A table as it is delivered month by month; who is forgotten before each delivery."""

    frames: list[pl.DataFrame]
    roles: Roles
    kinds: dict[str, Any]
    trees: dict[str, Any]
    forgotten: Mapping[int, list[str]] = MappingProxyType({})

    def table(self, month: int) -> Table:
        """Read the table of a month."""
        return read_table(self.frames[month], roles=self.roles, kinds=self.kinds)

    def anonymizer(self, l: int = L) -> Anonymizer:
        """Ask for k and l, as a plan without further settings does."""
        asked = [KAnonymity(K), DistinctLDiversity(l, self.secret)]
        return Anonymizer("auto", Generalize(self.trees), asked, bound=False)

    @property
    def secret(self) -> str:
        """The sensitive column."""
        return self.roles.sensitive[0]


def measure() -> dict[str, Any]:
    """Deliver three tables ten times each."""
    found: dict[str, Any] = {"k": K, "l": L, "deliveries": DELIVERIES}
    tables = {"adult": _adult(), "stays": _stays(), "registry": _registry()}
    real = _real_stays()
    tables |= {"real_stays": real} if real else {}
    makers = {"adult": _adult, "stays": _stays, "registry": _registry, "real_stays": _real_stays}
    for name, months in tables.items():
        print(f"  {name}", flush=True)
        found[name] = _deliver(months)
        found[name]["gain"] = _over_seeds(makers[name])
        print(f"    gain: {found[name]['gain']}", flush=True)
    return found


def _deliver(months: Months) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, _house(Path(name, "home")):
        folder = Path(name)
        after, anew = _after(months, folder), _anew(months, folder)
        return {**after, "anew": anew, "seconds": _in_turns(months, folder)}


@contextmanager
def _house(folder: Path) -> Iterator[None]:
    before = os.environ.get("SHOAL_HOME")
    os.environ["SHOAL_HOME"] = str(folder)
    try:
        yield
    finally:
        os.environ.pop("SHOAL_HOME")
        os.environ |= {} if before is None else {"SHOAL_HOME": before}


def _in_turns(months: Months, folder: Path) -> dict[str, float]:
    """Make the last delivery again, and in turns the release of everybody: medians of each."""
    took: dict[str, list[float]] = {"after": [], "anew": []}
    for turn in range(TURNS):
        one, other = folder / f"again{turn}", folder / f"anew-again{turn}"
        last = DELIVERIES - 1
        deliver = partial(_one, months, last, months.table(last), folder, one)
        with _house(copytree(folder / "home", folder / f"home{turn}")):  # none knows of another
            took["after"].append(timed(deliver).cpu_seconds)
        release = partial(_made_anew, months, months.table(last), other)
        with _house(copytree(folder / "careless", folder / f"careless{turn}")):
            took["anew"].append(timed(release).cpu_seconds)
        if turn == 2 and took["anew"][-1] > LONG:
            break
    found = {name: round(median(seconds), 3) for name, seconds in took.items()}
    print(f"    in turns: {found}", flush=True)
    return found


def _over_seeds(make: Callable[..., Months | None]) -> dict[str, Any]:
    """How much more is believed of newcomers than of the first delivery's people, by seed."""
    gains = []
    for seed in SEEDS:
        months, attacker = make(seed=seed, rows=SEED_ROWS), Attacker()
        assert months is not None
        with tempfile.TemporaryDirectory() as folder, _house(Path(folder, "home")):
            for month in range(DELIVERIES):
                _forget(months, month, attacker)
                _learned(months, month, Path(folder), attacker)
        belief = attacker.beliefs()
        gains.append(belief["newcomers_by_difference"] - belief["first_delivery"])
    half = T_95 * float(np.std(gains, ddof=1)) / len(gains) ** 0.5
    mean = float(np.mean(gains))
    return {
        "rows": SEED_ROWS,
        "seeds": len(gains),
        "mean": round(mean, 4),
        "interval": [round(mean - half, 4), round(mean + half, 4)],
    }


def _learned(
    months: Months, month: int, folder: Path, attacker: Attacker, gone: Sequence[int] = ()
) -> tuple[dict[str, Any], list[dict[str, float]]]:
    """Deliver a month and show it to the attacker; say what came of it."""
    table = months.table(month)
    run = timed(lambda: _one(months, month, table, folder))
    written, counts = run.value
    with Ledger.open() as ledger:
        trace = ledger.traces()[written.ledger.composition.release]
        marks = ledger.trace(table, Grouping(np.zeros(table.n_rows, dtype=np.int64)))
    deleted = list(attacker.deletions(gone, trace))
    single = attacker.learn(trace, marks, months.frames[month][months.secret], months.secret)
    told = {
        "rows": int(written.manifest["rows"]),
        "ngil": written.manifest["ngil"],
        "single": single,
        "disclosed": written.ledger.composition.disclosed,
        "waiting": counts.get("waiting", 0),
        "newcomers": counts.get("newcomers", table.n_rows),
        "left_out": counts.get("left_out", 0),
        "changed": counts.get("changed", 0),
        "stopped": counts.get("stopped", 0),
        "cpu_seconds": round(run.cpu_seconds, 2),
    }
    return told, deleted


def _after(months: Months, folder: Path) -> dict[str, Any]:
    """Deliver ten times, each after the last."""
    attacker, told, deleted, founded = Attacker(), [], [], []
    for month in range(DELIVERIES):
        gone = _forget(months, month, attacker)
        if month == DELIVERIES - 1 or months.frames[-1].height <= MOST_REFOUNDED:
            founded.append({"delivery": month + 1, **_in_its_place(months, month, attacker)})
        one, left = _learned(months, month, folder, attacker, gone)
        told.append(one)
        deleted.extend(left)
        print(f"    {month + 1}: {told[-1]}", flush=True)
    anew = [_refound(months, l) for l in REFOUNDED]
    return {
        "after": told,
        "belief": attacker.beliefs(),
        "deletions": deleted,
        "refounded": founded,
        "refounding": anew,
    }


def _in_its_place(months: Months, month: int, attacker: Attacker) -> dict[str, Any]:
    """Make a re-founding after all deliveries so far, and show it to a copy of the attacker."""
    table = months.table(month)
    run = timed(lambda: Refounding(months.anonymizer()).fit(table))
    release = run.value.release_
    with Ledger.open() as ledger:
        source, crowds = release.lineage.table, release.lineage.grouping
        trace = ledger.trace(source, crowds, k=K, published=release.lineage.published)
        marks = ledger.trace(table, Grouping(np.zeros(table.n_rows, dtype=np.int64)))
        disclosed = ledger.weigh(trace).disclosed
    values = months.frames[month][months.secret]
    found = {
        "rows": release.frame.height,
        "of": table.n_rows,
        "ngil": release.summary.utility["ngil"],
        "single": attacker.copy().learn(trace, marks, values, months.secret, regrouped=True),
        "disclosed": disclosed,
        "cpu_seconds": round(run.cpu_seconds, 2),
    }
    print(f"    re-founded {month + 1}: {found}", flush=True)
    return found


def _refound(months: Months, l: int) -> dict[str, Any]:
    """Make the last delivery anew, and let the ledger score it against all ten."""
    table = months.table(DELIVERIES - 1)
    fitted = months.anonymizer(l).fit(table)
    with Ledger.open() as ledger:
        score = ledger.score(table, fitted.grouping_, k=K)
    ngil = fitted.release_.summary.utility["ngil"]
    found = {"l": l, "ngil": ngil, "disclosed": score.disclosed, "people": score.people}
    found["dropping"] = _dropping(months, table, l)
    print(f"    made anew: {found}", flush=True)
    return found


def _dropping(months: Months, table: Table, l: int) -> dict[str, Any]:
    """Make it anew without the crowds that offend."""
    try:
        made = Refounding(months.anonymizer(l)).fit(table)
    except ImpossibleError:
        return {"rows_dropped": table.n_rows}
    return {**made.counts_, "ngil": made.release_.summary.utility["ngil"]}


def _one(
    months: Months, month: int, table: Table, folder: Path, out: Path | None = None
) -> tuple[Any, dict[str, int]]:
    out = out or folder / f"month{month}"
    if month == 0:
        return months.anonymizer().fit(table).release_.write(out, ledger="refuse"), {}
    delivery = LaterDelivery(months.anonymizer(), folder / f"month{month - 1}").fit(table)
    return delivery.release_.write(out), delivery.counts_


def _forget(months: Months, month: int, attacker: Attacker) -> list[int]:
    """Forget people; return what the attacker knows them by."""
    keys = months.forgotten.get(month, [])
    if not keys:
        return []
    with Ledger.open() as ledger:
        before = months.table(month - 1)
        marks = ledger.trace(before, Grouping(np.zeros(before.n_rows, dtype=np.int64))).people
        ids = before.frame[str(months.roles.person)].is_in(keys).to_numpy()
        ledger.forget(before, str(months.roles.person), keys)
    return [mark for mark in marks[ids].tolist() if mark in attacker.crowd_of]


class Known(NamedTuple):
    """What an attacker knows of a person: when they came, and what remains possible."""

    first: int
    batch: tuple[int, int]
    value: str
    candidates: frozenset[int]


class Attacker:
    """Keeps of each person the values that every crowd shows, and those of their batch."""

    def __init__(self) -> None:
        self.known: dict[int, Known] = {}
        self.batches: dict[tuple[int, int], list[str]] = {}
        self.crowd_of: dict[int, int] = {}  # in the last delivery
        self.month = -1

    def copy(self) -> Attacker:
        """The same knowledge, for a look at what is then thrown away."""
        other = Attacker()
        other.known, other.crowd_of, other.month = {**self.known}, self.crowd_of, self.month
        other.batches = {batch: [*values] for batch, values in self.batches.items()}
        return other

    def deletions(self, gone: Sequence[int], trace: Trace) -> Iterator[dict[str, float]]:
        """Say what was believed of people who were deleted, before and by what disappeared."""
        left = {*self.crowd_of} - {*trace.people.tolist()}
        for person in gone:
            crowd = [p for p, c in self.crowd_of.items() if c == self.crowd_of[person]]
            values = [[self.known[p].value for p in crowd if p in those] for those in (crowd, left)]
            before, after = (v.count(self.known[person].value) / len(v) for v in values)
            yield {"before": round(before, 4), "after": round(after, 4)}

    def learn(
        self, trace: Trace, marks: Trace, values: pl.Series, secret: str, *, regrouped: bool = False
    ) -> int:
        """Look at one more delivery; return how many people have one possible value.

        Where earlier rows come back word for word, the rest of a crowd are the newcomers; where
        all were ``regrouped``, nothing can be subtracted.
        """
        self.month += 1
        names = "people" if trace.once and marks.once else "canonical"
        own = dict(zip(getattr(marks, names).tolist(), values.to_list(), strict=True))
        seen = zip(getattr(trace, names).tolist(), trace.groups.tolist(), strict=True)
        self.crowd_of = dict(seen)
        column = trace.shown[secret]
        shown = [
            frozenset(column.values[a:b].tolist())
            for a, b in zip(column.starts[:-1].tolist(), column.starts[1:].tolist(), strict=True)
        ]
        for person, crowd in self.crowd_of.items():
            if regrouped and person in own:
                self.batches.setdefault((self.month, crowd), []).append(own[person])
            if person in self.known:
                was = self.known[person]
                self.known[person] = was._replace(candidates=was.candidates & shown[crowd])
            elif person in own:
                batch = (self.month, crowd)
                if not regrouped:
                    self.batches.setdefault(batch, []).append(own[person])
                self.known[person] = Known(self.month, batch, own[person], shown[crowd])
        return sum(self._left(person) == 1 for person in self.known.values())

    def _left(self, person: Known) -> int:
        """Values left by intersection, and by the difference in which somebody came."""
        return min(len(person.candidates), len({*self.batches[person.batch]}))

    def crowd_share(self, person: Known) -> float:
        """Share of a person's value in their batch."""
        batch = self.batches[person.batch]
        return batch.count(person.value) / len(batch)

    def beliefs(self) -> dict[str, float]:
        """Mean belief in the own value: of the first delivery's people, and of newcomers."""
        shares = {True: [0.0], False: [0.0]}
        for person in self.known.values():
            shares[person.first == 0].append(self.crowd_share(person))
        first, later = (np.array(shares[which][1:]) for which in (True, False))
        error = sum(share.var() / share.size for share in (first, later))
        return {
            "first_delivery": round(float(first.mean()), 4),
            "newcomers_by_difference": round(float(later.mean()), 4),
            "standard_error": round(float(np.sqrt(error)), 4),
        }


def _anew(months: Months, folder: Path) -> list[dict[str, Any]]:
    """Group everybody anew each month, whatever the ledger says: the harm."""
    with _house(folder / "careless"):
        return _harm(months, folder)


def _harm(months: Months, folder: Path) -> list[dict[str, Any]]:
    left: dict[str, frozenset[str]] = {}
    told = []
    for month in range(DELIVERIES):
        table = months.table(month)
        run = timed(lambda table=table, out=folder / f"anew{month}": _made_anew(months, table, out))
        labels = run.value.grouping_.labels
        frame = months.frames[month].with_columns(pl.Series("crowd#", labels))
        shown = dict(frame.group_by("crowd#").agg(pl.col(months.secret)).iter_rows())
        sets = {crowd: frozenset(values) for crowd, values in shown.items()}
        names = frame["row#"].to_list()
        for name, crowd in zip(names, labels.tolist(), strict=True):
            if crowd >= 0:
                left[name] = left.get(name, sets[crowd]) & sets[crowd]
        single = sum(len(values) == 1 for values in left.values())
        ngil = run.value.release_.summary.utility["ngil"]
        told.append({"single": single, "ngil": ngil, "cpu_seconds": round(run.cpu_seconds, 2)})
        print(f"    anew {month + 1}: {told[-1]}", flush=True)
    return told


def _made_anew(months: Months, table: Table, out: Path) -> Anonymizer:
    fitted = months.anonymizer().fit(table)
    fitted.release_.write(out, ledger="warn")
    return fitted


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.int_range(pl.len()).cast(pl.String).alias("row#"))


def _adult(seed: int = 22, rows: int = ROWS["adult"]) -> Months:
    """Ten slices of Adult: everybody who came stays."""
    data = adult()
    chosen = np.random.default_rng(seed).permutation(data.frame.height)[:rows]
    frame = _numbered(data.frame.select(*ADULT, "occupation")[chosen])
    cuts = np.linspace(0, frame.height, DELIVERIES + 1).astype(int)[1:]
    roles = Roles(quasi_identifiers=ADULT, sensitive="occupation", person="row#")
    kinds = {name: data.kinds[name] for name in (*ADULT, "occupation")}
    trees = {name: tree for name, tree in data.hierarchies.items() if name in ADULT}
    return Months([frame[:cut] for cut in cuts], roles, kinds, trees)


def _stays(seed: int = 22, rows: int = ROWS["stays"]) -> Months:
    """Hospital stays: a third of the people come back with another diagnosis."""
    data = people(rows * 3 // 4, seed=seed)
    rng = np.random.default_rng(seed)
    again = data.frame.filter(pl.Series(rng.random(data.frame.height) < 1 / 3))
    other = again["diagnosis"].gather(rng.permutation(again.height))
    frame = pl.concat([data.frame, again.with_columns(other)]).select(
        "person_id", *STAYS, "diagnosis"
    )
    frame = _numbered(frame[rng.permutation(frame.height)])
    cuts = np.linspace(0, frame.height, DELIVERIES + 1).astype(int)[1:]
    roles = Roles(quasi_identifiers=STAYS, sensitive="diagnosis", person="person_id", drop="row#")
    kinds, trees = _described(data, STAYS)
    return Months([frame[:cut] for cut in cuts], roles, kinds, trees)


def _real_stays(seed: int | None = None, rows: int | None = None) -> Months | None:
    """Stays of diabetics in 130 US hospitals, in the order of the file; none without it.

    B. Strack et al.: Impact of HbA1c measurement on hospital readmission rates, BioMed Research
    International 2014. ``SHOAL_STAYS`` names ``diabetic_data.csv``; patients come back, and a
    diagnosis is the chapter of its ICD-9 code. With a seed, some of them in an order drawn by it.
    """
    path = os.environ.get("SHOAL_STAYS")
    if path is None:
        return None
    code = pl.col("diag_1").str.slice(0, 3)
    frame = pl.read_csv(path, infer_schema=False).filter(pl.col("diag_1") != "?")
    frame = frame.select("patient_nbr", *REAL, code.str.slice(0, 2).alias("diagnosis"))
    if seed is not None:
        frame = frame[np.random.default_rng(seed).permutation(frame.height)[:rows]]
    frame = _numbered(frame)
    cuts = np.linspace(0, frame.height, DELIVERIES + 1).astype(int)[1:]
    roles = Roles(quasi_identifiers=REAL, sensitive="diagnosis", person="patient_nbr", drop="row#")
    kinds = {**dict.fromkeys((*REAL, "diagnosis"), "nominal"), "time_in_hospital": "numeric"}
    return Months([frame[:cut] for cut in cuts], roles, kinds, {"age": _decades()})


def _decades() -> Any:
    """Ages come as decades; two of them, then half of a life."""
    from shoal.hierarchies import Taxonomy

    ages = [f"[{10 * i}-{10 * i + 10})" for i in range(10)]
    rows = [
        (age, f"{20 * (i // 2)} to {20 * (i // 2) + 19}", "under 60" if i < 6 else "60 and more")
        for i, age in enumerate(ages)
    ]
    return Taxonomy.from_ladder([(*row, "*") for row in rows])


def _registry(seed: int = 23, rows: int = ROWS["registry"]) -> Months:
    """A registry: a tenth arrives, 2 % stop arriving, 1 % move, 1 % get another diagnosis."""
    data, rng = people(rows, seed=seed), np.random.default_rng(seed)
    everybody = _numbered(data.frame.select(*STAYS, "diagnosis"))
    step = everybody.height // DELIVERIES
    frames, forgotten, now = [], {}, everybody[:step]
    for month in range(DELIVERIES):
        if month:
            now, gone = _live(now, everybody, rng, forget=month % 3 == 0)
            forgotten |= {month: gone} if gone else {}
            now = pl.concat([now, everybody[month * step : (month + 1) * step]])
        frames.append(now)
    roles = Roles(quasi_identifiers=STAYS, sensitive="diagnosis", person="row#")
    kinds, trees = _described(data, STAYS)
    return Months(frames, roles, kinds, trees, forgotten)


def _live(
    now: pl.DataFrame, everybody: pl.DataFrame, rng: np.random.Generator, *, forget: bool
) -> tuple[pl.DataFrame, list[str]]:
    """Let a month pass."""
    drawn, like = rng.random(now.height), rng.integers(0, everybody.height, now.height)
    moves, falls = pl.Series(drawn < 0.01), pl.Series((drawn >= 0.01) & (drawn < 0.02))
    changed = now.with_columns(
        zip=pl.when(moves).then(everybody["zip"].gather(like)).otherwise("zip"),
        diagnosis=pl.when(falls).then(everybody["diagnosis"].gather(like)).otherwise("diagnosis"),
    )
    gone = rng.choice(now["row#"].to_numpy(), FORGOTTEN, replace=False).tolist() if forget else []
    stays = pl.Series(rng.random(now.height) >= 0.02) & ~now["row#"].is_in(gone)
    return changed.filter(stays), gone


def _described(data: Any, names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    kinds = {name: data.kinds[name] for name in (*names, "diagnosis")}
    return kinds, {name: tree for name, tree in data.hierarchies.items() if name in names}
