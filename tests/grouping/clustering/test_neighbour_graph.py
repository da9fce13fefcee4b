import numpy as np
import pytest

from subclust.evaluation.metrics import accuracy, bcubed_f1
from subclust.grouping.clustering.kmeans import kmeans_labels
from subclust.grouping.clustering.spectral import spectral_labels

RINGS = [0] * 120 + [1] * 120


def rings():
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.concatenate([ring, 4 * ring])


def test_what_no_centre_has_is_found():
    labels = spectral_labels(rings(), 2, 0)
    assert accuracy(RINGS, labels) == 1.0 == bcubed_f1(RINGS, labels)
    assert accuracy(RINGS, kmeans_labels(rings(), 2, 0)) < 0.8


@pytest.mark.parametrize("n_clusters", range(1, 6))
def test_few_points_are_divided_too(n_clusters):
    points = np.random.default_rng(0).standard_normal((5, 3))
    labels = spectral_labels(points, n_clusters, 0)
    assert labels.shape == (5,) and 0 <= labels.min() <= labels.max() < n_clusters
