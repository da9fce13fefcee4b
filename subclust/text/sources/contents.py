"""What a file is, by its first bytes, where it is no text that a labelled set can be."""

import re
from typing import NamedTuple

from subclust.core.messages import Message

HEAD = 1 << 16
"""Bytes that are looked at."""

WORKBOOK = Message("an Excel workbook or another ZIP archive")
GZIP = Message("compressed with gzip")

_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


class _Content(NamedTuple):
    what: str
    starts: tuple[bytes, ...]
    text: bool = False
    """Whether a file of this kind may have no byte that a text has not."""


_CONTENTS = (
    _Content(WORKBOOK, (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")),
    _Content(GZIP, (b"\x1f\x8b",)),
    _Content(Message("a program (ELF)"), (b"\x7fELF",)),
    _Content(Message("a program for Windows"), (b"MZ",)),
    _Content(Message("a program for macOS, or Java"), (
        b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
    )),
    _Content(Message("a program (WebAssembly)"), (b"\x00asm",)),
    _Content(Message("a program for Android"), (b"dex\n",)),
    _Content(Message("a program (script)"), (b"#!",), text=True),
    _Content("a PDF", (b"%PDF-",), text=True),
    _Content(Message("a PostScript document"), (b"%!PS",), text=True),
    _Content(Message("an RTF document"), (b"{\\rtf",), text=True),
    _Content("a picture", (
        b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\x00", b"MM\x00*",
        b"\x00\x00\x01\x00", b"8BPS",
    )),
    _Content(Message("a sound or film"), (b"RIFF", b"ID3", b"OggS", b"fLaC", b"\x1aE\xdf\xa3")),
    _Content(
        Message("a SQLite database, such as Zotero, EndNote and Citavi keep; export RIS there"),
        (b"SQLite format 3\x00",),
    ),
    _Content(Message("a Parquet file"), (b"PAR1",)),
    _Content(Message("an Arrow or Feather file"), (b"ARROW1", b"FEA1")),
    _Content(Message("an Avro or ORC file"), (b"Obj\x01", b"ORC")),
    _Content(Message("an HDF5 file"), (b"\x89HDF",)),
    _Content(Message("a NumPy file"), (b"\x93NUMPY",)),
    _Content(Message("an R data file"), (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n")),
    _Content(Message("an SPSS or Stata file"), (b"$FL2@(#)", b"$FL3@(#)", b"<stata_dta>")),
    _Content(Message("a packed archive"), (
        b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd",
        b"\x04\x22\x4d\x18", b"\x1f\x9d", b"MSCF",
    )),
    _Content("a font", (b"wOFF", b"wOF2", b"OTTO", b"\x00\x01\x00\x00")),
)  # fmt: skip

_PICKLE = re.compile(
    rb"\x80[\x02-\x05]"
    # The text forms: a list, dict or tuple that is memorised, or a name that is looked up.
    rb"|\((?:[dlt]p\d+\r?\n|[cil]?[\w.]+\r?\n[\w.]+\r?\n)"
    rb"|c[\w.]+\r?\n[\w.]+\r?\np?\d*\r?\n?\("
    rb"|[\]\}]q\x00"
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1a\x1b"))
_MARKUP = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*<(!doctype\s+html|\?xml|svg|[a-z!][\w:-]*)", re.I | re.S
)
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def content_of(head: bytes) -> str | None:
    """Return what a file is that is no text of a labelled set.

    Parameters
    ----------
    head : bytes
        Its first `HEAD` bytes.

    Returns
    -------
    str or None
        Goes on after "it is"; None where it may be text.
    """
    if _PICKLE.match(head):
        return Message("a Python pickle, which could run a program when opened")
    if head.startswith(OLD_OFFICE):
        if _ENCRYPTED in head:
            return Message("a workbook that a password protects")
        return Message("an old Excel workbook (.xls) or another old Office document")
    controls = has_controls(head)
    for content in _CONTENTS:
        if head.startswith(content.starts) and (
            content.text or controls or not head.startswith(_letters(content))
        ):
            return content.what
    if head[257:262] == b"ustar":
        return Message("a packed archive")
    if controls and head[4:8] == b"ftyp":
        return Message("a sound or film")
    return _markup(head.removeprefix(_UTF8_MARK))


def in_wide_characters(head: bytes) -> bool:
    """Return whether a file begins like UTF-16 or UTF-32, where zero bytes are in order."""
    if head.startswith(_UNICODE_MARKS):
        return True
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    return max(even, odd) > half / 2 > 2 * min(even, odd)


def has_controls(head: bytes) -> bool:
    """Return whether there are bytes that no text has."""
    return len(head.translate(None, _CONTROLS)) < len(head)


def _letters(content: _Content) -> tuple[bytes, ...]:
    """Return those of a content's beginnings that a text could have too."""
    return tuple(start for start in content.starts if start.isascii() and not has_controls(start))


def _markup(text: bytes) -> str | None:
    found = _MARKUP.match(text)
    if not found:
        return None
    match found[1].lower():
        case b"svg":
            return Message("a picture")
        case b"?xml":
            return Message("an XML document")
    return Message("a web page, perhaps an error message or a login page")
