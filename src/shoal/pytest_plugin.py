"""For pytest: the fixture ``assert_k_anonymous``, there as soon as Shoal is installed.

Nothing else is imported before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def assert_k_anonymous() -> Callable[..., None]:
    """Give `shoal.testing.assert_k_anonymous`: a table must be k-anonymous, or the test fails."""
    from shoal.testing import assert_k_anonymous as given

    return given
