from dataclasses import replace

import numpy as np
import pytest
import torch

from subclust.core.records import Query
from subclust.grouping.clustering.agglomerative import (
    LEAST_SHARE,
    AgglomerativeSubtopics,
    GatedSubtopics,
)
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.network import NetworkSimilarity

N_ABOUT, N_BESIDE = 8, 5


@pytest.fixture
def hits():
    """Give eight passages near the query, in two directions, and five far from it."""
    generator = np.random.default_rng(0)
    query = np.eye(16)[0]
    kinds = [query + np.eye(16)[1 + row % 2] for row in range(N_ABOUT)]
    kinds += [np.eye(16)[5 + row % 4] for row in range(N_BESIDE)]
    vectors = np.array(kinds) + 0.05 * generator.normal(size=(len(kinds), 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [f"passage {row}" for row in range(len(kinds))]
    # The base encoder's vectors stand beside the others.
    query, vectors = np.tile(query, 2), np.tile(vectors, (1, 2))
    return texts, Query("q", embedding=query.astype(np.float32)), vectors.astype(np.float32)


@pytest.fixture
def similarity():
    """Give a gate by the cosine with the query alone: open above 0.4."""
    model = CentredSiamese(16, hidden_dim=4, shared_words=False, gate=True)
    with torch.no_grad():
        model.gate.mixed[2].weight.zero_()
        model.gate.mixed[2].bias.fill_(50.0)
        model.gate.query.weight.zero_()
        model.gate.relevance.weight.copy_(torch.tensor([[10.0, 0, 0, 0, 0, 0, 0]]))
        model.gate.relevance.bias.fill_(-40.0)
    return NetworkSimilarity(model)


def fit(similarity, hits, **options):
    texts, query, vectors = hits
    return GatedSubtopics(similarity, **options).fit(texts, query=query, embeddings=vectors)


def test_relevance_is_the_gate(similarity, hits):
    texts, query, vectors = hits
    relevance = similarity.relevance(query, texts, vectors)
    assert (relevance[:N_ABOUT] > 0.9).all() and (relevance[N_ABOUT:] < 0.1).all()
    plain = NetworkSimilarity(CentredSiamese(16))
    assert (plain.relevance(query, texts, vectors) == 1).all()


def test_what_is_known_of_relevance_counts_instead_of_the_gate(similarity, hits):
    texts, query, vectors = hits
    alone = similarity.relevance(query, texts, vectors)
    known = dict(zip(texts, np.linspace(0, 1, len(texts)).tolist(), strict=True))
    found = similarity.relevance(replace(query, relevance=known), texts, vectors)
    np.testing.assert_allclose(found, list(known.values()), rtol=1e-6)
    # Known of some only, it is not looked at.
    del known[texts[0]]
    found = similarity.relevance(replace(query, relevance=known), texts, vectors)
    np.testing.assert_array_equal(found, alone)


def test_what_is_beside_the_query_is_set_aside(similarity, hits):
    fitted = fit(similarity, hits, n_clusters=2, max_other=0.1)
    assert (fitted.labels_[N_ABOUT:] == -1).all()
    np.testing.assert_array_equal(fitted.labels_[:N_ABOUT], [0, 1] * (N_ABOUT // 2))
    assert (fitted.n_clusters_, fitted.n_beside_) == (2, N_BESIDE)
    assert (fitted.strengths_[N_ABOUT:] < 0).all() and (fitted.strengths_[:N_ABOUT] > 0.5).all()
    assert fitted.scores_.shape == (N_ABOUT + N_BESIDE,) * 2
    assert (np.abs(fitted.strengths_) <= 1).all()


def test_every_hit_is_grouped_where_other_passages_are_not_wanted(similarity, hits):
    texts, query, vectors = hits
    fitted = fit(similarity, hits, n_clusters=3)
    assert (fitted.labels_ >= 0).all() and fitted.n_clusters_ == 3
    # As by the same network without a gate.
    own = replace(query, embedding=query.embedding[:16])
    plain = AgglomerativeSubtopics(similarity, 3).fit(texts, query=own, embeddings=vectors[:, :16])
    np.testing.assert_allclose(fitted.scores_, plain.scores_, atol=1e-6)
    np.testing.assert_array_equal(fitted.labels_, plain.labels_)


@pytest.mark.parametrize("n_clusters", [9, 13])
def test_more_groups_than_passages_about_the_query_take_all(similarity, hits, n_clusters):
    fitted = fit(similarity, hits, n_clusters=n_clusters, max_other=0.05)
    assert fitted.n_clusters_ == n_clusters


def test_a_gate_that_leaves_next_to_nothing_does_not_let_everything_in(similarity, hits):
    texts, query, vectors = hits
    some = [N_ABOUT - 1, *range(N_ABOUT, N_ABOUT + N_BESIDE)]  # one about the query, five beside
    fitted = GatedSubtopics(similarity, n_clusters=2, max_other=0.01).fit(
        [texts[row] for row in some], query=query, embeddings=vectors[some]
    )
    relevance = similarity.relevance(query, [texts[row] for row in some], vectors[some])
    assert (relevance >= 0.5).sum() == 1
    assert fitted.labels_[relevance.argmax()] >= 0
    # So many as the groups asked for; before, all five that are beside the query were let in.
    assert fitted.n_clusters_ == 2
    assert (fitted.labels_ == -1).sum() == fitted.n_beside_ == len(some) - 2


def test_the_least_share_of_the_hits_is_grouped_the_most_relevant(similarity, hits):
    texts, query, vectors = hits
    beside = [N_ABOUT + row % N_BESIDE for row in range(39)]
    many = [0, *beside]
    generator = np.random.default_rng(1)
    moved = vectors[many] + 0.01 * generator.normal(size=(len(many), 32)).astype(np.float32)
    fitted = GatedSubtopics(similarity, max_other=0.1).fit(
        [f"{texts[row]} {place}" for place, row in enumerate(many)],
        query=query,
        embeddings=moved,
    )
    assert fitted.n_beside_ == len(many) - LEAST_SHARE * len(many)
    assert fitted.labels_[0] >= 0


def test_the_order_of_the_hits_does_not_matter(similarity, hits):
    texts, query, vectors = hits
    straight = fit(similarity, hits, n_clusters=2, max_other=0.1)
    turned = fit(similarity, (texts[::-1], query, vectors[::-1]), n_clusters=2, max_other=0.1)
    np.testing.assert_array_equal(straight.labels_, turned.labels_[::-1])
    np.testing.assert_allclose(straight.strengths_, turned.strengths_[::-1], atol=1e-5)
