"""Everything that can go wrong, as types with a sentence and a hint.

::

    ShoalError
    ├── InputError (ValueError)             the table cannot be read as it is
    │   ├── EmptyTableError                 no bytes, no header, or no rows
    │   ├── HeaderError                     duplicate, empty or missing column names
    │   ├── EncodingError                   bytes that are not text
    │   ├── RaggedRowError                  a row with too many or too few fields
    │   └── ValueKindError                  a column does not hold what its kind says
    ├── InvalidParameterError (ValueError)  an argument is outside its meaning
    │   ├── BelowPresetError                less than the preset of an audience allows
    │   ├── UnknownColumnError              names a column the table does not have
    │   └── RoleConflictError               one column, two roles
    ├── HierarchyError (ValueError)         a hierarchy is not a tree over its values
    │   ├── HierarchyGapError               values of the table are not in the hierarchy
    │   └── HierarchyShapeError             cycle, two parents, finer again, two roots
    ├── ImpossibleError (ValueError)        no release of this table can hold what was asked
    │   └── NeverPossibleError              nor could any other: more than the table has
    ├── ReleaseRefusedError (RuntimeError)  a privacy model does not hold on the written file
    │   └── LedgerDamagedError              what was released before is not known for sure
    ├── OutputError (OSError)               the release could not be written
    ├── MissingDataError (LookupError)      a public data set is not on this machine
    ├── MissingExtraError (ImportError)     an optional dependency is not installed
    └── CancelledError (RuntimeError)       the user stopped the work

    LedgerWarning (UserWarning)             a release tells more beside earlier ones than alone

No message may hold a cell value: name the column, the row position, the count.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ShoalError(Exception):
    """Base of all errors Shoal raises on purpose; ``hint`` says what to do about it."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class InputError(ShoalError, ValueError):
    """The table cannot be read as it is."""


class EmptyTableError(InputError):
    """There are no rows (or not even a header) to work on."""

    @classmethod
    def nothing_to_judge(cls) -> EmptyTableError:
        """Give the error for groups without a row: of nothing, nothing may be claimed."""
        return cls("There are no rows to judge.", hint="The table has none, or all are suppressed.")


class HeaderError(InputError):
    """Column names are duplicated, empty or absent."""


class EncodingError(InputError):
    """The bytes are not text in the encoding named or detected."""


class RaggedRowError(InputError):
    """A row has more or fewer fields than the header."""


class ValueKindError(InputError):
    """A column holds values that its kind cannot."""


class InvalidParameterError(ShoalError, ValueError):
    """An argument is outside its meaning."""


class BelowPresetError(InvalidParameterError):
    """Less was asked for than the preset of an audience allows."""


class UnknownColumnError(InvalidParameterError):
    """A column was named that the table does not have."""

    @classmethod
    def among(cls, name: str, known: Iterable[str], *, what: str = "column") -> UnknownColumnError:
        """Build the error with the nearest known names as the hint."""
        known = list(known)
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        choice = ", ".join(repr(n) for n in (near or known[:12]))
        hint = f"Did you mean {choice}?" if near else f"Known are {choice or 'none'}."
        return cls(f"There is no {what} named {name!r}.", hint=hint)


class RoleConflictError(InvalidParameterError):
    """One column was given two roles that exclude each other."""


class HierarchyError(ShoalError, ValueError):
    """A hierarchy is not a tree over its values."""


class HierarchyGapError(HierarchyError):
    """Values of the table are not leaves of the hierarchy."""


class HierarchyShapeError(HierarchyError):
    """A cycle, two parents, two roots, or a level that gets finer again."""


class ImpossibleError(ShoalError, ValueError):
    """No release of this table can hold what was asked."""

    @classmethod
    def nothing_left(cls, rows: int) -> ImpossibleError:
        """Give the error for a release from which every row would be left out."""
        return cls(
            f"Not released: all {rows:,} rows would be suppressed, and nothing would be left.",
            hint="Widen a limit, lower k, or name fewer quasi-identifiers.",
        )


class NeverPossibleError(ImpossibleError):
    """What was asked is more than the table has, whatever is done to it: wrong usage."""


class ReleaseRefusedError(ShoalError, RuntimeError):
    """A privacy model asked for does not hold on the file that was written."""


class LedgerDamagedError(ReleaseRefusedError):
    """The ledger is not as it was written, so nobody knows what a release would add to."""


class OutputError(ShoalError, OSError):
    """The release could not be written; nothing was left behind."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MissingDataError(ShoalError, LookupError):
    """A public data set is neither on this machine nor reachable."""


class MissingExtraError(ShoalError, ImportError):
    """An optional dependency is needed and not installed."""


class CancelledError(ShoalError, RuntimeError):
    """The user stopped the work; nothing was written."""


class LedgerWarning(UserWarning):
    """A release tells more beside earlier ones than alone, or could not be recorded."""
