"""Every kind of problem that a labelled set can have, and the words for it.

A kind's texts are filled in with ``{column}``, ``{field}`` ("column" in a table, "field" in JSON
Lines), ``{found}`` (a quotation) and ``{other}``; `many` also with ``{n}`` and ``{rows}``.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class ProblemKind:
    """One kind; `one` follows "row 17: " or the file's name, and `many` says it of many rows."""

    name: str
    one: str
    advice: str
    many: str = ""  # empty where there can be only one
    severity: Severity = "error"  # rows with a warning are used
    unreadable: bool = False  # no passage can be made of the place


_unreadable = partial(ProblemKind, unreadable=True)
_warning = partial(ProblemKind, severity="warning")

ALL_KINDS = (
    # Of the file as a whole.
    _unreadable(
        "wrong-ending",
        "is not a labelled set",
        "give a .jsonl, .jsonl.gz, .csv, .tsv or .xlsx file",
    ),
    _unreadable(
        "other-content",
        "is not what its name says, but {other}",
        "save it as .csv, .tsv, .xlsx or .jsonl, or give it the right ending",
    ),
    _unreadable(
        "empty-file",
        "is empty, so it holds no questions",
        "fill in a header and at least two questions with their passages",
    ),
    _unreadable(
        "no-rows", "has a header and nothing below it, so it holds no questions", "fill in the rows"
    ),
    _unreadable(
        "other-encoding",
        "is not in UTF-8 but probably in {other} ({found})",
        'save it again as UTF-8; Excel calls that "CSV UTF-8", a text editor asks for the encoding',
    ),
    _unreadable(
        "broken-gzip",
        "cannot be read, since its gzip compression is damaged or cut off ({found})",
        "compress it again, or give it uncompressed",
    ),
    _unreadable(
        "too-large",
        "cannot be read, since it unpacks to more than {other}",
        "split it into several files",
    ),
    _unreadable(
        "long-line",
        "has a line of more than {other}, which no labelled set has",
        "write each question, or each row, on a line of its own",
    ),
    _unreadable(
        "packed-trap",
        "cannot be read, since it unpacks to more than {other} times its size, as only "
        "malicious files do",
        "unpack it yourself and see what is in it",
    ),
    _unreadable("unreadable-file", "cannot be read ({found})", "copy it again and try again"),
    _unreadable(
        "no-workbook", "is not an Excel workbook", "save it as .xlsx or .csv and try again"
    ),
    _unreadable(
        "damaged-workbook", "is damaged ({found})", "open it in Excel, save it again and retry"
    ),
    _unreadable(
        "json-not-lines",
        "is one JSON {other} over the whole file, not JSON Lines, so it holds no questions",
        "save it with one question a line, without the outer brackets",
    ),
    _unreadable(
        "no-such-field",
        'has no field "{other}", which was given for "{column}"',
        "give the name of a field that is there",
    ),
    ProblemKind(
        "too-few-queries",
        "holds one question only, so none can be held out to judge by",
        "add questions, or give a second file with held-out questions",
    ),
    ProblemKind(
        "held-out-errors",
        "was compared with {other}, which has errors of its own (the first: {found})",
        "check {other} and correct that file too",
    ),
    _warning(
        "few-queries",
        "holds only {found} questions, so very few are held out to judge by",
        "add questions if you can; the judgement becomes meaningful from ten on",
    ),
    _warning(
        "utf-16",
        "is in UTF-16 and was read anyway",
        "nothing needs to be done; other programs may expect UTF-8",
    ),
    _warning(
        "other-separator",
        "separates its columns by {other} and was read that way",
        "nothing needs to be done if the rows were read correctly; other programs may "
        "expect {found}",
    ),
    _warning(
        "several-sheets",
        "has several sheets, of which only the first, {found}, was read (also there: {other})",
        "move the rows of the others into the first, or save them as files of their own",
    ),
    # Of the header.
    _unreadable(
        "missing-column",
        'the column "{column}" is missing (found: {found})',
        'write "{column}" above the column that holds it, in the first row',
    ),
    _unreadable(
        "near-column",
        'the column "{column}" is missing, but "{other}" may be it (found: {found})',
        'rename it to "{column}", or add --column "{column}={other}"',
    ),
    _unreadable(
        "no-such-column",
        'the column "{other}", given for "{column}", is missing (found: {found})',
        "give a name from the first row",
    ),
    ProblemKind(
        "doubled-column",
        'the header has the column "{column}" twice',
        "rename or remove one of them",
        'the header has the column "{column}" {n} times too many',
    ),
    _warning(
        "doubled-other-column",
        'the header has "{column}" twice, but it is not read',
        "nothing needs to be done if it does not matter",
        'the header has "{column}" {n} times too many, but it is not read',
    ),
    # Of the rows of a table.
    _unreadable(
        "empty-cell",
        'the column "{column}" is empty',
        "fill it in or remove the row",
        "{n} {rows} have no {column}",
    ),
    _unreadable(
        "unclosed-quote",
        "a quotation mark opens a cell ({found}) that is not closed where it should be",
        "close it, and write quotation marks within a cell twice",
        "{n} {rows} have a quotation mark that is not closed where it should be",
    ),
    _unreadable(
        "bad-row",
        "the row cannot be split into cells ({found})",
        "save it as plain {other}, and look for a missing quotation mark",
        "{n} {rows} cannot be split into cells",
    ),
    ProblemKind(
        "extra-cells",
        "the row has {other} ({found} is extra)",
        "put the cell that contains the separator in quotation marks, or remove what is extra",
        "{n} {rows} have more cells than the header",
    ),
    _warning(
        "short-row",
        "the row has {found}, but the header has {other}",
        "check whether a line break has cut the row in two",
        "{n} {rows} have fewer cells than the header",
    ),
    _warning(
        "unnamed-cells",
        "{found} is in a column without a name and is not read",
        "name the column in the first row if it matters",
        "{n} {rows} have something in a column without a name, which is not read",
    ),
    _warning(
        "stray-quote",
        "a quotation mark is inside a cell ({found})",
        "write quotation marks within a cell twice, and check whether the row was read correctly",
        "{n} {rows} have a quotation mark within a cell",
    ),
    _warning(
        "swallowed-row",
        'the column "{column}" holds what looks like another row ({found})',
        "look for a quotation mark that is not closed",
        'the column "{column}" of {n} {rows} holds what looks like another row',
    ),
    ProblemKind(
        "error-cell",
        'the column "{column}" holds the error {found} of a spreadsheet',
        "correct its formula or type the value",
        '{n} {rows} have a spreadsheet error in the column "{column}"',
    ),
    _unreadable(
        "formula",
        'the column "{column}" is empty but for a formula without its result ({found})',
        "open the file in Excel and save it, or paste the values in place of the formulas",
        '{n} {rows} have a formula without its result in the column "{column}"',
    ),
    ProblemKind(
        "formula-text",
        'the column "{column}" holds a formula, not its result ({found})',
        "export the results in place of the formulas",
        '{n} {rows} have a formula, not its result, in the column "{column}"',
    ),
    _warning(
        "number-cell",
        'the column "{column}" holds a number, which is read as the text {found}',
        "nothing needs to be done if that is what you mean",
        '{n} {rows} have a number in the column "{column}", which is read as text',
    ),
    _warning(
        "date-cell",
        'the column "{column}" holds a date, which is read as {found}',
        "format the column as text and type it again if you meant something else",
        '{n} {rows} have a date in the column "{column}", which is read as year-month-day',
    ),
    # Of JSON Lines.
    _unreadable(
        "not-json",
        "not JSON ({other}; the line begins {found})",
        "correct or remove the line",
        "{n} lines are not JSON",
    ),
    _unreadable(
        "wrong-query",
        'the field "query" is missing or not text (the line begins {found})',
        'every line must be an object with the fields "query" and "passages"',
        '{n} lines have no field "query" with a text',
    ),
    ProblemKind(
        "empty-query",
        "the question is empty",
        "fill it in or remove the line",
        "{n} lines have an empty question",
    ),
    _unreadable(
        "no-passages",
        'the field "passages" is missing or empty',
        'list the passages there, each with "text" and "label", or remove the line',
        "{n} lines have no passages",
    ),
    _unreadable(
        "no-object",
        'not an object with "text" and "label" (found: {found})',
        'write it as {{"text": …, "label": …}} or remove it',
        '{n} {rows} are not objects with "text" and "label"',
    ),
    _unreadable(
        "empty-field",
        'the field "{column}" is missing or empty',
        "fill it in or remove the passage",
        "{n} {rows} have no {column}",
    ),
    _unreadable(
        "near-field",
        'the field "{column}" is missing, but "{other}" may be it',
        'rename it to "{column}", or add --column "{column}={other}"',
        '{n} {rows} have no {column}, but a field "{other}" that may be it',
    ),
    _unreadable(
        "wrong-type",
        'the field "{column}" is missing or not text (found: {found})',
        "write it in quotation marks",
        '{n} {rows} have a "{column}" that is not text',
    ),
    _warning(
        "odd-field",
        'the field "{column}" is not text ({found}), and cannot be read as it is',
        "write it in quotation marks, or leave it out",
        '{n} {rows} have a "{column}" that is not text',
    ),
    _warning(
        "repeated-query",
        "the question {found} was already asked in {other}; each line counts as a question of "
        "its own",
        "gather its passages in one line",
        "{n} lines ask a question that an earlier line asks too; each counts as one of its own",
    ),
    # Of passages that can be read.
    ProblemKind(
        "broken-characters",
        'the {field} "{column}" holds characters that no text has ({found})',
        "type the place again, or export the file again",
        '{n} {rows} have characters in the {field} "{column}" that no text has',
    ),
    _warning(
        "control-characters",
        'the {field} "{column}" holds invisible control characters ({found})',
        "remove them if they are there by mistake",
        '{n} {rows} have invisible control characters in the {field} "{column}"',
    ),
    _warning(
        "lost-characters",
        'the {field} "{column}" has letters garbled by an earlier conversion ({found})',
        "export it again from where it came from, as UTF-8",
        '{n} {rows} have letters in the {field} "{column}" that were garbled by an '
        "earlier conversion",
    ),
    _warning(
        "long-text",
        "the text has {found} words, of which about the first {other} are read",
        "nothing needs to be done if its beginning says what it is about; else split it",
        "{n} {rows} have a text that is longer than what is read, about {other} words",
    ),
    _warning(
        "no-words",
        "the text has no words ({found})",
        "remove it unless it is meant",
        "{n} {rows} have a text without words",
    ),
    _warning(
        "no-label-meant",
        "the label is {found}, which does not look like a label",
        "fill in the subtopic or remove the row",
        "{n} {rows} have a label such as {found}, which does not look like a label",
    ),
    _warning(
        "path-without-label",
        'the path {found} does not begin with the label, "{other}"',
        'write it as "label / part"',
        "{n} {rows} have a path that does not begin with their label",
    ),
    _warning(
        "same-id",
        "the id {found} was already given to another passage, in {other}",
        "give each passage an id of its own, or leave the ids out",
        "{n} {rows} have an id that another passage has already",
    ),
    # Of queries, and between two sets.
    ProblemKind(
        "one-passage",
        "the question {found} has only this passage, so there is nothing to group",
        "add passages of it or remove it",
        "{n} questions have only one passage, so there is nothing to group",
    ),
    _warning(
        "one-label",
        "all passages of the question {found} have the label {other}",
        "check whether its other subtopics are missing",
        "{n} questions have only one label",
    ),
    _warning(
        "same-passage",
        "the question has the passage already, with the same label, in {other}",
        "remove one of them",
        "{n} {rows} repeat a passage of their question, with the same label",
    ),
    _warning(
        "two-labels",
        "the question has the passage already, in {other}, with another label than {found}",
        "decide for one label",
        "{n} {rows} repeat a passage of their question, with another label",
    ),
    _warning(
        "near-label",
        'the label {found} differs from "{other}" only in capitals, spaces or accents',
        "spell both the same if they are the same subtopic; now they count as two",
        "{n} {rows} have a label that differs from another one of the question only in capitals, "
        "spaces or accents",
    ),
    _warning(
        "near-query",
        'the question {found} differs from "{other}" only in capitals, spaces or accents',
        "spell both the same if they are the same; now they count as two questions",
        "{n} questions differ from another one only in capitals, spaces or accents",
    ),
    _warning(
        "other-description",
        "the description {found} differs from the question's description in {other}, which is used",
        "write the same in all rows of a question, or in the first alone",
        "{n} {rows} describe their question differently from an earlier row, which is used",
    ),
    _warning(
        "held-out-query",
        "the question {found} is also in {other}; it is not trained on",
        "remove it from one of the two files",
        "{n} questions are also in the held-out file; they are not trained on",
    ),
    _warning(
        "held-out-passage",
        "the passage is also in {other}, so the model is judged on what it has seen",
        "remove it from one of the two files",
        "{n} {rows} are also in the held-out file, so the model is judged on what it has seen",
    ),
)

KINDS = {kind.name: kind for kind in ALL_KINDS}
