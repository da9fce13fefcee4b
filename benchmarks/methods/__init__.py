"""Methods that are there for a paper's table only."""

from subclust.records import MethodCard

METHODS: dict[str, MethodCard] = {}
"""By name."""
