"""Zotero's own JSON: of its web interface, and of Better BibTeX."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal, Source
from subclust.text.sources.json_items import json_items
from subclust.text.sources.record import clean, document, excerpt

_NO_RECORDS = frozenset({"attachment", "note", "annotation"})
_VENUES = (
    "publicationTitle", "bookTitle", "proceedingsTitle", "encyclopediaTitle", "dictionaryTitle",
    "websiteTitle", "blogTitle", "forumTitle", "university", "institution",
)  # fmt: skip


class Zotero(Source):
    """Items as Zotero keeps them (``itemType``, ``abstractNote``, ``creators``).

    Attachments and notes are no records and are told among the refused.

    Parameters
    ----------
    path : Path
    collection : str
    """

    label = "Zotero JSON"

    def __init__(self, path: Path, collection: str) -> None:
        self.path = path
        self.collection = collection

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the items in order.

        Raises
        ------
        FileFormatError
            If the file is no JSON, or holds no items.
        """
        found = False
        for given in json_items(self.path, "items"):
            found = True
            yield given if isinstance(given, Refusal) else self._item(*given)
        if not found:
            raise FileFormatError(
                "{file} holds no items; export it from Zotero again, or choose another format.",
                file=self.path.name,
            )

    def _item(self, number: int, item: Any) -> Document | Refusal:
        place = Message("item {number}", number=number)
        if not isinstance(item, dict):
            return Refusal(
                place,
                Message("It is not an object with named fields."),
                Message("Export it from Zotero again."),
                "", excerpt(item),
            )  # fmt: skip
        data = item["data"] if isinstance(item.get("data"), dict) else item
        kind = clean(data.get("itemType"))
        if kind in _NO_RECORDS:
            return Refusal(
                place,
                Message("It is no record but Zotero's {kind}.", kind=kind),
                Message("Nothing needs to be done."),
                "itemType", excerpt(data.get("title") or data.get("note")),
            )  # fmt: skip
        return document(_fields(data), place, self.collection)


def _fields(item: dict[str, Any]) -> dict[str, Any]:
    creators = item.get("creators")
    creators = (
        [one for one in creators if isinstance(one, dict)] if isinstance(creators, list) else []
    )
    authors = [one for one in creators if clean(one.get("creatorType") or "author") == "author"]
    tags = item.get("tags")
    fields = {
        "id": item.get("citationKey")
        or item.get("citekey")
        or item.get("itemKey")
        or item.get("key"),
        "title": item.get("title"),
        "text": item.get("abstractNote"),
        "authors": [name for one in authors or creators if (name := _name(one))],
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
        "publisher": item.get("publisher"),
        "volume": item.get("volume"),
        "issue": item.get("issue"),
        "pages": item.get("pages"),
        "isbn": item.get("ISBN"),
        "issn": item.get("ISSN"),
    }
    return {name: value for name, value in fields.items() if value}


def _name(creator: dict[str, Any]) -> str:
    family, given = clean(creator.get("lastName")), clean(creator.get("firstName"))
    return (
        f"{family}, {given}" if family and given else family or given or clean(creator.get("name"))
    )
