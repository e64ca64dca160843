"""The privacy models that plans and the command line know, by their key."""

from __future__ import annotations

from typing import TypeVar

from shoal._plugins import Members
from shoal.exceptions import InvalidParameterError
from shoal.privacy._base import PrivacyModel

Model = TypeVar("Model", bound=PrivacyModel)

#: Every registered model by the key of its setting, in the order in which they were registered.
MODELS: Members[type[PrivacyModel]] = Members(
    "shoal.models", PrivacyModel, {}, lambda model: (_key_of(model), model)
)


def register(model: type[Model]) -> type[Model]:
    """Let plans, `shoal.anonymize` and the command line ask for a model of sensitive columns.

    Returns the model, so that it can stand above a class.

    >>> from shoal.privacy import TCloseness
    >>> register(TCloseness) is MODELS["t"]  # it was there before
    True
    """
    key = _key_of(model)
    if MODELS.ours.setdefault(key, model) is not model:
        raise InvalidParameterError(f"Another model has the key {key!r}.")
    return model


def _key_of(model: type[PrivacyModel]) -> str:
    setting = model.setting
    if setting is None or not setting.key.isidentifier():
        raise InvalidParameterError(f"{model.__name__} has no setting, or its key is no name.")
    return setting.key
