"""Previews in the background: the newest answers always get one, and never two run at once."""

from __future__ import annotations

import logging
import threading

from shoal.exceptions import ShoalError
from shoal.session import Preview, Session

log = logging.getLogger("shoal.web.previews")


class Previews:
    """Regroups the whole table behind the questions."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._running = threading.Lock()

    @property
    def last(self) -> Preview | None:
        """The newest preview that is ready."""
        return self._session.last_preview

    @property
    def busy(self) -> bool:
        """Whether one is being made."""
        return self._running.locked()

    def poke(self) -> None:
        """Make a preview if one is due and none is being made; returns at once."""
        if self._session.preview_due and self._running.acquire(blocking=False):
            threading.Thread(target=self._work, name="shoal-preview", daemon=True).start()

    def _work(self) -> None:
        try:
            while self._session.preview_due:
                self._session.preview()
        except ShoalError as error:
            log.warning("a preview failed with %s", type(error).__name__)
        except Exception:
            log.exception("a preview failed")
        finally:
            self._running.release()
