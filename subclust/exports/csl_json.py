"""CSL-JSON, the form in which citation processors take their data."""

import json
from typing import Any

from subclust.exports.records import Report
from subclust.exports.references import Reference, references, without_separators

_TYPES = {
    "article": "article-journal",
    "encyclopedia": "entry-encyclopedia",
    "web": "webpage",
    "other": "document",
}


def write_csl_json(report: Report) -> bytes:
    """Write a list with an item for each passage.

    The group's name is the first keyword and, unchanged, the first category.
    """
    items = [_item(one) for one in references(report.subtopics)]
    return json.dumps(items, ensure_ascii=False, indent=1).encode() + b"\n"


def _item(one: Reference) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": one.id,
        "type": _TYPES[one.kind],
        "title": one.title or one.abstract[:80],
        "author": [
            {"family": family, "given": given} if given else {"literal": family}
            for family, given in one.authors
        ],
        "issued": {"date-parts": [[int(one.year)]]} if one.year else {},
        "container-title": one.venue or (one.source if one.kind == "encyclopedia" else ""),
        "section": one.section,
        "abstract": one.abstract,
        "DOI": one.doi,
        "URL": one.url,
        "language": one.language,
        "source": one.source,
        "keyword": ", ".join(map(without_separators, one.keywords)),
        "categories": list(one.keywords),
        "note": one.note,
    }
    return {name: value for name, value in item.items() if value}
