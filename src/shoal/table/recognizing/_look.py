"""A look at one column: its name in words, its values, and how far they tell people apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal.table._cells import Distinct
from shoal.table._kinds import words_of
from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._tongues import understand, words_in_cells
from shoal.table.recognizing._vocabulary import any_of
from shoal.typing import FloatArray, Kind

LOOKED_AT = 1_000  # distinct values of a column
SENTENCE = 7  # words in a name that is a question
SINGLES_OUT = 0.05  # of the rows
CROWD = 10  # people, the usual k
YES_OR_NO = frozenset(("0", "1", "0.0", "1.0", *words_in_cells("answers").split()))
OF = frozenset(
    ("of", "de", "del", "da", "do", "dos", "das", "du", "des", "di", "della", "van", "von")
)
#: Languages in which what is said of a thing stands behind it.
HEAD_FIRST = frozenset(
    (
        *("ar", "bg", "ca", "cs", "el", "es", "fr", "he", "hr", "id"),
        *("it", "ms", "pl", "pt", "ro", "ru", "sk", "sl", "uk", "vi"),
    )
)
#: Questions for words of one's own.
WHY = (
    r"\b(why|please (explain|specify|describe)|explain|specify|in your own words|your reasons?"
    r"|warum|weshalb|wieso|begrund\w*|bitte (angeben|erklaren|nennen|beschreiben)|pourquoi"
    r"|precisez|expliquez|justifiez|por que|porque|explique|especifi\w+|justifi\w+|perche"
    r"|motivazione|specific\w*|spiega\w*|waarom|licht toe|toelichting|dlaczego|uzasadni\w*"
    r"|mengapa|alasan\w*|jelaskan|sebutkan|neden\w*|aciklay\w*|varfor|hvorfor|miksi|proc|miert"
    r"|de ce|zasto|zakaj)\b|почему|укажите|чому"
)
HEADING = r"\s[-–—|]\s|:\s|^\d+[.)]\s*"  # what stands before a question
SEVERAL = 1.5  # texts in a value, on average
REPEATED, SOME = 0.3, 0.6  # distinct texts, of all that were ticked
OFFERED = 40  # texts to tick at most; a list of what people wrote has more
OFFERED_AGAIN = 0.8  # of all that were ticked: they stand in three of the values at least
MERGED = r"(?<=[^\W\d_]{3})(_[xy]|\.\d{1,2})$"  # behind a name that two joined tables had
SHARED = 0.2  # distinct values, of the rows that have one
MANY = 20  # distinct values that can tell people apart


@dataclass(frozen=True, eq=False)
class Look:
    """What recognizers see of a column.

    >>> import polars as pl
    >>> look = Look("Home Town", "nominal", Distinct.of(pl.Series(["Graz", "Linz", "Graz"])))
    >>> look.words, look.alone, look.like(r"^[A-Z]")
    (('home', 'town', 'hometown'), 0.3333333333333333, 1.0)
    """

    name: str
    kind: Kind
    distinct: Distinct
    spoken: frozenset[str] = frozenset()  # languages of the table's names

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name without accents, and the whole name as one word."""
        words = split_name(self.name)
        meant = understand(words, self.spoken)
        whole = understand(("".join(words),), self.spoken)
        return (*meant, *whole[-1:]) if len(meant) > 1 else meant

    @cached_property
    def stem(self) -> str:
        """Its name without the number at its end, if it has one: ``Q`` of ``Q12``."""
        return re.sub(r"[\W_]*\d+\w?$", "", self.name)

    @property
    def is_question(self) -> bool:
        """Tell whether its name is a sentence, whose words say little about its values."""
        return len(self.words) > SENTENCE

    def named(self, vocabulary: str) -> bool:
        """Tell whether a word of its name is in a vocabulary."""
        return any_of(vocabulary, self.words)

    @property
    def asks_why(self) -> bool:
        """Tell whether its name is a question for words that answer no other: why, which else."""
        several = not self.are_chosen and self.words_each >= 2
        return self.is_question and several and bool(re.search(WHY, bare(self.name).lower()))

    def asks(self, how: str, vocabulary: str) -> bool:
        """Tell whether its name is a question of this form that has a word of a vocabulary."""
        asked = bare(self.name).lower()
        behind = re.split(HEADING, asked)[-1]
        said = re.search(how, asked) or re.search(how, behind)
        return bool(said) and self.named(vocabulary)

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The words that say what it is: in ``job_req_computer`` not the first of the three.

        Where one thing is *of* another, as in ``ocupacion actual del padre``, it is the first.
        """
        whole = len(self.words) < 4 or self.name.rstrip().endswith("?")
        first = OF.intersection(self.words) or HEAD_FIRST & self.spoken
        of = self.words[:2] if first else ()
        return self.words if whole else (*of, *self.words[-3:-1])

    @property
    def size(self) -> int:
        """Number of distinct values."""
        return len(self.distinct.texts)

    @property
    def varies(self) -> bool:
        """Tell whether not all cells are alike."""
        return self.size + (self.distinct.n_missing > 0) > 1

    @property
    def filled(self) -> int:
        """Rows with a value."""
        return self.distinct.n_rows - self.distinct.n_missing

    @cached_property
    def alone(self) -> float:
        """Share of the rows that its value tells from all others."""
        return float((self.distinct.counts == 1).sum()) / max(1, self.distinct.n_rows)

    @property
    def told_apart(self) -> float:
        """Share of the rows with a value that it tells from all others, however few they are."""
        return float((self.distinct.counts == 1).sum()) / max(1, self.filled)

    @cached_property
    def nearly_unique(self) -> bool:
        """Tell whether at least half of the values that are there occur once."""
        return float((self.distinct.counts == 1).sum()) >= 0.5 * max(1, self.filled)

    @property
    def has_many(self) -> bool:
        """Tell whether it has values enough to tell people apart, for its number of rows."""
        return self.size >= min(MANY, max(2, self.filled // 2))

    @property
    def singles_out(self) -> bool:
        """Tell whether it alone tells more than 5 % of the rows from all others."""
        return self.alone > SINGLES_OUT and self.size > 2

    @cached_property
    def in_a_crowd(self) -> float:
        """Share of people whom it tells from all others in a crowd of ten, drawn at random."""
        return self.distinct.told_apart_among(CROWD)

    @cached_property
    def answers(self) -> frozenset[str]:
        """Its values, if they are few enough for answers."""
        return frozenset(self.distinct.texts.to_list() if self.size <= MANY else ())

    @cached_property
    def sample(self) -> pl.Series:
        """Some of its values, evenly from all."""
        step = max(1, self.size // LOOKED_AT)
        return self.distinct.texts.gather_every(step)

    def like(self, pattern: str) -> float:
        """Share of its values that a pattern fits."""
        return float(self.sample.str.contains(pattern).sum()) / max(1, len(self.sample))

    def among(self, vocabulary: str) -> float:
        """Share of its values, blanks and accents apart, that are words of a vocabulary."""
        values = [re.sub("[ _]", "", bare(text).lower()) for text in self.sample.head(200)]
        return sum(any_of(vocabulary, [value]) for value in values) / max(1, len(values))

    @cached_property
    def words_each(self) -> float:
        """Words of a value, on average."""
        return float(self.sample.str.count_matches(r"[\pL\pN]+").sum()) / max(1, len(self.sample))

    @cached_property
    def letters_each(self) -> float:
        """Letters of a value, on average."""
        return float(self.sample.str.len_chars().mean() or 0.0)  # type: ignore[arg-type]

    @cached_property
    def are_chosen(self) -> bool:
        """Tell whether its values are lists of the same few texts, as if several were ticked."""
        parts = [part.strip() for text in self.sample for part in re.split("[,;|]", text)]
        several = len(parts) >= SEVERAL * len(self.sample)
        shared = self.size <= SHARED * self.filled  # then fewer parts need to come again
        return several and len(set(parts)) <= (SOME if shared else REPEATED) * len(parts)

    @cached_property
    def parts(self) -> Counter[str]:
        """Count the texts that its values list."""
        return Counter(part.strip() for text in self.sample for part in re.split("[,;|]", text))

    @cached_property
    def are_ticked(self) -> bool:
        """Tell whether its values are lists of texts that were offered: few, and often the same."""
        parts = self.parts
        again = {part: n for part, n in parts.items() if n >= 3 and part}
        ticked, several = sum(parts.values()), self.size >= MANY // 2
        offered = len(again) <= OFFERED and sum(again.values()) >= OFFERED_AGAIN * ticked
        return several and offered and ticked >= SEVERAL * len(self.sample)

    @cached_property
    def are_whole(self) -> bool:
        """Tell whether its values are whole numbers."""
        return self.like(r"^ *\d{1,3}([,. ]\d{3})+$|^ *\d+(\.0)?$") == 1.0

    @cached_property
    def most(self) -> float:
        """The largest of its numbers, on a sample; infinite if one of them is negative."""
        plain = self.sample.str.strip_chars().str.replace_all(",", ".")
        numbers = plain.cast(pl.Float64, strict=False).drop_nulls()
        if not len(numbers) or float(numbers.min()) < 0:  # type: ignore[arg-type]
            return float("inf")
        return float(numbers.max())  # type: ignore[arg-type]

    @property
    def is_binary(self) -> bool:
        """Tell whether its values are yes and no, as words or as numbers."""
        answers = {bare(text).strip().lower() for text in self.answers}
        return 1 <= len(answers) <= 2 and self.varies and answers <= YES_OR_NO

    @property
    def are_years(self) -> bool:
        """Tell whether its values are years of our time."""
        return self.size > 1 and self.like(r"^(19|20)\d{2}$") == 1.0

    @cached_property
    def steps(self) -> FloatArray:
        """Steps from row to row, if its values are whole numbers that hardly repeat."""
        if not self.are_whole or self.alone < 0.9:
            return np.zeros(0)
        plain = self.distinct.texts.str.replace(r"\.0$", "").str.replace_all(r"[,. ]", "")
        numbers = plain.cast(pl.Float64).to_numpy()
        return np.diff(numbers[self.distinct.codes[self.distinct.codes < self.size]])

    @cached_property
    def runs(self) -> bool:
        """Tell whether its values are new from row to row, and rise (or fall) all the way."""
        return self.steps.size > 0 and abs(float(np.sign(self.steps).mean())) > 0.95

    @property
    def steps_of_one(self) -> float:
        """Share of the steps from row to row that are one up or down."""
        return float((np.abs(self.steps) == 1).mean()) if self.steps.size else 0.0


def _label(name: str) -> str:
    """Take the few words before a colon for the name of a question, if it has them.

    >>> _label("Anxiety: on a scale of 0 to 10, how anxious were you?"), _label("age")
    ('Anxiety', 'age')
    """
    label, colon, question = name.partition(":")
    short = 0 < len(words_of(label)) < SENTENCE < len(words_of(question))
    return label if colon and short else name


def split_name(name: str) -> tuple[str, ...]:
    """Split the name of a column into words without accents, as they are written.

    >>> split_name("dataUrodzenia"), split_name("Płeć")
    (('data', 'urodzenia'), ('plec',))

    What was added where two tables had one name, is left away: ``zip_x`` and ``zip.1`` are zips.
    """
    return words_of(bare(re.sub(MERGED, "", _label(name))))


def tokens(texts: Iterable[str]) -> list[str]:
    """Split texts into words, folded."""
    return re.findall(r"[^\W\d_]+", bare(" ".join(texts)).lower())
