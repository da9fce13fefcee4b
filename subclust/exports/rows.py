"""A passage a row, for the formats that are tables."""

from collections.abc import Iterator, Mapping

from subclust.core.records import MappedPassage, Subtopic, SubtopicMap

Cell = str | int | float

OWN_COLUMNS = (
    "group", "group_size", "group_name", "title", "section", "text", "hit", "fit", "x", "y",
    "id", "collection",
)  # fmt: skip
KNOWN_METADATA = (
    "authors", "year", "venue", "doi", "url", "keywords", "language", "source", "licence",
)  # fmt: skip
LEFT_OUT = ("description",)
"""Of an article as a whole: the same long text would stand in each of its rows."""


def columns(subtopics: SubtopicMap) -> list[str]:
    """Name the columns: ours, and the metadata that at least one passage has."""
    present = {
        name
        for group in subtopics.subtopics
        for member in group.passages
        for name, value in member.passage.metadata.items()
        if value and name not in LEFT_OUT
    }
    known = [name for name in KNOWN_METADATA if name in present]
    return [*OWN_COLUMNS, *known, *(_apart(name) for name in sorted(present - {*known}))]


def rows(subtopics: SubtopicMap) -> Iterator[list[Cell]]:
    """Write a row for each passage, group by group, in the order of `columns`."""
    names = columns(subtopics)
    for group in subtopics.subtopics:
        for member in group.passages:
            row = _row(group, member)
            yield [row.get(name, "") for name in names]


def _row(group: Subtopic, member: MappedPassage) -> Mapping[str, Cell]:
    passage = member.passage
    return {_apart(name): value for name, value in passage.metadata.items()} | {
        # From 1, as people count; other passages belong to none.
        "group": group.id + 1 if group.id >= 0 else "",
        "group_size": group.size,
        "group_name": group.name,
        "title": passage.title,
        "section": passage.path or "",
        "text": passage.text,
        "hit": member.rank,
        "fit": round(member.strength, 6),
        "x": round(member.x, 6),
        "y": round(member.y, 6),
        "id": passage.id,
        "collection": passage.collection,
    }


def _apart(name: str) -> str:
    """Keep a field of the source that has the name of one of our columns."""
    return f"source_{name}" if name in OWN_COLUMNS else name
