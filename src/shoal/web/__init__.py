"""The web app: ``shoal serve`` (extra ``web``).

One process, no CDN, works offline. Pages are drawn here and sent whole; what changes is sent as
fragments (`shoal.web.pages`). A REST API does the same for scripts (`shoal.web.api`). Who may come
in, what may be uploaded and where it is kept is decided here; what is computed, elsewhere.

Nothing is imported until a server is made: FastAPI is an extra.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shoal.exceptions import MissingExtraError
from shoal.web._accounts import add_account
from shoal.web._settings import Settings
from shoal.web._upload_limits import UploadLimits

if TYPE_CHECKING:
    from shoal.web._server import Server as Server

__all__ = ["Settings", "UploadLimits", "add_account", "serve"]


def serve(settings: Settings, ready: Callable[[Server], None] = lambda _: None) -> None:
    """Run the web app until it is stopped; ``ready`` is called when its links are known."""
    try:
        import fastapi  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "The web app needs FastAPI, which is not installed.",
            hint="Install the extra: pip install 'shoal[web]'",
        ) from None
    from shoal.web._app import serve

    serve(settings, ready)
