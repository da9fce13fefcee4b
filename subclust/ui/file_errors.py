"""Why a file as a whole cannot be imported: the sentences that readers raise."""

from subclust.ui.language import N_
from subclust.ui.library_formats import SHORT
from subclust.ui.library_reasons import REFUSED
from subclust.ui.retold import Retold

FILES = (
    N_("There is no file {file}; check the name."),
    N_("{file} is empty; choose another file."),
    N_("{file} is empty; export it again."),
    N_("{file} has no words; choose another file."),
    N_("{file} has no rows; choose another file."),
    N_("{file} has no records; choose another file."),
    N_("{file} has a header and no rows below it; choose another file."),
    N_("The header of {file} cannot be read: {why}"),
    N_(
        "{file} needs a first row with a column named 'text', 'abstract' or 'title', but its first "
        "row is: {names}."
    ),
    N_("{file} has two columns named {name}; rename one of them."),
    N_("{file} holds no BibTeX entry; choose another format or file."),
    N_("{file} holds no items; choose another format or file."),
    N_("{file} holds no items; export it from Zotero again, or choose another format."),
    N_("{file} holds no MARC record; choose another format or file."),
    N_("{file} holds no record of {format}; choose another format or file."),
    N_(
        "{file} holds nothing that could be read as {format}; choose another format, or another "
        "file."
    ),
    N_("{file} is XML but holds no MediaWiki page; choose another format."),
    N_(
        "{file} declares entities of its own, which no dump needs and traps are made of, so it is "
        "not read; download it again."
    ),
    N_(
        "{file} holds a page that is larger than any article; choose a dump of current pages "
        "(pages-articles)."
    ),
    N_(
        "{file} holds a record that is larger than any in an export. Export it again; if that does "
        "not help, tell whoever made the file."
    ),
    N_(
        "{file} is no list of records: what it begins with is longer than {size} MB; export it "
        "again."
    ),
    N_(
        "{file} takes more memory to read than any export, so it is not read; divide it, or export "
        "it in another format."
    ),
    N_(
        "{file} unpacks to more than {count} times its size, as only a trap does, so it is not "
        "read; unpack it yourself and look what is in it."
    ),
    N_("{file} holds {count} pages, but none is an article with sections; choose another dump."),
    N_("{file} is not JSON; choose another format or file."),
    N_(
        "{file} is one JSON list, not JSON Lines; save it with one object a line, without the "
        "outer brackets."
    ),
    N_("{file} is not a text file; choose the file that was exported as text."),
    N_(
        "{file} is an Excel workbook or another ZIP file, not text; if it is a workbook, give it "
        "the ending .xlsx."
    ),
    N_("{file} begins like {encoding} text but goes on otherwise; export it as UTF-8."),
    N_("{file} cannot be read, it is damaged or cut off ({error}); get or export it again."),
    N_("{file} cannot be read as JSON ({error}); export it again."),
    N_(
        "{file} cannot be read as XML ({error}). Export it again; if that does not help, tell "
        "whoever made the file."
    ),
    N_(
        "{file} has more than {most} elements within each other, which no export has. Export it "
        "again; if that does not help, tell whoever made the file."
    ),
    N_(
        "{file} declares entities of its own, which no export needs and traps are made of, so it "
        "is not read; export it again."
    ),
    N_(
        "{file} cannot be read as a MediaWiki dump ({error}); download it again, or choose another "
        "format."
    ),
    N_(
        "{file} cannot be read as an Excel workbook ({error}); open it in a spreadsheet program "
        "and save it as .xlsx or CSV."
    ),
    N_("{file} cannot be read as PDF ({error}); get or save it again."),
    N_("{file} is locked by a password; save it without one and import it again."),
    N_("{file} is damaged so that no page of it can be read; get it again."),
    N_(
        "{file} has no text layer, so its pages are pictures of text; recognise its text (OCR, for "
        "example with OCRmyPDF) and import it again."
    ),
    N_("{file} is larger than {size} MB; divide it, or save its text as a .txt file."),
    N_("{file} could not be written to disk ({error}); free some space and try again."),
    N_("{file} is RDF, which is not read; export it as RIS or CSL JSON."),
    N_("{file} is MODS, which is not read; ask for MARCXML."),
    N_("The format must be auto or one of {formats}, but is {name}."),
)
"""Of a file as a whole."""

WORKBOOKS = (
    N_("{file} is a damaged workbook; open it in Excel, save it anew and try again."),
    N_("{file} has more than {count} parts, which no workbook needs; save it anew."),
    N_(
        "{file} unpacks to {size} MB, more than the {most} MB that are read; split it into several "
        "files, or save it as .csv."
    ),
    N_(
        "{file} unpacks to {count} times its size, as only a trap does; copy the rows into a new "
        "workbook."
    ),
    N_("{file} is protected by a password; remove the password and try again."),
    N_("{file} is an archive with misleading names in it, not a workbook; save it anew in Excel."),
    N_("{file} is not an Excel workbook but {content}; save it as .xlsx or .csv."),
    N_("{file} has macros, which are programs; save it as .xlsx without macros, or as .csv."),
    N_(
        "{file} holds something that no workbook has; copy the rows into a new workbook and save "
        "that."
    ),
    N_(
        "{file} holds more in one row, or in what is read as a whole, than any workbook; copy the "
        "rows into a new workbook, or save it as .csv."
    ),
)
"""Of a workbook that is not opened."""

OTHER_CONTENT = (N_("{file} is {content}."),)
"""Fits much, so it comes last."""

CONTENTS = (
    N_("an Excel workbook or another ZIP archive"),
    N_("packed with gzip"),
    N_("a program (ELF)"),
    N_("a program for Windows"),
    N_("a program for macOS, or Java"),
    N_("a program (WebAssembly)"),
    N_("a program for Android"),
    N_("a program (script)"),
    N_("a PDF"),
    N_("a PostScript document"),
    N_("an RTF document"),
    N_("a picture"),
    N_("a sound or film"),
    N_("a SQLite database"),
    N_("a Parquet file"),
    N_("an Arrow or Feather file"),
    N_("an Avro or ORC file"),
    N_("an HDF5 file"),
    N_("a NumPy file"),
    N_("an R data file"),
    N_("an SPSS or Stata file"),
    N_("a packed archive"),
    N_("a font"),
    N_("a Python pickle, which could run a program when opened"),
    N_("a workbook that a password protects"),
    N_("an old Excel workbook (.xls) or another old Office document"),
    N_("an XML document"),
    N_("a web page"),
    N_("a web page, perhaps the one that told of an error or asked you to log in"),
    N_("a Word document"),
    N_("a PowerPoint presentation"),
    N_("an OpenDocument file"),
    N_("a binary one (.xlsb)"),
    N_("an archive of a program's data"),
    N_("another ZIP archive"),
)
"""What a file is instead."""

FILE_PARTS = Retold((*CONTENTS, *SHORT, *REFUSED.templates))
"""What stands in such sentences in words of ours."""
