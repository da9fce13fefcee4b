"""The letters of binary MARC records, whatever their leaders say: UTF-8, MARC-8 or older ones."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from pymarc.marc8 import marc8_to_unicode

from subclust.core.messages import N_, Message
from subclust.text.sources.decoding import Decoding, Lines, samples_of
from subclust.text.sources.detecting import detect, is_usual
from subclust.text.sources.encodings import (
    ALPHABETS,
    MARC_8,
    UTF_8,
    WINDOWS,
    label_of,
    language_of,
)

_NOT_MARC_8 = re.compile(
    # Bytes that MARC-8 leaves undefined or hardly uses, tildes on letters that take none, and
    # accents that no letter follows: in MARC-8 an accent precedes its letter.
    rb"[\x80-\x9f\xc9-\xdf\xf6\xfc\xfd\xff]|\xe4[^anouievyANOUIEVY\xe0-\xfe]"
    rb"|[\xe0-\xfe](?![A-Za-z\xe0-\xfe])"
)
_SUBFIELD = re.compile(rb"\x1f.?", re.DOTALL)
_SEQUENCE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}")
_LATIN = frozenset("".join(letters for letters in ALPHABETS.values() if letters[0] < "\u0250"))
_SURE_AFTER = 5
"""Records of a language that were all found to be in one encoding: the next ones are too."""


class MarcLetters:
    """Turns the fields of records into UTF-8.

    Parameters
    ----------
    asked : str, optional
        What all records are in, where somebody knows.

    Attributes
    ----------
    decoding : Decoding
        How the records so far were read.
    """

    def __init__(self, asked: str | None = None) -> None:
        self.asked = asked
        self.decoding = Decoding(asked or UTF_8)
        self._found: dict[frozenset[str], Counter[str]] = {}
        self._seen_utf_8 = False

    def read(
        self, tags: Sequence[bytes], fields: list[bytes], declared: bytes, remarks: list[str]
    ) -> tuple[list[bytes], str]:
        """Return fields in UTF-8, or as they are in MARC-8, and which of the two.

        Parameters
        ----------
        tags, fields : sequence of bytes
        declared : bytes
            What the leader says: ``b"a"`` for UTF-8.
        remarks : list of str
            Takes what was put right.
        """
        body = b"\x1e".join(fields)
        if body.isascii():
            return fields, UTF_8
        fields = _with_plain_indicators(tags, fields, remarks)
        if self.asked == MARC_8:
            return fields, MARC_8
        if self.asked is not None:
            lines = Lines(self.asked)
            return [_encoded(one.decode(lines.encoding, lines.errors)) for one in fields], UTF_8
        body = b"\x1e".join(fields)
        try:
            body.decode(UTF_8)
        except UnicodeDecodeError:
            return self._read(tags, fields, body, declared, remarks)
        self._seen_utf_8 = True
        if declared != b"a" and not body.isascii():
            remarks.append(
                Message("Its leader does not say UTF-8, but it is; it was read as that.")
            )
        return fields, UTF_8

    def _read(
        self,
        tags: Sequence[bytes],
        fields: list[bytes],
        body: bytes,
        declared: bytes,
        remarks: list[str],
    ) -> tuple[list[bytes], str]:
        languages = _languages(tags, fields)
        others = [one for one in fields if not _is_utf_8(one)]
        plain = Lines(WINDOWS)
        if any(
            _is_utf_8(one) and is_usual(one.decode(UTF_8)) or plain.has_utf_8(one)
            for one in fields
            if not one.isascii()
        ):
            odd = [_SEQUENCE.sub(b"", one) if plain.has_utf_8(one) else one for one in others]
            encoding = detect(_words(odd), languages)
            remarks.append(
                Message(
                    "Some letters of it are not UTF-8; they were read as {encoding}, which is a "
                    "guess.",
                    encoding=label_of(encoding),
                )
            )
            self._seen_utf_8 = True
            return self._decoded(fields, Lines(encoding, is_mostly_utf_8=True)), UTF_8
        # MARC-8 switches character sets by escape sequences; no other encoding here has them.
        if b"\x1b" in body or not _NOT_MARC_8.search(body):
            if declared != b"a":
                return fields, MARC_8
            if b"\x1b" in body or _is_latin_marc_8(others, languages):
                remarks.append(
                    Message("Its leader says UTF-8, but it is MARC-8; it was read as that.")
                )
                return fields, MARC_8
        encoding = self._detected(others, languages)
        template = (
            N_("Its leader says UTF-8, but it is not; it was read as {encoding}, which is a guess.")
            if declared == b"a"
            else N_("It is neither UTF-8 nor MARC-8; it was read as {encoding}, which is a guess.")
        )
        remarks.append(Message(template, encoding=label_of(encoding)))
        return self._decoded(fields, Lines(encoding)), UTF_8

    def _decoded(self, fields: list[bytes], lines: Lines) -> list[bytes]:
        texts = [one.decode("ascii") if one.isascii() else lines.decode(one) for one in fields]
        if not self.decoding.is_assumed:
            shown = [
                re.sub("\x1f.", " ", text)
                for text, one in zip(texts, fields, strict=True)
                if not one.isascii() and not _is_utf_8(one)
            ]
            samples = samples_of("\n".join(shown))
            self.decoding = Decoding(lines.encoding, True, self._seen_utf_8, samples)
        return list(map(_encoded, texts))

    def _detected(self, others: Sequence[bytes], languages: frozenset[str]) -> str:
        found = self._found.setdefault(languages, Counter())
        if len(found) == 1 and found.total() >= _SURE_AFTER:
            return next(iter(found))
        encoding = detect(_words(others), languages)
        found[encoding] += 1
        return encoding


def _encoded(text: str) -> bytes:
    return text.encode(UTF_8, "replace")


def _is_utf_8(field: bytes) -> bool:
    try:
        field.decode(UTF_8)
    except UnicodeDecodeError:
        return False
    return True


def _words(fields: Sequence[bytes]) -> bytes:
    return b"\n".join(_SUBFIELD.sub(b" ", one[2:] if b"\x1f" in one[:4] else one) for one in fields)


def _languages(tags: Sequence[bytes], fields: Sequence[bytes]) -> frozenset[str]:
    """Return the languages that a record's coded fields name."""
    words: list[bytes] = []
    for tag, field in zip(tags, fields, strict=False):
        if tag == b"008":
            words.append(field[35:38])
        elif tag == b"041":
            words += re.findall(rb"\x1f[ad]([a-z]{3})", field)
    return frozenset(code for one in words if (code := language_of(one.decode("ascii", "ignore"))))


def _is_latin_marc_8(fields: Sequence[bytes], languages: frozenset[str]) -> bool:
    """Return whether each accent makes a letter of a language with the one that follows it."""
    letters = _LATIN
    if languages:
        letters = frozenset("".join(ALPHABETS.get(code, "") for code in languages))
    try:
        texts = [marc8_to_unicode(_SUBFIELD.sub(b" ", one), True) for one in fields]
    except Exception:  # anything at all from bytes that are no MARC-8
        return False
    signs = {sign for sign in unicodedata.normalize("NFC", "".join(texts)) if not sign.isascii()}
    return bool(signs) and all(sign.lower() in letters for sign in signs)


def _with_plain_indicators(
    tags: Sequence[bytes], fields: list[bytes], remarks: list[str]
) -> list[bytes]:
    """Blank out what stands for an indicator and is none."""
    if all(field[:3].isascii() for field in fields):
        return fields
    mended = []
    for tag, field in zip(tags, fields, strict=False):
        before, mark, rest = field.partition(b"\x1f")
        if mark and not tag.startswith(b"00") and len(before) <= 8 and not before.isascii():
            plain = re.sub(rb"[\x80-\xff]+", b" ", before)[:2].ljust(2)
            field = plain + mark + rest
            remarks.append(
                Message(
                    "An unexpected character stood in place of an indicator of field "
                    "{tag} and was left out.",
                    tag=tag.decode("ascii", "replace"),
                )
            )
        mended.append(field)
    return [*mended, *fields[len(mended) :]]
