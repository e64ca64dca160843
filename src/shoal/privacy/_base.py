"""What every privacy model is: a frozen value that measures groups and accepts or refuses them.

What it says to a table is a `ModelResult`; all that was asked of a table is a `Verdict`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from shoal._checks import Check
from shoal._words import plain
from shoal.exceptions import EmptyTableError, InvalidParameterError
from shoal.table import CodedTable, Grouping
from shoal.typing import BoolArray, FloatArray, IntArray
from shoal.verifier import Claim

if TYPE_CHECKING:
    from shoal.privacy._histograms import SensitiveColumn
    from shoal.privacy._measures import PrivacyMeasures


@dataclass(frozen=True)
class ModelResult:
    """One privacy model on one table.

    Parameters
    ----------
    model : str
        The model as it prints itself, such as ``10-anonymity``.
    parameter : float or tuple of float
        What was asked.
    holds : bool
        True if every group passes.
    worst : float
        The measure of the worst group.
    statistic : str
        What ``worst`` is, in words.
    groups, groups_failing : int
        How many groups were judged and how many of them fail.
    details : mapping
        Further numbers that belong to the result, by names such as ``smallest_chance``.

    Examples
    --------
    >>> print(ModelResult("10-anonymity", 10, False, 3, "smallest group", 40, 2))
    10-anonymity does not hold (smallest group: 3; 2 of 40 groups fail)
    """

    model: str
    parameter: Any
    holds: bool
    worst: float
    statistic: str
    groups: int
    groups_failing: int
    details: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        claim = "holds" if self.holds else "does not hold"
        facts = [f"{self.statistic}: {readable(self.worst)}"]
        for name, value in self.details.items():
            facts.append(f"{name.replace('_', ' ')}: {readable(value)}")
        if not self.holds:
            facts.append(f"{self.groups_failing} of {self.groups} groups fail")
        return f"{self.model} {claim} ({'; '.join(facts)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        parts = {
            "model": self.model,
            "parameter": self.parameter,
            "holds": self.holds,
            "worst": self.worst,
            "groups": self.groups,
            "groups_failing": self.groups_failing,
            **self.details,
        }
        return {name: plain(value) for name, value in parts.items()}


@dataclass(frozen=True)
class Verdict:
    """What was asked of a table, and whether it holds; with all its numbers if they were measured.

    >>> verdict = Verdict((ModelResult("10-anonymity", 10, True, 12, "smallest group", 40, 0),))
    >>> verdict.holds, str(verdict)
    (True, '10-anonymity holds (smallest group: 12)')
    """

    results: tuple[ModelResult, ...]
    measures: PrivacyMeasures | None = None
    #: True if every model asked for holds; also if none was asked for.
    holds: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "holds", all(result.holds for result in self.results))

    def __str__(self) -> str:
        lines = [str(result) for result in self.results]
        return "\n".join(lines or ([] if self.measures is None else [str(self.measures)]))

    def to_dict(self) -> dict[str, Any]:
        """Return the measures, ``holds`` and the results as plain JSON values."""
        measures = {} if self.measures is None else self.measures.to_dict()
        models = [result.to_dict() for result in self.results]
        return {**measures, "holds": self.holds, "models": models}

    def to_json(self) -> str:
        """Return `to_dict` as one line of JSON; numbers without bound are the string "inf"."""
        return json.dumps(self.to_dict(), allow_nan=False)


def readable(value: float) -> str:
    """Print a number as people read it: at most six digits, whole numbers in full."""
    return str(value) if isinstance(value, int) else f"{float(value):.6g}"


@dataclass(frozen=True, eq=False)
class Constraint:
    """A privacy model as plain data, for grouping kernels that count while they group.

    Parameters
    ----------
    rule : str
        ``distinct``, ``entropy``, ``recursive``, ``t_equal``, ``t_ordered``, ``basic_beta``,
        ``enhanced_beta``, ``delta_disclosure`` or ``alpha``.
    bound : float
        The threshold: l, l, c, t, t, beta, beta, delta or alpha.
    l : int
        The l of recursive (c, l)-diversity; 0 for all others.
    codes : IntArray
        The value of each row; a missing value has a code of its own, the largest.
    n_codes : int
        Number of codes.
    reference : FloatArray
        Share of each code in the whole table.
    missing : int
        The code of missing values, -1 if none is missing. ``distinct`` must not count it.
    """

    rule: str
    bound: float
    l: int
    codes: IntArray
    n_codes: int
    reference: FloatArray
    missing: int = -1


@dataclass(frozen=True)
class ModelSetting:
    """The key of a model in the section ``[privacy]`` of a plan, and its option.

    Parameters
    ----------
    key : str
        The key in a plan and the keyword in Python, such as ``entropy_l``.
    help : str
        One line for the command line.
    check : callable
        Takes the name and the value, and returns what is kept, or raises.
    read : callable
        Turns what is typed into such a value; raises `ValueError` if it is none.
    metavar : str
        What stands for the value in the help.
    short : str
        A letter for the option, if it has one.

    >>> from shoal._checks import number
    >>> setting = ModelSetting("entropy_l", "As diverse as so many.", number(1, above=True))
    >>> setting.option, setting.typed("2.5")
    ('--entropy-l', 2.5)
    """

    key: str
    help: str
    check: Check
    read: Callable[[str], Any] = float
    metavar: str = "X"
    short: str = ""
    #: The option of the command line.
    option: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "option", f"--{self.key.replace('_', '-')}")

    def typed(self, text: str) -> Any:
        """Read and check what was typed after the option."""
        try:
            value = self.read(text)
        except ValueError:
            raise InvalidParameterError(
                f"{self.option} cannot be {text!r}.", hint=f"{self.option} {self.metavar}"
            ) from None
        return self.check(self.option, value)


class PrivacyModel(ABC):
    """What must hold in every group of a release.

    A model is a frozen dataclass, checked at birth. `measure` gives one number per group,
    `accepts` compares it with the model's parameter, `judge` does both and says how it went.

    Where `Roles.person` is set, people are counted instead of rows: a group is as large as the
    number of its distinct people, and a sensitive value counts once for each person who has it.
    """

    __slots__ = ()

    citation: ClassVar[str]
    #: Groups that pass still pass once merged (where each row is another person).
    monotone: ClassVar[bool]
    #: What `measure` measures, in the words of a verdict.
    statistic: ClassVar[str]
    #: Whether the worst group is the one with the smallest measure.
    worst_is_smallest: ClassVar[bool] = False
    #: How a plan and the command line ask for it; None where only Python can.
    setting: ClassVar[ModelSetting | None] = None
    #: What `measure_column` measures: names in JSON, each with its title and meaning for people.
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {}
    #: Fewest people of any group that satisfies the model; groupers start from it.
    least_people: int = 1
    #: The attribute protected; None where the model protects membership or identity.
    sensitive: str | None

    @abstractmethod
    def __str__(self) -> str: ...

    @property
    def parameter(self) -> Any:
        """The threshold: the first field, unless a model has several; then a tuple."""
        return getattr(self, fields(self)[0].name)  # type: ignore[arg-type]

    @classmethod
    def asked(cls, value: Any, column: str, table: CodedTable, k: int) -> Self:
        """Make the model from the value of its setting, for one sensitive column of a table.

        ``k`` is the smallest group asked for, for models that have a k of their own.
        """
        return cls(value, column)  # type: ignore[call-arg]  # the fields of most models

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Measure a sensitive column in its worst group, whatever is asked; None if undefined."""
        return {}

    @abstractmethod
    def measure(self, table: CodedTable, grouping: Grouping) -> IntArray | FloatArray:
        """Measure each group; suppressed rows (label -1) are in no group."""

    def accepts(self, measured: IntArray | FloatArray) -> BoolArray:
        """Tell which groups pass, from what `measure` returned: those within the threshold."""
        bound = float(self.parameter)
        return measured >= bound if self.worst_is_smallest else measured <= bound

    def judge(self, table: CodedTable, grouping: Grouping) -> Verdict:
        """Measure all groups and tell whether every one passes."""
        if grouping.n_groups == 0:
            raise EmptyTableError.nothing_to_judge()
        return Verdict((self._result(self.measure(table, grouping)),))

    def constraint(self, table: CodedTable) -> Constraint | None:
        """Return the model as plain data, or None if kernels cannot check it while grouping."""
        return None

    def claims(self, table: CodedTable) -> tuple[Claim, ...]:
        """Say what the verifier must recount; nothing if the written file cannot prove it."""
        return ()

    def check_possible(self, table: CodedTable) -> None:
        """Raise `ImpossibleError` if no grouping of any of the rows can satisfy the model."""
        if table.n_rows == 0:
            raise EmptyTableError("The table has no rows.")

    def _result(
        self, measured: IntArray | FloatArray, details: Mapping[str, float] | None = None
    ) -> ModelResult:
        failing = int((~self.accepts(measured)).sum())
        worst = measured.min() if self.worst_is_smallest else measured.max()
        return ModelResult(
            model=str(self),
            parameter=self.parameter,
            holds=failing == 0,
            worst=worst.item(),
            statistic=self.statistic,
            groups=int(measured.size),
            groups_failing=failing,
            details=details or {},
        )


def claims_of(models: Iterable[PrivacyModel], table: CodedTable) -> tuple[Claim, ...]:
    """Say what the verifier must recount for each model.

    A model whose proof needs more than the written file (a population, a hierarchy) has no
    claim: it was measured before writing, and the manifest says only that.

    >>> import polars as pl
    >>> from shoal.privacy import DistinctLDiversity, KAnonymity
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["flu", "cold"]}))
    >>> models = [KAnonymity(10), DistinctLDiversity(3, "disease")]
    >>> [(claim.name, claim.bound, str(claim)) for claim in claims_of(models, table)]
    [('k', 10.0, '10-anonymity'), ('distinct_l', 3.0, "distinct 3-diversity of 'disease'")]
    """
    return tuple(claim for model in models for claim in model.claims(table))
