"""The estimator protocol of scikit-learn without the price of importing scikit-learn."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any, Self

from shoal.exceptions import InvalidParameterError

_NOT_NAMED = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)  # of a class without __init__


class Estimator:
    """``__init__`` stores its arguments, ``fit`` learns, learned names end in ``_``.

    Parameters are read and set as scikit-learn does, so that ``sklearn.base.clone``, pipelines
    and grid searches take these objects; its own base class would add seconds to every start.

    >>> class Half(Estimator):
    ...     def __init__(self, ratio=0.5):
    ...         self.ratio = ratio
    >>> Half(0.4).get_params(), Half().set_params(ratio=0.2)
    ({'ratio': 0.4}, Half(ratio=0.2))
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the arguments given at construction; ``deep`` adds those of nested ones."""
        found = signature(type(self).__init__).parameters.values()
        names = (p.name for p in found if p.name != "self" and p.kind not in _NOT_NAMED)
        params = {name: getattr(self, name) for name in names}
        if deep:
            for name, value in list(params.items()):
                if isinstance(value, Estimator):
                    nested = value.get_params().items()
                    params.update({f"{name}__{inner}": part for inner, part in nested})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set arguments by name; ``nested__name`` reaches into an estimator held by this one."""
        known = self.get_params(deep=False)
        for name, value in params.items():
            own, _, rest = name.partition("__")
            if own not in known:
                raise InvalidParameterError(f"{type(self).__name__} has no parameter {own!r}.")
            if rest:
                getattr(self, own).set_params(**{rest: value})
            else:
                setattr(self, own, value)
        return self

    def clone(self, **changes: Any) -> Self:
        """Make an unfitted copy, some parameters changed; what a user gave is never changed.

        >>> class Half(Estimator):
        ...     def __init__(self, ratio=0.5):
        ...         self.ratio = ratio
        >>> Half(0.4).clone(), Half(0.4).clone(ratio=0.3)
        (Half(ratio=0.4), Half(ratio=0.3))
        """
        return type(self)(**{**self.get_params(deep=False), **changes})

    def __repr__(self) -> str:
        defaults = signature(type(self).__init__).parameters
        told = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(told)})"

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what this estimator takes (only ever called by scikit-learn)."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))
