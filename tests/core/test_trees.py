import numpy as np

from subclust.core.trees import BoostedTrees
from subclust.grouping.naming.headings import load_headings


def walk(trees, row):
    """Follow each tree from node to node."""
    odds = trees.start
    for number in range(len(trees.column)):
        node = 0
        while trees.left[number, node] != node:
            goes_left = row[trees.column[number, node]] <= trees.threshold[number, node]
            node = (trees.left if goes_left else trees.right)[number, node]
        odds += float(trees.value[number, node])
    return 1 / (1 + np.exp(-odds))


def test_trees_are_walked_like_one_by_one():
    rng = np.random.default_rng(0)
    for n_columns, (near, exact) in load_headings().rankers.items():
        rows = rng.normal(size=(20, n_columns)).astype(np.float32)
        for trees in (near, exact):
            np.testing.assert_allclose(
                trees.probabilities(rows), [walk(trees, row) for row in rows]
            )


def test_a_tree_of_one_question():
    two = np.array([[0, 0, 0]], dtype=np.int16)
    left, right = np.array([[1, 1, 2]], dtype=np.int16), np.array([[2, 1, 2]], dtype=np.int16)
    threshold = np.array([[0.5, 0, 0]], dtype=np.float32)
    value = np.array([[0, 2, -2]], dtype=np.float32)
    trees = BoostedTrees(two, left, right, threshold, value, 0.0)
    low, high = trees.probabilities(np.array([[0.5], [0.6]], dtype=np.float32))
    assert low > 0.8 and high < 0.2
