"""What the tests of tuning share: scores are drawn again a few times, not two hundred."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shoal.tuning import _resampling


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """Half the time of a small study goes into its intervals; only two tests look at them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_resampling, "RESAMPLES", 40)
        yield


@pytest.fixture
def all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw as often as users do."""
    monkeypatch.setattr(_resampling, "RESAMPLES", 200)
