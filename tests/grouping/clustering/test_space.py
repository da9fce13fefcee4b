import numpy as np
import pytest

from subclust.core.records import Query
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.grouping.clustering.space import space_of
from subclust.methods import METHODS, load_method
from subclust.text.encoders import with_embedding

VECTORS = np.eye(4, dtype=np.float32)


class Doubling:
    def score_matrix(self, query, passages, embeddings=None):
        return embeddings @ embeddings.T

    def space(self, query, embeddings):
        return 2 * embeddings


class Halving(KMeansSubtopics):
    def space(self, query, embeddings):
        return embeddings[:, :2] / 2


def test_the_space_is_that_of_the_clusterer_or_of_its_similarity():
    given = Query("q"), ["a", "b", "c", "d"], VECTORS
    assert np.array_equal(space_of(AgglomerativeSubtopics(Doubling()), *given), 2 * VECTORS)
    assert np.array_equal(space_of(Halving(), *given), VECTORS[:, :2] / 2)
    assert space_of(KMeansSubtopics(), *given) is VECTORS


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_one_vector_a_passage(name, read_only_store, encoder):
    method = load_method(name, read_only_store, encoder)
    texts = [f"passage {number}" for number in range(6)]
    embeddings = method.encoder.encode(texts)
    query = with_embedding(Query("what"), method.encoder, embeddings)
    found = space_of(method.clusterer, query, texts, embeddings)
    assert found.ndim == 2 and len(found) == 6 and np.isfinite(found).all()
