"""Labelled sets for the tests: a good one, and whatever can be made of it."""

import io
import json

from openpyxl import Workbook

HEADER = ["query", "text", "label"]
FRUIT = "apple banana cherry date elder fig grape hazel ilex jujube".split()

GOOD_ROWS = [
    [fruit, f"{what} of the {fruit}.", label]
    for fruit in FRUIT
    for what, label in (("Growing", "Garden"), ("Eating", "Kitchen"))
]
"""Rows 2 to 21 of a table: ten queries with two passages each."""

GOOD_LINES = [
    {
        "query": fruit,
        "passages": [
            {"text": text, "label": label} for query, text, label in GOOD_ROWS if query == fruit
        ],
    }
    for fruit in FRUIT
]
"""Lines 1 to 10 of JSON Lines: the same."""


def csv_text(rows, header=HEADER, separator=",", newline="\r\n"):
    def cell(value):
        risky = any(mark in value for mark in (separator, '"', "\n"))
        return '"' + value.replace('"', '""') + '"' if risky else value

    return "".join(separator.join(map(cell, row)) + newline for row in [header, *rows])


def jsonl_text(lines):
    return "".join(
        line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) + "\n"
        for line in lines
    )


def xlsx_bytes(rows, header=HEADER, more_sheets=()):
    book = Workbook()
    for row in [header, *rows]:
        book.active.append(row)
    for title, rows_there in more_sheets:
        sheet = book.create_sheet(title)
        for row in rows_there:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
