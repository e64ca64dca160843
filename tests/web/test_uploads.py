"""Uploads: too much, lies, path names, broken off; nothing is left behind."""

from __future__ import annotations

import asyncio
import gzip
import io
import zlib

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from serving import table_of

from shoal.exceptions import CancelledError, InputError
from shoal.web._upload_limits import (
    ALWAYS,
    GzipCounter,
    NoCounter,
    TextCounter,
    TooMuchError,
    UploadLimits,
)
from shoal.web._uploads import receive


def post(client, content, name="people.csv", **headers):
    return client.post("/api/tables", params={"name": name}, content=content, headers=headers)


def left_over(home):
    """Every file in the store; there should be none after a refusal."""
    return [path for path in (home / "web").rglob("*") if path.is_file()]


def parquet(frame, **options):
    buffer = io.BytesIO()
    frame.write_parquet(buffer, **options)
    return buffer.getvalue()


def test_a_table_is_taken_in(steward, shoal_home):
    answer = post(steward, table_of())
    assert answer.status_code == 201
    assert answer.json()["rows"] == 60
    assert answer.json()["columns"]["name"]["role"] == "identifier"
    stored = [path for path in left_over(shoal_home) if path.name.startswith("table")]
    assert [path.stat().st_mode & 0o077 for path in stored] == [0]


@pytest.mark.parametrize("kind", ["csv.gz", "parquet"])
def test_packed_tables_are_taken_in(steward, kind):
    frame = pl.read_csv(io.BytesIO(table_of()))
    content = gzip.compress(table_of()) if kind == "csv.gz" else parquet(frame)
    answer = post(steward, content, f"people.{kind}")
    assert answer.status_code == 201
    assert answer.json()["rows"] == 60


TOO_MUCH = {
    "bytes": (b"a,b\n" + b"1,2\n" * 60_000, "megabytes"),
    "rows": (b"a,b\n" + b"1,2\n" * 2_001, "rows"),
    "columns": (",".join(f"c{i}" for i in range(41)).encode() + b"\n", "columns"),
    "cell": (b"a,b\n1," + b"x" * 2_001 + b"\n", "characters"),
    "quoted cell": (b'a,b\n1,"' + b"x" * 2_001 + b'"\n', "characters"),
}


@pytest.mark.parametrize("case", TOO_MUCH)
def test_too_much_is_refused_and_nothing_stays(steward, shoal_home, case):
    content, word = TOO_MUCH[case]
    answer = post(steward, content)
    assert answer.status_code == 413
    assert word in answer.json()["error"]
    assert left_over(shoal_home) == []


def test_just_below_the_limits_is_taken(steward):
    names = ",".join(f"c{i}" for i in range(40))
    rows = "\n".join(",".join(str((i * j) % 7) for j in range(40)) for i in range(1_000))
    assert post(steward, f"{names}\n{rows}\n".encode()).status_code == 201


def test_a_size_that_is_announced_is_refused_before_it_is_sent(steward):
    assert post(steward, b"a\n", **{"content-length": "999999999"}).status_code == 413


def test_a_gzip_bomb_is_refused_by_its_growth(steward, shoal_home):
    bomb = gzip.compress(b"a,b\n" + b"0" * 50, mtime=0) + gzip.compress(b"1," * (25 << 20))
    assert len(bomb) < 200_000  # the wire would let it through
    answer = post(steward, bomb, "people.csv.gz")
    assert answer.status_code == 413
    assert left_over(shoal_home) == []


def test_the_bomb_meter_stops_soon():
    """It must not unpack all of it to find out."""
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(b"1\n" * (1 << 20)) for _ in range(40)) + packer.flush()
    counter = GzipCounter(UploadLimits(rows=10**9))
    with pytest.raises(TooMuchError, match="grows"):
        counter.feed(bomb)
    assert counter._unpacked <= ALWAYS + max(2 << 20, 201 * len(bomb))


def test_a_parquet_bomb_is_refused(steward, shoal_home):
    frame = pl.DataFrame({"a": ["x" * 1_900] * 1_900, "b": [str(i) for i in range(1_900)]})
    wide = pl.DataFrame({f"c{i}": ["y" * 1_900] * 1_900 for i in range(30)})
    assert post(steward, parquet(frame), "a.parquet").status_code == 201
    answer = post(steward, parquet(wide), "a.parquet")
    assert answer.status_code == 413
    assert "grows" in answer.json()["error"]
    long = parquet(pl.DataFrame({"a": ["x" * 2_001], "b": ["1"]}))
    assert "characters" in post(steward, long, "a.parquet").json()["error"]
    many = parquet(pl.DataFrame({"a": [0] * 2_001}))
    assert "rows" in post(steward, many, "a.parquet").json()["error"]


def test_a_long_text_that_every_row_repeats_is_never_written_out(steward, shoal_home):
    """47 kilobytes on the wire, two gigabytes once every row has its own copy."""
    text = pa.array(["x" * (1 << 20)])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000, pa.int32()), text)
    for each in (column, column.dictionary_encode()):
        file = io.BytesIO()
        pq.write_table(pa.table({"a": each}), file, compression="zstd", store_schema=False)
        assert len(file.getvalue()) < 100_000
        before = pa.default_memory_pool().max_memory()
        answer = post(steward, file.getvalue(), "a.parquet")
        assert answer.status_code == 413
        assert "characters" in answer.json()["error"]
        assert pa.default_memory_pool().max_memory() - before < 200 << 20
    assert left_over(shoal_home) == []


def test_a_parquet_file_of_lists_or_wide_bytes_is_refused_before_it_is_read(steward):
    for column, status in (
        (pa.array([[1], [2]]), 422),
        (pa.array([{"a": 1}]), 422),
        (pa.array([b"x" * 3_000], pa.binary(3_000)), 413),
    ):
        file = io.BytesIO()
        pq.write_table(pa.table({"a": column}), file)
        assert post(steward, file.getvalue(), "a.parquet").status_code == status


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_line_end_in_a_quoted_header_hides_no_columns(steward, shoal_home, ending):
    many = ",".join(f"c{i}" for i in range(3_001))
    for header in (f'"a{ending}b",{many}', f'a,"b{ending}",{many}', f'"a""{ending}",{many}'):
        answer = post(steward, f"{header}{ending}1,2{ending}".encode())
        assert answer.status_code == 413
        assert "columns" in answer.json()["error"]
    assert left_over(shoal_home) == []
    few = f'"age{ending}years",sex{ending}' + "".join(f"{20 + i},f{ending}" for i in range(40))
    assert post(steward, few.encode()).status_code == 201


def test_what_was_read_is_measured_again(steward, monkeypatch):
    monkeypatch.setattr("shoal.web._uploads.counter_for", lambda *_: NoCounter())
    wide = ",".join(f"c{i}" for i in range(41))
    answer = post(steward, f"{wide}\n{','.join('1' * 41)}\n".encode())
    assert answer.status_code == 413
    assert "columns" in answer.json()["error"]


LIES = {
    "parquet that is CSV": ("a.parquet", table_of()),
    "gzip that is CSV": ("a.csv.gz", table_of()),
    "CSV that is Parquet": ("a.csv", parquet(pl.DataFrame({"a": [1]}))),
    "CSV that is gzip": ("a.csv", gzip.compress(table_of())),
    "CSV that is a ZIP": ("a.csv", b"PK\x03\x04" + b"x" * 100),
    "gzip cut off": ("a.csv.gz", gzip.compress(table_of())[:-20]),
    "Parquet cut off": ("a.parquet", parquet(pl.DataFrame({"a": [1]}))[:-9]),
    "nothing": ("a.csv", b""),
    "an unknown type": ("a.xlsx", table_of()),
    "no type": ("a", table_of()),
    "a pickle": ("a.pkl", b"cos\nsystem\n(S'true'\ntR."),
    "a broken header": ("a.csv", b"a,a\n1,2\n"),
    "control characters": ("a.csv", b"a,b\n\x00,\x01\n"),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_is_not_what_it_says_is_refused(steward, shoal_home, lie):
    name, content = LIES[lie]
    answer = post(steward, content, name)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert left_over(shoal_home) == []


@pytest.mark.parametrize(
    "name",
    [
        "../../../../etc/cron.d/evil.csv",
        "..\\..\\evil.csv",
        "/etc/passwd.csv",
        "a\x00b.csv",
        "<script>alert(1)</script>.csv",
        "con.csv",
        "." * 200 + "/x.csv",
    ],
)
def test_a_name_is_never_a_path(steward, shoal_home, name):
    answer = post(steward, table_of(), name)
    assert answer.status_code == 201
    shown = answer.json()["name"]
    assert not set('/\\<>"\x00') & set(shown)
    files = {path.name for path in left_over(shoal_home)}
    assert files == {"table.csv", "plan.toml", "name.txt", "rows.txt", "look.json"}


def test_a_form_is_told_how_to_send_the_file(steward):
    answer = steward.post(
        "/api/tables", params={"name": "a.csv"}, files={"file": ("a.csv", table_of())}
    )
    assert answer.status_code == 413
    assert "body" in answer.json()["error"]


def test_an_upload_that_breaks_off_leaves_nothing(tmp_path):
    from starlette.requests import ClientDisconnect

    async def broken():
        yield b"a,b\n1,2\n"
        assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
        raise ClientDisconnect

    with pytest.raises(CancelledError):
        asyncio.run(receive(broken(), tmp_path, ".csv", UploadLimits()))
    assert list(tmp_path.iterdir()) == []


def test_a_sender_that_falls_asleep_is_not_waited_for(tmp_path):
    async def asleep():
        yield b"a,b\n"
        await asyncio.sleep(60)

    with pytest.raises(InputError, match="halfway"):
        asyncio.run(receive(asleep(), tmp_path, ".csv", UploadLimits(idle=0.05)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [1, 3, 7, 1_000])
def test_the_text_meter_counts_alike_however_the_bytes_arrive(cut):
    content = b"a,b\n" + b"12345,1\n" * 9

    def refused(limits):
        counter = TextCounter(limits)
        try:
            for i in range(0, len(content), cut):
                counter.feed(content[i : i + cut])
        except TooMuchError:
            return True
        return False

    assert not refused(UploadLimits(rows=9, columns=2, field=5))
    assert refused(UploadLimits(rows=8, columns=2, field=5))
    assert refused(UploadLimits(rows=9, columns=2, field=4))


def test_what_a_dead_server_left_is_swept_away(site, steward, table_id, shoal_home):
    folder = next((shoal_home / "web").glob(f"*/{table_id}"))
    half = folder.parent / ("0" * 32)
    half.mkdir()
    (half / "arriving.csv").write_bytes(b"a,b\n1,2\n")
    (folder / "job-1").mkdir()
    (folder / "job-1" / "data.csv").write_bytes(b"x")
    (folder / "arriving.csv").write_bytes(b"x")
    site.store.sweep(keep_days=30)
    assert not half.exists()
    assert {path.name for path in folder.iterdir()} == {
        "look.json",
        "table.csv",
        "plan.toml",
        "name.txt",
        "rows.txt",
    }
    site.store.sweep(keep_days=-1)  # everything is older than that
    assert not folder.exists()
