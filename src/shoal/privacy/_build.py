"""From what was asked, in plain values, to privacy models for a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shoal._checks import did_you_mean
from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.presets import choose_k, find_preset
from shoal.privacy._base import PrivacyModel
from shoal.privacy._k_anonymity import KAnonymity
from shoal.privacy._registry import MODELS
from shoal.table import CodedTable


def build_models(
    table: CodedTable, *, k: int | None = None, preset: str | None = None, **asked: Any
) -> list[PrivacyModel]:
    """Make the privacy models asked for, raised to the floors of a preset.

    Parameters
    ----------
    table : Table
        Its roles name the sensitive columns.
    k : int, optional
        Smallest group; the default, or what the preset asks for, if not given.
    preset : str, optional
        Floors for an audience; asking for less is an error.
    **asked
        Models of sensitive columns by their key (see `MODELS`): one value for all columns, or a
        mapping with one for each. None asks for nothing.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"disease": ["flu"]}), roles=Roles(sensitive="disease"))
    >>> [str(model) for model in build_models(table, entropy_l=2, l={"disease": 3})]
    ['10-anonymity', "distinct 3-diversity of 'disease'", "entropy 2-diversity of 'disease'"]
    """
    k = choose_k(k, preset)
    return [KAnonymity(k), *build_sensitive(table, k=k, preset=preset, **asked)]


def build_sensitive(
    table: CodedTable, *, k: int, preset: str | None = None, **asked: Any
) -> Iterator[PrivacyModel]:
    """Make the models of sensitive columns only; ``k`` is for those that have one of their own."""
    check_asked(asked, table.roles.sensitive, preset)
    for column in table.roles.sensitive:
        for key, model in MODELS.all.items():
            value = _value_of(key, asked.get(key), column, preset)
            if value is not None:
                yield model.asked(value, column, table, k)


def check_asked(asked: Mapping[str, Any], sensitive: Sequence[str], preset: str | None) -> None:
    """Refuse what no model means, speaks of no sensitive column, or goes below the preset."""
    for key, value in asked.items():
        if key not in MODELS.all:
            raise InvalidParameterError(
                f"There is no privacy model {key!r}.", hint=did_you_mean(key, MODELS)
            )
        if value is not None and not sensitive:
            raise InvalidParameterError(
                f"{key} speaks of sensitive columns, and none is named.",
                hint="Name them: sensitive in Python and in [roles], --sensitive when typed.",
            )
        for column in value if isinstance(value, Mapping) else ():
            if column not in sensitive:
                raise UnknownColumnError.among(column, sensitive, what="sensitive column")
        for column in sensitive:
            _value_of(key, value, column, preset)


def _value_of(key: str, value: Any, column: str, preset: str | None) -> Any:
    """What is asked of one column: never below the floor of a preset, which stands in for None."""
    floor = find_preset(preset)
    one = value.get(column) if isinstance(value, Mapping) else value
    return one if floor is None else floor.raise_value(key, one)
