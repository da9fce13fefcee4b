"""RIS, as Zotero, EndNote, Citavi and most catalogues read it."""

import rispy
from rispy.writer import RisWriter

from subclust.exports.records import Report
from subclust.exports.references import Reference, references

_TYPES = {"article": "JOUR", "encyclopedia": "ENCYC", "web": "ELEC", "other": "GEN"}


class PlainWriter(RisWriter):  # type: ignore[misc]  # the library has no types
    """Without a line that numbers the record, which some programs take for a mistake."""

    SEPARATOR = ""

    def set_header(self, count: int) -> str:
        """Write none."""
        return ""


def write_ris(report: Report) -> bytes:
    """Write a record for each passage; its group's name is its first keyword (``KW``)."""
    records = [_record(one) for one in references(report.subtopics)]
    text: str = rispy.dumps(records, implementation=PlainWriter)
    return text.replace("\n", "\r\n").encode()


def _record(one: Reference) -> dict[str, str | list[str]]:
    record: dict[str, str | list[str]] = {
        "type_of_reference": _TYPES[one.kind],
        "id": one.id,
        "title": one.title or one.abstract[:80],
        "authors": [f"{family}, {given}" if given else family for family, given in one.authors],
        "year": one.year,
        # The field for the work around it, whatever the type.
        "secondary_title": one.venue or (one.source if one.kind == "encyclopedia" else ""),
        "section": one.section,
        "abstract": one.abstract,
        "doi": one.doi,
        "urls": [one.url] if one.url else [],
        "language": one.language,
        "name_of_database": one.source,
        "keywords": list(one.keywords),
        "notes": [one.note],
    }
    return {name: value for name, value in record.items() if value}
