"""Benchmark data sets: a card each, and where their files are looked for."""

from subclust.benchmarks.tasks.wikipedia import CARDS as WIKIPEDIA
from subclust.records import TaskCard

TASKS: dict[str, TaskCard] = {card.name: card for card in WIKIPEDIA}
"""Every clustering task by name."""
