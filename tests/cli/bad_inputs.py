"""Bad inputs as a user brings them, and the words that each must be answered with."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import NamedTuple

CANARY = "Kanarie7731"  # a value that must never leave a cell
C = CANARY.encode()

ROWS = [f"{CANARY}{i},{20 + i % 30},{'fm'[i % 2]},{8000 + i:05},{'xyz'[i % 3]}" for i in range(40)]
GOOD = "\n".join(["name,age,sex,zip,disease", *ROWS]).encode()
ASKED = "t.csv -k 5 --quasi age,sex --sensitive disease -o out"
PLAN = b'[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age", "sex"]\n'


class Bad(NamedTuple):
    """A command that must end in exit 2, with files beside it and part of its answer."""

    line: str
    says: str
    files: dict[str, bytes] = {}  # noqa: RUF012  # never changed


def _zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", CANARY)
    return packed.getvalue()


def _tree(**parents: str) -> bytes:
    entries = {name: {"name": name, "gen": gen, "level": 1} for name, gen in parents.items()}
    return json.dumps({"name": "sex", "entries": entries}).encode()


def _table(content: bytes, says: str, name: str = "t.csv") -> Bad:
    return Bad(f"anonymize {name} -k 2 --quasi a -o out", says, {name: content})


TABLES = {
    "no bytes": _table(b"", "is empty"),
    "header only": _table(b"a,b\n", "no rows"),
    "only empty lines": _table(b"\n\n\n", "empty lines"),
    "same data": _table(C + b"," + C + b",3\n1,2,3\n", "same name"),
    "no names": _table(b"a,,\n1,2," + C, "Column 2 of 3"),
    "row too long": _table(b"a,b\n1," + C + b"\n1,2,3\n", "Row 2 has 3 fields"),
    "row too short": _table(b"a,b\n1," + C + b"\n1\n", "Row 2 has 1 fields"),
    "unclosed quote": _table(b'a,b\n1,"' + C, "never closed"),
    "text after quote": _table(b'a,b\n1,"x"' + C, "after a closing quote"),
    "nul": _table(b"a,b\n1," + C + b"\x00\n", "NUL"),
    "bad bytes": _table("ö".encode() + b",a\n" + C + b"\xe9,1", "byte"),
    "endless field": _table(b"a,b\n1," + C * 200_000, "longer than"),
    "pdf": _table(b"%PDF-1.7\n" + C, "PDF document"),
    "workbook": _table(_zip(), "Excel"),
    "web page": _table(b"<!doctype html>" + C, "web page"),
    "gzip bomb": _table(gzip.compress(bytes(1 << 26)), "unpacks to more", "t.csv.gz"),
    "damaged parquet": _table(b"PAR1" + C + b"PAR1", "damaged", "t.parquet"),
    "no file": Bad("anonymize no.csv --quasi a -o out", "There is no file"),
    "standard input": Bad("anonymize - --quasi a -o out", "not from standard input"),
    "standard input to check": Bad("check - --quasi a", "not from standard input"),
    "standard input to look at": Bad("init -", "not from standard input"),
    "standard input to rank": Bad("select - --target a", "not from standard input"),
    "standard input to scaffold": Bad("hierarchy scaffold - a", "not from standard input"),
    "a device": Bad("anonymize /dev/null --quasi a -o out", "a pipe or a device"),
    "a folder": Bad("anonymize . --quasi a -o out", "more than one kind", {"x.md": b"x"}),
}
KINDS = {
    "word as number": Bad(f"anonymize {ASKED} --kind name=numeric", "'name'"),
    "word as date": Bad(f"anonymize {ASKED} --kind disease=date", "'disease'"),
    "infinite": Bad(
        "anonymize t.csv -k 2 --quasi a --kind a=numeric -o out", "'a'", {"t.csv": b"a\n1\ninf\n"}
    ),
    "no such kind": Bad(f"anonymize {ASKED} --kind age=int", "cannot be 'int'"),
    "kind of no column": Bad(f"anonymize {ASKED} --kind agee=numeric", "'agee'"),
    "kind without value": Bad(f"anonymize {ASKED} --kind age", "name=value"),
    "kind twice": Bad(f"anonymize {ASKED} --kind age=numeric --kind age=code", "twice"),
    "ordinal without order": Bad(f"anonymize {ASKED} --kind disease=ordinal", "order"),
}
COLUMNS = {
    "no such column": Bad(f"anonymize {ASKED} --quasi zipp", "Did you mean 'zip'"),
    "no such target": Bad(f"anonymize {ASKED} --target cured", "'cured'"),
    "no such person": Bad(f"anonymize {ASKED} --person id", "'id'"),
    "two roles": Bad(f"anonymize {ASKED} --identifier age", "at once"),
    "sensitive and quasi": Bad(f"anonymize {ASKED} --quasi disease", "at once"),
    "twice": Bad(f"anonymize {ASKED} --quasi age", "twice"),
    "empty name": Bad("anonymize t.csv --quasi age,,sex -o out", "empty name"),
    "open quote": Bad('anonymize t.csv --quasi "age -o out', "never closed"),
    "no quasi-identifier": Bad("anonymize t.csv -k 5 -o out", "published as it is"),
}
NUMBERS = {
    "k of 0": Bad(f"anonymize {ASKED} -k 0", "k must be"),
    "k of 1": Bad(f"anonymize {ASKED} -k 1", "k must be"),
    "negative k": Bad(f"anonymize {ASKED} -k -3", "k must be"),
    "half a k": Bad(f"anonymize {ASKED} -k 2.5", "'2.5'"),
    "k as word": Bad(f"anonymize {ASKED} -k five", "'five'"),
    "k not a number": Bad(f"anonymize {ASKED} -k nan", "'nan'"),
    "k exceeds rows": Bad(f"anonymize {ASKED} -k 41", "exceeds the 40 rows"),
    "k exceeds people": Bad(f"anonymize {ASKED} --person zip -k 41", "40 people"),
    "l exceeds values": Bad(f"anonymize {ASKED} --l 4", "which has 3"),
    "l of 0": Bad(f"anonymize {ASKED} --l 0", "l must be"),
    "l of nothing": Bad("anonymize t.csv --quasi age -k 5 --l 2 -o out", "none is named"),
    "t above 1": Bad(f"anonymize {ASKED} --t 1.5", "t must be"),
    "t not a number": Bad(f"anonymize {ASKED} --t nan", "t must be"),
    "negative weight": Bad(f"anonymize {ASKED} --weights age=-1", "'age'"),
    "weight not a number": Bad(f"anonymize {ASKED} --weights age=nan", "'age'"),
    "infinite weight": Bad(f"anonymize {ASKED} --weights age=inf", "'age'"),
    "huge weight": Bad(f"anonymize {ASKED} --weights age=1e308,sex=1e308", "weight"),
    "weight as word": Bad(f"anonymize {ASKED} --weights age=heavy", "'age'"),
    "all weights 0": Bad(f"anonymize {ASKED} --weights age=0,sex=0", "weight"),
    "weight of no column": Bad(f"anonymize {ASKED} --weights agee=2", "'agee'"),
    "negative limit": Bad(f"anonymize {ASKED} --limit age=-5", "'age'"),
    "limit of no column": Bad(f"anonymize {ASKED} --limit disease=2", "'disease'"),
    "grid of 0": Bad(f"anonymize {ASKED} --grid age=0", "'age'"),
    "grid of text": Bad(f"anonymize {ASKED} --grid sex=5", "'sex'"),
    "too much suppression": Bad(f"anonymize {ASKED} --max-suppression 2", "max_suppression"),
    "negative seed": Bad(f"anonymize {ASKED} --seed -1", "--seed"),
}
HIERARCHIES = {
    "no folder": Bad(f"anonymize {ASKED} --hierarchies no", "no folder of hierarchies"),
    "empty folder": Bad(f"anonymize {ASKED} --hierarchies h", "no hierarchies", {"h/a.txt": b""}),
    "other columns": Bad(
        f"anonymize {ASKED} --hierarchies h", "named after a column", {"h/adult_sex.csv": b"f;*\n"}
    ),
    "gap": Bad(f"anonymize {ASKED} --hierarchies h", "1 of 2", {"h/sex.csv": b"f;*\n"}),
    "two parents": Bad(
        f"anonymize {ASKED} --hierarchies h", "sex.csv", {"h/sex.csv": b"f;a;*\nm;a;*\nf;b;*\n"}
    ),
    "cycle": Bad(
        f"anonymize {ASKED} --hierarchies h", "sex.json", {"h/sex.json": _tree(f="m", m="f")}
    ),
    "not JSON": Bad(f"anonymize {ASKED} --hierarchies h", "sex.json", {"h/sex.json": b"{" + C}),
    "twice in a folder": Bad(
        f"anonymize {ASKED} --hierarchies h", "two", {"h/sex.csv": b"f;*", "h/sex.json": b"{}"}
    ),
}
CHOICES = {
    "no such method": Bad(f"anonymize {ASKED} --method sangria", "Did you mean 'sangreea'"),
    "m without clusters": Bad(f"anonymize {ASKED} --m 3", "belongs to the method quantize"),
    "no such push back": Bad(
        f"anonymize {ASKED} --method quantize --push-back nois", "Did you mean 'noise'"
    ),
    "no such radius": Bad(f"anonymize {ASKED} --method quantize --radius hat=3", "'hat'"),
    "order of clusters": Bad(
        f"anonymize {ASKED} --method quantize --order common", "publishes values"
    ),
    "flat and stirred": Bad(
        f"anonymize {ASKED} --method quantize --flatten age --stir age", "at once"
    ),
    "m of all": Bad(f"anonymize {ASKED} --method quantize --m 5000", "exceeds the"),
    "no such order": Bad(f"anonymize {ASKED} --order random", "order cannot be"),
    "order of cuts": Bad(f"anonymize {ASKED} --method mondrian --order common", "no order"),
    "no such format": Bad(f"anonymize {ASKED} --format xml", "format cannot be"),
    "no such preset": Bad(f"anonymize {ASKED} --preset secret", "no preset"),
    "below the preset": Bad(f"anonymize {ASKED} --preset public", "k of at least 11"),
    "l below the preset": Bad(f"anonymize {ASKED} --l 1 --preset partner", "l of at least 2"),
    "no such routing": Bad(f"anonymize {ASKED} --engine spark --routing guess", "'guess'"),
    "no such engine": Bad(f"anonymize {ASKED} --engine steam", "'steam'"),
    "master alone": Bad(f"anonymize {ASKED} --master local", "--engine spark"),
    "long delimiter": Bad(f"anonymize {ASKED} --delimiter ::", "one character"),
    "no such encoding": Bad(f"anonymize {ASKED} --encoding klingon", "klingon"),
    "no such option": Bad(f"anonymize {ASKED} --kk 5", "--kk"),
    "no such command": Bad("anonymise t.csv", "anonymise"),
    "two tables": Bad(f"anonymize {ASKED} t.csv", "t.csv"),
}
OUTPUTS = {
    "no output": Bad("anonymize t.csv -k 5 --quasi age", "Where should the release go"),
    "output is a file": Bad("anonymize t.csv --quasi age -o t.csv", "is a file"),
    "output not empty": Bad(f"anonymize {ASKED}", "not empty", {"out/mine.txt": b"mine"}),
    "not a release": Bad(f"anonymize {ASKED} --force", "no release put there", {"out/a.txt": b""}),
    "no parent": Bad("anonymize t.csv --quasi age -o no/out", "does not exist"),
    "no table": Bad("anonymize -k 5 -o out", "Which table"),
}


def _plan(content: bytes, says: str) -> Bad:
    return Bad("anonymize --plan p.toml -o out", says, {"p.toml": content})


PLANS = {
    "no plan": Bad("anonymize --plan no.toml -o out", "'no.toml' cannot be read"),
    "not TOML": _plan(C + b" = = 1", "not TOML (at line 1"),
    "a table as plan": Bad("anonymize --plan t.csv -o out", "not TOML"),
    "not UTF-8": _plan(b'[table]\nsource = "\xe9"', "not UTF-8"),
    "unknown section": _plan(PLAN + b"[wieghts]\nage = 2\n", "Did you mean 'weights'"),
    "unknown key": _plan(PLAN + b"[privacy]\nkk = 2\n", "no 'kk' in [privacy]"),
    "misplaced key": _plan(PLAN + b"[method]\nk = 2\n", "belongs in [privacy]"),
    "section as value": _plan(b"weights = 2\n" + PLAN, "written as [weights]"),
    "text for a number": _plan(PLAN + b'[privacy]\nk = "5"\n', "k must be a whole number"),
    "half a k": _plan(PLAN + b"[privacy]\nk = 2.5\n", "k must be a whole number"),
    "true k": _plan(PLAN + b"[privacy]\nk = true\n", "k must be a whole number"),
    "l of nothing in a plan": _plan(PLAN + b"[privacy]\nl = { disease = 2 }\n", "none is named"),
    "roles as numbers": _plan(b"[roles]\nquasi_identifiers = [1]", "column names"),
    "refine as text": _plan(PLAN + b'[method]\nrefine = "yes"\n', "refine must be true or false"),
    "hierarchy as word": _plan(PLAN + b'[hierarchies]\nsex = "maks"\n', "Did you mean 'mask'"),
    "hierarchy lost": _plan(PLAN + b'[hierarchies]\nsex = "no.csv"\n', "'no.csv'"),
    "hierarchy of no column": _plan(PLAN + b'[hierarchies]\nsx = "mask"\n', "'sx'"),
    "odd intervals": _plan(PLAN + b'[hierarchies]\nage = "intervals:2,5"\n', "multiple"),
    "weights as list": _plan(PLAN + b"[weights]\nage = [2]\n", "weight of 'age'"),
    "no source": _plan(b'[roles]\nquasi_identifiers = ["age"]\n', "Which table"),
    "lost source": _plan(b'[table]\nsource = "no.csv"\n' + PLAN[25:], "There is no file"),
}
CHECKS = {
    "no table to check": Bad("check --quasi age", "Which table"),
    "no file to check": Bad("check no.csv --quasi age", "There is no file"),
    "no column to check": Bad("check t.csv --quasi agee", "Did you mean 'age'"),
    "check k of 1": Bad("check t.csv --quasi age -k 1", "k must be"),
    "check l of nothing": Bad("check t.csv --quasi age --l 2", "none is named"),
    "check t of 2": Bad("check t.csv --quasi age --sensitive disease --t 2", "t must be"),
    "no order given": Bad("check t.csv --sensitive disease --ordered disease", "--order disease="),
    "ordered no column": Bad("check t.csv --sensitive disease --ordered ill", "'ill'"),
    "order of nothing": Bad("check t.csv --sensitive disease --order disease", "pain=low"),
    "order lacks values": Bad("check t.csv --sensitive disease --order disease=x,y", "'disease'"),
    "no population": Bad("check t.csv --quasi age --population no.csv", "There is no file"),
    "other population": Bad(
        "check t.csv --quasi age --population p.csv", "'age'", {"p.csv": b"a\n1\n2\n"}
    ),
    "gap in check": Bad(
        "check t.csv --sensitive disease --hierarchies h", "3 distinct", {"h/disease.csv": b"x;*\n"}
    ),
}
OTHERS = {
    "no table to look at": Bad("init", "Which table"),
    "no file to look at": Bad("init no.csv", "There is no file"),
    "a plan is there": Bad("init t.csv", "already", {"plan.toml": b"mine"}),
    "no folder for a plan": Bad("init t.csv -o no/plan.toml", "does not exist"),
    "one person": Bad("init one.csv", "no crowd", {"one.csv": b"age,sex\n1," + C}),
    "demo of nobody": Bad("demo --rows none", "'none'"),
    "demo of few": Bad("demo --rows 5", "100 or more"),
    "demo over mine": Bad("demo -o out", "not empty", {"out/mine.txt": b"mine"}),
}
BAD = TABLES | KINDS | COLUMNS | NUMBERS | HIERARCHIES | CHOICES | OUTPUTS | PLANS | CHECKS | OTHERS
