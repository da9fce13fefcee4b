"""Same and different pairs as files."""

import csv
import io
import json
from collections.abc import Iterable

from subclust.core.storage.cells import guarded
from subclust.labelled.corrections.pairs import Pair

COLUMNS = ("query", "first_id", "second_id", "first_text", "second_text", "same", "judged")


def pairs_as_csv(pairs: Iterable[Pair]) -> bytes:
    """Write pairs as CSV: ``same`` is 1 or 0, ``judged`` how many of the two a person judged."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for pair in pairs:
        row = pair.to_dict() | {"same": int(pair.same)}
        cells = (row[column] for column in COLUMNS)
        writer.writerow(guarded(cell) if isinstance(cell, str) else cell for cell in cells)
    return stream.getvalue().encode("utf-8-sig", "replace")


def pairs_as_json_lines(pairs: Iterable[Pair]) -> bytes:
    """Write pairs as JSON Lines, one a line."""
    lines = (json.dumps(pair.to_dict(), ensure_ascii=False) for pair in pairs)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
