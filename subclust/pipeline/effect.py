"""What another query does to the same hits: who changes group, and who moves how far."""

from dataclasses import replace

import numpy as np

from subclust.core.messages import Message
from subclust.core.records import (
    OTHER_PASSAGES,
    FloatArray,
    QueryEffect,
    Regrouping,
    SubtopicMap,
)
from subclust.evaluation.matching import match_groups
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
    """
    order = sorted(before.members.values(), key=lambda member: member.rank)
    ids = [member.passage.id for member in order]
    old_groups, new_groups = before.groups, after.groups
    numbers = match_groups([old_groups, new_groups])[1]
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
        before=before.moved(dict(zip(ids, first, strict=True))),
        after=after.moved(dict(zip(ids, second, strict=True))),
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


LEAST_SHARE = 0.1
"""Share of a group that another group must give to be counted; and two passages at least."""


def what_changed(regrouping: Regrouping) -> Message:
    """Return in a sentence what another query did to the groups.

    It says how many passages changed group, and of the group that gathers most others from how many
    it does, or into how many groups another one was divided.
    """
    effects = regrouping.effects
    counts: dict[str, object] = {
        "changed": sum(effect.before != effect.after for effect in effects),
        "total": len(effects),
    }
    gathered = _most_mixed([(one.after, one.before) for one in effects])
    divided = _most_mixed([(one.before, one.after) for one in effects])
    if not counts["changed"]:
        return Message("{changed} of {total} passages changed group.", **counts)
    if gathered is not None and (divided is None or gathered[1] >= divided[1]):
        told = {"name": _name(regrouping.after, gathered[0]), "count": gathered[1]}
        if regrouping.before.query.way:
            return Message(
                "{changed} of {total} passages changed group; “{name}” gathers what lay in {count} "
                "groups {way}.",
                **counts,
                **told,
                way=regrouping.before.query.text,
            )
        return Message(
            "{changed} of {total} passages changed group; “{name}” gathers what lay in {count} "
            "groups.",
            **counts,
            **told,
        )
    if divided is not None:
        return Message(
            "{changed} of {total} passages changed group; the passages of “{name}” are now in "
            "{count} groups.",
            **counts,
            name=_name(regrouping.before, divided[0]),
            count=divided[1],
        )
    return Message("{changed} of {total} passages changed group.", **counts)


def _most_mixed(pairs: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the group that shares passages with most others, and with how many; None below two."""
    table: dict[int, dict[int, int]] = {}
    for group, other in pairs:
        if OTHER_PASSAGES not in (group, other):
            row = table.setdefault(group, {})
            row[other] = row.get(other, 0) + 1
    found = []
    for group, row in table.items():
        size = sum(row.values())
        n_others = sum(count >= max(2, LEAST_SHARE * size) for count in row.values())
        found.append((n_others, size, -group))
    n_others, _, group = max(found, default=(0, 0, 0))
    return (-group, n_others) if n_others > 1 else None


def _name(subtopics: SubtopicMap, group: int) -> str:
    return next(one.name for one in subtopics.subtopics if one.id == group)


def _scored_places(subtopics: SubtopicMap, ids: list[str]) -> FloatArray:
    """Place by the scores, or as the map does where these were not kept."""
    grounds = subtopics.grounds
    if grounds is None:
        return _places(subtopics, ids)
    row_of = {one: row for row, one in enumerate(grounds.ids)}
    return place_by_scores(grounds.scores)[[row_of[one] for one in ids]]


def _places(subtopics: SubtopicMap, ids: list[str]) -> FloatArray:
    members = subtopics.members
    return np.array([(members[one].x, members[one].y) for one in ids], dtype=np.float32)


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
