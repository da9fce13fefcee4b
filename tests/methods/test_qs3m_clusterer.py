import numpy as np
import pytest

from subclust.methods.qs3m.clusterer import (
    MODELS,
    LexicalBlend,
    QuerySpecificSimilarity,
    lexical_similarity,
    load,
)
from subclust.records import Query

TEXTS = ["tea taxes of King George", "King George and his taxes", "ants dig at night", "ants eat"]


@pytest.fixture
def embedded(encoder):
    query = Query("taxes", embedding=encoder.encode(["taxes"])[0])
    return query, TEXTS, encoder.encode(TEXTS)


@pytest.mark.parametrize("name", MODELS)
def test_shared_words_count_as_much_as_they_are_told_to(random_checkpoint, embedded, name):
    plain, blended = (
        load(name, random_checkpoint(name, lexical_weight=weight)).similarity
        for weight in (0.0, 0.75)
    )
    assert isinstance(plain, QuerySpecificSimilarity)
    assert isinstance(blended, LexicalBlend)
    shared = lexical_similarity().score_matrix(*embedded[:2])
    # Names of persons tell, subjects without a common word do not.
    assert shared[0, 1] > 0.3 and shared[0, 2] == 0
    scores = blended.score_matrix(*embedded)
    np.testing.assert_allclose(scores, plain.score_matrix(*embedded) + 0.75 * shared, atol=1e-5)
    np.testing.assert_array_equal(scores, scores.T)


@pytest.mark.parametrize("name", MODELS)
def test_the_order_of_the_passages_does_not_matter_to_the_blend(random_checkpoint, embedded, name):
    clusterer = load(name, random_checkpoint(name, lexical_weight=1.0))
    clusterer.n_clusters = 2
    query, texts, embeddings = embedded
    straight = clusterer.fit(texts, query=query, embeddings=embeddings).labels_
    turned = clusterer.fit(texts[::-1], query=query, embeddings=embeddings[::-1]).labels_
    np.testing.assert_array_equal(straight, turned[::-1])


@pytest.mark.parametrize("texts", [[""], ["", ""], ["the of and"], ["one"], ["?", "!"]])
def test_texts_without_words_are_scored_too(random_checkpoint, encoder, texts):
    clusterer = load("qs3m", random_checkpoint("qs3m", lexical_weight=1.0))
    query = Query("", embedding=encoder.encode([""])[0])
    fitted = clusterer.fit(texts, query=query, embeddings=encoder.encode(texts))
    assert np.isfinite(fitted.scores_).all()


def test_a_network_scores_in_the_precision_it_was_saved_in(random_checkpoint, embedded):
    # Checkpoints with tuned layers are saved in half precision and must load all the same.
    checkpoint = random_checkpoint("qs3m")
    half = {name: tensor.astype(np.float16) for name, tensor in checkpoint.tensors.items()}
    scores = load("qs3m", checkpoint).similarity.score_matrix(*embedded)
    low = type(checkpoint)("qs3m", "half", checkpoint.config, half)
    np.testing.assert_allclose(
        load("qs3m", low).similarity.score_matrix(*embedded), scores, rtol=0.02, atol=0.02
    )
