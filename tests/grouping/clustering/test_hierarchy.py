"""Cuts of one tree: pruned, numbered and settled, against the plain cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.core.records import OTHER_PASSAGES
from subclust.grouping.clustering.agglomerative import (
    MOST_UNDIVIDED,
    AgglomerativeSubtopics,
    PrecomputedScores,
)
from subclust.grouping.clustering.average_link import average_link, cut_to, numbered_cut, prune
from subclust.grouping.clustering.grounds import set_aside, settled_labels, settled_strengths
from subclust.grouping.clustering.strength import passage_strengths
from subclust.grouping.clustering.threshold_count import ThresholdCount


def random_scores(n, seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 5)) + 3 * np.eye(5)[rng.integers(0, 4, size=n)]
    return np.asarray(-np.linalg.norm(points[:, None] - points[None], axis=-1), dtype=np.float32)


def groups_of(labels):
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in set(labels.tolist())}


sizes_and_seeds = given(st.integers(2, 30), st.integers(0, 10**6), st.integers(1, 30))


@sizes_and_seeds
def test_a_pruned_tree_divides_those_who_stay_as_the_whole_does(n, seed, n_kept):
    tree = average_link(random_scores(n, seed))
    kept = np.sort(np.random.default_rng(seed).permutation(n)[: min(n_kept, n)])
    pruned = prune(tree, kept)
    assert pruned.shape == (len(kept) - 1, 4)
    for n_clusters in range(1, n + 1):
        whole = cut_to(tree, n_clusters)[kept]
        n_left = len(set(whole.tolist()))
        assert groups_of(cut_to(pruned, n_left)) == groups_of(whole)


@sizes_and_seeds
def test_one_group_more_splits_one_group_and_the_others_keep_their_numbers(n, seed, anchor):
    tree, anchor = average_link(random_scores(n, seed)), min(anchor, n)
    cuts = [numbered_cut(tree, n_clusters, anchor) for n_clusters in range(1, n + 1)]
    sizes = np.bincount(cuts[anchor - 1])
    assert sizes.tolist() == sorted(sizes.tolist(), reverse=True)
    for n_clusters, labels in enumerate(cuts, start=1):
        assert groups_of(labels) == groups_of(cut_to(tree, n_clusters))
    for fewer, more in zip(cuts, cuts[1:], strict=False):
        changed = np.flatnonzero(fewer != more)
        split = set(fewer[changed].tolist()) | set(more[changed].tolist())
        assert len(groups_of(fewer) - groups_of(more)) == 1
        # The passages that move all come from one group, and that one keeps its number.
        assert len(split) == 2
        assert split & set(fewer.tolist()) & set(more.tolist())


@pytest.mark.parametrize("max_other", [0.0, 0.1, 0.4])
def test_the_same_passages_are_set_aside_whatever_the_number_of_groups(max_other):
    scores = random_scores(40, 3)
    tree = average_link(scores)
    aside, fits, n_groups = set_aside(scores, tree, 12, max_other)
    assert aside.any() == (max_other > 0)
    assert aside.sum() <= max_other * 40
    for n_clusters in range(1, 40 - int(aside.sum()) + 1):
        labels = settled_labels(tree, aside, n_groups, n_clusters)
        assert ((labels == -1) == aside).all()
        assert len(set(labels[~aside].tolist())) == n_clusters
        strengths = settled_strengths(scores, labels, fits)
        assert (strengths[aside] == fits[aside]).all()
        kept = np.flatnonzero(~aside)
        own = passage_strengths(scores[np.ix_(kept, kept)], labels[kept])
        np.testing.assert_array_equal(strengths[kept], own)
    everybody = settled_labels(tree, aside, n_groups, 40)
    assert sorted(everybody.tolist()) == list(range(40))


def two_halves_and_a_stranger(n):
    points = np.repeat([[0.0, 0.0], [1.0, 0.0]], n // 2, axis=0)
    points = np.vstack([points + 0.01 * np.arange(n)[:, None], [[50.0, 50.0]]])
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    return np.asarray(-distances, dtype=np.float32)


@pytest.mark.parametrize(("n", "n_groups"), [(MOST_UNDIVIDED - 2, 1), (2 * MOST_UNDIVIDED, 2)])
def test_where_only_a_stranger_is_apart_the_others_are_divided_if_they_are_many(n, n_groups):
    scores = two_halves_and_a_stranger(n)
    positions = PrecomputedScores.positions(np.arange(n + 1))
    texts = [f"passage {row:02}" for row in range(n + 1)]
    clusterer = AgglomerativeSubtopics(
        PrecomputedScores(scores), count=ThresholdCount(-10.0), max_other=0.2
    ).fit(texts, embeddings=positions)
    assert clusterer.labels_[-1] == OTHER_PASSAGES
    assert clusterer.n_clusters_ == clusterer.n_auto_ == n_groups
    source = "threshold" if n_groups == 1 else "silhouette"
    assert clusterer.n_clusters_source_ == clusterer.n_auto_source_ == source
    assert len({*clusterer.labels_[: n // 2].tolist()}) == 1
