"""The passages that show best what a group is about."""

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray


def telling_passages(
    embeddings: FloatArray | None,
    labels: IntArray,
    n: int = 2,
    *,
    scores: FloatArray | None = None,
) -> dict[int, list[int]]:
    """Find the passages that show best what each group is about.

    Parameters
    ----------
    embeddings : ndarray of shape (n_passages, embedding_dim) or None
        L2-normalised; not looked at where `scores` are given.
    labels : ndarray of shape (n_passages,)
        Group of each passage; -1, "other passages", counts as a group here.
    n : int
        At most so many passages a group.
    scores : ndarray of shape (n_passages, n_passages), optional
        Pair scores, higher is closer; in place of the cosines of the embeddings.

    Returns
    -------
    dict of int to list of int
        Positions of the passages with the highest mean score to their own group, best first;
        equal ones in the given order.

    Raises
    ------
    InputError
        If neither embeddings nor scores are given, or they do not fit the labels.
    """
    vectors = scores if scores is not None else embeddings
    if vectors is None or len(vectors) != len(labels):
        raise InputError(
            "Telling passages need one row of embeddings or scores for each of {count} labels, "
            "but there are {other_count}.",
            count=len(labels),
            other_count=0 if vectors is None else len(vectors),
        )
    telling: dict[int, list[int]] = {}
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        if scores is not None:
            central = scores[np.ix_(members, members)].mean(axis=1)
        else:
            central = vectors[members] @ vectors[members].mean(axis=0)
        best = np.argsort(-np.round(central, 6), kind="stable")[:n]
        telling[int(label)] = [int(members[position]) for position in best]
    return telling
