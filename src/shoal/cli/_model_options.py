"""Options of the privacy models: one for each that is registered, when a command is parsed.

Models are imported only then, so that ``shoal --help`` stays as quick as it is.
"""

from __future__ import annotations

from functools import cache
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from shoal.cli._options import number

if TYPE_CHECKING:
    from shoal.privacy import ModelSetting

ASKED = "shoal.models"  # where a context keeps what was asked of sensitive columns


class WithModels(TyperCommand):
    """A command that has ``-k``, and after it an option for every registered privacy model."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters of the function and those of the models."""
        own = super().get_params(ctx)
        at = 1 + [param.name for param in own].index("k")
        return [*own[:at], *_options(tuple(_settings())), *own[at:]]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; what models take goes into the context, not into the function."""
        rest = super().parse_args(ctx, args)
        settings = _settings()
        typed = {key: ctx.params.pop(key, None) for key in settings}
        if ctx.params.get("edges") is not None and typed.get("alpha") is not None:
            ctx.params["graph_alpha"] = number(typed.pop("alpha"))  # of the network, as published
        ctx.meta[ASKED] = {
            key: settings[key].typed(text) for key, text in typed.items() if text is not None
        }
        return rest


def asked_models(context: typer.Context) -> dict[str, Any]:
    """Return what was asked of sensitive columns, by the key of each model."""
    return dict(context.meta[ASKED])


def _settings() -> dict[str, ModelSetting]:
    from shoal.privacy import MODELS

    return {key: model.setting for key, model in MODELS.items() if model.setting is not None}


@cache
def _options(keys: tuple[str, ...]) -> list[Any]:
    """Make the options as typer makes those of a function with such parameters.

    A parser asks for them several times; they change only when another model is registered.
    """
    kinds = {key: _annotation(_settings()[key]) for key in keys}

    def asked(**values: str | None) -> None:
        """Take a value for each model."""

    asked.__annotations__ = kinds
    asked.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(key, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for key, kind in kinds.items()
        ]
    )
    made = typer.Typer(add_completion=False)
    made.command()(asked)
    return [param for param in typer.main.get_command(made).params if param.name in kinds]


def _annotation(setting: ModelSetting) -> Any:
    names = [setting.option, *([setting.short] if setting.short else [])]
    return Annotated[str | None, typer.Option(*names, metavar=setting.metavar, help=setting.help)]
