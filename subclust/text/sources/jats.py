"""JATS XML: articles with abstract and, where the file has it, their whole text."""

import re
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

_ROLES = {"author": "authors", "editor": "editors"}
_NOTES = frozenset({"fn", "aff", "corresp", "table-fn", "author-notes"})
_BESIDE = frozenset(
    "graphical toc teaser key-points highlights precis editor web-summary short summary "
    "plain-language-summary executive-summary author-highlights video stereochemistry".split()
)
_KINDS = {"book-review": "article-journal", "dissertation": "thesis", "news": "article-magazine"}
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
    if meta is not None:
        _drop_notes(meta)
    fields = _fields(element, meta)
    abstracts = _abstracts(meta) if meta is not None else []
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
        issns = children(journal, "issn")
        fields["issn"] = [text_of(one) for one in issns]
        fields["publisher"] = first_text(journal, "publisher", "publisher-name")
        fields["place"] = first_text(journal, "publisher", "publisher-loc")
    if meta is None:
        return fields
    ids = {one.get("pub-id-type"): text_of(one) for one in children(meta, "article-id")}
    pmc = ids.get("pmcid") or ids.get("pmc") or ids.get("pmcaid", "")
    fields["pmcid"] = pmc if not pmc or pmc.startswith("PMC") else f"PMC{pmc}"
    fields["pmid"], fields["doi"] = ids.get("pmid", ""), ids.get("doi", "")
    fields["number"] = ids.get("publisher-id", "")
    fields["title"] = _title(meta)
    for one in found(meta, "contrib-group", "contrib"):
        kind = _ROLES.get(one.get("contrib-type", "author"), "other contributors")
        if name := _name(one):
            fields.setdefault(kind, []).append(name)
    fields["type"] = _KINDS.get(element.get("article-type", ""), "article-journal")
    fields["volume"], fields["issue"] = first_text(meta, "volume"), first_text(meta, "issue")
    fields["first page"] = first_text(meta, "fpage")
    fields["last page"] = first_text(meta, "lpage")
    if not fields["first page"]:
        fields["pages"] = first_text(meta, "page-range")
    fields["article_number"] = first_text(meta, "elocation-id")
    fields["isbn"] = [text_of(one) for one in children(meta, "isbn")]
    fields["year"] = _date(meta)
    fields["keywords"] = [
        text_of(one)
        for group in children(meta, "kwd-group")
        for one in group.iter()
        if local_name(one) == "kwd"
    ]
    fields["licence"] = _licence(meta)
    return fields


def _abstracts(meta: Any) -> list[str]:
    """Return the authors' own abstract; another kind of it only where there is no other."""
    held = children(meta, "abstract")
    own = [one for one in held if not one.get("abstract-type")]
    fuller = [one for one in held if one.get("abstract-type") not in _BESIDE]
    texts = [text for one in own or fuller if (text := _abstract(one))]
    others = children(meta, "trans-abstract")
    return texts or [text for one in others if (text := _abstract(one))]


def _drop_notes(meta: Any) -> None:
    """Take marks of notes and references out of titles and abstracts, and part broken lines."""
    for name in ("title-group", "abstract", "trans-abstract"):
        for part in children(meta, name):
            # A list, since elements are removed on the way.
            for one in list(part.iter()):
                kind = local_name(one)
                if kind == "break":
                    one.tail = f" {one.tail or ''}"
                elif kind in ("fn", "fn-group") or kind == "xref" and _is_mark(one):
                    _take_out(one)


def _is_mark(element: Any) -> bool:
    """Return whether a reference is a mark, and no words that are read on."""
    kind = element.get("ref-type", "")
    return kind in _NOTES or not re.search(r"[^\W\d_]{3}", text_of(element))


def _take_out(element: Any) -> None:
    """Remove an element, and keep what stands behind it."""
    before, parent = element.getprevious(), element.getparent()
    if parent is None:
        return
    tail = element.tail or ""
    opened = (before.tail if before is not None else parent.text) or ""
    if opened.endswith(("[", "(")) and tail.startswith(("]", ")")):  # which held the mark
        opened, tail = opened[:-1], tail[1:]
        if before is not None:
            before.tail = opened
        else:
            parent.text = opened
    if re.match(r"\s*[.,;:)]", tail):  # no blank before a point
        if before is not None:
            before.tail = (before.tail or "").rstrip()
        else:
            parent.text = (parent.text or "").rstrip()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
    if local_name(parent) == "sup" and not re.search(r"\w", text_of(parent)):
        _take_out(parent)  # commas between marks


def _title(meta: Any) -> str:
    title = first_text(meta, "title-group", "article-title")
    below = first_text(meta, "title-group", "subtitle")
    return f"{title}: {below}" if title and below else title or below


def _name(contributor: Any) -> str:
    names = children(contributor, "name", "string-name")
    for name in names or found(contributor, "name-alternatives", "name"):
        family, given = first_text(name, "surname"), first_text(name, "given-names")
        parts = [family, given, first_text(name, "suffix")]
        return ", ".join(filter(None, parts)) if family else text_of(name)
    for body in children(contributor, "collab", "on-behalf-of"):
        plain = first_text(body, "named-content") or first_text(body, "institution")
        if found(body, "contrib-group"):  # its members stand within it
            return plain or " ".join((body.text or "").split())
        return text_of(body)
    return ""


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
