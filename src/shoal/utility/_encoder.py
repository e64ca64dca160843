"""GeneralizedEncoder: raw and generalized values in one feature space (imports scikit-learn)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from shoal._random import spawn
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.table import Table
from shoal.typing import KINDS, Kind
from shoal.utility._features import Features, LineFeatures, learn_features
from shoal.utility._frames import read_columns
from shoal.utility._kinds import are_ranges, original_kind


class GeneralizedEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn the rows of a table or of its release into numbers that mean the same for both.

    A model that learned from a release can then be asked about raw rows, and the other way
    round: fit on either, transform both. What a cell becomes:

    ==============  ==========================================================================
    published       features
    ==============  ==========================================================================
    ``[17, 25]``    midpoint 21 (and width 8, if wanted); likewise dates (days since 1970, also
                    ``2020-Q1``) and ordinals (ranks)
    ``17``          midpoint 17 (and width 0)
    a tree node     a share for each leaf below it, all alike: a node above 4 leaves is 0.25 each
    a leaf          1 in its own feature, 0 in the others
    ``80**``        a share for each known code (or group of codes) that begins with 80
    ``*``           the whole domain: its midpoint (and full width), or all leaves alike
    missing         1 in a feature of its own
    ==============  ==========================================================================

    Leaves are those the hierarchy knows; without one, those seen in `fit`. A text that is neither
    a value nor a label known (or cannot be read) is encoded as ``*`` and counted in ``n_unseen_``;
    an unknown code is first looked up by ever shorter prefixes. A text that is both a value and the
    label of a node is taken for the value.

    The result is a dense float32 array: ``max_leaves`` keeps it narrow, and generalized rows are
    not sparse.

    Parameters
    ----------
    hierarchies : mapping of str to Hierarchy, optional
        The trees the release was made with; needed to know what is below a label. Columns that
        are not encoded are ignored.
    kinds : mapping of str to Kind, optional
        What the original columns hold; the others are inferred, behind labels too.
    quasi_identifiers : sequence of str, optional
        Columns to encode. If not given those of a table's roles, or all that neither name a person
        nor are the target. Columns that were never generalized may be among them.
    orders : mapping of str to sequence of str, optional
        Values of ordinal columns from low to high.
    max_leaves : int
        Largest number of features for one tree. Where it has more leaves, those of the branches
        with fewest rows are pooled: codes in their prefixes, values in their parent, values
        without one in ``other``.
    widths : bool
        Whether an interval also says how wide it is. Not if nothing is said: raw rows have no
        width, and a model that learned from widths takes every raw row for an unusual one. For
        models that will be asked about published rows alone.
    scaled : bool
        Whether numbers are measured by the domain of their column, from -1 to 1, so that a linear
        model needs no scaling of its own. The spread of midpoints is no measure: the wider the
        ranges the closer they lie together, and a raw row would be many deviations away.

    Attributes
    ----------
    features_ : dict of str to Features
        What was learned for each column.
    n_unseen_ : dict of str to int
        Cells of each column that the last `transform` could not read.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.hierarchies import Taxonomy
    >>> work = Taxonomy.from_json({"*": {"State": ["Federal", "Local"], "Private": []}})
    >>> release = pl.DataFrame({"age": ["[20, 30]", "41"], "job": ["State", "Private"]})
    >>> encoder = GeneralizedEncoder(hierarchies={"job": work}).fit(release)
    >>> encoder.get_feature_names_out().tolist()
    ['age (midpoint)', 'age (missing)', 'job=Federal', 'job=Local', 'job=Private', 'job (missing)']
    >>> encoder.transform(release).tolist()
    [[25.0, 0.0, 0.5, 0.5, 0.0, 0.0], [41.0, 0.0, 0.0, 0.0, 1.0, 0.0]]
    >>> encoder.transform(pl.DataFrame({"age": [23], "job": ["Local"]})).tolist()
    [[23.0, 0.0, 0.0, 1.0, 0.0, 0.0]]

    In a pipeline a model learns from a release and is asked about people as they are, whatever
    the frame (pandas, polars, pyarrow):

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> model = make_pipeline(GeneralizedEncoder({"job": work}), LogisticRegression())
    >>> model.fit(release, ["no", "yes"]).predict(pl.DataFrame({"age": [23], "job": ["Local"]}))
    array(['no'], dtype='<U3')
    """

    def __init__(
        self,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        kinds: Mapping[str, Kind] | None = None,
        quasi_identifiers: Sequence[str] | None = None,
        orders: Mapping[str, Sequence[str]] | None = None,
        max_leaves: int = 64,
        widths: bool = False,
        scaled: bool = False,
    ) -> None:
        self.hierarchies = hierarchies
        self.kinds = kinds
        self.quasi_identifiers = quasi_identifiers
        self.orders = orders
        self.max_leaves = max_leaves
        self.widths = widths
        self.scaled = scaled

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the domain of every column from a table or its release.

        Parameters
        ----------
        X : Table or pandas, polars or pyarrow frame
            The rows; columns that are not encoded are not looked at.
        y : ignored
            For pipelines.
        """
        self._check_parameters()
        table = read_columns(X, self._asked())
        names = self._asked() or table.roles.quasi_identifiers or _plain_columns(table)
        self.features_ = {name: self._learn(table, name) for name in names}
        self.feature_names_in_ = np.array(list(self.features_), dtype=object)
        self.n_features_in_ = len(self.features_)
        self.n_unseen_ = dict.fromkeys(self.features_, 0)
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Encode the rows of a table or its release, one row of numbers each."""
        check_is_fitted(self)
        table = read_columns(X, list(self.features_))
        widths = [len(features.names) for features in self.features_.values()]
        ends = np.cumsum(widths)
        encoded = np.empty((table.n_rows, int(ends[-1])), dtype=np.float32)
        for (name, features), end, width in zip(self.features_.items(), ends, widths, strict=True):
            distinct = table.cells.distinct(name)
            rows, unseen = features.encode(distinct.texts.to_list())
            encoded[:, end - width : end] = rows.astype(np.float32)[distinct.codes]
            self.n_unseen_[name] = int(np.append(unseen, False)[distinct.codes].sum())
        return encoded

    def draw(self, X: Any, copies: int = 1, seed: int = 0) -> NDArray[np.float32]:
        """Encode rows as they may have been: single values drawn out of what each cell says.

        Trees that learn from ranges put their cuts between the midpoints of a few groups, and raw
        rows fall on either side by luck; rows that were drawn lie everywhere in their ranges.

        Parameters
        ----------
        X : Table or pandas, polars or pyarrow frame
            The rows, raw or published.
        copies : int
            How often each row is drawn; all rows once, then all of them again.
        seed : int
            Another seed, other draws.

        Examples
        --------
        >>> import polars as pl
        >>> release = pl.DataFrame({"age": ["[20, 30]", "41"]})
        >>> encoder = GeneralizedEncoder().fit(release)
        >>> encoder.draw(release, copies=2)[:, 0].round().tolist()
        [26.0, 41.0, 23.0, 41.0]
        """
        check_is_fitted(self)
        if copies < 1:
            raise InvalidParameterError("Rows are drawn once or more.")
        table = read_columns(X, list(self.features_))
        rng = spawn(seed, "draws")
        parts = []
        for name, features in self.features_.items():
            distinct = table.cells.distinct(name)
            codes = np.tile(distinct.codes, copies)
            parts.append(features.draw(distinct.texts.to_list(), codes, rng).astype(np.float32))
        return np.hstack(parts)

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> NDArray[Any]:
        """Name the features; a name that would repeat gets a number.

        ``input_features`` is for pipelines: if given, it must name the columns that were learned.
        """
        check_is_fitted(self)
        if input_features is not None and [*input_features] != self.feature_names_in_.tolist():
            raise InvalidParameterError("input_features must be the columns the encoder learned.")
        seen: Counter[str] = Counter()
        names = []
        for name in (name for features in self.features_.values() for name in features.names):
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _asked(self) -> list[str] | None:
        if self.quasi_identifiers is None:
            return None
        one = isinstance(self.quasi_identifiers, str)
        return [str(self.quasi_identifiers)] if one else list(self.quasi_identifiers)

    def _learn(self, table: Table, name: str) -> Features:
        distinct = table.cells.distinct(name)
        texts = distinct.texts.to_list()
        order = (self.orders or {}).get(name, ()) or table.orders.get(name, ())
        hierarchy = (self.hierarchies or {}).get(name)
        kind = (self.kinds or {}).get(name)
        if kind is None and hierarchy is None:
            ranked = order and not (table.orders.get(name) == order and are_ranges(texts))
            kind = "ordinal" if ranked else original_kind(name, table.kinds[name], texts)
        found = learn_features(
            name,
            texts,
            distinct.counts,
            kind=kind or "nominal",
            hierarchy=hierarchy,
            order=order,
            most=self.max_leaves,
        )
        if not isinstance(found, LineFeatures):
            return found
        return replace(found, widths=self.widths, scaled=self.scaled)

    def _check_parameters(self) -> None:
        if not isinstance(self.max_leaves, int) or self.max_leaves < 2:
            raise InvalidParameterError("max_leaves must be a whole number of 2 or more.")
        names = self._asked()
        if names is not None and (not names or len(set(names)) < len(names)):
            raise InvalidParameterError("quasi_identifiers must name columns, each once.")
        for name, kind in (self.kinds or {}).items():
            if kind not in KINDS:
                raise InvalidParameterError(
                    f"Column {name!r} cannot be {kind!r}.", hint=f"Kinds are {', '.join(KINDS)}."
                )
        for name, hierarchy in (self.hierarchies or {}).items():
            if not isinstance(hierarchy, Hierarchy):
                raise InvalidParameterError(f"The hierarchy of {name!r} is not a Hierarchy.")


def _plain_columns(table: Table) -> list[str]:
    kept_out = {*table.roles.dropped, table.roles.target}
    return [name for name in table.column_names if name not in kept_out]
