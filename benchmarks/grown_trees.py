"""Boosted trees of scikit-learn as arrays, so that they need no pickle."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from subclust.core.trees import BoostedTrees


def trees_of(grown: HistGradientBoostingClassifier) -> BoostedTrees:
    """Take the trees out of a fitted classifier with two classes."""
    trees = [stage[0].nodes for stage in grown._predictors]
    shape = len(trees), max(map(len, trees))
    column, left, right = (np.zeros(shape, dtype=np.int16) for _ in range(3))
    threshold, value = (np.zeros(shape, dtype=np.float32) for _ in range(2))
    for row, nodes in enumerate(trees):
        n, leaf, own = len(nodes), nodes["is_leaf"].astype(bool), np.arange(len(nodes))
        column[row, :n] = np.where(leaf, 0, nodes["feature_idx"])
        left[row, :n] = np.where(leaf, own, nodes["left"])
        right[row, :n] = np.where(leaf, own, nodes["right"])
        threshold[row, :n] = np.where(leaf, 0, nodes["num_threshold"])
        value[row, :n] = np.where(leaf, nodes["value"], 0)
    start = float(np.ravel(grown._baseline_prediction)[0])
    return BoostedTrees(column, left, right, threshold, value, start)
