"""What goes with the things that a question lists is learnt from headings."""

import numpy as np
import pytest
import torch

from benchmarks.dividing.learn_listed import (
    MOST_LISTED,
    Sections,
    learn_listed,
    listing,
    score_lists,
    sections_of,
)
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.similarity.named_things import named_things
from subclust.judging.bench import embed_queries
from subclust.methods import METHODS, LoadedMethod, resolve
from subclust.text.encoders import HashingEncoder

DIM = 16
HEADINGS = np.eye(DIM, dtype=np.float32)


@pytest.fixture(scope="module")
def articles():
    """Sections whose passages stand where another axis than that of their heading is."""
    made = []
    for number in range(40):
        rng = np.random.default_rng(number)
        headings = np.repeat(rng.permutation(8)[:4], 3)
        vectors = rng.normal(0, 0.1, (len(headings), DIM))
        vectors[np.arange(len(headings)), headings + 8] += 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        made.append(Sections(torch.from_numpy(vectors.astype(np.float32)), torch.tensor(headings)))
    return made


def test_passages_are_brought_to_what_they_are_headed_by(articles, monkeypatch):
    monkeypatch.setattr("benchmarks.dividing.learn_listed._RATE", 0.1)  # for few steps
    learnt = learn_listed(articles[:32], HEADINGS, seed=0)
    right = []
    for vectors, headings in articles[32:]:
        listed = np.unique(headings.numpy())[:3]
        alike = learnt.likeness(vectors.numpy(), HEADINGS[listed])
        same = (headings[:, None] == headings).numpy() & ~np.eye(len(headings), dtype=bool)
        about = np.isin(headings.numpy(), listed)
        right.append(alike[same & about[:, None]].mean() > alike[~same].mean() + 0.5)
    assert np.mean(right) > 0.9


def article(number):
    texts = [f"{heading} of {number}, {row}" for heading in "abcd" for row in range(3)]
    passages = [Passage(text, text, label=f"Part {text[0]}") for text in texts]
    return ClusteringInstance(Query(f"Title {number}"), tuple(passages))


def test_articles_are_encoded_with_their_headings_once_each():
    sections, headings = sections_of([article(0), article(1)], HashingEncoder())
    assert [len(one.vectors) for one in sections] == [12, 12]
    assert len(headings) == 4
    assert sections[0].headings.tolist() == sections[1].headings.tolist()


def test_a_list_is_read_as_it_was_written():
    names = [f"Heading, {number}" for number in range(12)]
    found = named_things(listing(Query("A title"), names[:3], 1.0, 0).text)
    assert sorted(found) == ["heading 0", "heading 1", "heading 2"]
    assert len(named_things(listing(Query("A title"), names, 1.0, 0).text)) == MOST_LISTED
    assert len(named_things(listing(Query("A title"), names[:6], 0.5, 0).text)) == 3


def test_each_article_is_asked_for_by_its_title_and_by_lists():
    card = METHODS["centred-cosine"]
    clusterer = resolve(card.loader)(card.name, None, HashingEncoder())
    method = LoadedMethod(card, clusterer, HashingEncoder(), None)
    scores = score_lists([article(0), article(1)], method)
    assert {name: len(found) for name, found in scores.items()} == dict.fromkeys(
        ("title", "title_auto", "title_aside", "all", "all_auto", "half", "others", "wrong_aside"),
        2,
    )
    assert scores["title"] == scores["all"]  # a method without a question is not moved by lists


def test_relevance_is_estimated_of_right_and_wrong_titles_alike(monkeypatch):
    allowed = []

    def embedded(instances, embeddings, method, context):
        allowed.append(method.clusterer.max_other > 0)
        return embed_queries(instances, embeddings, method, context)

    monkeypatch.setattr("benchmarks.dividing.learn_listed.embed_queries", embedded)
    card = METHODS["centred-cosine"]
    clusterer = resolve(card.loader)(card.name, None, HashingEncoder())
    method = LoadedMethod(card, clusterer, HashingEncoder(), None)
    score_lists([article(0), article(1)], method)
    assert allowed == [True, True, False, False, False]
