import numpy as np
from sklearn.metrics import adjusted_rand_score

from benchmarks.distilling.measuring import adjusted_rand, centred_cosine, scores
from benchmarks.distilling.passages import PassageSet
from subclust.grouping.clustering.average_link import average_link, cut_to


def test_the_index_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    for _ in range(30):
        labels, groups = random.integers(0, 4, 20), random.integers(0, 3, 20)
        assert abs(adjusted_rand(labels, groups) - adjusted_rand_score(labels, groups)) < 1e-9
    assert adjusted_rand(np.zeros(5, int), np.zeros(5, int)) == 1


def test_sets_are_scored_as_the_product_groups_them():
    random = np.random.default_rng(1)
    sets, similarities, expected = [], [], []
    for _ in range(8):
        labels = np.unique(random.integers(0, 4, 18), return_inverse=True)[1]
        vectors = np.eye(12)[labels] + random.normal(0, 0.6, (18, 12))
        sets.append(PassageSet(np.arange(18), labels))
        similarities.append(centred_cosine(vectors.astype(np.float32)))
        groups = cut_to(average_link(similarities[-1]), len(set(labels)))
        expected.append(adjusted_rand_score(labels, groups))
    np.testing.assert_allclose(scores(sets, similarities), expected, atol=1e-6)
    assert 0.1 < np.mean(expected) < 0.95
