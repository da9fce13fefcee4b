"""CSL JSON, the form in which citation processors take their data, or any list of objects."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal, Source
from subclust.text.sources.json_items import json_items
from subclust.text.sources.record import clean, document, excerpt

_NAMES = ("author", "editor", "translator")
_OURS = {
    "abstract": "text", "container-title": "venue", "DOI": "doi", "URL": "url",
    "keyword": "keywords", "ISBN": "isbn", "ISSN": "issn", "page": "pages", "note": "notes",
}  # fmt: skip
_LEFT_OUT = frozenset(
    {"type", "author", "editor", "translator", "issued", "accessed", "categories"}
)


class CslJson(Source):
    """A JSON list of items, as Zotero, Crossref and citation processors write it.

    Objects with other names of fields are read as a row of a table with these columns would be.

    Parameters
    ----------
    path : Path
    collection : str
    """

    label = "CSL JSON"

    def __init__(self, path: Path, collection: str) -> None:
        self.path = path
        self.collection = collection

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the items in order.

        Raises
        ------
        FileFormatError
            If the file is no JSON, or an empty list.
        """
        found = False
        for given in json_items(self.path, "items"):
            found = True
            yield given if isinstance(given, Refusal) else self._item(*given)
        if not found:
            raise FileFormatError(
                "{file} holds no items; choose another format or file.", file=self.path.name
            )

    def _item(self, number: int, item: Any) -> Document | Refusal:
        place = Message("item {number}", number=number)
        if not isinstance(item, dict):
            return Refusal(
                place,
                Message("It is not an object with named fields."),
                Message("Write it as an object with a title or an abstract."),
                "",
                excerpt(item),
            )
        return document(csl_fields(item), place, self.collection)


def csl_fields(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item's fields by our names."""
    fields: dict[str, Any] = {
        _OURS.get(name, name): value
        for name, value in item.items()
        if name not in _LEFT_OUT or not isinstance(value, dict | list)
    }
    fields.pop("type", None)
    names = next((item[kind] for kind in _NAMES if item.get(kind)), None)
    if isinstance(names, list):
        fields["authors"] = [name for one in names if (name := _name(one))]
    if isinstance(item.get("issued"), dict):
        fields["year"] = _date(item["issued"])
    keywords = fields.get("keywords")
    if isinstance(keywords, str):
        mark = ";" if ";" in keywords else ","
        fields["keywords"] = [word.strip() for word in keywords.split(mark)]
    return fields


def _name(given: Any) -> str:
    if not isinstance(given, dict):
        return clean(given)
    family = " ".join(
        part for name in ("non-dropping-particle", "family") if (part := clean(given.get(name)))
    )
    first = clean(given.get("given"))
    return (
        f"{family}, {first}" if family and first else family or clean(given.get("literal")) or first
    )


def _date(issued: dict[str, Any]) -> str:
    parts = issued.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = [clean(part) for part in parts[0][:3]]
        kept = numbers[:1]
        for number in numbers[1:]:
            if not number.isdecimal():
                break
            kept.append(number.zfill(2))
        return "-".join(kept)
    return clean(issued.get("raw") or issued.get("literal"))
