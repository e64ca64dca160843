"""A scene: a piece of a page drawn from state, whose buttons and fields tell us what was done.

Drawing is a pure function to HTML; acting is one function for all controls in the piece. That is
all a page has to bind: no widget holds state of its own.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from nicegui import ui
from nicegui.events import GenericEventArguments

from shoal.exceptions import ShoalError
from shoal.web.pages._markup import Markup

Act = Callable[[str, str], Awaitable[None] | None]
Kind = Literal["info", "positive", "negative"]
log = logging.getLogger("shoal.web.pages")
CLICK = """(e) => {
  const found = e.target.closest("button[data-act], a[data-act]");
  if (!found || found.disabled) return;
  e.preventDefault();
  emit(found.dataset.act, found.dataset.value || "");
}"""
CHANGE = """(e) => {
  const found = e.target.closest("input[data-act], select[data-act]");
  if (found) emit(found.dataset.act, found.value);
}"""


class Scene:
    """A piece of a page."""

    def __init__(
        self,
        draw: Callable[[], Markup],
        act: Act | None = None,
        *,
        cls: str = "",
        said: bool = False,
    ) -> None:
        self._draw = draw
        self._act = act
        self._html = ui.html(draw()).classes(cls)
        if said:  # screen readers say what changes in it
            self._html.props('role="status" aria-live="polite"')
        if act is not None:
            self._html.on("click", self._told, js_handler=CLICK)
            self._html.on("change", self._told, js_handler=CHANGE)

    def redraw(self) -> None:
        """Draw again what may have changed; what has not is not sent."""
        drawn = self._draw()
        if drawn != self._html.content:
            self._html.set_content(drawn)

    async def _told(self, event: GenericEventArguments) -> None:
        act, value = (str(part) for part in event.args)
        await guarded(self._act, act, value)


async def guarded(work: Callable[..., Any] | None, *args: Any) -> None:
    """Do what a control asks for; what goes wrong is told as a sentence, and nothing breaks."""
    try:
        result = work(*args) if work else None
        if inspect.isawaitable(result):
            await result
    except ShoalError as error:
        tell(f"{error} {error.hint or ''}".strip(), "negative")
    except Exception:
        log.exception("an action failed")
        tell("Shoal stumbled over itself; nothing was lost.", "negative")


def tell(sentence: str, kind: Kind = "info") -> None:
    """Say something at the foot of the page; screen readers hear it too."""
    ui.notify(sentence, type=kind, multi_line=True, timeout=8000, close_button="OK")
