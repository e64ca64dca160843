"""FF1: a permutation of all words of one length under a key (NIST SP 800-38G, 2016, section 5.1).

Ten rounds of a Feistel network over AES. What it makes of different words of one length is
different by construction, which no shortened digest can promise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.exceptions import InvalidParameterError

SMALLEST_DOMAIN = 1_000_000  # fewer words are found by trying (SP 800-38G Rev. 1, section 5.1)
ROUNDS = 10
ByteArray: TypeAlias = npt.NDArray[np.uint8]
BLOCK = 16
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class FF1:
    """The permutation of a key, a tweak and an alphabet.

    >>> FF1(bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3C")).encrypt(["0123456789"])
    ['2433477484']
    """

    key: bytes = field(repr=False)
    tweak: bytes = b""
    radix: int = 10

    @property
    def shortest(self) -> int:
        """Fewest letters of a word.

        >>> FF1(bytes(32)).shortest
        6
        """
        return next(n for n in range(2, 64) if self.radix**n >= SMALLEST_DOMAIN)

    def encrypt(self, words: Sequence[str]) -> list[str]:
        """Put a word of the same length in the place of each; all of them have one length."""
        n = len(words[0])
        if n < self.shortest or any(len(word) != n for word in words):
            raise InvalidParameterError(
                f"Words of FF1 have {self.shortest} letters or more, and all the same number."
            )
        u, radix = n // 2, self.radix
        a, b = ([int(word[part], radix) for word in words] for part in (slice(u), slice(u, None)))
        sizes = radix**u, radix ** (n - u)
        for i in range(ROUNDS):
            drawn, size = self._drawn(n, i, b), sizes[i % 2]
            a, b = b, [(x + y) % size for x, y in zip(a, drawn, strict=True)]
        return [_word(x, u, radix) + _word(y, n - u, radix) for x, y in zip(a, b, strict=True)]

    def _drawn(self, n: int, i: int, halves: Sequence[int]) -> list[int]:
        """Draw a number from each half in a round: CBC-MAC, then as many bytes as are needed."""
        width = -(-(self.radix ** (n - n // 2) - 1).bit_length() // 8)
        wanted = 4 * -(-width // 4) + 4
        head = bytes([1, 2, 1]) + self.radix.to_bytes(3, "big") + bytes([ROUNDS, n // 2 % 256])
        head += n.to_bytes(4, "big") + len(self.tweak).to_bytes(4, "big")
        front = head + self.tweak + bytes((-len(self.tweak) - width - 1) % BLOCK) + bytes([i])
        texts = np.empty((len(halves), len(front) + width), dtype=np.uint8)
        texts[:, : len(front)] = np.frombuffer(front, dtype=np.uint8)
        tails = b"".join(half.to_bytes(width, "big") for half in halves)
        texts[:, len(front) :] = np.frombuffer(tails, dtype=np.uint8).reshape(-1, width)
        last = np.zeros((len(halves), BLOCK), dtype=np.uint8)
        for at in range(0, texts.shape[1], BLOCK):
            last = self._aes(last ^ texts[:, at : at + BLOCK])
        numbers = range(1, -(-wanted // BLOCK))
        more = [self._aes(last ^ np.frombuffer(j.to_bytes(BLOCK), np.uint8)) for j in numbers]
        found = np.hstack([last, *more])[:, :wanted].tobytes()
        return [int.from_bytes(found[at : at + wanted]) for at in range(0, len(found), wanted)]

    def _aes(self, blocks: ByteArray) -> ByteArray:
        """Encrypt each block by itself; they are chained above, as FF1 has it."""
        made = self._cipher(blocks.tobytes())
        return np.frombuffer(made, dtype=np.uint8).reshape(-1, BLOCK)

    @cached_property
    def _cipher(self) -> Callable[[bytes], bytes]:
        try:
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        except ImportError:
            raise InvalidParameterError(
                "Pseudonyms of digits need AES, which is not installed.",
                hint="pip install 'shoal[keys]', or use the look \"hex\".",
            ) from None
        return Cipher(algorithms.AES(self.key), modes.ECB()).encryptor().update


def _word(number: int, length: int, radix: int) -> str:
    if radix == 10:
        return str(number).rjust(length, "0")
    letters = []
    for _ in range(length):
        number, digit = divmod(number, radix)
        letters.append(LETTERS[digit])
    return "".join(reversed(letters))
