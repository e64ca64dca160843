"""The web app: ``shoal serve`` (extra ``web``).

One process, no CDN, works offline. The pages (Table, Teach, Result, Journal) only bind to
`shoal.session`; a REST API does the same for scripts. Who may come in, what may be uploaded and
where it is kept is decided here: see the docstrings of the gate, the meters and the store.

Nothing is imported until a server is made: NiceGUI is an extra.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shoal.exceptions import MissingExtraError
from shoal.web._accounts import add_account
from shoal.web._settings import Limits, Settings

if TYPE_CHECKING:
    from shoal.web._house import House as House

__all__ = ["Limits", "Settings", "add_account", "serve"]


def serve(settings: Settings, ready: Callable[[House], None] = lambda _: None) -> None:
    """Run the web app until it is stopped; ``ready`` is called when its links are known."""
    try:
        import nicegui  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "The web app needs NiceGUI, which is not installed.",
            hint="Install the extra: pip install 'shoal[web]'",
        ) from None
    from shoal.web._server import serve

    serve(settings, ready)
