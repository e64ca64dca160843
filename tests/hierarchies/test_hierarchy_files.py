"""Ladder CSV and JSON trees: ours, ARX's and Malle's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.exceptions import (
    EncodingError,
    HierarchyShapeError,
    InvalidParameterError,
    OutputError,
    ShoalError,
)
from shoal.hierarchies import Taxonomy, read_hierarchies, read_hierarchy, write_ladder

CANARY = "canary-4711"

# Labels on each level of each ladder and heights of the trees, as SOURCE.md beside them says.
ARX = {
    "age": [100, 20, 10, 5, 1],
    "education": [16, 5, 3, 1],
    "marital-status": [7, 2, 1],
    "native-country": [41, 5, 1],
    "occupation": [14, 3, 1],
    "race": [5, 1],
    "salary-class": [2, 1],
    "sex": [2, 1],
    "workclass": [8, 3, 1],
}
MALLE = {
    "workclass": 2,
    "native-country": 3,
    "occupation": 2,
    "sex": 1,
    "race": 1,
    "relationship": 1,
    "marital-status": 1,
    "income": 1,
}


@pytest.mark.parametrize("column", ARX)
def test_arx_ladders_load(data_dir: Path, column: str) -> None:
    path = data_dir / "adult_hierarchies" / "arx" / f"adult_hierarchy_{column}.csv"
    tree = read_hierarchy(path)
    rows = tree.to_ladder_rows()
    assert [len(set(level)) for level in zip(*rows, strict=True)] == ARX[column]
    assert tree.height == len(ARX[column]) - 1
    values = tree.arrange([row[0] for row in rows], column=column)
    assert values.node_labels[values.root] == "*"
    assert len(values.node_labels) <= sum(ARX[column])
    assert set(rows) == {tuple(line.split(";")) for line in path.read_text().splitlines()}


@pytest.mark.parametrize("column", MALLE)
def test_malle_trees_load(data_dir: Path, column: str, tmp_path: Path) -> None:
    tree = read_hierarchy(data_dir / "adult_hierarchies" / "malle" / f"{column}GH.json")
    assert tree.height == MALLE[column]
    assert tree.labels[tree.layout.root] == "*"
    write_ladder(tree, tmp_path / "ladder.csv")
    again = read_hierarchy(tmp_path / "ladder.csv")
    assert again.to_ladder_rows() == tree.to_ladder_rows()


def test_a_malle_country_is_never_published_as_another(data_dir: Path) -> None:
    tree = read_hierarchy(data_dir / "adult_hierarchies" / "malle" / "native-countryGH.json")
    values = tree.arrange(["Hungary", "France", "Hong"])
    assert set(values.node_labels[:3]) == {"Hungary", "France", "Hong Kong"}


def test_a_folder_is_read_by_column(data_dir: Path) -> None:
    folder = data_dir / "adult_hierarchies" / "arx"
    found = read_hierarchies(folder)
    assert list(found) == [f"adult_hierarchy_{column}" for column in sorted(ARX)]


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_delimiter_newline_and_byte_order_mark_do_not_matter(
    tmp_path: Path, delimiter: str, newline: str, mark: bytes
) -> None:
    rows = [["Zürich", '"[0, 5)"', "*"], ['"a;b"', '"say ""hi"""', "*"], [], ["", "x", "*"]]
    text = newline.join(delimiter.join(row) for row in rows) + newline
    path = tmp_path / "x.csv"
    path.write_bytes(mark + text.encode())
    expected = [("Zürich", "[0, 5)", "*"), ("a;b", 'say "hi"', "*"), ("", "x", "*")]
    assert read_hierarchy(path).to_ladder_rows() == expected


def test_labels_with_commas_do_not_mislead_the_sniffer(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1;[0, 5);[0, 10);*\n7;[5, 10);[0, 10);*\n")
    assert read_hierarchy(path).height == 3
    path.write_text("a;1,A,*\nb;2,A,*\n")  # either could be it; only commas give one root
    assert read_hierarchy(path).to_ladder_rows()[0] == ("a;1", "A", "*")
    assert read_hierarchy(path, delimiter=",").height == 2


labels = st.text(st.characters(codec="utf-8", exclude_characters="\ufeff"), min_size=1, max_size=6)


@given(st.dictionaries(labels, st.sampled_from(["A;x", "B,\n", '"', " C "]), min_size=1))
def test_written_ladders_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("ladder") / "x.csv"
    written = Taxonomy.from_ladder([(leaf, group, "*") for leaf, group in tree.items()])
    write_ladder(written, path)
    assert read_hierarchy(path).to_ladder_rows() == written.to_ladder_rows()
    assert read_hierarchy(path, delimiter=";").to_ladder_rows() == written.to_ladder_rows()


BAD_FILES: dict[str, tuple[bytes, type[ShoalError]]] = {
    "empty.csv": (b"", HierarchyShapeError),
    "blank.csv": (b"\n\n\n", HierarchyShapeError),
    "one_column.csv": (f"{CANARY}\nb\n".encode(), HierarchyShapeError),
    "open_quote.csv": (f'a;*\n"{CANARY};*\n'.encode(), HierarchyShapeError),
    "long_field.csv": (b"a;" + CANARY.encode() * 20_000 + b"\n", HierarchyShapeError),
    "ragged.csv": (f"a;A;*\n{CANARY};*\nb;A;*\n".encode(), HierarchyShapeError),
    "latin.csv": (f"{CANARY};Zürich;*\n".encode("latin-1"), EncodingError),
    "utf16.csv": (f"{CANARY};*\n".encode("utf-16"), EncodingError),
    "empty.json": (b"", HierarchyShapeError),
    "broken.json": (f'{{"*": ["{CANARY}"'.encode(), HierarchyShapeError),
    "list.json": (f'["{CANARY}"]'.encode(), HierarchyShapeError),
    "twice.json": (
        f'{{"*": {{"{CANARY}": ["a"], "{CANARY}": ["b"]}}}}'.encode(),
        HierarchyShapeError,
    ),
    "deep.json": (b"[" * 200_000 + b"]" * 200_000, HierarchyShapeError),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_end_in_a_sentence_with_the_file_and_no_value(tmp_path: Path, name: str) -> None:
    content, error = BAD_FILES[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error) as caught:
        read_hierarchy(tmp_path / name)
    assert repr(name) in str(caught.value)
    assert CANARY not in f"{caught.value!r} {caught.value.hint}"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"'no\.csv'"):
        read_hierarchy(tmp_path / "no.csv")
    with pytest.raises(InvalidParameterError, match="no folder"):
        read_hierarchies(tmp_path / "no")
    with pytest.raises(InvalidParameterError, match="holds no hierarchies"):
        read_hierarchies(tmp_path)
    with pytest.raises(OutputError, match=r"'x\.csv'"):
        write_ladder(Taxonomy.from_parents({"a": "*"}), tmp_path / "no" / "x.csv")


def test_one_column_has_one_file_and_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("m;*\nf;*\n")
    (tmp_path / "zip code.JSON").write_text(json.dumps({"*": ["1", "2"]}))
    (tmp_path / "README.md").write_text("about")
    (tmp_path / ".sex.json").write_text("hidden")
    assert list(read_hierarchies(tmp_path)) == ["sex", "zip code"]
    (tmp_path / "sex.json").write_text("{}")
    with pytest.raises(InvalidParameterError, match="two hierarchies for column 'sex'"):
        read_hierarchies(tmp_path)
