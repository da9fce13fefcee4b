"""Refusing an upload that is not the text its name says."""

import gzip
import re
import zlib
from pathlib import Path

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.contents import (
    GZIP,
    HEAD,
    WORKBOOK,
    content_of,
    has_controls,
    in_wide_characters,
)
from subclust.text.sources.unpacking import LONGEST_RECORD, opened
from subclust.text.sources.workbook_safety import MOST_UNPACKED, workbook_fault

_CHUNK = 1 << 20
_ADVICE = Message("save it as .csv, .tsv, .xlsx or .jsonl and try again")
_MOST_CONTROLS = 0.05


def refuse_by_head(head: bytes, told: str) -> None:
    """Refuse a file by its first bytes.

    Parameters
    ----------
    head : bytes
        Its first `HEAD` bytes, or all.
    told : str
        Its name.

    Raises
    ------
    FileFormatError
        If they are those of something else than the name's ending says.
    """
    ending = _ending(told)
    content = content_of(head)
    if content == WORKBOOK and ending == ".xlsx" or content == GZIP and ending == ".gz":
        return
    if content is not None:
        raise FileFormatError(
            "{file} is not what its name says, but {content}; {advice}.",
            file=told,
            content=content,
            advice=_ADVICE,
        )
    if ending == ".xlsx":
        raise FileFormatError(
            "{file} is not an Excel workbook; give it the ending of what it is, or save it anew.",
            file=told,
        )
    if ending == ".gz":
        raise FileFormatError(
            "{file} is not packed; take .gz from its name and try again.", file=told
        )
    _refuse_other_text(head, ending, told)


class Sniffer:
    """Looks at all pieces of a text for what no text has.

    Parameters
    ----------
    head : bytes
        The first of them.
    told : str
        Name of the file.
    packed : bool
        Whether these are the pieces that a packed file was unpacked to.
    """

    def __init__(self, head: bytes, told: str, *, packed: bool = False) -> None:
        self.told = told
        self.text = packed or _ending(told) not in (".xlsx", ".gz")
        self.wide = in_wide_characters(head)
        self.seen = 0
        self.blank = True
        self.n_line = 0
        if self.text and not self.wide:
            n = len(head) - len(head.translate(None, bytes(range(1, 9)) + bytes(range(14, 26))))
            if n > _MOST_CONTROLS * len(head):
                raise FileFormatError(
                    "{file} is no text: it is full of bytes that no text has; {advice}.",
                    file=told,
                    advice=_ADVICE,
                )

    def look(self, chunk: bytes) -> None:
        """Look at the next piece.

        Raises
        ------
        FileFormatError
            If it has a zero byte, or a line longer than `LONGEST_RECORD`.
        """
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        self.n_line = self.n_line + len(chunk) if end < 0 else len(chunk) - end - 1
        if self.text and self.n_line > LONGEST_RECORD:
            raise FileFormatError(
                "{file} has a line of more than {size} MB, which no labelled set has; write each "
                "query, or each row, on a line of its own.",
                file=self.told,
                size=LONGEST_RECORD >> 20,
            )
        if self.blank and chunk.strip(b" \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe\x00"):
            self.blank = False
        if self.text and not self.wide and (at := chunk.find(0)) >= 0:
            raise FileFormatError(
                "{file} is no text: byte {seen:,} is a zero; {advice}.",
                file=self.told,
                seen=self.seen + at + 1,
                advice=_ADVICE,
            )
        self.seen += len(chunk)

    def end(self) -> None:
        """Refuse a file of nothing but blanks.

        Raises
        ------
        FileFormatError
            That says so.
        """
        if self.blank:
            raise FileFormatError(
                "{file} is empty; fill in a header and at least two queries with their passages.",
                file=self.told,
            )


def refuse_packed(path: Path, told: str) -> None:
    """Refuse a workbook that must not be opened, and a gzip file that must not be unpacked.

    Parameters
    ----------
    path : Path
    told : str
        Name of the file.

    Raises
    ------
    FileFormatError
        If it holds something else than text, or unpacks to too much.
    """
    ending = _ending(told)
    if ending == ".xlsx" and (fault := workbook_fault(path)):
        raise FileFormatError("{file} {fault}.", file=told, fault=fault)
    if ending != ".gz":
        return
    try:
        _refuse_unpacked(path, told)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError(
            "{file} cannot be read, since its packing is broken or cut off; pack it again, or "
            "give it without packing.",
            file=told,
        ) from error


def _refuse_unpacked(path: Path, told: str) -> None:
    n_bytes = 0
    sniffer: Sniffer | None = None
    with opened(path) as stream:
        while chunk := stream.read(_CHUNK):
            if sniffer is None:
                content = content_of(chunk[:HEAD])
                if content is not None:
                    raise FileFormatError(
                        "{file} holds no text, but {content}; pack a .jsonl file and try again.",
                        file=told,
                        content=content,
                    )
                _refuse_other_text(chunk[:HEAD], ".gz", told)
                sniffer = Sniffer(chunk[:HEAD], told, packed=True)
            sniffer.look(chunk)
            n_bytes += len(chunk)
            if n_bytes > MOST_UNPACKED:
                raise FileFormatError(
                    "{file} unpacks to more than the {most} MB that are read; split it into "
                    "several files.",
                    file=told,
                    most=MOST_UNPACKED >> 20,
                )
    if sniffer is None:
        raise FileFormatError(
            "{file} is empty; fill in at least two queries with their passages.", file=told
        )
    sniffer.end()


def _refuse_other_text(head: bytes, ending: str, told: str) -> None:
    """Refuse JSON in a table, and a table in JSON Lines."""
    if in_wide_characters(head) or has_controls(head):
        return
    lines = [line.strip() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()]
    lines = [line for line in lines if line][:5]
    if not lines:
        return
    if ending in (".csv", ".tsv"):
        if re.match(rb"\{\s*(?:\"|$)|\[\s*(?:\{|$)", lines[0]):
            raise FileFormatError(
                "{file} holds JSON, not a table; give it the ending .jsonl if each line is a "
                "query, else save it so.",
                file=told,
            )
    elif not any(line.startswith((b"{", b"[")) for line in lines):
        raise FileFormatError(
            "{file} holds no JSON; give it the ending .csv or .tsv if it is a table.", file=told
        )


def _ending(told: str) -> str:
    lower = told.lower()
    return ".gz" if lower.endswith(".gz") else lower[lower.rindex(".") :] if "." in lower else ""
