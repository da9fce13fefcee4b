"""Hand-made subtopic maps."""

from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap


def subtopic(group, name, places, first_rank=1):
    members = tuple(
        MappedPassage(
            Passage(
                f"{group}-{i}", f"Text {i} of <{name}> & more. " + "word " * 80, title=f"Title {i}"
            ),
            rank=first_rank + i,
            strength=0.5 - i / 100,
            x=float(x),
            y=float(y),
        )
        for i, (x, y) in enumerate(places)
    )
    return Subtopic(group, name, 0.3, members)


def subtopic_map(*groups, projection="pca"):
    return SubtopicMap(
        query=Query("a query"),
        library="demo",
        method="centred-cosine",
        checkpoint=None,
        seed=0,
        n_clusters=len(groups),
        n_clusters_source="user",
        subtopics=groups,
        projection=projection,
    )


def ring(n_groups, n_each=6, radius=1.0):
    """Give `n_groups` groups of passages, close together in the middle of the map."""
    from math import cos, sin

    return subtopic_map(
        *(
            subtopic(
                group,
                f"Group number {group}, further words",
                [
                    (radius * cos(group) + i / 50, radius * sin(group) - i / 50)
                    for i in range(n_each)
                ],
                first_rank=1 + group * n_each,
            )
            for group in range(n_groups)
        )
    )
