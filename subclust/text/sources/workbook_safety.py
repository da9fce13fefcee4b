"""Whether an Excel workbook is one, and can be opened without harm."""

import re
import zipfile
import zlib
from pathlib import Path

from subclust.core.messages import Message

MOST_UNPACKED = 600 << 20
"""Bytes that a workbook or a packed file may unpack to."""

_MOST_MEMBERS = 10_000
_MOST_AT_ONCE = 4 << 20
"""Bytes of one row or one text."""

_MOST_WHOLE = 32 << 20
"""Bytes of a part that is read as a whole, such as that of styles."""

_MOST_OLD = 200 << 20
"""Bytes of a workbook that is read as a whole."""

_MOST_TEXTS = 4_000_000
_PIECE = 1 << 20
_IN_PIECES = {
    "xl/worksheets/": re.compile(rb"<(?:\w+:)?row[\s/>]"),
    "xl/sharedStrings": re.compile(rb"<(?:\w+:)?si[\s/>]"),
}
_BOMB_RATIO = 250
_BOMB_SIZE = 64 << 20
_MOST_TYPES = 1 << 20
DAMAGES = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, OSError, EOFError, ValueError,
    RuntimeError,  # and NotImplementedError, of packing that Python does not know
)  # fmt: skip
_TYPES = "[Content_Types].xml"
_FOLDERS = (
    "_rels/", "xl/", "docProps/", "docMetadata/", "customXml/", "customUI/", "userCustomization/",
    "[trash]/",
)  # fmt: skip
_PROGRAM = re.compile(
    r"\.(?:exe|dll|so|dylib|com|scr|bat|cmd|ps1|vbs|js|jar|py|pkl|pickle|sh)$", re.I
)
_MACROS = re.compile(r"vbaProject|^xl/(?:macrosheets|dialogsheets|activeX)/|macroEnabled", re.I)
_UNSAFE_NAME = re.compile(r"^[/\\]|^[A-Za-z]:|\\|(?:^|/)\.\.(?:/|$)|[\x00-\x1f]")


def workbook_fault(path: Path) -> str | None:
    """Return why a file must not be opened as a workbook.

    Sizes are those that the archive declares, beyond which Python unpacks nothing. Its parts are
    unpacked a piece at a time, to see that what a reader holds in memory at once is not too much.

    Returns
    -------
    str or None
        Goes on after the file's name, with what to do; None where it may be opened.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _fault(archive)
    except DAMAGES:
        return Message("is a damaged workbook; open it in Excel, save it again and retry")


def old_workbook_fault(path: Path) -> str | None:
    """Return why a file must not be opened as a workbook that is read as a whole.

    Returns
    -------
    str or None
        As of `workbook_fault`.
    """
    with path.open("rb") as stream:
        is_zip = stream.read(2) == b"PK"
    if is_zip:
        if fault := archive_fault(path):
            return fault
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
    else:
        size = path.stat().st_size
    if size > _MOST_OLD:
        return Message("is too large to be read as a whole; save it as .xlsx or .csv")
    return None


def archive_fault(path: Path) -> str | None:
    """Return why an archive must not be unpacked.

    Returns
    -------
    str or None
        As of `workbook_fault`.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _packing_fault(archive)
    except DAMAGES:
        return Message("is a damaged archive")


def _fault(archive: zipfile.ZipFile) -> str | None:
    names = archive.namelist()
    if fault := _packing_fault(archive):
        return fault
    if any(_UNSAFE_NAME.search(name) for name in names) or len(set(names)) < len(names):
        return Message(
            "is an archive with misleading names in it, not a workbook; save it again in Excel"
        )
    return _contents_fault(archive, names)


def _packing_fault(archive: zipfile.ZipFile) -> str | None:
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if len(members) > _MOST_MEMBERS:
        return Message(
            "has more than {most_members:,} parts, which no workbook needs; save it again",
            most_members=_MOST_MEMBERS,
        )
    if unpacked > MOST_UNPACKED:
        return Message(
            "unpacks to {unpacked:,} MB, more than the {most_unpacked} MB that are read; "
            "split it into several files, or save it as .csv",
            unpacked=unpacked >> 20,
            most_unpacked=MOST_UNPACKED >> 20,
        )
    if unpacked > _BOMB_SIZE and unpacked > _BOMB_RATIO * max(packed, 1):
        return Message(
            "unpacks to {unpacked:,} times its size, as only malicious files do; copy the rows "
            "into a new workbook",
            unpacked=unpacked // max(packed, 1),
        )
    if any(member.flag_bits & 1 for member in members):
        return Message("is protected by a password; remove the password and try again")
    return None


def _contents_fault(archive: zipfile.ZipFile, names: list[str]) -> str | None:
    members = archive.infolist()
    if _TYPES not in names or "xl/workbook.xml" not in names:
        return Message(
            "is not an Excel workbook but {other}; save it as .xlsx or .csv", other=_other(names)
        )
    with archive.open(_TYPES) as stream:
        types = stream.read(_MOST_TYPES).decode("utf-8", "replace")
    if any(_MACROS.search(name) for name in names) or _MACROS.search(types):
        return Message(
            "has macros, which are programs; save it as .xlsx without macros, or as .csv"
        )
    for name in names:
        if _PROGRAM.search(name) or not (name == _TYPES or name.startswith(_FOLDERS)):
            return Message(
                "holds something that no workbook has; copy the rows into a new workbook and "
                "save that"
            )
    if any(_is_too_much(archive, member) for member in members if member.filename[-4:] == ".xml"):
        return Message(
            "holds more in one row, or in what is read as a whole, than any workbook; copy the "
            "rows into a new workbook, or save it as .csv"
        )
    return None


def _is_too_much(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    """Return whether reading a part fills the memory, whatever its size."""
    begin = next(
        (one for name, one in _IN_PIECES.items() if member.filename.startswith(name)), None
    )
    if begin is None or "/_rels/" in member.filename:
        return member.file_size > _MOST_WHOLE
    n_texts, since, end = 0, 0, b""
    with archive.open(member) as stream:
        while piece := stream.read(_PIECE):
            looked = end + piece
            places = [match.start() for match in begin.finditer(looked)]
            n_texts += len(places)
            # Only what spans several pieces can be too long: one piece is shorter than the limit.
            since = len(looked) - places[-1] if places else since + len(piece)
            if since > _MOST_AT_ONCE or n_texts > _MOST_TEXTS:
                return True
            # The end of a piece may cut a tag; none of those looked for is longer than this.
            end = looked[-40:] if not places else looked[max(places[-1] + 1, len(looked) - 40) :]
    return False


def _other(names: list[str]) -> str:
    if "word/document.xml" in names:
        return Message("a Word document")
    if "ppt/presentation.xml" in names:
        return Message("a PowerPoint presentation")
    if "content.xml" in names and "META-INF/manifest.xml" in names:
        return Message("an OpenDocument file")
    if "xl/workbook.bin" in names:
        return Message("a binary one (.xlsb)")
    if any(name.endswith("data.pkl") or name.endswith(".npy") for name in names):
        return Message("an archive of a program's data")
    return Message("another ZIP archive")
