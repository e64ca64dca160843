"""Previews: the whole table grouped again and again behind the questions."""

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
        self.untaught: Preview | None = None  # the same table with all details alike
        self.wanted = True  # until the plan changes under a preview that is being made

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
        due = self._session.preview_due or (self.untaught is None and self._session.mode != "equal")
        if due and self._running.acquire(blocking=False):
            threading.Thread(target=self._work, name="shoal-preview", daemon=True).start()

    def _work(self) -> None:
        try:
            while self._session.preview_due:
                self._session.preview()
            if self.untaught is None and self._session.mode != "equal":
                self.untaught = self._session.untaught_preview()
        except ShoalError as error:
            log.warning("a preview failed with %s", type(error).__name__)
        except Exception:
            if self.wanted:
                log.exception("a preview failed")
        finally:
            self._running.release()
