"""A table of people: columns and their kinds, roles, integer codes; Grouping, a partition of rows.

`read_table` reads files and frames into a `Table`; `infer_kinds` and `infer_roles` propose what
its columns are, each with a reason; `Roles` says what was decided.
"""

from shoal.table._addresses import Address, is_address, move_file
from shoal.table._brackets import join_brackets, read_bracket, span_of
from shoal.table._cells import (
    Cells,
    CodedFrame,
    Distinct,
    as_text,
    drop_zero_signs,
    hash_rows,
    text_buffers,
)
from shoal.table._coded import CodedRows, CodedTable
from shoal.table._column import Column, ColumnKind, number_texts, refuse_texts
from shoal.table._dates import read_dates
from shoal.table._formats import CellFormat, check_clean, check_format, formats_of
from shoal.table._frames import give_back
from shoal.table._header import number_repeated
from shoal.table._infer import infer_kinds, infer_roles
from shoal.table._kinds import COLUMN_KINDS, Guess, named_like_a_code
from shoal.table._read import no_file, read_again, read_table
from shoal.table._reading import Origin
from shoal.table._roles import Role, Roles
from shoal.table._spelling import fold_texts
from shoal.table._suggest import Suggestion, count_odd, suggest_formats
from shoal.table._table import Grouping, Table
from shoal.table._vocabulary import MISSING_NAMES, MISSING_WORDS

__all__ = [
    "COLUMN_KINDS",
    "MISSING_NAMES",
    "MISSING_WORDS",
    "Address",
    "CellFormat",
    "Cells",
    "CodedFrame",
    "CodedRows",
    "CodedTable",
    "Column",
    "ColumnKind",
    "Distinct",
    "Grouping",
    "Guess",
    "Origin",
    "Role",
    "Roles",
    "Suggestion",
    "Table",
    "as_text",
    "check_clean",
    "check_format",
    "count_odd",
    "drop_zero_signs",
    "fold_texts",
    "formats_of",
    "give_back",
    "hash_rows",
    "infer_kinds",
    "infer_roles",
    "is_address",
    "join_brackets",
    "move_file",
    "named_like_a_code",
    "no_file",
    "number_repeated",
    "number_texts",
    "read_again",
    "read_bracket",
    "read_dates",
    "read_table",
    "refuse_texts",
    "span_of",
    "suggest_formats",
    "text_buffers",
]
