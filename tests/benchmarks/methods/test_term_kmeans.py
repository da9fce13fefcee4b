import numpy as np
import pytest
from themed_texts import themed

from benchmarks.methods.term_kmeans import TermKMeansSubtopics, term_vectors
from subclust.core.records import Query
from subclust.evaluation.metrics import accuracy


@pytest.mark.parametrize("weights", ["counts", "tfidf"])
def test_plain_themes_are_found_by_their_words(weights):
    texts = [passage.text for passage in themed().passages]
    fitted = TermKMeansSubtopics(weights, 3).fit(texts, query=Query(""))
    assert accuracy([p.label for p in themed().passages], fitted.labels_) > 0.9


def test_words_are_counted_the_most_frequent_first():
    vectors = term_vectors(["tea tea war", "tea paper", "tea paper ant"], "counts", n_words=2)
    np.testing.assert_array_equal(vectors, [[0, 2], [1, 1], [1, 1]])
    weighed = term_vectors(["tea tea war", "tea paper"], "tfidf")
    np.testing.assert_allclose(np.linalg.norm(weighed, axis=1), 1, rtol=1e-6)
    assert weighed[1, 0] > weighed[1, 1]  # "paper" is rarer than "tea"


def test_texts_without_words_have_no_vectors():
    assert term_vectors(["…", "!"], "tfidf").tolist() == [[0.0], [0.0]]
