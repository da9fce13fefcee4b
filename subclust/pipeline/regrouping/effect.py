"""What another query does to the same hits: who changes group, and who moves how far."""

from dataclasses import replace

import numpy as np

from subclust.core.records import (
    OTHER_PASSAGES,
    FloatArray,
    MappedPassage,
    QueryEffect,
    Regrouping,
    SubtopicMap,
)
from subclust.grouping.clustering.matching import match_groups
from subclust.grouping.projection import align, place_by_scores


def compare_queries(before: SubtopicMap, after: SubtopicMap) -> Regrouping:
    """Lay the answers of two queries over the same hits on each other.

    Both maps show what the method compares under its query (`place_by_scores`), since a map of the
    embeddings would be the same under every query. The first lies as its overview did; the other is
    turned onto it by all passages and has its size.

    Parameters
    ----------
    before, after : SubtopicMap
        The same passages, grouped by one method.

    Returns
    -------
    Regrouping
    """
    order = sorted(_members(before).values(), key=lambda member: member.rank)
    ids = [member.passage.id for member in order]
    old_groups, new_groups = _groups(before), _groups(after)
    numbers = match_groups(old_groups, new_groups)
    old_places = _places(before, ids)
    scored = _scored_places(before, ids)
    first = align(scored, ids, old_places, ids)
    # The same scores, as where hits were kept and nothing asked yet, have the same places.
    same = before.grounds is not None and before.grounds is after.grounds
    second = align(scored if same else _scored_places(after, ids), ids, first, ids)
    second = _sized(second, first)
    distances = np.linalg.norm(second - first, axis=1) / max(_radius(first), 1e-9)
    after = replace(
        after,
        subtopics=tuple(
            sorted(
                (replace(group, id=numbers[group.id]) for group in after.subtopics),
                key=lambda one: (one.id == OTHER_PASSAGES, -one.size, one.id),
            )
        ),
    )
    return Regrouping(
        before=placed(before, dict(zip(ids, first, strict=True))),
        after=placed(after, dict(zip(ids, second, strict=True))),
        effects=tuple(
            QueryEffect(
                passage=member.passage,
                rank=member.rank,
                moved=float(distance),
                before=old_groups[member.passage.id],
                after=numbers[new_groups[member.passage.id]],
            )
            for member, distance in zip(order, distances, strict=True)
        ),
    )


def placed(subtopics: SubtopicMap, places: dict[str, FloatArray]) -> SubtopicMap:
    """Put the passages of a map where they are told to be, by their ids."""
    moved = tuple(
        replace(
            group,
            passages=tuple(
                replace(
                    member,
                    x=float(places[member.passage.id][0]),
                    y=float(places[member.passage.id][1]),
                )
                for member in group.passages
            ),
        )
        for group in subtopics.subtopics
    )
    return replace(subtopics, subtopics=moved)


def _scored_places(subtopics: SubtopicMap, ids: list[str]) -> FloatArray:
    """Place by the scores, or as the map does where these were not kept."""
    grounds = subtopics.grounds
    if grounds is None:
        return _places(subtopics, ids)
    row_of = {one: row for row, one in enumerate(grounds.ids)}
    return place_by_scores(grounds.scores)[[row_of[one] for one in ids]]


def _places(subtopics: SubtopicMap, ids: list[str]) -> FloatArray:
    members = _members(subtopics)
    return np.array([(members[one].x, members[one].y) for one in ids], dtype=np.float32)


def _members(subtopics: SubtopicMap) -> dict[str, MappedPassage]:
    return {one.passage.id: one for group in subtopics.subtopics for one in group.passages}


def _groups(subtopics: SubtopicMap) -> dict[str, int]:
    return {one.passage.id: group.id for group in subtopics.subtopics for one in group.passages}


def _radius(places: FloatArray) -> float:
    """Measure the root mean square distance from the middle."""
    away = places - places.mean(axis=0)
    return float(np.sqrt((away**2).sum(axis=1).mean()))


def _sized(places: FloatArray, like: FloatArray) -> FloatArray:
    """Scale a map to the size of another: aligning shrinks it where the two differ."""
    radius = _radius(places)
    if radius < 1e-9:
        return places
    middle = places.mean(axis=0)
    return np.asarray(middle + (places - middle) * (_radius(like) / radius), dtype=np.float32)
