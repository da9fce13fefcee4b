from dataclasses import replace

from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap
from subclust.grouping.projection import placed_as


def make_map(groups, projection):
    """Make a map of groups, given as {id: {passage id: (x, y)}}."""
    subtopics = tuple(
        Subtopic(
            id,
            f"Group {id}",
            0.5,
            tuple(MappedPassage(Passage(one, one), 1, 0.5, x, y) for one, (x, y) in places.items()),
        )
        for id, places in groups.items()
    )
    return SubtopicMap(
        Query("q"), "demo", "tfidf", None, 0, len(groups), "user", subtopics, projection=projection
    )


def test_passages_take_their_places_by_id_and_keep_their_groups():
    corrected = make_map({0: {"a": (0, 0), "c": (1, 1)}, 3: {"b": (2, 2)}}, "pca")
    drawn = make_map({0: {"a": (5, 6)}, 1: {"b": (7, 8), "x": (9, 9)}}, "umap")
    placed = placed_as(corrected, drawn)
    assert placed.projection == "umap"
    assert {
        (group.id, member.passage.id): (member.x, member.y)
        for group in placed.subtopics
        for member in group.passages
    } == {(0, "a"): (5, 6), (0, "c"): (1, 1), (3, "b"): (7, 8)}
    assert placed_as(placed, corrected) == replace(corrected)
