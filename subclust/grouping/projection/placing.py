"""The places of one map for the groups of another."""

from dataclasses import replace

from subclust.core.records import SubtopicMap


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
    places = {
        member.passage.id: (member.x, member.y)
        for group in drawn.subtopics
        for member in group.passages
    }
    groups = []
    for group in subtopics.subtopics:
        members = []
        for member in group.passages:
            x, y = places.get(member.passage.id, (member.x, member.y))
            members.append(replace(member, x=x, y=y))
        groups.append(replace(group, passages=tuple(members)))
    return replace(subtopics, subtopics=tuple(groups), projection=drawn.projection)
