"""What another query does to the same hits: who changes group, and who moves how far."""

from collections.abc import Mapping
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
    numbers = _match_groups(old_groups, new_groups)
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


def _match_groups(before: Mapping[str, int], after: Mapping[str, int]) -> dict[int, int]:
    """Map each group of a grouping to the number of the one it has most in common with.

    Each group stands for at most one: such that as many passages as possible are in groups that
    stand for each other (the Hungarian algorithm on the overlaps). A group that has nothing in
    common with its partner stands for none, and takes a number that neither grouping has.

    Parameters
    ----------
    before, after : mapping of str to int
        Group of each passage by its id; "other passages" (-1) stand for themselves.

    Returns
    -------
    dict of int to int
        For each group of `after` its number; no two get the same.
    """
    from scipy.optimize import linear_sum_assignment  # half a second, for a query asked twice

    rows = sorted(set(before.values()) - {OTHER_PASSAGES})
    columns = sorted(set(after.values()) - {OTHER_PASSAGES})
    row_of = {group: row for row, group in enumerate(rows)}
    column_of = {group: column for column, group in enumerate(columns)}
    together = np.zeros((len(rows), len(columns)))
    for passage, group in after.items():
        if group in column_of and before.get(passage) in row_of:
            together[row_of[before[passage]], column_of[group]] += 1
    numbers = {
        columns[column]: rows[row]
        for row, column in zip(*linear_sum_assignment(together, maximize=True), strict=True)
        if together[row, column] > 0
    }
    free = max([*rows, *columns, -1]) + 1
    for group in columns:
        if group not in numbers:
            numbers[group], free = free, free + 1
    return numbers | ({OTHER_PASSAGES: OTHER_PASSAGES} if OTHER_PASSAGES in after.values() else {})
