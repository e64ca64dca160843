"""How a privacy model is asked for in words: its key in a plan and its option."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shoal._checks import Check
from shoal.exceptions import InvalidParameterError


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

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.key.replace('_', '-')}"

    def typed(self, text: str) -> Any:
        """Read and check what was typed after the option."""
        try:
            value = self.read(text)
        except ValueError:
            raise InvalidParameterError(
                f"{self.option} cannot be {text!r}.", hint=f"{self.option} {self.metavar}"
            ) from None
        return self.check(self.option, value)
