import pytest
from hostile_map import ORIGIN, hostile_map

from subclust.core.records import Hit
from subclust.sessions import SessionStore, session_of


@pytest.fixture
def sessions(tmp_path):
    return SessionStore(tmp_path / "sessions")


@pytest.fixture
def answer():
    """Give groups with odd floats and odd words."""
    return hostile_map()


@pytest.fixture
def session(answer):
    return kept(answer)


def kept(answer, **more):
    hits = [Hit(m.passage, m.rank, 1 / (60 + m.rank)) for g in answer.subtopics for m in g.passages]
    return session_of(answer, hits, ORIGIN, address={"q": "tea", "passage": ["a", "b"]}, **more)
