import json
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import numpy as np
import pytest
from raising import raises

from subclust.core import records
from subclust.core.exceptions import InputError
from subclust.core.records import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    ClusteringInstance,
    Hit,
    MappedPassage,
    Passage,
    Query,
    Ranking,
    Subtopic,
    SubtopicMap,
)


def member(number, strength=0.5):
    passage = Passage(f"p{number}", f"Text {number}", title="An article", label="gold")
    return MappedPassage(passage, number, strength, 0.123456789, -1.0)


SUBTOPICS = SubtopicMap(
    query=Query("taxes", embedding=np.ones(3, dtype=np.float32)),
    library="demo",
    method="qs3m",
    checkpoint="one",
    seed=3,
    n_clusters=1,
    n_clusters_source="user",
    subtopics=(
        Subtopic(0, "taxes on tea", 0.123456789, (member(2), member(1))),
        Subtopic(OTHER_PASSAGES, OTHER_PASSAGES_NAME, -0.5, (member(3, -0.25),)),
    ),
    timings_ms={"retrieve": 1.23456, "total": 2.0},
)


def test_the_printed_object_is_the_documented_one():
    printed = SUBTOPICS.to_dict()
    assert printed == {
        "query": "taxes",
        "library": "demo",
        "method": "qs3m",
        "checkpoint": "one",
        "seed": 3,
        "answered": None,
        "nearest_cosine": None,
        "n_clusters": 1,
        "n_clusters_source": "user",
        "timings_ms": {"retrieve": 1.235, "total": 2.0},
        "subtopics": [
            {
                "id": 0,
                "name": "taxes on tea",
                "term": None,
                "size": 2,
                "quality": 0.123457,
                "relevance": None,
                "passages": [
                    {
                        "id": f"p{n}",
                        "document": f"p{n}",
                        "title": "An article",
                        "text": f"Text {n}",
                        "rank": n,
                        "strength": 0.5,
                        "relevance": None,
                        "x": 0.123457,
                        "y": -1.0,
                    }
                    for n in (2, 1)
                ],
            },
            {
                "id": -1,
                "name": "Other passages",
                "term": None,
                "size": 1,
                "quality": -0.5,
                "relevance": None,
                "passages": [
                    {
                        "id": "p3",
                        "document": "p3",
                        "title": "An article",
                        "text": "Text 3",
                        "rank": 3,
                        "strength": -0.25,
                        "relevance": None,
                        "x": 0.123457,
                        "y": -1.0,
                    }
                ],
            },
        ],
        "n_set_aside": 0,
        "set_aside": [],
    }
    assert json.loads(json.dumps(printed)) == printed


def test_how_long_it_took_does_not_make_another_map():
    assert replace(SUBTOPICS, timings_ms={"total": 99.0}) == SUBTOPICS
    assert replace(SUBTOPICS, seed=4) != SUBTOPICS


def test_an_embedding_does_not_make_another_query():
    query = Query("taxes", embedding=np.zeros(3, dtype=np.float32))
    assert query == Query("taxes") and hash(query) == hash(Query("taxes"))
    assert "embedding" not in repr(query)
    assert query != Query("taxes", context="passages")


@pytest.mark.parametrize("context", ["title", "description", "passages"])
def test_known_contexts_are_taken(context):
    assert Query("q", context=context).context == context


@pytest.mark.parametrize("context", ["", "Title", "body", None])
def test_an_unknown_context_is_refused(context):
    with raises(InputError, names="title, description, passages"):
        Query("q", context=context)


def test_gold_labels_at_both_levels():
    instance = ClusteringInstance(
        Query("q"),
        (
            Passage("a", "t", label="History", path="History / Early"),
            Passage("b", "t", label="History"),
            Passage("c", "t"),
        ),
    )
    assert instance.gold() == instance.gold("flat") == ["History", "History", ""]
    assert instance.gold("hierarchical") == ["History / Early", "History", ""]


def test_a_ranking_gives_its_passages_in_order():
    passages = [Passage(name, name) for name in "cab"]
    hits = tuple(Hit(p, n, 1 / n) for n, p in enumerate(passages, start=1))
    ranking = Ranking(Query("q"), hits, np.zeros((3, 2), dtype=np.float32), "demo")
    assert ranking.passages == tuple(passages)


def test_every_record_is_frozen_and_says_what_its_fields_are():
    kinds = [
        kind
        for kind in vars(records).values()
        if isinstance(kind, type)
        and is_dataclass(kind)
        and kind.__module__.startswith(records.__name__)
    ]
    assert len(kinds) >= 15
    for kind in kinds:
        assert kind.__dataclass_params__.frozen, kind
        assert kind.__doc__ and not kind.__doc__.startswith(f"{kind.__name__}("), kind
        for field in fields(kind):
            assert field.name in kind.__doc__ or kind is ClusteringInstance, (kind, field.name)
    with pytest.raises(FrozenInstanceError):
        Query("q").text = "other"
