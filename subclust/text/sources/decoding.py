"""From the bytes of a file to UTF-8, line by line: UTF-8 stays, the rest is in an old encoding."""

import codecs
import io
import re
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.text.sources.base import Source
from subclust.text.sources.encodings import MULTI_BYTE, UTF_8, label_of, odd_bytes, settled

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # Before UTF-16: the mark of UTF-32 LE begins with that of UTF-16 LE.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks, and the encodings that take them away."""

MARK = "\ufeff"
_JOINED = re.compile(
    rf"(?<=[^\n]){MARK}(?=TY {{1,2}}-|%0 |PMID ?-|FN |PT [A-Z]|RT [A-Z]|@[A-Za-z]+[{{(]|<\d+)"
)
MOST_SAMPLES = 3
_LONGEST_SAMPLE = 120
_LONGEST_LINE = 1 << 20
_CHUNK = 1 << 16
_MOST_SAMPLED = 1 << 16
_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_DECLARATION = 1 << 10
_DECLARED = re.compile(rb"""^\s*(?:\xef\xbb\xbf)?<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:-]+)""")
_SUPERSETS = {"iso8859-1": "cp1252", "ascii": None}
"""What is declared, and what programs that declare it have written."""

_HIGH = re.compile(rb"[\x80-\xff]")
_LETTER = re.compile(r"(?=[^\W\d_])[^\x00-\x7f]")


@dataclass(frozen=True)
class Decoding:
    """How the letters of a file were read.

    Parameters
    ----------
    encoding : str
        A key of `ENCODINGS`, or another of Python's names.
    is_assumed : bool
        Whether it was guessed from the letters.
    is_mixed : bool
        Whether only those lines or records are in it that are not UTF-8.
    samples : tuple of str
        Up to `MOST_SAMPLES` lines with other letters than ASCII, as they were read.
    """

    encoding: str = UTF_8
    is_assumed: bool = False
    is_mixed: bool = False
    samples: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """For people."""
        name = label_of(self.encoding)
        return Message("UTF-8 and {encoding}", encoding=name) if self.is_mixed else name

    @property
    def sentence(self) -> str:
        """What was assumed, and what to do where it is wrong; empty where nothing was."""
        if not self.is_assumed:
            return ""
        if self.is_mixed:
            return Message(
                "The parts that are not UTF-8 were read as {encoding}, which is a guess; if "
                "letters are wrong, import it again with another --encoding.",
                encoding=label_of(self.encoding),
            )
        return Message(
            "Its letters were read as {encoding}, which is a guess; if they are wrong, import it "
            "again with another --encoding.",
            encoding=label_of(self.encoding),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "encoding": str(self.label),
            "encoding_assumed": self.is_assumed,
            "encoding_samples": list(self.samples),
        }


def wide_encoding(head: bytes) -> str | None:
    """Return which UTF-16 or UTF-32 a file begins like, with or without its mark; else None."""
    for mark, name in BOMS[1:]:
        if head.startswith(mark):
            return name
    looked = head[: 1 << 12]
    if b"\x00" not in looked:
        return None
    quarters = [looked[at::4].count(0) for at in range(4)]
    few = len(looked) // 4
    # In UTF-32, the upper two of a character's four bytes are zero in nearly all text.
    for name, zeros in (("utf-32-le", (2, 3)), ("utf-32-be", (0, 1))):
        if few and all(quarters[at] >= 0.9 * few for at in zeros):
            return name
    even, odd = quarters[0] + quarters[2], quarters[1] + quarters[3]
    name = "utf-16-le" if odd > even else "utf-16-be"
    try:
        text = codecs.getincrementaldecoder(name)().decode(looked)
    except UnicodeDecodeError:
        return None
    # In any script, the zero bytes of blanks and line ends fall on the same side.
    most, least = max(even, odd), min(even, odd)
    is_text = sum(sign.isprintable() or sign in "\t\r\n\ufeff" for sign in text) >= 0.95 * len(text)
    return name if most > 10 * least and is_text and most >= 0.02 * len(looked) else None


def samples_of(text: str) -> tuple[str, ...]:
    """Return the first lines that have other letters than ASCII."""
    found: list[str] = []
    for line in text.splitlines():
        if match := _LETTER.search(line):
            begin = max(0, match.start() - _LONGEST_SAMPLE // 2)
            found.append(line[begin : begin + _LONGEST_SAMPLE].strip().lstrip(MARK))
            if len(found) == MOST_SAMPLES:
                break
    return tuple(found)


class Lines:
    """Decodes lines of which some are UTF-8 and others are in an old encoding.

    Parameters
    ----------
    encoding : str
        The old one.
    is_mostly_utf_8 : bool
        Whether a line that could be either is UTF-8, however odd it looks in it.
    """

    def __init__(self, encoding: str, *, is_mostly_utf_8: bool = False) -> None:
        self.encoding = encoding
        self.is_mostly_utf_8 = is_mostly_utf_8
        self.errors = odd_bytes(encoding)

    def decode(self, line: bytes) -> str:
        """Return the text of a line, field or any other piece that has one encoding."""
        try:
            text = line.decode(UTF_8)
        except UnicodeDecodeError:
            if self.has_utf_8(line):
                return line.decode(UTF_8, self.errors)
            return line.decode(self.encoding, self.errors)
        if line.isascii() or self.is_mostly_utf_8 or self._is_usual(line, text):
            return text
        try:
            return line.decode(self.encoding)
        except UnicodeDecodeError:
            return text

    def has_utf_8(self, line: bytes) -> bool:
        """Return whether a line is UTF-8 but for odd bytes."""
        letters = _SEQUENCE.findall(line)
        n_others = len(_HIGH.findall(line)) - sum(map(len, letters))
        if not letters or len(letters) < n_others:
            return False
        return self.is_mostly_utf_8 or self._is_usual(
            line, b"".join(letters).decode(UTF_8, "ignore")
        )

    def _is_usual(self, line: bytes, text: str) -> bool:
        """Return whether what is valid UTF-8 looks like it too."""
        from subclust.text.sources.detecting import is_usual

        longest = max(map(len, _SEQUENCE.findall(line)), default=0)
        # In East Asian encodings two bytes are a letter, too, so short sequences prove nothing.
        return is_usual(text) and (self.encoding not in MULTI_BYTE or longest > 2)


class Sampler:
    """Collects the lines of a file that are not UTF-8, and detects what they are in."""

    def __init__(self) -> None:
        self.others: list[bytes] = []
        self.n_bytes = self.n_utf_8 = self.n_others = self.n_odd = 0
        self.languages: set[str] = set()
        self._rest = b""

    def look(self, chunk: bytes, *, is_last: bool = False) -> None:
        """Look at the next bytes."""
        from subclust.text.sources.detecting import is_usual, languages_in

        if len(self.languages) < 5:
            self.languages |= languages_in(chunk)
        data = self._rest + chunk
        end = len(data) if is_last else _cut_at(data)
        self._rest = data[end:]
        for line in data[:end].splitlines():
            if line.isascii():
                continue
            try:
                text = line.decode(UTF_8)
            except UnicodeDecodeError:
                pass
            else:
                self.n_utf_8 += is_usual(text)
                continue
            letters = _SEQUENCE.findall(line)
            n_odd = len(_HIGH.findall(line)) - sum(map(len, letters))
            if letters and len(letters) > n_odd:
                self.n_odd += 1
                line = _SEQUENCE.sub(b"", line)
            self.n_others += 1
            if self.n_bytes < _MOST_SAMPLED:
                self.others.append(line[:_MOST_SAMPLED])
                self.n_bytes += len(line)

    def lines(self, encoding: str | None = None) -> Lines:
        """Return what decodes the file, in an encoding that is known or else detected."""
        from subclust.text.sources.detecting import detect

        if encoding is None:
            encoding = detect(b"\n".join(self.others), self.languages)
        return Lines(encoding, is_mostly_utf_8=self.is_mixed)

    @property
    def is_mixed(self) -> bool:
        """Whether a fair part of the file is UTF-8."""
        return self.n_utf_8 + self.n_odd > 0.2 * self.n_others


def _cut_at(data: bytes) -> int:
    """Return where the last whole line ends; within an endless one, after a blank or a bracket."""
    # A carriage return at the very end may be the first half of a line end.
    end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1
    if end or len(data) < _LONGEST_LINE:
        return end
    return max(data.rfind(b" "), data.rfind(b">")) + 1 or len(data)


class Decoded(io.RawIOBase):
    """A stream of bytes as UTF-8, without byte order marks, whatever it is in.

    Parameters
    ----------
    stream : binary stream
    encoding : str, optional
        What all of it is in.
    lines : Lines, optional
        What decodes it where it is not UTF-8; by default the first chunk that is not decides.
    known : str, optional
        The encoding of what is not UTF-8, where the file itself names it.
    """

    def __init__(
        self,
        stream: BinaryIO,
        encoding: str | None = None,
        lines: Lines | None = None,
        known: str | None = None,
    ) -> None:
        self.stream = stream
        self.encoding = encoding
        self.lines = lines
        self.known = known
        self.decoding = Decoding(encoding or UTF_8)
        self.told: Source | None = None
        self._seen_utf_8 = False
        self._begin()

    def _begin(self) -> None:
        self._held = b""
        self._ready = memoryview(b"")
        self._ended = False
        self._decoder = (
            codecs.getincrementaldecoder(self.encoding)(odd_bytes(self.encoding))
            if self.encoding
            else None
        )

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def seekable(self) -> bool:
        """Return that it is, to its beginning."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go back to the beginning, the only place to go to."""
        if whence == io.SEEK_CUR and not offset:
            return 0
        if offset or whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only the beginning")
        self.stream.seek(0)
        self._begin()
        return 0

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        while not self._ready and not self._ended:
            self._ready = memoryview(self._next())
        n_bytes = min(len(buffer), len(self._ready))
        buffer[:n_bytes] = self._ready[:n_bytes]
        self._ready = self._ready[n_bytes:]
        return n_bytes

    def _next(self) -> bytes:
        chunk = self.stream.read(_CHUNK)
        self._ended = not chunk
        if self._decoder is not None:
            return _without_marks(self._decoder.decode(chunk, final=not chunk)).encode(
                UTF_8, "replace"
            )
        data = self._held + chunk
        end = len(data) if self._ended else _cut_at(data)
        block, self._held = data[:end], data[end:]
        if block.isascii():
            return block
        # Where the old encoding prevails, a line that happens to be valid UTF-8 is judged by its
        # letters.
        if self.lines is None or self.lines.is_mostly_utf_8:
            try:
                text = block.decode(UTF_8)
            except UnicodeDecodeError:
                if self.lines is None:
                    self._settle(block)
            else:
                self._seen_utf_8 = True
                return _without_marks(text).encode(UTF_8) if MARK in text else block
        assert self.lines is not None
        text = "".join(map(self.lines.decode, block.splitlines(keepends=True)))
        return _without_marks(text).encode(UTF_8, "replace")

    def _settle(self, block: bytes) -> None:
        """Detect the encoding of what is not UTF-8, at the first block that is not."""
        sampler = Sampler()
        sampler.look(block, is_last=True)
        # Earlier blocks in UTF-8 were passed on without being counted.
        sampler.n_utf_8 += 1000 * self._seen_utf_8
        self.lines = sampler.lines(self.known)
        text = "\n".join(map(self.lines.decode, sampler.others[:50]))
        self.decoding = Decoding(
            self.lines.encoding, self.known is None, sampler.is_mixed, samples_of(text)
        )
        if self.told is not None:
            self.told.decoding = self.decoding


def _without_marks(text: str) -> str:
    """Take marks away; a record behind one that is in a line was the beginning of another file."""
    return _JOINED.sub("\n\n", text).replace(MARK, "") if MARK in text else text


def decoded_xml(stream: BinaryIO, source: Source) -> BinaryIO:
    """Return an XML file as UTF-8; what it declares counts only where it is not UTF-8."""
    begin = stream.read(_DECLARATION)
    stream.seek(0)
    whole = source.encoding or wide_encoding(begin)
    declared = _DECLARED.search(begin)
    known = declared[1].decode("ascii").lower() if declared else UTF_8
    try:
        found = settled(known)
    except InputError:
        found = UTF_8
    old = None if found.startswith("utf") else _SUPERSETS.get(found, found)
    decoded = Decoded(stream, whole, known=old)
    decoded.told = source
    source.decoding = decoded.decoding
    return cast(BinaryIO, io.BufferedReader(decoded, _CHUNK))
