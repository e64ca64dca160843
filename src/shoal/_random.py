"""Where randomness comes from: seeded and repeatable, or secret and gone.

Whatever draws takes a ``random_state`` and makes one `generator` of it; parts of the work get
children by name (`spawn`), so that a part added later does not shift what the others draw.
Randomness that protects people comes from `secret_generator` and takes no seed.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from operator import index
from typing import Any, TypeAlias

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence
from numpy.random.bit_generator import ISeedSequence

from shoal.exceptions import InvalidParameterError

Seed: TypeAlias = int | Generator | None


def generator(seed: Seed = None) -> Generator:
    """Make the generator of a seed; a generator is handed back as it is, None draws a fresh seed.

    >>> generator(7).integers(100, size=3).tolist() == generator(7).integers(100, size=3).tolist()
    True
    """
    if isinstance(seed, Generator):
        return seed
    try:
        return Generator(PCG64DXSM(SeedSequence(None if seed is None else index(seed))))
    except (TypeError, ValueError):
        raise InvalidParameterError("A seed must be a whole number, 0 or more.") from None


def spawn(parent: Seed, name: str) -> Generator:
    """Make the child of a generator or seed that belongs to ``name``.

    The child depends on the parent's seed and the name alone, not on what was drawn before.

    >>> parent = generator(7)
    >>> first = spawn(parent, "ages").random()
    >>> _ = parent.random(1000)
    >>> spawn(parent, "ages").random() == first, spawn(7, "zips").random() == first
    (True, False)
    """
    seed_sequence = generator(parent).bit_generator.seed_seq
    if not isinstance(seed_sequence, SeedSequence):
        return secret_generator()  # the child of a secret is a secret of its own
    digest = blake2b(name.encode(), digest_size=16).digest()
    key = (*seed_sequence.spawn_key, *np.frombuffer(digest, dtype="<u4").tolist())
    return Generator(PCG64DXSM(SeedSequence(seed_sequence.entropy, spawn_key=key)))


def secret_generator() -> Generator:
    """Make a generator from the operating system's entropy that leaves no seed behind.

    For shuffles and noise that protect people: nothing that is kept or logged can repeat them.

    >>> secret_generator().random() == secret_generator().random()
    False
    """
    return Generator(PCG64DXSM(_SystemEntropy()))  # type: ignore[arg-type]  # stubs too narrow


class _SystemEntropy(ISeedSequence):
    """A seed sequence that asks the operating system each time and remembers nothing."""

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        """Read fresh random words."""
        size = n_words * np.dtype(dtype).itemsize
        return np.frombuffer(secrets.token_bytes(size), dtype=dtype).copy()
