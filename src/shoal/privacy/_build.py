"""From what was asked, in plain values, to privacy models for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    if k is None or preset is not None:
        k = choose_k(k, preset)
    wanted = check_asked(asked, table.roles.sensitive, preset)
    return [
        KAnonymity(k),
        *(model.asked(value, column, table, k) for model, column, value in wanted),
    ]


def build_sensitive(
    table: CodedTable, *, k: int, preset: str | None = None, **asked: Any
) -> list[PrivacyModel]:
    """Make the models of sensitive columns only; ``k`` is for those that have one of their own."""
    wanted = check_asked(asked, table.roles.sensitive, preset)
    return [model.asked(value, column, table, k) for model, column, value in wanted]


def check_asked(
    asked: Mapping[str, Any], sensitive: Sequence[str], preset: str | None
) -> list[tuple[type[PrivacyModel], str, Any]]:
    """Say which model is asked of which column with which value, the floor of a preset at least.

    Refused is what no model means, speaks of no sensitive column, or goes below the preset.
    """
    floor = None if preset is None else find_preset(preset)
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
    wanted = []
    for column in sensitive:
        for key, model in MODELS.all.items():
            value = asked.get(key)
            one = value.get(column) if isinstance(value, Mapping) else value
            one = one if floor is None else floor.raise_value(key, one)
            if one is not None:
                wanted.append((model, column, one))
    return wanted
