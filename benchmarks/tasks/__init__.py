"""Benchmark data sets: a card each, and where their files are looked for."""

from benchmarks.tasks.ambient import CARDS as AMBIENT
from benchmarks.tasks.arxiv import CARDS as ARXIV
from benchmarks.tasks.crossed_cards import CARDS as CROSSED
from benchmarks.tasks.crossed_demo import CARD as CROSSED_DEMO
from benchmarks.tasks.crossed_digital import CARD as CROSSED_DIGITAL
from benchmarks.tasks.entities import CARDS as ENTITIES
from benchmarks.tasks.long_text import CARDS as LONG_TEXT
from benchmarks.tasks.manuals import CARDS as MANUALS
from benchmarks.tasks.mixed import CARDS as MIXED
from benchmarks.tasks.newsgroups20 import CARDS as NEWSGROUPS20
from benchmarks.tasks.products import CARDS as PRODUCTS
from benchmarks.tasks.short_text import CARDS as SHORT_TEXT
from benchmarks.tasks.wikipedia import CARDS as WIKIPEDIA
from benchmarks.tasks.wikipedia_long import CARDS as WIKIPEDIA_LONG
from subclust.core.records import TaskCard

TASKS: dict[str, TaskCard] = {
    card.name: card
    for card in (
        *WIKIPEDIA,
        *WIKIPEDIA_LONG,
        *MIXED,
        *MANUALS,
        *AMBIENT,
        *ARXIV,
        *NEWSGROUPS20,
        *SHORT_TEXT,
        *LONG_TEXT,
        *ENTITIES,
        *PRODUCTS,
        *CROSSED,
        CROSSED_DEMO,
        CROSSED_DIGITAL,
    )
}
"""Every clustering task by name."""
