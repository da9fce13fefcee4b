"""A record with named fields, from whatever file, to a document."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.text.sources.base import EXCERPT, Document, Refusal
from subclust.text.sources.passages import LONG_RECORD, Piece, cut, paragraphs_of

# What other programs call our fields. In a record that has several of a kind, the first that is
# not empty counts.
_SPELLINGS = {
    "id": [
        "id", "identifier", "record id", "key", "accession number", "pmid", "eid", "pui",
        "ut (unique wos id)", "ut", "citation key",
    ],
    "title": ["title", "article title", "document title", "primary title", "query", "ti"],
    "text": ["text", "abstract", "abstract note", "summary", "content", "body", "passage", "ab"],
    "label": ["label", "subtopic"],
    "path": ["path"],
    "description": ["description"],
    "authors": ["authors", "author", "creator", "author full names", "author names", "af", "au"],
    "year": ["year", "publication year", "pub year", "date", "publication date", "py"],
    "venue": [
        "venue", "journal", "source title", "publication title", "booktitle", "publication",
        "journal/book", "container title", "so",
    ],
    "doi": ["doi", "di"],
    "url": ["url", "link"],
    "keywords": [
        "keywords", "author keywords", "subjects", "tags", "manual tags", "index keywords",
        "emtree drug index terms", "mesh headings", "de",
    ],
    "language": ["language", "lang", "language of original document", "article language", "la"],
    "source": ["source", "database"],
    "licence": ["licence", "license", "rights"],
}  # fmt: skip
_FIELDS = {spelling: field for field, names in _SPELLINGS.items() for spelling in names}
_NOT_METADATA = {"id", "title", "text", "label", "path", "description"}
_SINGLE = {"id", "title", "year", "doi", "url", "label", "path"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")
_DOI_PREFIX = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)(?=10\.)", re.IGNORECASE)
_DEEPEST = 10
"""Lists within lists of a field's value; no field means anything below."""

_DATE = re.compile(r"(\d{4})[-/.](0?[1-9]|1[0-2])(?:[-/.](0?[1-9]|[12]\d|3[01]))?(?!\d)[-/T]?")
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d{2}(?!\d)")

TEXT_COLUMNS = ("title", "text")


def field_of(name: str) -> str:
    """Return our name of a field: "Article Title" is "title"; an unknown one in lower case."""
    plain = re.sub(r"[\s_-]+", " ", clean(name)).strip().casefold()
    return _FIELDS.get(plain, plain)


def clean(value: Any, depth: int = 0) -> str:
    """Return a field's value as text: lists joined by "; ", control characters taken out."""
    if isinstance(value, list | tuple | dict) and depth >= _DEEPEST:
        return ""
    if isinstance(value, list | tuple):
        return "; ".join(text for one in value if (text := clean(one, depth + 1)))
    if isinstance(value, dict):
        return "; ".join(f"{clean(k)}: {clean(v, depth + 1)}" for k, v in value.items())
    if value is None or value != value:  # an empty cell, or a missing number
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # spreadsheets keep 2021 as 2021.0
    try:
        text = str(value)
    except ValueError:  # a whole number of thousands of digits
        return ""
    return _UNPRINTABLE.sub("", text).strip()


def document(
    record: Mapping[str, Any], place: str, collection: str, mended: Sequence[str] = ()
) -> Document | Refusal:
    """Make a document of a record.

    A record without text stands for itself by its title. Fields that are not ours are kept as
    metadata. The passage's id is ``<collection>:<id>``, so that two files that both count from 1
    do not overwrite each other; a record without id gets one made from its words, the same at the
    next import. A text of more than `LONG_RECORD` characters becomes several passages, each with
    its position.

    Parameters
    ----------
    record : mapping of str to value
        A field may have several values, as a list: all authors and keywords count, of a title the
        first one, and of abstracts all that differ.
    place : str
        For the refusal.
    collection : str
    mended : sequence of str
        What was put right in it already.
    """
    fields: dict[str, str] = {}
    remarks = list(mended)
    for name, value in record.items():
        if value is None or value == "" or value == []:
            continue
        field = field_of(str(name))
        if not fields.get(field):
            fields[field] = _value(field, value, remarks)
        elif field == "year" and _more_exact(clean(value), fields[field]):
            fields[field] = clean(value)
    _settle(fields)
    title = fields.get("title", "")
    text = fields.get("text", "") or title
    if not text:
        return Refusal(
            place,
            Message("It has neither a text nor a title."),
            Message("Fill in one of them and import it again."),
            "text",
            excerpt(fields),
        )
    metadata = {k: v for k, v in fields.items() if v and k and k not in _NOT_METADATA}
    id_ = fields.get("id") or "sha256-" + digest(title, text)
    label = fields.get("label") or None
    whole = Passage(
        id=f"{collection}:{id_}",
        text=text,
        title=title,
        collection=collection,
        label=label,
        path=fields.get("path") or label,
        metadata=metadata,
    )
    passages = (whole,) if len(text) <= LONG_RECORD else tuple(_divided(whole))
    description = fields.get("description") or None
    return Document(id_, title, passages, description, metadata, place, tuple(remarks))


def digest(*texts: str) -> str:
    """Return 16 hexadecimal digits that stand for some texts."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "replace")).hexdigest()[:16]


def excerpt(value: Any) -> str:
    """Shorten what was refused to one line of at most `EXCERPT` characters."""
    if isinstance(value, Mapping):
        value = "; ".join(f"{name}: {clean(one)}" for name, one in value.items() if clean(one))
    words = " ".join(clean(str(value)[: 8 * EXCERPT]).split())
    return words if len(words) <= EXCERPT else words[: EXCERPT - 1].rstrip() + "…"


def placed(metadata: Mapping[str, str], piece: Piece, number: int) -> dict[str, str]:
    """Add to metadata where in its document a passage stands.

    Parameters
    ----------
    metadata : mapping of str to str
    piece : Piece
    number : int
        Of the passage in its document, from 1.
    """
    return {**metadata, "position": str(number), "characters": f"{piece.start}-{piece.end}"}


def _divided(whole: Passage) -> list[Passage]:
    return [
        Passage(
            id=f"{whole.id}#{number}",
            text=piece.text,
            title=whole.title,
            collection=whole.collection,
            label=whole.label,
            path=whole.path,
            metadata=placed(whole.metadata, piece, number),
        )
        for number, piece in enumerate(cut(paragraphs_of(whole.text)), start=1)
    ]


def _value(field: str, value: Any, remarks: list[str]) -> str:
    if not isinstance(value, list | tuple):
        return clean(value)
    if field == "authors":  # two may have one name
        return clean(value)
    values = list(dict.fromkeys(text for text in map(clean, value) if text))
    if field == "text":
        n_given = sum(1 for text in map(clean, value) if text)
        if len(values) > 1:
            remarks.append(
                Message(
                    "It has {count} abstracts; all of them were kept, one below the other.",
                    count=len(values),
                )
            )
        elif n_given > 1:
            remarks.append(Message("Its abstract was there twice; it was kept once."))
        return "\n\n".join(values)
    if field in _SINGLE:
        return values[0] if values else ""
    return "; ".join(values)


def _more_exact(date: str, year: str) -> bool:
    """Return whether a second column of the year is its date."""
    found = _DATE.match(date)
    return found is not None and found[1] == year


def _settle(fields: dict[str, str]) -> None:
    """Write what identifies a record in one way, however its file writes it."""
    doi = fields.get("doi", "")
    if doi:
        fields["doi"] = _DOI_PREFIX.sub("", doi)
    year = fields.get("year", "")
    if found := _DATE.match(year):
        fields["year"] = found[1]
        parts = [found[1], *(f"{int(part):02d}" for part in found.groups()[1:] if part)]
        fields.setdefault("date", "-".join(parts))
    elif not _YEAR.fullmatch(year) and (found := _YEAR.search(year)):
        fields["year"] = found[0]
        if any(sign.isalnum() for sign in year.replace(found[0], "")):
            fields.setdefault("date", year)
