"""The passages of an answer as references: RIS, BibTeX and CSL JSON."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

from subclust.core.messages import Message
from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.exports import reference_files
from subclust.exports.records import Report
from subclust.exports.reference import Reference, left_out, left_out_told, of_passage, one_line


def _references(subtopics: SubtopicMap) -> Iterator[Reference]:
    """Return a reference for each passage, group by group.

    The group's name is the first keyword. The first note says where the passage stood: group, with
    the id of the term that it is named by, section, hit, and under which licence it is.
    """
    for group in subtopics.subtopics:
        name = "" if group.id == OTHER_PASSAGES else one_line(group.name)
        for member in group.passages:
            one, fit = of_passage(member.passage), f"{member.strength:.2f}"
            parts = [
                f"Group: {name}" if name else "In no group",
                f"Term: {one_line(group.term)}" if group.term else "",
                f"Section: {one.get('section')}" if one.get("section") else "",
                f"Hit {member.rank}, fit {fit}" if subtopics.query.text else f"Fit {fit}",
                one.get("licence"),
            ]
            keywords = one.fields.get("keywords", ())
            if len(keywords) == 1:  # a table's cell, whose words commas divide
                keywords = tuple(word.strip() for word in keywords[0].split(","))
            own = {
                "keywords": tuple(dict.fromkeys(word for word in (name, *keywords) if word)),
                "notes": ("; ".join(filter(None, parts)), *one.fields.get("notes", ())),
            }
            if "venue" not in one.fields and one.kind.name == "entry-encyclopedia":
                own["venue"] = one.fields.get("source", ())
            fields = {name: values for name, values in {**one.fields, **own}.items() if values}
            yield replace(
                one, fields=fields, group=name, rank=member.rank, strength=member.strength
            )


def left_out_of(subtopics: SubtopicMap, *files: str) -> list[Message]:
    """Return sentences on the fields of an answer's passages that files have no place for.

    Files that leave out the same fields have one sentence together. Nobody misses the subtopics of
    labelled sets: the groups stand there.
    """
    passages = [member.passage for group in subtopics.subtopics for member in group.passages]
    alike: dict[tuple[str, ...], list[str]] = {}
    for file in files:
        if file.endswith(".csl.json") or not file.endswith(".json"):
            names = left_out(passages, file, ("path", "section", "licence", "label"))
            alike.setdefault(tuple(names), []).append(file)
    told = (left_out_told(names, *those) for names, those in alike.items())
    return [one for one in told if one is not None]


def write_ris(report: Report) -> bytes:
    """Write a record for each passage; its group's name is its first keyword (``KW``)."""
    return _written(reference_files.write_ris, report)


def write_bibtex(report: Report) -> bytes:
    """Write an entry for each passage; its group's name is its first keyword."""
    return _written(reference_files.write_bibtex, report)


def write_csl_json(report: Report) -> bytes:
    """Write an item for each passage.

    The group's name is the first keyword and, unchanged, the first category.
    """
    return _written(reference_files.write_csl, report)


def _written(write: Callable[[Iterable[Reference], BinaryIO], None], report: Report) -> bytes:
    stream = io.BytesIO()
    write(_references(report.subtopics), stream)
    return stream.getvalue()
