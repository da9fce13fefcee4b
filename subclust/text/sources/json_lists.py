"""Lists of records in JSON: CSL JSON, Zotero's own, and any list of objects."""

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, TextIO

import ijson

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import N_, Message
from subclust.text.sources.base import Document, Refusal, Source, too_long
from subclust.text.sources.json_fields import list_path, objects, person, record_fields
from subclust.text.sources.record import clean, document, excerpt
from subclust.text.sources.textfile import TextFile
from subclust.text.sources.unpacking import LONGEST_RECORD, Metered, Nesting, TooLongError

_NO_RECORDS = frozenset({"attachment", "note", "annotation"})
_VENUES = (
    "publicationTitle", "bookTitle", "proceedingsTitle", "encyclopediaTitle", "dictionaryTitle",
    "websiteTitle", "blogTitle", "forumTitle", "university", "institution",
)  # fmt: skip
_AGAIN = Message("Export the file again and import it once more; nothing is imported twice.")
_CHUNK = 1 << 16


class _JsonList(Source):
    """A JSON list of items, one document each."""

    none: ClassVar[str]
    """What is raised for an empty list; a template."""

    no_object: ClassVar[str]
    """What to do about an item that is no object."""

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the items in order."""
        found = False
        for given in _items(self):
            found = True
            if isinstance(given, Refusal):
                yield given
                continue
            number, item = given
            place = Message("item {number}", number=number)
            if isinstance(item, dict):
                yield self._item(place, item)
            else:
                reason = Message("It is not an object with named fields.")
                yield Refusal(place, reason, self.no_object, "", excerpt(item))
        if not found:
            raise FileFormatError(self.none, file=self.path.name)

    @abstractmethod
    def _item(self, place: str, item: dict[str, Any]) -> Document | Refusal: ...


class CslJson(_JsonList):
    """A JSON list of items, as Zotero, Crossref and citation processors write it.

    Objects with other names of fields are read as a row of a table with these columns would be.
    """

    label = "CSL JSON"
    none = N_("{file} holds no items; choose another format or file.")
    no_object = Message("Write it as an object with a title or an abstract.")

    def _item(self, place: str, item: dict[str, Any]) -> Document | Refusal:
        return document(record_fields(item), place, self.collection)


class Zotero(_JsonList):
    """Items as Zotero keeps them (``itemType``, ``abstractNote``, ``creators``).

    Attachments and notes are no records and are told among the refused.
    """

    label = "Zotero JSON"
    none = N_("{file} holds no items; export it from Zotero again, or choose another format.")
    no_object = Message("Export it from Zotero again.")

    def _item(self, place: str, item: dict[str, Any]) -> Document | Refusal:
        data = item["data"] if isinstance(item.get("data"), dict) else item
        kind = clean(data.get("itemType"))
        if kind in _NO_RECORDS:
            return Refusal(
                place,
                Message("It is not a record but a Zotero {kind}.", kind=kind),
                Message("Nothing needs to be done."),
                "itemType",
                excerpt(data.get("title") or data.get("note")),
                ids=(),
            )
        return document(_zotero_fields(data), place, self.collection)


def _zotero_fields(item: dict[str, Any]) -> dict[str, Any]:
    creators = objects(item.get("creators"))
    authors = [one for one in creators if clean(one.get("creatorType") or "author") == "author"]
    tags = item.get("tags")
    fields = {
        "number": item.get("citationKey")
        or item.get("citekey")
        or item.get("itemKey")
        or item.get("key"),
        "title": item.get("title"),
        "text": item.get("abstractNote"),
        "authors": [name for one in authors or creators if (name := person(one))],
        "year": item.get("date"),
        "venue": next((item[name] for name in _VENUES if item.get(name)), ""),
        "doi": item.get("DOI"),
        "url": item.get("url"),
        "keywords": [
            clean(one.get("tag") if isinstance(one, dict) else one)
            for one in (tags if isinstance(tags, list) else [])
        ],
        "language": item.get("language"),
        "source": item.get("libraryCatalog"),
        "licence": item.get("rights"),
        "isbn": item.get("ISBN"),
        "issn": item.get("ISSN"),
        **{name: item.get(name) for name in ("publisher", "volume", "issue", "pages")},
    }
    return fields


def _items(source: Source) -> Iterator[tuple[int, Any] | Refusal]:
    """Read the numbered items of a list, in memory for one of them; none after a fault in the JSON.

    A file that is an object holds the list somewhere in it, or is one record.
    """
    looked, path = TextFile.of(source), source.path
    number = 0
    with looked.text() as text:
        head = text.read(_CHUNK).lstrip("\ufeff \t\r\n")
        begin = head[:1]
        text.seek(0)
        if begin not in ("[", "{"):
            raise FileFormatError(
                "{file} is not JSON; choose another format or file.", file=path.name
            )
        prefix = "item" if begin == "[" else (list_path(head) or "")
        try:
            metered = Metered(Encoded(text))
            # By default ijson makes a Decimal of 2021.0, which `clean` would not write as 2021.
            items = ijson.items(metered, prefix, use_float=True)
            for number, item in enumerate(items, start=1):
                yield number, item
                metered.n_bytes = 0
        except TooLongError as error:
            if not number:
                raise FileFormatError(
                    "{file} is not a list of records: what it begins with is longer than "
                    "{size} MB; export it again.",
                    file=path.name,
                    size=LONGEST_RECORD >> 20,
                ) from error
            yield Refusal(
                Message("item {number}", number=number + 1), too_long(LONGEST_RECORD), _AGAIN
            )
        except (ijson.JSONError, ValueError, OverflowError) as error:
            place = Message("after item {number}", number=number) if number else None
            yield broken_json(path, place, error)


def broken_json(path: Path, place: Message | None, error: Exception) -> Refusal:
    """Return that JSON goes on no further from a place.

    Raises
    ------
    FileFormatError
        If there is none, as nothing could be read before.
    """
    reason = " ".join(str(error).split())[:120]
    if place is None:
        raise FileFormatError(
            "{file} cannot be read as JSON ({error}); export it again.",
            file=path.name,
            error=reason,
        ) from error
    told = N_("The JSON is broken there, so that nothing after it can be read ({error}).")
    return Refusal(place, Message(told, error=reason), _AGAIN)


class Encoded:
    """A text stream as UTF-8, which JSON is read from."""

    def __init__(self, text: TextIO) -> None:
        self.lines = text
        self.nesting = Nesting()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, however many were asked for; none at the end."""
        if size == 0:
            return b""
        chunk = self.lines.read(_CHUNK)
        self.nesting.look(chunk)
        return chunk.lstrip("\ufeff").encode("utf-8", "replace")
