import pytest
from raising import raises
from sklearn.base import clone, is_clusterer

from subclust.core.exceptions import InputError
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.similarity.cosine import CosineSimilarity


@pytest.fixture
def clusterer():
    return AgglomerativeSubtopics(CosineSimilarity(), 3, random_state=7)


def test_scikit_learn_clones_it_with_its_parameters(clusterer):
    other = clone(clusterer, safe=False)
    assert type(other) is AgglomerativeSubtopics and other is not clusterer
    mine, its = clusterer.get_params(deep=False), other.get_params(deep=False)
    assert mine.keys() == its.keys() >= {"similarity", "n_clusters", "max_other", "random_state"}
    assert (its["n_clusters"], its["random_state"]) == (3, 7)
    assert is_clusterer(clusterer)


def test_parameters_are_set_by_name_and_others_rejected(clusterer):
    assert clusterer.set_params(n_clusters=5).n_clusters == 5
    with raises(InputError, name="n_groups"):
        clusterer.set_params(n_groups=5)


def test_it_writes_the_parameters_that_are_not_usual(clusterer):
    assert "n_clusters=3" in repr(clusterer) and "max_other" not in repr(clusterer)
