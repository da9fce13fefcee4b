"""PDF with a text layer: one document a file, cut into passages with their pages."""

import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.text.sources.base import Document, Refusal, Source, absent
from subclust.text.sources.passages import Paragraph, Piece, cut
from subclust.text.sources.record import clean, excerpt, placed

MOST_BYTES = 512 << 20
"""Of a file; pypdf keeps much of one in memory."""

_PASSAGES_AT_ONCE = 64
_HYPHEN = re.compile(r"(?<=[a-z\u00df-\u00ff])[-\u00ad]\n(?=[a-z\u00df-\u00ff])")
_NUMBERS = re.compile(r"\d+")
_FEWEST_PAGES = 4
_SHARE = 0.5


class Pdf(Source):
    """The text layer of a PDF; what is only a picture of text is not read.

    Lines that stand at the head or foot of at least half of the pages are left out. A passage has
    its page, or pages, among its metadata.
    """

    label = "PDF"

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the pages in order.

        Raises
        ------
        FileFormatError
            If it is no PDF, damaged, locked by a password, or has no text layer.
        """
        if not self.path.is_file():
            raise absent(self.path)
        if self.path.stat().st_size > MOST_BYTES:
            raise FileFormatError(
                "{file} is larger than {size} MB; divide it, or save its text as a .txt file.",
                file=self.path.name,
                size=MOST_BYTES >> 20,
            )
        with _quietly():
            reader = self._opened()
            try:
                pages, refusals = self._pages(reader)
                title, fields = self._about(reader)
            finally:
                reader.close()
        if not any(text for _, text in pages):
            raise FileFormatError(
                "{file} has no text layer, so its pages are pictures of text; recognise its "
                "text (OCR, for example with OCRmyPDF) and import it again."
                if not refusals
                else "{file} is so damaged that no page of it can be read; get another copy.",
                file=self.path.name,
            )
        yield from refusals
        pieces = list(cut(_paragraphs(pages)))
        passages = tuple(
            self._passage(title, fields, piece, number) for number, piece in enumerate(pieces, 1)
        )
        for start in range(0, len(passages), _PASSAGES_AT_ONCE):
            part = passages[start : start + _PASSAGES_AT_ONCE]
            yield Document(
                title, title, part, None, fields, Message("passage {number}", number=start + 1)
            )

    def _opened(self) -> Any:
        from pypdf import PdfReader

        try:
            reader = PdfReader(self.path)
            # Many PDFs are encrypted without a password, only to forbid printing or copying.
            if reader.is_encrypted and not reader.decrypt(""):
                raise FileFormatError(
                    "{file} is locked by a password; save it without one and import it again.",
                    file=self.path.name,
                )
            # pypdf reads lazily: whether there are pages at all shows only here.
            reader.pages[0]
        except FileFormatError:
            raise
        except Exception as error:  # anything at all from a damaged file
            raise FileFormatError(
                "{file} cannot be read as PDF ({error}); get or save it again.",
                file=self.path.name,
                error=excerpt(str(error) or error),
            ) from error
        return reader

    def _pages(self, reader: Any) -> tuple[list[tuple[int, str]], list[Refusal]]:
        """Read the text of each page, and a refusal for each that cannot be read."""
        pages, refusals = [], []
        try:
            n_pages = len(reader.pages)
        except Exception:  # anything at all from a damaged file
            n_pages = 0
        for number in range(1, n_pages + 1):
            try:
                pages.append((number, _tidy(reader.pages[number - 1].extract_text())))
            except Exception as error:  # anything at all from a damaged file
                refusals.append(
                    Refusal(
                        Message("page {number}", number=number),
                        Message(
                            "The page is damaged ({error}).",
                            error=excerpt(str(error) or type(error).__name__),
                        ),
                        Message("Save the PDF again from the program that shows it."),
                    )
                )
        return _without_running_heads(pages), refusals

    def _about(self, reader: Any) -> tuple[str, dict[str, str]]:
        fallback = self.path.name.rsplit(".", 1)[0] or self.path.name
        try:
            about = {k: clean(str(v)) for k, v in (reader.metadata or {}).items()}
        except Exception:  # anything at all from a damaged file
            about = {}
        title = about.get("/Title", "")
        fields = {"authors": about.get("/Author", ""), "keywords": about.get("/Keywords", "")}
        year = re.match(r"D:(\d{4})", about.get("/CreationDate", ""))
        if year:
            fields["year"] = year[1]
        # Word processors put the name of their own file there.
        named = title and not re.search(r"\.\w{2,4}$|^untitled", title, re.IGNORECASE)
        return title if named else fallback, {k: v for k, v in fields.items() if v}

    def _passage(self, title: str, fields: dict[str, str], piece: Piece, number: int) -> Passage:
        first, last = piece.first_mark, piece.last_mark
        page = first if first == last else f"{first}-{last}"
        return Passage(
            id=f"{self.collection}:{self.path.name}#{number}",
            text=piece.text,
            title=title,
            collection=self.collection,
            metadata=placed({**fields, "page": page}, piece, number),
        )


def _paragraphs(pages: list[tuple[int, str]]) -> Iterator[Paragraph]:
    for number, text in pages:
        for part in re.split(r"\n\s*\n", text):
            if words := " ".join(part.split()):
                yield Paragraph(words, str(number))


def _tidy(text: str) -> str:
    """Join words that were divided at a line's end."""
    lines = [line.rstrip() for line in clean(text).splitlines()]
    return _HYPHEN.sub("", "\n".join(lines))


def _without_running_heads(pages: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Leave out the first and last lines that most pages share, but for their numbers."""
    if len(pages) < _FEWEST_PAGES:
        return pages
    seen: Counter[str] = Counter()
    for _, text in pages:
        lines = text.split("\n")
        seen.update({_NUMBERS.sub("#", line.strip()) for line in (lines[0], lines[-1])})
    common = {line for line, n in seen.items() if line and n >= _SHARE * len(pages)}
    kept = []
    for number, text in pages:
        lines = text.split("\n")
        if _NUMBERS.sub("#", lines[0].strip()) in common:
            lines = lines[1:]
        if lines and _NUMBERS.sub("#", lines[-1].strip()) in common:
            lines = lines[:-1]
        kept.append((number, "\n".join(lines)))
    return kept


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep pypdf from writing about damage on standard error: refusals tell of it."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(before)
