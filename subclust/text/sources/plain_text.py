"""Plain text: one document a file, cut into passages."""

from collections.abc import Iterator

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.text.sources.base import DAMAGES, Document, Refusal, Source, cut_off
from subclust.text.sources.passages import Paragraph, Piece, cut
from subclust.text.sources.record import clean, placed
from subclust.text.sources.textfile import TextFile

_MOST_CHARACTERS = 1 << 16
"""Of a paragraph; a longer one is taken for several."""

_PASSAGES_AT_ONCE = 64
"""A long file is given in parts, so that it is never in memory as a whole."""


class PlainText(Source):
    """A text file, whose paragraphs are divided by empty lines.

    Its title is the file's name; a passage has the lines it stands in among its metadata.
    """

    label = Message("plain text")

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the file, some passages at a time.

        Raises
        ------
        FileFormatError
            If the file is no text, or has no words.
        """
        looked = TextFile.of(self)
        title = self.path.name.removesuffix(".gz").rsplit(".", 1)[0] or self.path.name
        part: list[Passage] = []
        number = 0
        try:
            for number, piece in enumerate(cut(_paragraphs(looked)), start=1):
                part.append(self._passage(title, piece, number))
                if len(part) == _PASSAGES_AT_ONCE:
                    yield Document(
                        title, title, tuple(part), place=Message("passage {number}", number=number)
                    )
                    part = []
        except DAMAGES as error:
            yield cut_off(Message("after passage {number}", number=number), error)
        else:
            if not number:
                raise FileFormatError(
                    "{file} has no words; choose another file.", file=self.path.name
                )
        if part:
            yield Document(
                title, title, tuple(part), place=Message("passage {number}", number=number)
            )

    def _passage(self, title: str, piece: Piece, number: int) -> Passage:
        first, last = piece.first_mark.split("-")[0], piece.last_mark.split("-")[-1]
        lines = first if first == last else f"{first}-{last}"
        return Passage(
            id=f"{self.collection}:{title}#{number}",
            text=piece.text,
            title=title,
            collection=self.collection,
            metadata=placed({"lines": lines}, piece, number),
        )


def _paragraphs(looked: TextFile) -> Iterator[Paragraph]:
    """Join the lines of each paragraph; hyphens at line ends stay, since some are no divisions."""
    held: list[str] = []
    start = n_characters = 0
    number = 0
    for number, raw in enumerate(looked.lines(), start=1):
        line = " ".join(clean(raw).split())
        if held and (not line or n_characters + len(line) > _MOST_CHARACTERS):
            yield Paragraph(" ".join(held), f"{start}-{number - 1}")
            held, n_characters = [], 0
        if line:
            start = start if held else number
            held.append(line)
            n_characters += len(line) + 1
    if held:
        yield Paragraph(" ".join(held), f"{start}-{number}")
