"""JATS XML: articles with abstract and, where the file has it, their whole text."""

from collections.abc import Iterator, Mapping
from typing import Any

from subclust.core.records import Passage
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.passages import Paragraph, cut
from subclust.text.sources.record import clean, digest, document, placed
from subclust.text.sources.xml_records import (
    XmlRecord,
    XmlSource,
    children,
    first_text,
    found,
    local_name,
    text_of,
)

_ID_TYPES = ("pmcid", "pmc", "pmid", "doi", "publisher-id")
_BLOCKS = ("p", "list", "disp-quote", "statement", "boxed-text")
_ABSTRACT = "Abstract"


class Jats(XmlSource):
    """Files of one or many ``article`` elements, as PubMed Central and publishers give them.

    Without a body it is a record with its abstract. With one, each of its sections is cut into
    passages, whose path are the headings above them, as with the articles of an encyclopaedia; the
    abstract is the first section and the document's description.
    """

    label = "JATS XML"
    tags = frozenset({"article"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of an article."""
        return _document(record.element, record.place, self.collection)


def _document(element: Any, place: str, collection: str) -> Document | Refusal:
    meta = next(iter(found(element, "front", "article-meta") or found(element, "front-stub")), None)
    fields = _fields(element, meta)
    abstracts = (
        [text for one in found(meta, "abstract") if (text := _abstract(one))]
        if meta is not None
        else []
    )
    sections = [one for body in found(element, "body") for one in _sections(body, ())]
    if not sections:
        return document({**fields, "text": abstracts}, place, collection)
    record = document({**fields, "text": abstracts[:1] or sections[0][1][:1]}, place, collection)
    if isinstance(record, Refusal):
        return record
    if abstracts:
        sections.insert(0, ((_ABSTRACT,), abstracts[:1]))
    base = f"{collection}:{record.id or digest(record.title)}"
    passages = tuple(_passages(sections, base, record.title, collection, record.metadata))
    return Document(
        record.id, record.title, passages, abstracts[0] if abstracts else None,
        record.metadata, place,
    )  # fmt: skip


def _passages(
    sections: list[tuple[tuple[str, ...], list[str]]],
    base: str,
    title: str,
    collection: str,
    metadata: Mapping[str, str],
) -> Iterator[Passage]:
    number = 0
    for path, texts in sections:
        for piece in cut(Paragraph(text) for text in texts):
            number += 1
            yield Passage(
                id=f"{base}#{number}",
                text=piece.text,
                title=title,
                collection=collection,
                label=path[0] if path else None,
                path=" / ".join(path) or None,
                metadata=placed(metadata, piece, number),
            )


def _fields(element: Any, meta: Any) -> dict[str, Any]:
    journal = next(iter(found(element, "front", "journal-meta")), None)
    fields: dict[str, Any] = {"source": "JATS", "language": _language(element)}
    if journal is not None:
        fields["venue"] = first_text(journal, "journal-title-group", "journal-title") or first_text(
            journal, "journal-title"
        )
    if meta is None:
        return fields
    ids = {one.get("pub-id-type"): text_of(one) for one in children(meta, "article-id")}
    fields["id"] = next((ids[kind] for kind in _ID_TYPES if ids.get(kind)), "")
    fields["doi"] = ids.get("doi", "")
    fields["title"] = _title(meta)
    fields["authors"] = [
        name
        for one in found(meta, "contrib-group", "contrib")
        if one.get("contrib-type", "author") == "author" and (name := _name(one))
    ]
    fields["year"] = _date(meta)
    fields["keywords"] = [
        text_of(one)
        for group in children(meta, "kwd-group")
        for one in group.iter()
        if local_name(one) == "kwd"
    ]
    fields["licence"] = _licence(meta)
    return fields


def _title(meta: Any) -> str:
    title = first_text(meta, "title-group", "article-title")
    below = first_text(meta, "title-group", "subtitle")
    return f"{title}: {below}" if title and below else title or below


def _name(contributor: Any) -> str:
    for name in children(contributor, "name", "string-name"):
        family, given = first_text(name, "surname"), first_text(name, "given-names")
        return f"{family}, {given}" if family and given else family or text_of(name)
    return first_text(contributor, "collab") or first_text(contributor, "name-alternatives", "name")


def _date(meta: Any) -> str:
    dates = []
    for one in children(meta, "pub-date"):
        parts = [first_text(one, part) for part in ("year", "month", "day")]
        if parts[0].isdecimal() and len(parts[0]) == 4:
            kept = [parts[0]]
            for part in parts[1:]:
                if not part.isdecimal():
                    break
                kept.append(f"{int(part):02d}")
            dates.append("-".join(kept))
    return min(dates, default="")


def _licence(meta: Any) -> str:
    for one in found(meta, "permissions", "license"):
        address = next((v for k, v in one.attrib.items() if k.endswith("href")), "")
        return address or text_of(one)
    return ""


def _language(element: Any) -> str:
    return clean(element.get("{http://www.w3.org/XML/1998/namespace}lang") or "")


def _abstract(element: Any) -> str:
    parts = []
    for path, texts in _sections(element, ()):
        heading = " / ".join(path)
        text = "\n".join(texts)
        parts.append(f"{heading}: {text}" if heading and heading != _ABSTRACT else text)
    return "\n".join(parts) or text_of(element)


def _sections(
    element: Any, path: tuple[str, ...], depth: int = 0
) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Return the headings and the paragraphs of each section, in order."""
    texts: list[str] = []
    for child in element:
        name = local_name(child)
        if name == "sec" and depth < 20:
            if texts:
                yield path, texts
                texts = []
            heading = first_text(child, "title")
            yield from _sections(child, (*path, heading) if heading else path, depth + 1)
        elif (name in _BLOCKS or name == "sec") and (text := text_of(child)):
            texts.append(text)
    if texts:
        yield path, texts
