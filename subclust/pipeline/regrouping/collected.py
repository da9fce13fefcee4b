"""From arrays to subtopics."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import (
    OTHER_PASSAGES,
    FloatArray,
    IntArray,
    MappedPassage,
    Passage,
    Subtopic,
)


def collect(
    hits: Sequence[tuple[Passage, int]],
    names: Mapping[int, str],
    labels: IntArray,
    strengths: FloatArray,
    coordinates: FloatArray,
) -> tuple[Subtopic, ...]:
    """Put the stages' arrays together: largest group first, most central passage first.

    Parameters
    ----------
    hits : sequence of (Passage, int)
        Passages with their ranks, n_passages of them.
    names : mapping of int to str
        Of each group that occurs.
    labels, strengths : ndarray of shape (n_passages,)
    coordinates : ndarray of shape (n_passages, 2)

    Returns
    -------
    tuple of Subtopic
        "Other passages" last.
    """
    subtopics = []
    for label, name in names.items():
        rows: Sequence[int] = np.flatnonzero(labels == label).tolist()
        rows = sorted(rows, key=lambda row: (-float(strengths[row]), hits[row][1]))
        members = tuple(
            MappedPassage(
                passage=hits[row][0],
                rank=hits[row][1],
                strength=float(strengths[row]),
                x=float(coordinates[row][0]),
                y=float(coordinates[row][1]),
            )
            for row in rows
        )
        subtopics.append(Subtopic(label, name, float(np.mean(strengths[rows])), members))
    return tuple(sorted(subtopics, key=lambda one: (one.id == OTHER_PASSAGES, -one.size, one.id)))
