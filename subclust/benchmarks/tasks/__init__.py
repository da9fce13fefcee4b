"""Benchmark data sets: a card each, and where their files are looked for."""

from subclust.benchmarks.tasks.ambient import CARDS as AMBIENT
from subclust.benchmarks.tasks.arxiv import CARDS as ARXIV
from subclust.benchmarks.tasks.demo import CARDS as DEMO
from subclust.benchmarks.tasks.entities import CARDS as ENTITIES
from subclust.benchmarks.tasks.long_text import CARDS as LONG_TEXT
from subclust.benchmarks.tasks.mixed import CARDS as MIXED
from subclust.benchmarks.tasks.newsgroups20 import CARDS as NEWSGROUPS20
from subclust.benchmarks.tasks.products import CARDS as PRODUCTS
from subclust.benchmarks.tasks.short_text import CARDS as SHORT_TEXT
from subclust.benchmarks.tasks.wikipedia import CARDS as WIKIPEDIA
from subclust.benchmarks.tasks.wikipedia_long import CARDS as WIKIPEDIA_LONG
from subclust.records import TaskCard

TASKS: dict[str, TaskCard] = {
    card.name: card
    for card in (
        *WIKIPEDIA,
        *WIKIPEDIA_LONG,
        *MIXED,
        *DEMO,
        *AMBIENT,
        *ARXIV,
        *NEWSGROUPS20,
        *SHORT_TEXT,
        *LONG_TEXT,
        *ENTITIES,
        *PRODUCTS,
    )
}
"""Every clustering task by name."""
