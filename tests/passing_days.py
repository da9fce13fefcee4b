"""A day between two looks at what is old."""

import pytest

from subclust.core.storage import ageing


@pytest.fixture
def a_day_passes(monkeypatch):
    """Have what was found old before be found old for a day."""
    return lambda: monkeypatch.setattr(ageing, "WAIT_SECONDS", 0.0)
