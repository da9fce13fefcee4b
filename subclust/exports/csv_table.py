"""CSV: a passage a row, as spreadsheets of all languages open it."""

import csv
import io

from subclust.exports.cells import harmless
from subclust.exports.records import Report
from subclust.exports.rows import columns, rows


def write_csv(report: Report) -> bytes:
    """Write UTF-8 with a byte order mark, commas, and a first row that names the columns.

    Without the mark Excel reads umlauts wrongly. Text that could be taken for a formula begins
    with an apostrophe; the numbers are numbers.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([harmless(name) for name in columns(report.subtopics)])
    for row in rows(report.subtopics):
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return b"\xef\xbb\xbf" + stream.getvalue().encode()
