"""Why a labelled set cannot be received, kept or used: the sentences that are raised."""

from subclust.ui.language import N_

UPLOADS = (
    N_(
        "The file's name is empty, longer than {most} characters or has characters that cannot be "
        "seen; rename it and try again."
    ),
    N_("{file} names a folder too; give the file's name alone."),
    N_("{file} is a workbook with macros, which are programs; save it as .xlsx or .csv."),
    N_("{file} is an old Excel workbook; save it as .xlsx or .csv and try again."),
    N_(
        "{file} is no labelled set by its ending; give a .csv, .tsv, .xlsx, .jsonl or .jsonl.gz "
        "file."
    ),
    N_("{file} is empty; fill in a header and at least two queries with their passages."),
    N_("{file} is empty; fill in at least two queries with their passages."),
    N_("{file} did not arrive whole ({error}); try again."),
    N_(
        "{file} has {size} MB, and {most} MB are taken at most; pack it as .jsonl.gz, or split it "
        "into several sets."
    ),
    N_(
        "{file} is larger, and {most} MB are taken at most; pack it as .jsonl.gz, or split it into "
        "several sets."
    ),
    N_(
        "{file} is not what its name says, but {content}; save it as .csv, .tsv, .xlsx or .jsonl "
        "and try again."
    ),
    N_("{file} is not an Excel workbook; give it the ending of what it is, or save it anew."),
    N_("{file} is not packed; take .gz from its name and try again."),
    N_(
        "{file} is no text: it is full of bytes that no text has; save it as .csv, .tsv, .xlsx or "
        ".jsonl and try again."
    ),
    N_(
        "{file} is no text: byte {count} is a zero; save it as .csv, .tsv, .xlsx or .jsonl and try "
        "again."
    ),
    N_(
        "{file} cannot be read, since its packing is broken or cut off; pack it again, or give it "
        "without packing."
    ),
    N_("{file} holds no text, but {content}; pack a .jsonl file and try again."),
    N_(
        "{file} takes too long or too much memory to look into; split it into several files, or "
        "save it as .csv."
    ),
    N_("{file} unpacks to more than the {most} MB that are read; split it into several files."),
    N_(
        "{file} has a line of more than {size} MB, which no labelled set has; write each query, or "
        "each row, on a line of its own."
    ),
    N_(
        "{file} holds JSON, not a table; give it the ending .jsonl if each line is a query, else "
        "save it so."
    ),
    N_("{file} holds no JSON; give it the ending .csv or .tsv if it is a table."),
)
"""Of a file that is refused as it arrives."""

SETS = (
    N_(
        "A set's name must be 1 to 64 letters from a to z, digits, '-' or '_', begin with a letter "
        "or digit, and not be 'incoming', but is {name}."
    ),
    N_(
        "The version of a set must be a whole number of at least 1, as in {example}, but is {name}."
    ),
    N_(
        "The upload {file} is not there any more, since it was kept, or a day has passed; upload "
        "it again."
    ),
    N_("The labelled set {name} has no version {number} (there: {there}); choose one of these."),
    N_("The labelled set {name} is damaged: {file} is missing; restore it, or add the set again."),
    N_(
        "The labelled set {name} is damaged: {file} is not what was kept; restore it, or add the "
        "set again."
    ),
    N_(
        "The labelled set {name} is damaged ({error}); restore {file} from a copy, or add the set "
        "again."
    ),
    N_(
        "The record of the labelled set {name} is damaged ({error}); restore {folder} from a copy, "
        "or add the set again."
    ),
    N_(
        "The record of the rows left out of {name} is damaged ({error}); restore {file} from a "
        "copy."
    ),
    N_(
        "The labelled set {name} is needed by jobs that wait or run ({jobs}); wait until they have "
        "ended, or cancel them first."
    ),
    N_(
        "The labelled sets have been in use by another program for {count} seconds; try again in a "
        "moment."
    ),
    N_("A workbook holds {count} rows, and there are more; export it as .csv or .jsonl.gz."),
    N_(
        "Row {row} has a text of {count} characters, and a cell of a workbook holds {most}; export "
        "it as .csv or .jsonl.gz."
    ),
    N_(
        "Row {row} has characters that a workbook cannot hold, since they cannot be seen; export "
        "it as .csv or .jsonl.gz."
    ),
    N_(
        "{name} cannot be received ({error}); look whether the folder is there and may be written "
        "to and try again."
    ),
    N_("{name} cannot be received ({error}); free some space on the disk and try again."),
    N_(
        "The set {name} cannot be kept ({error}); look whether the folder is there and may be "
        "written to and try again."
    ),
    N_("The set {name} cannot be kept ({error}); free some space on the disk and try again."),
    N_(
        "The set {name} cannot be removed ({error}); look whether the folder is there and may be "
        "written to and try again."
    ),
    N_("The set {name} cannot be removed ({error}); free some space on the disk and try again."),
)
"""Of a set that is kept, or is to be."""
