"""The human in the loop: sessions ask, are told, learn what matters, and keep a journal."""

from shoal.session._preview import Change, Preview
from shoal.session._question import Choice, Interval, Question, Side, SideName
from shoal.session._session import Session

__all__ = [
    "Change",
    "Choice",
    "Interval",
    "Preview",
    "Question",
    "Session",
    "Side",
    "SideName",
]
