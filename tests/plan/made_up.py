"""Columns of made-up tables: names, numbers and dates as people's tables have them, seeded."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

FIRST = {
    "en": "James Mary John Linda Robert Susan Michael Karen David Lisa Emma Noah Olivia Liam Ava",
    "de": "Hans Anna Peter Maria Klaus Ursula Jürgen Sabine Wolfgang Petra Jonas Lena Felix Mia",
    "es": "José Carmen Antonio María Manuel Ana Francisco Isabel Juan Dolores Lucía Mateo Sofía",
    "fr": "Jean Marie Pierre Françoise Michel Monique André Nathalie Luc Camille Hugo Chloé Inès",
    "it": "Giuseppe Anna Giovanni Maria Antonio Rosa Luigi Angela Marco Giulia Luca Chiara Matteo",
}
LAST = {
    "en": "Smith Johnson Brown Taylor Wilson Davies Evans Walker White Roberts Green Hall Wood",
    "de": "Müller Schmidt Weber Wagner Becker Hoffmann Koch Bauer Gruber Huber Steiner Pichler",
    "es": "García López Martínez Sánchez Pérez Gómez Martín Ruiz Díaz Moreno Muñoz Romero Gil",
    "fr": "Martin Bernard Dubois Thomas Robert Petit Durand Leroy Moreau Simon Laurent Girard",
    "it": "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo",
}
ENDS = ("", "son", "er", "ez", "mann", "ini", "ard", "ley", "ton", "sen", "ov", "ic", "ström")
WORDS = """patient reported mild pain after long walk but no fever since visit and wants another
appointment next week because results are late family was informed treatment continues as planned
says that sleep improved while appetite remains low called twice left message office"""


class Columns:
    """Draws columns of ``rows`` people; the same seed draws the same."""

    def __init__(self, seed: int, rows: int, language: str = "en") -> None:
        self.random: Generator = np.random.default_rng(seed)
        self.rows = rows
        self.language = language

    def pick(self, values: str | list[str], shares: list[float] | None = None) -> list[str]:
        """Draw from a few values; text is split at the bars."""
        chosen = values.split("|") if isinstance(values, str) else values
        return [str(v) for v in self.random.choice(chosen, self.rows, p=shares)]

    def first(self) -> list[str]:
        """First names, a few of them common."""
        names = FIRST[self.language].split()
        weights = 1 / np.arange(1, len(names) + 1)
        return self.pick(names, list(weights / weights.sum()))

    def last(self) -> list[str]:
        """Last names: some common ones, and many that hardly repeat."""
        stems = LAST[self.language].split()
        ends = self.random.choice(ENDS, self.rows, p=[0.4, *[0.05] * 12])
        return [a + b for a, b in zip(self.pick(stems), ends, strict=True)]

    def full(self, style: str = "{0} {1}") -> list[str]:
        """Whole names."""
        return [style.format(a, b) for a, b in zip(self.first(), self.last(), strict=True)]

    def emails(self) -> list[str]:
        """Addresses of mail."""
        people = zip(self.first(), self.last(), self.whole(1, 99), strict=True)
        return [f"{a}.{b}{n}@example.org".lower() for a, b, n in people]

    def digits(self, shape: str) -> list[str]:
        """Numbers by a shape: # is a digit, @ a capital letter."""
        letters = [*"ABCDEFGHJKLMNPRSTUVWXYZ"]
        draw = {
            "#": lambda: str(self.random.integers(10)),
            "@": lambda: str(self.random.choice(letters)),
        }
        return ["".join(draw[c]() if c in draw else c for c in shape) for _ in range(self.rows)]

    def keys(self, start: int = 1, step: int = 1) -> list[int]:
        """Running numbers."""
        return list(range(start, start + step * self.rows, step))

    def repeated(self, people: int, start: int = 1000) -> list[int]:
        """Keys of people with several rows each."""
        return [int(k) for k in np.sort(self.random.integers(start, start + people, self.rows))]

    def whole(self, low: int, high: int) -> list[int]:
        """Whole numbers, evenly."""
        return [int(v) for v in self.random.integers(low, high + 1, self.rows)]

    def ages(self, low: int = 18, high: int = 92) -> list[int]:
        """Ages, most in the middle."""
        return [
            int(v)
            for v in np.clip(
                self.random.normal((low + high) / 2, (high - low) / 5, self.rows), low, high
            )
        ]

    def amounts(self, middle: float, digits: int = 0) -> list[float]:
        """Money: a few have a lot."""
        drawn = np.round(middle * self.random.lognormal(0, 0.6, self.rows), digits)
        return [float(v) if digits else int(v) for v in drawn]

    def measures(self, middle: float, spread: float, digits: int = 1) -> list[float]:
        """What is measured of a body."""
        return [float(v) for v in np.round(self.random.normal(middle, spread, self.rows), digits)]

    def counts(self, mean: float) -> list[int]:
        """Counts, mostly small."""
        return [int(v) for v in self.random.poisson(mean, self.rows)]

    def dates(self, first: str, last: str, form: str = "%Y-%m-%d") -> list[str]:
        """Days."""
        ends = np.datetime64(first), np.datetime64(last)
        days = self.random.integers(0, int((ends[1] - ends[0]).astype(int)) + 1, self.rows)
        return [(ends[0] + int(d)).item().strftime(form) for d in days]

    def times(self, first: str, last: str, form: str = "%Y-%m-%d %H:%M:%S") -> list[str]:
        """Moments."""
        start = np.datetime64(first, "s")
        span = int((np.datetime64(last, "s") - start).astype(int))
        seconds = self.random.integers(0, span, self.rows)
        return [(start + int(s)).item().strftime(form) for s in seconds]

    def streets(self, style: str = "{1} {0}", kinds: str = "Street|Avenue|Road|Lane") -> list[str]:
        """Addresses with a house number."""
        parts = zip(self.last(), self.pick(kinds), self.whole(1, 240), strict=True)
        return [style.format(f"{name} {kind}", number) for name, kind, number in parts]

    def notes(self, least: int = 6) -> list[str]:
        """Free text."""
        sizes = self.random.integers(least, least + 14, self.rows)
        return [" ".join(self.random.choice(WORDS.split(), size)) for size in sizes]

    def holes(self, values: list, share: float) -> list:
        """Leave some cells empty."""
        return [None if self.random.random() < share else value for value in values]
