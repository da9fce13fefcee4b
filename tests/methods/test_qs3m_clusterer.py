from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints.network import load_weights
from subclust.core.exceptions import CheckpointError
from subclust.core.records import Query
from subclust.grouping.similarity.network import shared_words
from subclust.methods.qs3m.clusterer import MODELS, build, load

TEXTS = ["tea taxes of King George", "King George and his taxes", "ants dig at night", "ants eat"]


@pytest.fixture
def embedded(encoder):
    query = Query("taxes", embedding=encoder.encode(["taxes"])[0])
    return query, TEXTS, encoder.encode(TEXTS)


def test_shared_words_count_by_the_weight_that_was_learnt(random_checkpoint, encoder, embedded):
    checkpoint = random_checkpoint("centred-qs3m", model={"embedding_dim": embedded[2].shape[1]})
    without = {**checkpoint.tensors, "head.word_weight": np.float32(0).reshape(())}
    plain = load("centred-qs3m", replace(checkpoint, tensors=without), encoder).similarity
    shared = shared_words(embedded[1])
    # Names of persons tell, subjects without a common word do not.
    assert shared[0, 1] > 0.3 and shared[0, 2] == 0
    weight = float(checkpoint.tensors["head.word_weight"])
    assert abs(weight) > 0.01
    scores = load("centred-qs3m", checkpoint, encoder).similarity.score_matrix(*embedded)
    np.testing.assert_allclose(scores, plain.score_matrix(*embedded) + weight * shared, atol=1e-5)
    np.testing.assert_array_equal(scores, scores.T)


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_the_passages_does_not_matter(random_checkpoint, encoder, embedded, name):
    clusterer = load(name, random_checkpoint(name), encoder)
    clusterer.n_clusters = 2
    query, texts, embeddings = embedded
    straight = clusterer.fit(texts, query=query, embeddings=embeddings).labels_
    turned = clusterer.fit(texts[::-1], query=query, embeddings=embeddings[::-1]).labels_
    np.testing.assert_array_equal(straight, turned[::-1])


@pytest.mark.parametrize("texts", [[""], ["", ""], ["the of and"], ["one"], ["?", "!"]])
@pytest.mark.parametrize("name", MODELS)
def test_texts_without_words_are_scored_too(random_checkpoint, encoder, name, texts):
    clusterer = load(name, random_checkpoint(name), encoder)
    query = Query("", embedding=encoder.encode([""])[0])
    fitted = clusterer.fit(texts, query=query, embeddings=encoder.encode(texts))
    assert np.isfinite(fitted.scores_).all()


def test_a_checkpoint_may_fill_a_part_of_a_larger_network(random_checkpoint, encoder):
    small = {"embedding_dim": encoder.embedding_dim, "shared_words": False}
    checkpoint = random_checkpoint("centred-qs3m", model=small)
    larger = build("centred-qs3m", {"model": {**small, "shared_words": True, "gate": True}})
    with raises(CheckpointError, method="centred-qs3m", checkpoint="tiny"):
        load_weights(larger, checkpoint)
    bias = larger.gate.relevance.bias.clone()
    load_weights(larger, checkpoint, partly=True)
    np.testing.assert_array_equal(larger.a.weight.detach(), checkpoint.tensors["head.a.weight"])
    assert larger.gate.relevance.bias == bias


def test_a_network_scores_in_the_precision_it_was_saved_in(random_checkpoint, encoder, embedded):
    # Checkpoints with tuned layers are saved in half precision and must load all the same.
    checkpoint = random_checkpoint("qs3m")
    half = {name: tensor.astype(np.float16) for name, tensor in checkpoint.tensors.items()}
    scores = load("qs3m", checkpoint, encoder).similarity.score_matrix(*embedded)
    low = type(checkpoint)("qs3m", "half", checkpoint.config, half)
    np.testing.assert_allclose(
        load("qs3m", low, encoder).similarity.score_matrix(*embedded), scores, rtol=0.02, atol=0.02
    )
