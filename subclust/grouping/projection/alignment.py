"""Aligning one map with another."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, SubtopicMap


def align(
    coordinates: FloatArray,
    ids: Sequence[str],
    onto: FloatArray,
    onto_ids: Sequence[str],
) -> FloatArray:
    """Shift, turn, mirror and scale a map onto another by the passages both show (Procrustes).

    Distances within the map keep their proportions: nothing is bent.

    Parameters
    ----------
    coordinates : ndarray of shape (n_passages, 2)
        The map to turn.
    ids : sequence of str
        Passage of each row, n_passages of them, all different.
    onto : ndarray of shape (n_onto, 2)
        The map that stays.
    onto_ids : sequence of str
        Passage of each row, n_onto of them, all different.

    Returns
    -------
    ndarray of shape (n_passages, 2)
        float32; where the maps share fewer than two different places, the map as it was.

    Raises
    ------
    InputError
        If a map has not one id per row.
    """
    if len(coordinates) != len(ids) or len(onto) != len(onto_ids):
        raise InputError("Each map to be aligned needs exactly one passage id per row.")
    row_of = {passage_id: row for row, passage_id in enumerate(onto_ids)}
    shared = [(row, row_of[one]) for row, one in enumerate(ids) if one in row_of]
    unchanged = np.asarray(coordinates, dtype=np.float32)
    if len(shared) < 2:
        return unchanged
    mine, theirs = (list(rows) for rows in zip(*shared, strict=True))
    source, target = coordinates[mine].astype(np.float64), onto[theirs].astype(np.float64)
    source_centre, target_centre = source.mean(axis=0), target.mean(axis=0)
    source, target = source - source_centre, target - target_centre
    size = float((source**2).sum())
    if size < 1e-12 or float((target**2).sum()) < 1e-12:
        return unchanged
    left, stretch, right = np.linalg.svd(source.T @ target)
    turned = (coordinates - source_centre) @ (left @ right) * (stretch.sum() / size)
    return np.asarray(turned + target_centre, dtype=np.float32)


def placed_as(subtopics: SubtopicMap, drawn: SubtopicMap) -> SubtopicMap:
    """Return passages the coordinates that they have in another map.

    Parameters
    ----------
    subtopics : SubtopicMap
        Whose groups are wanted.
    drawn : SubtopicMap
        Whose coordinates are wanted, by passage id; it may have other groups. A passage that is
        not in it keeps its place.

    Returns
    -------
    SubtopicMap
        With the projection of `drawn`.
    """
    places = {one: (member.x, member.y) for one, member in drawn.members.items()}
    return replace(subtopics.moved(places), projection=drawn.projection)
