"""Labelled sets, each broken in its own way, and the problems that a check must find in it."""

import datetime
import gzip
import json

from labelled_files import (
    GOOD_LINES,
    GOOD_ROWS,
    HEADER,
    csv_text,
    jsonl_text,
    xlsx_bytes,
)


def changed(row, column, value):
    """Change one cell of the good table; rows are counted as in a spreadsheet."""
    rows = [list(cells) for cells in GOOD_ROWS]
    rows[row - 2][HEADER.index(column)] = value
    return rows


def more(*rows):
    """Add rows, from row 22."""
    return [*GOOD_ROWS, *rows]


def with_line(line):
    """Add line 11."""
    return jsonl_text([*GOOD_LINES, line])


def with_passage(passage):
    """Add passage 3 to line 1."""
    first = {**GOOD_LINES[0], "passages": [*GOOD_LINES[0]["passages"], passage]}
    return jsonl_text([first, *GOOD_LINES[1:]])


LINES = csv_text(GOOD_ROWS).splitlines(keepends=True)
GZ = gzip.compress(jsonl_text(GOOD_LINES).encode())
WITH_ID = [*HEADER, "id"]
WITH_PATH = [*HEADER, "path"]
WITH_DESCRIPTION = [*HEADER, "description"]
DAY = datetime.datetime(2020, 2, 1)

BROKEN = {
    # The file as a whole
    "empty.csv": (b"", [("empty-file", None)]),
    "blank.csv": (b"\r\n \r\n", [("empty-file", None)]),
    "empty.jsonl": (b"", [("empty-file", None)]),
    "empty.xlsx": (xlsx_bytes([], header=[]), [("empty-file", None)]),
    "header.csv": (csv_text([]), [("no-rows", None)]),
    "header.xlsx": (xlsx_bytes([]), [("no-rows", None)]),
    "cp1252.csv": (
        csv_text(changed(3, "text", "Café “au lait”")).encode("cp1252"),
        [("other-encoding", None)],
    ),
    "latin.jsonl": (
        with_passage({"text": "Caf\x81é", "label": "x"}).encode("latin-1"),
        [("other-encoding", None), ("lost-characters", 1, 3)],
    ),
    "utf16-no-mark.csv": (csv_text(GOOD_ROWS).encode("utf-16-le"), [("other-encoding", None)]),
    "utf16.csv": (csv_text(GOOD_ROWS).encode("utf-16"), [("utf-16", None)]),
    "utf16.jsonl": (jsonl_text(GOOD_LINES).encode("utf-16"), [("utf-16", None)]),
    "cut-off.jsonl.gz": (GZ[:-20], [("broken-gzip", None)]),
    "no-gzip.jsonl.gz": (b"not packed", [("broken-gzip", None)]),
    "packed.jsonl": (GZ, [("other-content", None)]),
    "book.csv": (xlsx_bytes(GOOD_ROWS), [("other-content", None)]),
    "text.xlsx": (csv_text(GOOD_ROWS), [("no-workbook", None)]),
    "old.xls": (b"\xd0\xcf\x11\xe0", [("wrong-ending", None)]),
    "old.xlsx": (b"\xd0\xcf\x11\xe0", [("no-workbook", None)]),
    "list.jsonl": (json.dumps(GOOD_LINES, indent=1), [("json-not-lines", None)]),
    "object.jsonl": (json.dumps(GOOD_LINES[0], indent=1), [("json-not-lines", None)]),
    "semicolons.csv": (csv_text(GOOD_ROWS, separator=";"), [("other-separator", None)]),
    "tabs.csv": (csv_text(GOOD_ROWS, separator="\t"), [("other-separator", None)]),
    "commas.tsv": (csv_text(GOOD_ROWS), [("other-separator", None)]),
    "announced.csv": (
        "sep=;\r\n" + csv_text(changed(4, "label", ""), separator=";"),
        [("other-separator", None), ("empty-cell", 4)],
    ),
    "sheets.xlsx": (
        xlsx_bytes(GOOD_ROWS, more_sheets=[("More", [["query"], ["fig"]]), ("Blank", [])]),
        [("several-sheets", None)],
    ),
    "one-query.csv": (csv_text(GOOD_ROWS[:2]), [("too-few-queries", None)]),
    "two-queries.csv": (csv_text(GOOD_ROWS[:4]), [("few-queries", None)]),
    # The header
    "no-label.csv": (
        csv_text([row[:2] for row in GOOD_ROWS], ["query", "text"]),
        [("missing-column", 1)],
    ),
    "near-names.csv": (
        csv_text(GOOD_ROWS, ["Query ", "texts", "category"]),
        [("near-column", 1), ("near-column", 1)],
    ),
    "late-header.csv": (
        "\r\n\r\n" + csv_text(GOOD_ROWS, ["query", "text", "9"]),
        [("missing-column", 3)],
    ),
    "two-texts.csv": (
        csv_text([[*row, row[1]] for row in GOOD_ROWS], [*HEADER, "Text"]),
        [("doubled-column", 1)],
    ),
    "two-notes.csv": (
        csv_text([[*row, "x", "y"] for row in GOOD_ROWS], [*HEADER, "note", "note"]),
        [("doubled-other-column", 1)],
    ),
    # Rows of a table
    "empty-text.csv": (csv_text(changed(5, "text", "")), [("empty-cell", 5)]),
    "empty-query.csv": (csv_text(more([" ", "Jam", "Kitchen"])), [("empty-cell", 22)]),
    "empty-label.xlsx": (xlsx_bytes(changed(21, "label", None)), [("empty-cell", 21)]),
    "empty-both.tsv": (
        csv_text(more(["apple", "", ""]), separator="\t"),
        [("empty-cell", 22), ("empty-cell", 22)],
    ),
    "after-a-break.csv": (
        csv_text([["apple", "Two\nlines, one row", "Garden"], *changed(3, "label", "")]),
        [("empty-cell", 4)],
    ),
    "comma-in-text.csv": (
        "".join([*LINES[:4], "banana,Ripe, and sweet,Kitchen\n", *LINES[4:]]),
        [("extra-cells", 5)],
    ),
    "short.csv": (
        "".join([*LINES, "apple,cut in\n", "two,Garden\n"]),
        [("empty-cell", 22), ("short-row", 22), ("empty-cell", 23), ("short-row", 23)],
    ),
    "short-but-whole.csv": (
        csv_text([[*row, "n"] for row in GOOD_ROWS], [*HEADER, "note"]) + "fig,Fig jam,Kitchen\n",
        [("short-row", 22)],
    ),
    "beside.xlsx": (xlsx_bytes(more(["fig", "Jam", "Jars", "?"])), [("unnamed-cells", 22)]),
    "stray-quote.csv": (
        "".join([*LINES[:7], 'date,"The "sweet" date",Kitchen\n', *LINES[7:]]),
        [("stray-quote", 8)],
    ),
    "open-quote.csv": (
        "".join([*LINES[:7], 'date,"The sweet date,Kitchen\n', *LINES[7:]]),
        [("unclosed-quote", 8)],
    ),
    "open-quote-meets-another.csv": (
        "".join(
            [*LINES[:3], 'fig,"Sweet,Garden\n', *LINES[3:9], 'fig,"Dry, hot",Jar\n', *LINES[9:]]
        ),
        [("unclosed-quote", 4)],
    ),
    "swallowed.csv": (
        "".join([*LINES, 'fig,"Sweet,Shop\n', 'fig,Sour",Shop\n']),
        [("swallowed-row", 22)],
    ),
    "long-cell.csv": (csv_text(more(["fig", "x" * 140_000, "Jam"])), [("bad-row", 22)]),
    "error-cell.csv": (csv_text(changed(7, "label", " #N/A")), [("error-cell", 7)]),
    "error-cells.xlsx": (
        xlsx_bytes(more(["fig", "#REF!", "Jam"], ["fig", "Dried", "#NAME?"])),
        [("error-cell", 22), ("error-cell", 23)],
    ),
    "formula.xlsx": (
        xlsx_bytes(changed(4, "label", "=C3")),
        [("formula", 4)],
    ),
    "formula.csv": (
        csv_text(changed(4, "text", '=CONCAT(A1,"x")')),
        [("formula-text", 4)],
    ),
    "year.xlsx": (xlsx_bytes(changed(4, "label", 2020)), [("number-cell", 4)]),
    "day.xlsx": (xlsx_bytes(changed(4, "label", DAY)), [("date-cell", 4)]),
    "yes.xlsx": (xlsx_bytes(changed(4, "label", True)), [("number-cell", 4)]),
    # Lines
    "not-json.jsonl": (with_line("{'query'}\n"), [("not-json", 11)]),
    "deep.jsonl": (with_line("[" * 100_000 + "\n"), [("not-json", 11)]),
    "number.jsonl": (with_line("7\n"), [("wrong-query", 11)]),
    "query-number.jsonl": (with_line({"query": 7, "passages": []}), [("wrong-query", 11)]),
    "near-query.jsonl": (
        with_line({"question": "kiwi", "passages": [{"text": "a", "label": "b"}]}),
        [("near-field", 11)],
    ),
    "blank-query.jsonl": (
        with_line({**GOOD_LINES[0], "query": " "}),
        [("empty-query", 11)],
    ),
    "no-passages.jsonl": (with_line({"query": "kiwi"}), [("no-passages", 11)]),
    "passages-text.jsonl": (
        with_line({"query": "kiwi", "passages": "a, b"}),
        [("no-passages", 11)],
    ),
    "no-object.jsonl": (with_passage("Sweet"), [("no-object", 1, 3)]),
    "no-label.jsonl": (with_passage({"text": "Sweet"}), [("empty-field", 1, 3)]),
    "null-text.jsonl": (
        with_passage({"text": None, "label": "Garden"}),
        [("empty-field", 1, 3)],
    ),
    "category.jsonl": (
        with_passage({"text": "Sweet", "Category": "Garden"}),
        [("near-field", 1, 3)],
    ),
    "label-number.jsonl": (with_passage({"text": "Sweet", "label": 3}), [("wrong-type", 1, 3)]),
    "path-list.jsonl": (
        with_passage({"text": "Sweet", "label": "Garden", "path": ["Garden"]}),
        [("odd-field", 1, 3), ("path-without-label", 1, 3)],
    ),
    "description-number.jsonl": (
        jsonl_text([{**GOOD_LINES[0], "description": 3}, *GOOD_LINES[1:]]),
        [("odd-field", 1)],
    ),
    "twice.jsonl": (with_line(GOOD_LINES[2]), [("repeated-query", 11)]),
    # Passages
    "nul.csv": (csv_text(changed(8, "text", "Cherry\0pie")), [("broken-characters", 8)]),
    "surrogate.jsonl": (
        with_passage({"text": "Sweet", "label": "\ud800"}).encode("utf-8", "surrogatepass"),
        [("other-encoding", None)],
    ),
    "escaped-surrogate.jsonl": (
        with_line('{"query": "kiwi", "passages": [{"text": "a", "label": "b"}, '
                  '{"text": "\\ud800", "label": "c"}, {"text": "d", "label": "e"}]}\n'),
        [("broken-characters", 11, 2), ("no-words", 11, 2)],
    ),
    "bell.csv": (csv_text(changed(8, "label", "Gar\x07den")), [("control-characters", 8)]),
    "mojibake.csv": (csv_text(changed(8, "text", "CafÃ© crème")), [("lost-characters", 8)]),
    "replaced.csv": (csv_text(changed(8, "query", "caf\ufffd")), [
        ("lost-characters", 8), ("one-passage", 8), ("one-passage", 9),
    ]),
    "long.csv": (csv_text(changed(8, "text", "word " * 101)), [("long-text", 8)]),
    "long-chinese.csv": (csv_text(changed(8, "text", "果" * 101)), [("long-text", 8)]),
    "no-words.csv": (csv_text(changed(8, "text", "12-34 …")), [("no-words", 8)]),
    "nan.csv": (csv_text(changed(8, "label", "NaN")), [("no-label-meant", 8)]),
    "path.csv": (
        csv_text([[*row, f"{row[2]} / Tree"] for row in GOOD_ROWS[:-1]]
                 + [[*GOOD_ROWS[-1], "Kitchen > Pie"]], WITH_PATH),
        [("path-without-label", 21)],
    ),
    "ids.csv": (
        csv_text([[*row, str(n % 19)] for n, row in enumerate(GOOD_ROWS)], WITH_ID),
        [("same-id", 21)],
    ),
    # Queries
    "lonely.csv": (csv_text(more(["kiwi", "Green", "Look"])), [("one-passage", 22)]),
    "lonely.jsonl": (
        with_line({"query": "kiwi", "passages": [{"text": "Green", "label": "Look"}]}),
        [("one-passage", 11)],
    ),
    "one-label.csv": (csv_text(changed(10, "label", "Kitchen")), [("one-label", 10)]),
    "repeated.csv": (
        csv_text(more(["fig", "Growing  of the fig.", "Garden"])),
        [("same-passage", 22)],
    ),
    "torn.csv": (
        csv_text(more(["fig", "Growing of the fig.", "Kitchen"])),
        [("two-labels", 22)],
    ),
    "torn.jsonl": (
        with_passage({"text": "Growing of the apple.", "label": "Trade"}),
        [("two-labels", 1, 3)],
    ),
    "capitals.csv": (
        csv_text(more(["fig", "Jam", "kitchen"], ["fig", "Pie", "Kitchen"])),
        [("near-label", 22)],
    ),
    "blanks.csv": (csv_text(more(["fig", "Jam", " Kitchen"])), [("near-label", 22)]),
    "accents.csv": (
        csv_text(more(["fig", "Jam", "Caf\u00e9"], ["fig", "Pie", "Cafe\u0301"])),
        [("near-label", 23)],
    ),
    "near-queries.csv": (
        csv_text(more(["Fig ", "Jam", "Kitchen"], ["Fig ", "Tree", "Garden"])),
        [("near-query", 22)],
    ),
    "descriptions.csv": (
        csv_text([[*row, {2: "a", 3: "b"}.get(n, "")] for n, row in enumerate(GOOD_ROWS, 2)],
                 WITH_DESCRIPTION),
        [("other-description", 3)],
    ),
}  # fmt: skip
