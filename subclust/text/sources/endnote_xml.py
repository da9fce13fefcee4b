"""EndNote's XML export."""

from collections.abc import Iterator
from typing import Any

from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.record import document
from subclust.text.sources.xml_records import XmlRecord, XmlSource, first_text, found, text_of


class EndNoteXml(XmlSource):
    """Files of "Export, XML" of EndNote: ``records`` of ``record``, texts in ``style`` elements."""

    label = "EndNote XML"
    tags = frozenset({"record"})

    def documents(self, record: XmlRecord) -> Iterator[Document | Refusal]:
        """Make a document of a record."""
        fields = _fields(record.element)
        yield document(
            {name: value for name, value in fields.items() if value}, record.place, self.collection
        )


def _fields(element: Any) -> dict[str, Any]:
    authors = found(element, "contributors", "authors", "author")
    return {
        "id": first_text(element, "accession-num") or first_text(element, "rec-number"),
        "title": first_text(element, "titles", "title"),
        "text": [text_of(one) for one in found(element, "abstract")],
        "authors": [text_of(one) for one in authors],
        "year": first_text(element, "dates", "year"),
        "venue": first_text(element, "titles", "secondary-title")
        or first_text(element, "periodical", "full-title"),
        "doi": first_text(element, "electronic-resource-num"),
        "url": first_text(element, "urls", "related-urls", "url"),
        "keywords": [text_of(one) for one in found(element, "keywords", "keyword")],
        "language": first_text(element, "language"),
        "source": first_text(element, "remote-database-name"),
        "volume": first_text(element, "volume"),
        "issue": first_text(element, "number"),
        "pages": first_text(element, "pages"),
        "isbn": first_text(element, "isbn"),
        "publisher": first_text(element, "publisher"),
    }
