"""A search whose run is overtaken by a newer one is not made twice."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from subclust.core.records import Hit, Passage, Query, Ranking, SubtopicMap
from subclust.pipeline.served import ServedModel
from subclust.ui.components.view import View
from subclust.ui.explore import search


class Overtaken(BaseException):
    """As Streamlit raises where a run draws or asks for the state."""


class Pipeline:
    retriever = SimpleNamespace(encoder=SimpleNamespace(revision="1"))

    def __init__(self):
        self.calls = []

    def retrieve(self, query, top_k=200, within=None, strictness="usual"):
        self.calls.append("retrieve")
        return Ranking(query, (Hit(Passage("a", "A text"), 1, 1.0),), [[1.0]], "demo")

    def group(self, ranking, query, *, n_clusters, progress):
        self.calls.append("group")
        return SubtopicMap(query, "demo", "tfidf", None, 0, 0, "auto", (), {}, "pca")


@pytest.fixture
def pipeline(monkeypatch):
    made = Pipeline()
    monkeypatch.setattr(search.st, "session_state", {})
    monkeypatch.setattr(search, "open_pipeline", lambda *arguments: made)
    monkeypatch.setattr(search, "served_model", lambda *arguments: ServedModel("tfidf", None))
    return made


def test_what_an_overtaken_run_has_found_is_kept(pipeline, monkeypatch):
    @contextmanager
    def overtaken(*_):
        yield None
        raise Overtaken

    view = View(query="the American war")
    with monkeypatch.context() as patch:
        patch.setattr(search, "reading_bar", overtaken)
        with pytest.raises(Overtaken):
            search.answer(None, view)
    found = search.answer(None, view)
    assert pipeline.calls == ["retrieve", "group"]
    assert found.subtopics.query == Query("the American war")


def test_hits_are_kept_too_where_the_grouping_is_overtaken(pipeline, monkeypatch):
    view = View(query="the American war")
    with monkeypatch.context() as patch:
        patch.setattr(
            pipeline, "group", lambda *arguments, **options: (_ for _ in ()).throw(Overtaken)
        )
        with pytest.raises(Overtaken):
            search.answer(None, view)
    search.answer(None, view)
    search.answer(None, View(query="another one"))
    assert pipeline.calls == ["retrieve", "group", "retrieve", "group"]
