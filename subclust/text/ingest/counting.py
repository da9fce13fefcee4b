"""How many records a file has, guessed by counting what each of them begins or ends with."""

from pathlib import Path

from subclust.core.exceptions import SubclustError
from subclust.text.sources.base import DAMAGES
from subclust.text.sources.opening import format_of, open_source
from subclust.text.sources.unpacking import opened

MARKS: dict[str, tuple[bytes, ...]] = {
    "ris": (b"\nTY  -", b"\rTY  -"),
    "nbib": (b"\nPMID-",),
    "wos": (b"\nPT ", b"\rPT "),
    "endnote": (b"\n%0 ",),
    "endnote-xml": (b"<record>",),
    "bibtex": (b"\n@",),
    "marc": (b"\x1d",),
    "marcxml": (b"<record", b":record>"),
    "dublin-core": (b"<record>", b":record>"),
    "pubmed": (b"<PubmedArticle>",),
    "jats": (b"<article-meta",),
    "csl-json": (b'"id"',),
    "zotero": (b'"itemType"',),
    "wikidump": (b"<page>",),
}
"""Of each format without a count of its own, what comes once a record; the most frequent counts."""

_CHUNK = 1 << 20


def guess_records(path: Path, format: str = "auto") -> int | None:
    """Guess how many records a file has, for a progress bar; it is read once, in constant memory.

    Tables and JSON Lines know it themselves; of the other formats, marks are counted.

    Parameters
    ----------
    path : Path
    format : str
        A key of `SOURCES`, or ``"auto"``.

    Returns
    -------
    int or None
        At least 1; None where nothing can be counted.
    """
    name = format_of(path) if format == "auto" else format
    marks = MARKS.get(name or "")
    if marks is None:
        try:
            return open_source(path, format).estimate()
        except SubclustError:
            return None
    counts = dict.fromkeys(marks, 0)
    longest = max(map(len, marks))
    end = b"\n"  # the first record has no line before it
    try:
        with opened(path) as stream:
            while chunk := stream.read(_CHUNK):
                looked = end + chunk
                for mark in marks:
                    # What lies wholly within the end of the last piece was counted with it.
                    counts[mark] += looked.count(mark) - end.count(mark)
                end = looked[-(longest - 1) :]
    except (*DAMAGES, SubclustError):
        return None
    return max(counts.values()) or None
