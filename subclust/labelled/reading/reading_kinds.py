"""What can be wrong with a labelled set as a file: its format, header, rows and lines."""

from subclust.labelled.reading.problem_kind import error, unreadable, warning

FILE_KINDS = (
    unreadable(
        "wrong-ending",
        "is no labelled set",
        "give a .jsonl, .jsonl.gz, .csv, .tsv or .xlsx file",
    ),
    unreadable(
        "other-content",
        "is not what its name says, but {other}",
        "save it as .csv, .tsv, .xlsx or .jsonl, or give it the right ending",
    ),
    unreadable(
        "empty-file",
        "is empty, so it holds no queries",
        "fill in a header and at least two queries with their passages",
    ),
    unreadable(
        "no-rows",
        "has a header and nothing below it, so it holds no queries",
        "fill in the rows",
    ),
    unreadable(
        "other-encoding",
        "is not in UTF-8 but probably in {other} ({found})",
        'save it again as UTF-8; Excel calls that "CSV UTF-8", a text editor asks for the encoding',
    ),
    unreadable(
        "broken-gzip",
        "cannot be read, since its gzip packing is broken or cut off ({found})",
        "pack it again, or give it without packing",
    ),
    unreadable(
        "too-large",
        "cannot be read, since it unpacks to more than {other}",
        "split it into several files",
    ),
    unreadable(
        "long-line",
        "has a line of more than {other}, which no labelled set has",
        "write each query, or each row, on a line of its own",
    ),
    unreadable(
        "packed-trap",
        "cannot be read, since it unpacks to more than {other} times its size, as only a trap does",
        "unpack it yourself and look what is in it",
    ),
    unreadable("unreadable-file", "cannot be read ({found})", "copy it anew and try again"),
    unreadable(
        "no-workbook",
        "is not an Excel workbook",
        "save it as .xlsx or .csv and try again",
    ),
    unreadable(
        "damaged-workbook",
        "is damaged ({found})",
        "open it in Excel, save it anew and try again",
    ),
    unreadable(
        "json-not-lines",
        "is one JSON {other} over the whole file, not JSON Lines, so it holds no queries",
        "save it with one query a line, without the outer brackets",
    ),
    unreadable(
        "no-such-field",
        'has no field "{other}", which was given for "{column}"',
        "give the name of a field that is there",
    ),
    error(
        "too-few-queries",
        "holds one query only, so none can be held out to judge by",
        "add queries, or give a second file with held-out queries",
    ),
    error(
        "held-out-errors",
        "was compared with {other}, which has errors of its own (the first: {found})",
        "check {other} and correct that file too",
    ),
    warning(
        "few-queries",
        "holds only {found} queries, so very few are held out to judge by",
        "add queries if you can; from ten on the judgement begins to mean something",
    ),
    warning(
        "utf-16",
        "is in UTF-16 and was read all the same",
        "nothing needs to be done; other programs may want it as UTF-8",
    ),
    warning(
        "other-separator",
        "separates its columns by {other}, and was read so",
        "nothing needs to be done if the rows were read rightly; other programs may want {found}",
    ),
    warning(
        "several-sheets",
        "has several sheets, of which only the first, {found}, was read (also there: {other})",
        "move the rows of the others into the first, or save them as files of their own",
    ),
)

HEADER_KINDS = (
    unreadable(
        "missing-column",
        'the column "{column}" is missing (found: {found})',
        'write "{column}" above the column that holds it, in the first row',
    ),
    unreadable(
        "near-column",
        'the column "{column}" is missing, but "{other}" may be it (found: {found})',
        'rename it to "{column}", or add --column "{column}={other}"',
    ),
    unreadable(
        "no-such-column",
        'the column "{other}", given for "{column}", is missing (found: {found})',
        "give a name that stands in the first row",
    ),
    error(
        "doubled-column",
        'the header has the column "{column}" twice',
        "rename or remove one of them",
        'the header has the column "{column}" {n} times too many',
    ),
    warning(
        "doubled-other-column",
        'the header has "{column}" twice, but it is not read',
        "nothing needs to be done if it does not matter",
        'the header has "{column}" {n} times too many, but it is not read',
    ),
)

ROWS_KINDS = (
    unreadable(
        "empty-cell",
        'the column "{column}" is empty',
        "fill it in or remove the row",
        "{n} {rows} have no {column}",
    ),
    unreadable(
        "unclosed-quote",
        "a quotation mark opens a cell ({found}) that is not closed where it should be",
        "close it, and write quotation marks within a cell twice",
        "{n} {rows} have a quotation mark that is not closed where it should be",
    ),
    unreadable(
        "bad-row",
        "the row cannot be taken apart ({found})",
        "save it as plain {other}, and look for a missing quotation mark",
        "{n} {rows} cannot be taken apart",
    ),
    error(
        "extra-cells",
        "the row has {other} ({found} is too much)",
        "put the cell with the separator in it in quotation marks, or remove what is too much",
        "{n} {rows} have more cells than the header",
    ),
    warning(
        "short-row",
        "the row has {found}, but the header has {other}",
        "look whether a line break has cut the row in two",
        "{n} {rows} have fewer cells than the header",
    ),
    warning(
        "unnamed-cells",
        "{found} stands in a column without a name and is not read",
        "name the column in the first row if it matters",
        "{n} {rows} have something in a column without a name, which is not read",
    ),
    warning(
        "stray-quote",
        "a quotation mark stands within a cell ({found})",
        "write quotation marks within a cell twice, and look whether the row was read rightly",
        "{n} {rows} have a quotation mark within a cell",
    ),
    warning(
        "swallowed-row",
        'the column "{column}" holds what looks like another row ({found})',
        "look for a quotation mark that is not closed",
        'the column "{column}" of {n} {rows} holds what looks like another row',
    ),
    error(
        "error-cell",
        'the column "{column}" holds the error {found} of a spreadsheet',
        "correct its formula or type the value",
        '{n} {rows} have a spreadsheet error in the column "{column}"',
    ),
    unreadable(
        "formula",
        'the column "{column}" is empty but for a formula without its result ({found})',
        "open the file in Excel and save it, or paste the values in place of the formulas",
        '{n} {rows} have a formula without its result in the column "{column}"',
    ),
    error(
        "formula-text",
        'the column "{column}" holds a formula, not its result ({found})',
        "export the results in place of the formulas",
        '{n} {rows} have a formula, not its result, in the column "{column}"',
    ),
    warning(
        "number-cell",
        'the column "{column}" holds a number, which is read as the text {found}',
        "nothing needs to be done if that is what you mean",
        '{n} {rows} have a number in the column "{column}", which is read as text',
    ),
    warning(
        "date-cell",
        'the column "{column}" holds a date, which is read as {found}',
        "format the column as text and type it anew if you meant something else",
        '{n} {rows} have a date in the column "{column}", which is read as year-month-day',
    ),
)

LINES_KINDS = (
    unreadable(
        "not-json",
        "not JSON ({other}; the line begins {found})",
        "mend or remove the line",
        "{n} lines are not JSON",
    ),
    unreadable(
        "wrong-query",
        'the field "query" is missing or not text (the line begins {found})',
        'every line must be an object with the fields "query" and "passages"',
        '{n} lines have no field "query" with a text',
    ),
    error(
        "empty-query",
        "the query is empty",
        "fill it in or remove the line",
        "{n} lines have an empty query",
    ),
    unreadable(
        "no-passages",
        'the field "passages" is missing or empty',
        'list the passages there, each with "text" and "label", or remove the line',
        "{n} lines have no passages",
    ),
    unreadable(
        "no-object",
        'not an object with "text" and "label" (found: {found})',
        'write it as {{"text": …, "label": …}} or remove it',
        '{n} {rows} are not objects with "text" and "label"',
    ),
    unreadable(
        "empty-field",
        'the field "{column}" is missing or empty',
        "fill it in or remove the passage",
        "{n} {rows} have no {column}",
    ),
    unreadable(
        "near-field",
        'the field "{column}" is missing, but "{other}" may be it',
        'rename it to "{column}", or add --column "{column}={other}"',
        '{n} {rows} have no {column}, but a field "{other}" that may be it',
    ),
    unreadable(
        "wrong-type",
        'the field "{column}" is missing or not text (found: {found})',
        "write it in quotation marks",
        '{n} {rows} have a "{column}" that is not text',
    ),
    warning(
        "odd-field",
        'the field "{column}" is not text ({found}), and is not read as it stands',
        "write it in quotation marks, or leave it out",
        '{n} {rows} have a "{column}" that is not text',
    ),
    warning(
        "repeated-query",
        "the query {found} was already asked in {other}; each line counts as a query of its own",
        "gather its passages in one line",
        "{n} lines ask a query that an earlier line asks too; each counts as one of its own",
    ),
)
