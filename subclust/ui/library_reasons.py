"""What sources say of a refused or mended record, in the visitor's language.

Reports are kept as the sources wrote them, in English, and the command line prints them so.
"""

import re
from functools import cache

from subclust.ingest.reading import kind_of
from subclust.ui.language import N_, _
from subclust.ui.retold import Retold, pattern_of

REASONS = (
    N_("Another record of the source has the same id; the first one counts."),
    N_("It is in the source twice, word for word."),
    N_("A quotation mark that opens there is never closed, so nothing after it can be read."),
    N_("Its quotation marks are not balanced ({error})."),
    N_("It has {cells} cells, but the header has {header}."),
    N_("It has neither a text nor a title."),
    N_("It has no text."),
    N_("It is not JSON ({error})."),
    N_("It is JSON, but not an object with named fields."),
    N_("It is not an object with named fields."),
    N_("The JSON is broken there, so that nothing after it can be read ({error})."),
    N_("It is no record but Zotero's {kind}."),
    N_("It is longer than {size} MB, which no entry is."),
    N_("It is longer than {size} MB, which no record is."),
    N_("It is longer than {size} MB, which no row is; nothing after it is read."),
    N_("It is nested more than {count} levels deep, which no record is."),
    N_("It cannot be taken apart: {error}."),
    N_("It cannot be taken apart ({error})."),
    N_("It stands between two records and belongs to none."),
    N_("It has no leader and directory of MARC 21."),
    N_("It has no MARC fields."),
    N_("It holds neither Dublin Core nor MARC."),
    N_("Its repository has deleted it."),
    N_("It is not well formed: line {line}, {error}."),
    N_("The file ends in the middle of it."),
    N_("The file is damaged or cut off there ({error})."),
    N_("The dump is damaged or cut off there ({error})."),
    N_("The workbook is damaged from there on ({error})."),
    N_("The page is damaged ({error})."),
    N_("It came without its text."),
    N_("It has no paragraph of running text."),
    N_("It has no data."),
    N_("Its data cannot be read."),
    N_("The catalogue could not give it ({error})."),
    N_("arXiv finds {total}, but gives no more than {most} of a query."),
    N_("It has no {missing}."),
    N_("Other reasons."),
)
"""Why something was refused."""

ADVICE = (
    N_("Nothing needs to be done."),
    N_("Give each record an id of its own."),
    N_("Close it and import the file again."),
    N_("Within a quoted cell, write a quotation mark twice."),
    N_("Look for a quotation mark that is never closed, and import the file again."),
    N_("Look for a missing quotation mark or a separator too many."),
    N_("Fill in one of them and import it again."),
    N_("Correct the line and import the file again."),
    N_("Write it as an object with a title or an abstract."),
    N_("Export the file again and import it once more; nothing is imported twice."),
    N_("Export it from Zotero again."),
    N_("Look for a brace that is not closed."),
    N_("Look for a brace, a quotation mark or a comma that is missing."),
    N_("Look for where its end mark is missing, or choose another format."),
    N_("Look whether the record above it ends too early."),
    N_("Export it again, in UTF-8 if you may choose."),
    N_("Choose another format, or export it as MARCXML again."),
    N_("Ask the repository for oai_dc records (metadataPrefix=oai_dc)."),
    N_("Mend that line, or export the record again."),
    N_("Export or download the file again; what was imported is not imported twice."),
    N_("Export it again and import it once more; what was imported is not imported twice."),
    N_("Get or export it again and import it once more; nothing is imported twice."),
    N_("Download it again and import it once more."),
    N_("Open it in a spreadsheet program, save it and import it again."),
    N_("Save the PDF again from the program that shows it."),
    N_("Ask again, for fewer articles."),
    N_("Tell whoever looks after the catalogue."),
    N_("Ask for another format, such as dc."),
    N_("Ask several narrower questions, such as one for each category."),
    N_("Look whether it was put right as you would."),
)
"""What to do about it."""

MENDINGS = (
    N_("It has {count} abstracts; all of them were kept, one below the other."),
    N_("Its abstract was there twice; it was kept once."),
    N_("It began with {tag} and had no beginning of its own."),
    N_("It had no end mark ({mark}); it was taken to end where the file does."),
    N_("It had no end mark ({mark}); it was taken to end where the next one begins."),
    N_("Field {tag} is too long for MARC 21 and was left out."),
    N_(
        "Its directory lists {listed} fields and it has {count}; they were read in the order in "
        "which they stand."
    ),
    N_("Its directory was wrong; the fields were read in the order they stand in."),
    N_("Its leader told wrong lengths; it was read by the marks between fields."),
    N_("Its leader does not say UTF-8, but it is; it was read as that."),
    N_("Its leader says UTF-8, but it is not; it was read as Latin-1."),
    N_("It is neither UTF-8 nor MARC-8; it was read as Latin-1."),
    N_("Its leader has {count} characters instead of {wanted}; it was read without it."),
)
"""What was put right."""

PLACES = (
    N_("line {line}, passage {passage}"),
    N_("line {line}, after record {number}"),
    N_("line {line}"),
    N_("row {row} (lines {first} to {last})"),
    N_("row {row} (line {line})"),
    N_("row {row}"),
    N_("record {number} (line {line})"),
    N_("record {number} (byte {byte})"),
    N_("record {number} (without id)"),
    N_("record {number}"),
    N_("records after {number}"),
    N_("entry {number} (line {line})"),
    N_("after record {number}"),
    N_("after entry {number}"),
    N_("after passage {number}"),
    N_("after item {number}"),
    N_("after page {number}"),
    N_("passage {number}"),
    N_("item {number}"),
    N_("page {number}"),
    N_("article without title"),
    N_("article {title}"),
)
"""Where it is; of two that fit, the first."""

REFUSED = Retold((*REASONS, *ADVICE, *MENDINGS, *PLACES))
"""All that is said of a record."""


def in_own_words(sentence: str) -> str:
    """Say a place, reason, advice or mending in the visitor's language.

    Parameters
    ----------
    sentence : str
        As a source wrote it; what no source writes stays as it is.
    """
    return REFUSED(sentence)


def kind_in_own_words(kind: str) -> str:
    """Say a reason of which everything particular was left out, as reports count them.

    Parameters
    ----------
    kind : str
        As `kind_of` gives it.
    """
    for template, pattern in _kinds():
        if found := pattern.fullmatch(kind):
            return kind_of(_(template)).format(**found.groupdict())
    return kind


@cache
def _kinds() -> list[tuple[str, re.Pattern[str]]]:
    return [(template, pattern_of(kind_of(template))) for template in REASONS]
