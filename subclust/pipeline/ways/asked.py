"""From the key of a way to the query that groups hits in it."""

from collections.abc import Callable, Sequence

from subclust.core.records import Query
from subclust.pipeline.ways.knowledge import KNOWLEDGE
from subclust.pipeline.ways.suggest import DIRECTIONS, OF_METHOD
from subclust.pipeline.ways.way import FIELD, Way


def _is_key(text: str) -> bool:
    """Return whether a text is the key of a way, and no question."""
    return text.startswith(FIELD) or text in (*OF_METHOD, *DIRECTIONS, KNOWLEDGE)


def in_way(key: str, ways: Callable[[], Sequence[Way]]) -> Query | None:
    """Return the query that groups hits in a way; None where the text is no key.

    Parameters
    ----------
    key : str
    ways : callable
        Returns those that are suggested, which know what they are called.
    """
    if not _is_key(key):
        return None
    called = next((str(way.text) for way in ways() if way.key == key), key)
    return Query(called, way=key)
