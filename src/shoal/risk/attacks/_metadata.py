"""File metadata: originals that travel in dictionaries, statistics, indexes and notes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import BoolArray

_WORD = re.compile(r"[\w.+-]+")
_SHORTEST = 4  # shorter texts turn up by chance
_BITS = 64 * 1024 * 1024


class FileMetadata(Attack):
    """The attacker opens every file of the release and looks for values that it does not publish.

    Rare values of the original (shared by fewer than k people) that no released cell shows are
    looked for in the other files and in what a Parquet file carries beside its cells: dictionary,
    statistics, schema notes, an index. The rate is the share of people with such a value.
    """

    name: ClassVar[str] = "file_metadata"
    title: ClassVar[str] = "Do the files hold more than they show?"
    goal: ClassVar[str] = "form"
    scenario: ClassVar[str] = (
        "Somebody opens the files with other tools: the dictionary of a column, the smallest and"
        " largest value kept beside it, an index, the text of the report."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Search the files for people."""
        if scene.folder is None:
            return AttackResult.skipped(self.name, "The release is not in a folder.")
        words = _words_in(Path(scene.folder))
        leaking = np.zeros(scene.original.n_rows, dtype=np.bool_)
        columns = []
        for name in scene.original.column_names:
            found = _leaking_rows(scene, name, words)
            columns += [name] * bool(found.any())
            leaking |= found
        rows = scene.rows
        rate, people = mean_over_people(leaking[rows].astype(np.float64), scene.people_of(rows))
        note = f"Found: {', '.join(columns)}." if columns else ""
        return AttackResult(self.name, rate, people=people, note=note)


def _leaking_rows(scene: AttackScene, name: str, words: set[str]) -> BoolArray:
    """Rows whose value of a column is rare, not published, and in the files."""
    distinct = scene.original.cells.distinct(name)
    shown: set[str] = set()
    if name in scene.released.column_names:
        shown = {*scene.released.cells.distinct(name).texts.to_list()}
    ends = {word for text in shown if not text.isdigit() for word in _WORD.findall(text)}
    rare = distinct.counts < (scene.k or 5)
    flags = [
        bool(few)
        and len(text) >= _SHORTEST
        and text not in shown
        and text not in ends
        and _is_in(text, words)
        for text, few in zip(distinct.texts.to_list(), rare.tolist(), strict=True)
    ]
    return np.array([*flags, False], dtype=np.bool_)[distinct.codes]


def _is_in(text: str, words: set[str]) -> bool:
    parts = _WORD.findall(text)
    return bool(parts) and all(part in words for part in parts)


def _words_in(folder: Path) -> set[str]:
    """Every word in the files beside the cells of the data."""
    words: set[str] = set()
    for path in sorted(folder.iterdir()):
        if path.suffix == ".parquet":
            words.update(_words_beside_cells(path))
        elif path.name not in ("data.csv", "verify.py") and path.is_file():
            with path.open("rb") as file:
                words.update(_WORD.findall(file.read(_BITS).decode("utf-8", "replace")))
    return words


def _words_beside_cells(path: Path) -> set[str]:
    """What a Parquet file carries beside its cells."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    notes = [*(file.schema_arrow.metadata or {}).values()]
    texts = [note.decode("utf-8", "replace") for note in notes]
    for group in range(file.metadata.num_row_groups):
        for column in range(file.metadata.num_columns):
            kept = file.metadata.row_group(group).column(column).statistics
            if kept is not None and kept.has_min_max:
                texts += [str(kept.min), str(kept.max)]
    schema = file.schema_arrow
    for name in schema.names:
        if name.startswith("__index_level"):
            texts += [str(value) for value in file.read([name])[name].to_pylist()]
    strings = [
        f.name
        for f in schema
        if pa.types.is_string(f.type)
        or pa.types.is_dictionary(f.type)
        or pa.types.is_large_string(f.type)
    ]
    coded = pq.read_table(path, columns=strings, read_dictionary=strings)
    for name in strings:
        for chunk in coded[name].chunks:
            if isinstance(chunk, pa.DictionaryArray):
                texts += [str(value) for value in chunk.dictionary.to_pylist()]
    return {word for text in texts for word in _WORD.findall(text)}
