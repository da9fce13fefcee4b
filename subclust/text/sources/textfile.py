"""Text files as people have them: in UTF-8, UTF-16, old encodings or several; packed or not."""

import codecs
import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO

from subclust.core.exceptions import FileFormatError
from subclust.text.sources.base import DAMAGES, Source, absent, unreadable
from subclust.text.sources.decoding import (
    BOMS,
    Decoded,
    Decoding,
    Lines,
    Sampler,
    samples_of,
    wide_encoding,
)
from subclust.text.sources.encodings import UTF_8, label_of
from subclust.text.sources.unpacking import LONGEST_RECORD, opened

_CHUNK = 1 << 20
_MOST_SHOWN = 1 << 16


@dataclass(frozen=True)
class TextFile:
    """A text file that has been looked through once.

    Parameters
    ----------
    path : Path
    decoding : Decoding
        UTF-8 where all of it is, UTF-16 and UTF-32 where it begins so; else each line that is not
        UTF-8 is in an old encoding that was detected from all of those.
    n_lines : int
        Line feeds in it: an estimate of its rows, for a progress bar.
    lines_in : Lines or None
        What decodes its lines, where they are in several encodings.
    whole : str or None
        The encoding of all of it, where its mark or somebody says so.
    is_plain : bool
        Whether it is UTF-8 throughout, and no byte order mark is in the middle of it.
    """

    path: Path
    decoding: Decoding
    n_lines: int
    lines_in: Lines | None = field(default=None, compare=False)
    whole: str | None = None
    is_plain: bool = True

    @classmethod
    def of(cls, source: Source) -> "TextFile":
        """Look at the file of a source, and keep there how its letters are read."""
        looked = cls.look(source.path, source.encoding)
        source.decoding = looked.decoding
        return looked

    @classmethod
    def look(cls, path: Path, encoding: str | None = None) -> "TextFile":
        """Read a file once, in constant memory, to learn how it is written.

        Parameters
        ----------
        path : Path
        encoding : str, optional
            What it is in, where somebody knows.

        Raises
        ------
        FileFormatError
            If it is not there, not text, damaged or empty.
        """
        if not path.is_file():
            raise absent(path)
        try:
            with opened(path) as stream:
                return cls._look(path, stream, encoding)
        except DAMAGES as error:
            raise unreadable(path, error) from error

    @classmethod
    def _look(cls, path: Path, stream: BinaryIO, encoding: str | None) -> "TextFile":
        chunk = stream.read(_CHUNK)
        if chunk[:4] == b"PK\x03\x04":
            raise FileFormatError(
                "{file} is an Excel workbook or another ZIP file, not text; if it is a workbook, "
                "give it the ending .xlsx.",
                file=path.name,
            )
        wide = wide_encoding(chunk)
        whole = encoding or wide
        if whole is None and b"\x00" in chunk[:4096]:
            raise FileFormatError(
                "{file} is not a text file; choose the file that was exported as text.",
                file=path.name,
            )
        begin = chunk[:_MOST_SHOWN]
        # An encoding that somebody named is obeyed; only a detected one can turn out to be wrong.
        decoder = codecs.getincrementaldecoder(whole or UTF_8)("replace" if encoding else "strict")
        marks = [mark for mark, _ in BOMS]
        n_lines, empty, has_marks = 0, True, False
        sampler: Sampler | None = None
        seen_utf_8 = False
        while chunk:
            n_lines += chunk.count(b"\n")
            empty = empty and (not chunk.strip() or chunk in marks)
            if sampler is None:
                try:
                    text = decoder.decode(chunk)
                except UnicodeDecodeError as error:
                    if whole:
                        raise _goes_on_otherwise(path, whole) from error
                    sampler = Sampler()
                else:
                    has_marks = has_marks or "\ufeff" in text
                    seen_utf_8 = seen_utf_8 or not chunk.isascii()
            if sampler is not None:
                sampler.look(chunk)
            chunk = stream.read(_CHUNK)
        if empty:
            raise FileFormatError("{file} is empty; choose another file.", file=path.name)
        if sampler is None:
            # If the file ends within a character, the decoder still holds its first bytes.
            rest = decoder.getstate()[0]
            try:
                decoder.decode(b"", final=True)
            except UnicodeDecodeError as error:
                if whole:
                    raise _goes_on_otherwise(path, whole) from error
                sampler = Sampler()
                sampler.look(rest)
        if sampler is not None:
            sampler.look(b"", is_last=True)
            # Earlier chunks in UTF-8 were not counted.
            sampler.n_utf_8 += 1000 * seen_utf_8
            lines = sampler.lines()
            text = "\n".join(map(lines.decode, sampler.others[:50]))
            told = Decoding(lines.encoding, True, sampler.is_mixed, samples_of(text))
            return cls(path, told, n_lines, lines, None, False)
        text = begin.decode(whole or UTF_8, "ignore") if not begin.isascii() or whole else ""
        # "utf-16-le" was guessed by its zero bytes; plain "utf-16" is what a mark says.
        told = Decoding(
            whole or UTF_8, bool(wide and "-" in wide[6:]) and not encoding, False, samples_of(text)
        )
        return cls(path, told, n_lines, None, whole, whole is None and not has_marks)

    @contextmanager
    def text(self, newline: str | None = None) -> Iterator[TextIO]:
        """Open it for reading, decoded."""
        with opened(self.path) as stream:
            source = (
                stream
                if self.is_plain
                else io.BufferedReader(Decoded(stream, self.whole, self.lines_in), _MOST_SHOWN)
            )
            with io.TextIOWrapper(source, UTF_8, "strict", newline) as text:
                yield text

    def lines(self, newline: str | None = None) -> Generator[str, None, None]:
        """Read it line by line; one of more than `LONGEST_RECORD` characters comes in several."""
        with self.text(newline) as text:
            yield from iter(lambda: text.readline(LONGEST_RECORD), "")


def _goes_on_otherwise(path: Path, encoding: str) -> FileFormatError:
    return FileFormatError(
        "{file} begins like {encoding} text but goes on otherwise; export it as UTF-8.",
        file=path.name,
        encoding=label_of(encoding),
    )


def whole_lines(text: TextIO) -> Iterator[str | None]:
    """Read line by line; one of more than `LONGEST_RECORD` characters is passed over, as None."""
    while line := text.readline(LONGEST_RECORD):
        if len(line) < LONGEST_RECORD or line.endswith("\n"):
            yield line
            continue
        while (rest := text.readline(LONGEST_RECORD)) and not rest.endswith("\n"):
            pass
        yield None
