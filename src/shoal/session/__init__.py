"""The human in the loop: sessions ask, are told, learn what matters, and keep a journal.

`Session` is the door. `shoal.session.learners` turn answers into weights; experts are simulated
people with hidden weights, to measure how well that works (`interview`, `cosine`).
"""

from shoal.session._asking import plain
from shoal.session._comparison import ComparedRelease, ReleaseComparison, compare_releases
from shoal.session._experts import (
    Expert,
    LexicographicExpert,
    ThoughtlessExpert,
    WeighingExpert,
    cosine,
    interview,
)
from shoal.session._preview import Preview, PreviewChange
from shoal.session._question import Choice, Interval, Question, Side, SideName
from shoal.session._session import Session

__all__ = [
    "Choice",
    "ComparedRelease",
    "Expert",
    "Interval",
    "LexicographicExpert",
    "Preview",
    "PreviewChange",
    "Question",
    "ReleaseComparison",
    "Session",
    "Side",
    "SideName",
    "ThoughtlessExpert",
    "WeighingExpert",
    "compare_releases",
    "cosine",
    "interview",
    "plain",
]
