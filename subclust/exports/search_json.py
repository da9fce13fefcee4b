"""JSON: the object that ``python -m subclust search --json`` prints."""

import json

from subclust.exports.records import Report


def write_json(report: Report) -> bytes:
    """Write one object on one line."""
    return json.dumps(report.subtopics.to_dict(), ensure_ascii=False).encode() + b"\n"
