import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Query
from subclust.explanation.stability import clusterwise_stability
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics, PrecomputedScores


def by_average_link(points, n_clusters):
    points = points.reshape(len(points), -1)
    scores = -np.square(points[:, None] - points[None, :]).sum(axis=-1).astype(np.float32)
    clusterer = AgglomerativeSubtopics(PrecomputedScores(scores), n_clusters)

    def recluster(rows):
        texts = [str(points[row]) for row in rows]
        places = PrecomputedScores.positions(rows)
        return clusterer.fit(texts, query=Query("q"), embeddings=places).labels_

    return recluster


def test_groups_far_apart_come_back_and_those_of_a_crowd_cut_up_do_not():
    generator = np.random.default_rng(0)
    apart = [generator.normal(centre, 0.1, (20, 2)) for centre in (0, 50)]
    crowd = generator.uniform(100, 110, (40, 2))
    recluster = by_average_link(np.concatenate([*apart, crowd]), 6)
    labels = recluster(np.arange(80))
    stable = clusterwise_stability(labels, recluster)
    firm = {int(labels[0]), int(labels[20])}
    assert len(stable) == 6 and len(firm) == 2
    assert min(stable[group] for group in firm) > 0.95
    assert np.mean([stable[group] for group in stable if group not in firm]) < 0.9


def test_groups_drawn_by_lot_are_not_stable():
    points = np.random.default_rng(1).uniform(size=60)
    labels = np.random.default_rng(2).integers(0, 4, 60)
    assert max(clusterwise_stability(labels, by_average_link(points, 4)).values()) < 0.6


def test_it_is_the_jaccard_coefficient_of_the_best_match():
    labels = np.array([0] * 10 + [1] * 10)
    found = clusterwise_stability(labels, lambda rows: (rows >= 5).astype(np.int64), n_subsets=400)
    # Of the first group half is cut off; the second gets five more: 10 of 15.
    assert found[0] == pytest.approx(0.5, abs=0.04)
    assert found[1] == pytest.approx(10 / 15, abs=0.02)


def test_other_passages_are_never_drawn_and_single_ones_say_nothing():
    labels = np.array([0, 0, 0, 0, 1, -1, -1])
    drawn = set()

    def recluster(rows):
        drawn.update(rows.tolist())
        return labels[rows]

    assert clusterwise_stability(labels, recluster, share=0.7) == {0: 1.0}
    assert drawn == {0, 1, 2, 3, 4}


def test_the_same_seed_gives_the_same_and_a_share_out_of_range_is_refused():
    labels = np.array([0] * 10 + [1] * 10)
    recluster = by_average_link(np.random.default_rng(3).uniform(size=20), 2)
    once, again, other = (clusterwise_stability(labels, recluster, seed=s) for s in (0, 0, 1))
    assert once == again != other
    with raises(InputError, n_subsets=20):
        clusterwise_stability(labels, recluster, share=1.0)
