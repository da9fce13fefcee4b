"""A record with named fields, from whatever file, to a document."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from subclust.records import Passage
from subclust.sources.base import Document, Refusal

# What other programs call our fields. In a record that has several of a kind, the first that is
# not empty counts.
_SPELLINGS = {
    "id": ["id", "identifier", "record id", "key", "accession number", "pmid"],
    "title": ["title", "article title", "document title", "primary title", "query"],
    "text": ["text", "abstract", "abstract note", "summary", "content", "body", "passage"],
    "label": ["label", "subtopic"],
    "path": ["path"],
    "description": ["description"],
    "authors": ["authors", "author", "creator", "author full names"],
    "year": ["year", "publication year", "pub year", "date"],
    "venue": ["venue", "journal", "source title", "publication title", "booktitle", "publication"],
    "doi": ["doi"],
    "url": ["url", "link"],
    "keywords": ["keywords", "author keywords", "subjects", "tags"],
    "language": ["language", "lang"],
    "source": ["source", "database"],
    "licence": ["licence", "license"],
}
_FIELDS = {spelling: field for field, names in _SPELLINGS.items() for spelling in names}
_NOT_METADATA = {"id", "title", "text", "label", "path", "description"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")

TEXT_COLUMNS = ("title", "text")


def field_of(name: str) -> str:
    """Give our name of a field: "Article Title" is "title"; an unknown one is put in lower case."""
    plain = re.sub(r"[\s_-]+", " ", clean(name)).strip().casefold()
    return _FIELDS.get(plain, plain)


def clean(value: Any) -> str:
    """Give a field's value as text: lists joined by "; ", control characters taken out."""
    if value is None or value != value:  # an empty cell, or a missing number
        return ""
    if isinstance(value, list | tuple):
        return "; ".join(text for text in map(clean, value) if text)
    if isinstance(value, dict):
        return "; ".join(f"{clean(k)}: {clean(v)}" for k, v in value.items())
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # spreadsheets keep 2021 as 2021.0
    return _UNPRINTABLE.sub("", str(value)).strip()


def document(record: Mapping[str, Any], place: str, collection: str) -> Document | Refusal:
    """Make a document of a record.

    A record without text stands for itself by its title. Fields that are not ours are kept as
    metadata. The passage's id is ``<collection>:<id>``, so that two files that both count from 1
    do not overwrite each other; a record without id gets one made from its words, the same at the
    next import.

    Parameters
    ----------
    record : mapping of str to value
    place : str
        For the refusal.
    collection : str

    Returns
    -------
    Document or Refusal
    """
    fields: dict[str, str] = {}
    for name, value in record.items():
        field = field_of(str(name))
        fields[field] = fields.get(field) or clean(value)
    title = fields.get("title", "")
    text = fields.get("text", "") or title
    if not text:
        return Refusal(
            place, "It has neither a text nor a title.", "Fill in one of them and import it again."
        )
    metadata = {k: v for k, v in fields.items() if v and k and k not in _NOT_METADATA}
    id_ = fields.get("id") or "sha256-" + digest(title, text)
    label = fields.get("label") or None
    passage = Passage(
        id=f"{collection}:{id_}",
        text=text,
        title=title,
        collection=collection,
        label=label,
        path=fields.get("path") or label,
        metadata=metadata,
    )
    return Document(id_, title, (passage,), fields.get("description") or None, metadata)


def digest(*texts: str) -> str:
    """Give 16 hexadecimal digits that stand for some texts."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "replace")).hexdigest()[:16]
