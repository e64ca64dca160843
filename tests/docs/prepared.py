"""What a reader has in their folder before they follow a page: the files that the page names."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl

from shoal.cli import run
from shoal.datasets import hospital, people
from shoal.plan import Plan
from shoal.session import Session
from shoal.table import Roles, read_table

DOCS = Path(__file__).parents[2] / "docs"
PLAIN = ("age", "sex", "zip")


def prepare(page: str) -> None:
    """Write what a page takes for granted into the working folder; most need nothing."""
    PREPARED.get(page, lambda: None)()


def patients(*columns: str, rows: int = 300, file: str = "patients.csv", **renamed: str) -> None:
    """Write columns of made-up people; ``disease="diagnosis"`` writes one by another name."""
    frame = people(rows).frame
    frame.select(*columns, **{new: pl.col(old) for new, old in renamed.items()}).write_csv(file)


def shoal(line: str) -> None:
    """Type a command that has to work."""
    assert run(line.split()) == 0, line


def arx() -> None:
    people(300).write(".")


def attacks() -> None:
    people(300).write(".")
    frame = pl.read_csv("data.csv").drop("name", "admitted", "visits", "person_id")
    frame[:250].write_csv("patients.csv")
    frame[250:].write_csv("held_out.csv")
    shoal("init patients.csv")
    shoal("anonymize --plan plan.toml -k 5 --hierarchies hierarchies -o release")


def counts() -> None:
    patients(*PLAIN, file="raw.csv")
    shoal("anonymize raw.csv --quasi age,sex,zip -k 10 --draft -o made")
    Path("made/data.csv").rename("extract.csv")
    Path("counts.csv").write_text("ward,female,male\nnorth,12,9\nsouth,8,14\n", encoding="utf-8")


def dates() -> None:
    tables = hospital(200)
    stays = tables["stays"].join(tables["patients"], on="patient_no")
    stays.drop("zip", "ward", "diagnosis").write_csv("stays.csv")


def dossier() -> None:
    patients(*PLAIN, disease="diagnosis")
    shoal("anonymize patients.csv -k 5 --quasi age,sex,zip --sensitive disease -o release")
    journal("ward.journal")


def growing() -> None:
    everybody = people(460).frame.select(*PLAIN, id="person_id", disease="diagnosis")
    for name, upto in {"january": 300, "february": 350, "march": 400, "everybody": 460}.items():
        everybody[:upto].write_csv(f"{name}.csv")


def hierarchies() -> None:
    patients("age", "sex", "education", "zip", job="occupation", rows=200)
    places = pl.col("zip").cast(pl.String)
    pl.read_csv("patients.csv").with_columns(
        town="town " + places.str.slice(0, 4),
        county="county " + places.str.slice(0, 3),
        state="state " + places.str.slice(0, 2),
    ).drop("zip").write_csv("patients.csv")


def journal(path: str) -> None:
    """Let somebody answer one question about the table, and keep it."""
    roles = Roles(quasi_identifiers=PLAIN)
    asked = Session(
        read_table("patients.csv", roles=roles), Plan(roles=roles, k=5), journal=path, actor="ada"
    )
    asked.tell(asked.ask(), "A")
    asked.journal.close()


def ledger() -> None:
    patients(*PLAIN, id="person_id", disease="diagnosis")
    Path("keys.txt").write_text(pl.read_csv("patients.csv")["id"][0], encoding="utf-8")


def linked_tables() -> None:
    for name, frame in hospital(300).items():
        frame.write_csv(f"{name}.csv")
    plan_of("linked-tables")


def networks() -> None:
    nodes = people(60).frame.select("age", "sex").with_row_index("id")
    nodes.write_csv("people.csv")
    edges = [(i, (i * 7 + step) % 60) for i in range(60) for step in (1, 5)]
    pl.DataFrame(edges, schema=["a", "b"], orient="row").write_csv("edges.csv")
    plan_of("networks")


def plan_of(page: str) -> None:
    """Write the plan that a page shows."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    shown = re.search(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    Path("plan.toml").write_text(shown[1], encoding="utf-8")


def selection() -> None:
    patients(*PLAIN, "diagnosis", "readmitted")
    shoal("init patients.csv")


def served() -> None:
    patients(*PLAIN, "diagnosis")
    shoal("init patients.csv")
    asked = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    files = ["-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(["openssl", *asked.split(), *files], check=True, capture_output=True)


def session() -> None:
    patients(*PLAIN)
    journal("ward.journal")


def tuning() -> None:
    patients(*PLAIN, "diagnosis", "readmitted", rows=300)
    tumors = people(160).frame.select(
        **{"mean radius": pl.col("age") / 3, "mean symmetry": pl.col("visits") / 7},
        diagnosis="readmitted",
    )
    tumors.write_csv("tumors.csv")


def usage() -> None:
    people(600).write(".")
    frame = pl.read_csv("data.csv", schema_overrides={"zip": pl.String})
    told = frame.select("name", *PLAIN, job="occupation", disease="diagnosis", notes="visits")
    told.write_csv("patients.csv")
    told.select(pl.col("age") // 20, "disease").write_csv("data.csv")
    Path("hierarchies/occupation.csv").rename("hierarchies/job.csv")
    visits = told.select(*PLAIN, "disease").with_columns(patient_id=pl.int_range(pl.len()) // 2)
    visits.write_csv("visits.csv")


PREPARED: dict[str, Callable[[], None]] = {
    "README": lambda: patients(*PLAIN, disease="diagnosis"),
    "attacks": attacks,
    "coming-from-arx": arx,
    "coming-from-sdcmicro": lambda: patients(*PLAIN, "diagnosis", file="data.csv"),
    "dates": dates,
    "dossier": dossier,
    "growing": growing,
    "hierarchies": hierarchies,
    "ledger": ledger,
    "linked-tables": linked_tables,
    "networks": networks,
    "optimal": lambda: patients(*PLAIN, "diagnosis", rows=80),
    "pipelines": counts,
    "pseudonyms": lambda: hospital(300)["patients"].write_csv("patients.csv"),
    "quantize": lambda: patients(*PLAIN, disease="diagnosis"),
    "selection": selection,
    "session": session,
    "tuning": tuning,
    "usage": usage,
    "web": served,
}
