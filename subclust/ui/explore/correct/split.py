"""What a method proposes: the parts of a group, and a name for passages."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from subclust.core.records import SubtopicMap
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import Split, free_name
from subclust.ui.explore.search import Answer

PARTS: dict[str, int | Literal["auto"]] = {"two": 2, "three": 3, "auto": "auto"}
"""Into how many parts a group can be split."""


def split_by_model(
    found: Answer, now: SubtopicMap, group: int, n_parts: int | Literal["auto"]
) -> Split:
    """Group the passages of a group alone, by the method of the answer.

    Raises
    ------
    InputError
        If it does not fall into parts, or there is no such group.
    """
    ids = {member.passage.id for one in now.subtopics if one.id == group for member in one.passages}
    rows = [row for row, hit in enumerate(found.ranking.hits) if hit.passage.id in ids]
    alone = replace(
        found.ranking,
        hits=tuple(found.ranking.hits[row] for row in rows),
        embeddings=found.ranking.embeddings[rows],
    )
    parts: list[tuple[str, Sequence[str]]] = []
    if len(rows) > 1:
        wanted = n_parts if n_parts == "auto" else min(n_parts, len(rows))
        inside = found.pipeline.group(
            alone, found.subtopics.query, n_clusters=wanted, max_other=0.0
        )
        parts = [
            (part.name, [member.passage.id for member in part.passages])
            for part in inside.subtopics
        ]
    return curation.split(now, group, parts)


def name_of(found: Answer, passages: Sequence[str]) -> str:
    """Name passages after what they have in common and the others have not."""
    chosen = set(passages)
    members = [
        (member.passage, group.id)
        for group in found.subtopics.subtopics
        for member in group.passages
    ]
    new = max(group for _, group in members) + 1
    labels = np.array([new if one.id in chosen else group for one, group in members])
    texts = [one.text for one, _ in members]
    names = found.pipeline.namer_for(found.ranking).name(found.subtopics.query, texts, labels)
    return free_name(names[new], [group.name for group in found.subtopics.subtopics])
