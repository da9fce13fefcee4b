"""PubMed's exports: XML, and tagged (MEDLINE, .nbib)."""

import re
from typing import Any

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.fields import tagged_fields
from subclust.text.sources.record import document
from subclust.text.sources.tagged import Tagged, Values, every, first
from subclust.text.sources.xml_records import (
    XmlRecord,
    XmlSource,
    children,
    first_text,
    found,
    local_name,
    text_of,
)

_TAGGED_DOI = re.compile(r"(10\.\d{4,9}/\S+)\s*\[doi\]")
_NO_TITLES = frozenset({"", "not available", "in process citation", "no title available"})
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class PubMed(XmlSource):
    """Files of ``PubmedArticle`` and ``PubmedBookArticle``.

    The parts of a structured abstract are told apart by their headings; the subject headings
    (MeSH) are keywords beside the authors' own.
    """

    label = "PubMed XML"
    tags = frozenset({"PubmedArticle", "PubmedBookArticle"})

    def read(self, record: XmlRecord) -> Document | Refusal:
        """Make a document of a citation."""
        return document(_xml_fields(record.element), record.place, self.collection)


def _xml_fields(element: Any) -> dict[str, Any]:
    body = next(iter(children(element, "MedlineCitation", "BookDocument")), element)
    article = next(iter(children(body, "Article")), body)
    pmid = first_text(body, "PMID")
    return {
        "pmid": pmid,
        "title": first_text(article, "ArticleTitle")
        or first_text(article, "VernacularTitle")
        or first_text(article, "Book", "BookTitle"),
        "text": [_abstract(one) for one in found(article, "Abstract")]
        or [_abstract(one) for one in found(body, "OtherAbstract")],
        **_people(article),
        "year": _date(article),
        "venue": first_text(article, "Journal", "Title")
        or first_text(article, "Book", "BookTitle"),
        "doi": _doi(element, article),
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdecimal() else "",
        "keywords": [
            *map(text_of, found(body, "KeywordList", "Keyword")),
            *map(text_of, found(body, "MeshHeadingList", "MeshHeading", "DescriptorName")),
        ],
        "language": [text_of(one) for one in children(article, "Language")],
        "source": "PubMed",
        "type": _kinds(body, article),
        "pmcid": _number(element, "pmc"),
        "volume": first_text(article, "Journal", "JournalIssue", "Volume")
        or first_text(article, "Book", "Volume"),
        "issue": first_text(article, "Journal", "JournalIssue", "Issue"),
        "pages": _pages(article),
        "article_number": _article_number(article),
        "issn": first_text(article, "Journal", "ISSN")
        or first_text(body, "MedlineJournalInfo", "ISSNLinking"),
        "isbn": [text_of(one) for one in found(article, "Book", "Isbn")],
        "publisher": first_text(article, "Book", "Publisher", "PublisherName"),
        "place": first_text(article, "Book", "Publisher", "PublisherLocation"),
        "edition": first_text(article, "Book", "Edition"),
    }


def _abstract(element: Any) -> str:
    parts = []
    for part in children(element, "AbstractText"):
        text, heading = text_of(part), (part.get("Label") or "").strip()
        if text:
            parts.append(f"{heading}: {text}" if heading and heading != "UNLABELLED" else text)
    return "\n".join(parts)


def _people(article: Any) -> dict[str, list[str]]:
    people: dict[str, list[str]] = {"authors": [], "editors": []}
    lists = [*found(article, "AuthorList"), *found(article, "Book", "AuthorList")]
    for each in lists:
        kind = "editors" if each.get("Type") == "editors" else "authors"
        people[kind] += [name for one in children(each, "Author") if (name := _name(one))]
    return people


def _name(author: Any) -> str:
    family = first_text(author, "LastName")
    given = first_text(author, "ForeName") or first_text(author, "Initials")
    suffix = first_text(author, "Suffix")
    parts = [one for one in (family, given, suffix if family else "") if one]
    return ", ".join(parts) or first_text(author, "CollectiveName")


def _kinds(body: Any, article: Any) -> list[str]:
    """Return the kinds of a publication that say most first: a review is a journal article too."""
    if local_name(body) == "BookDocument":
        return ["chapter" if first_text(article, "ArticleTitle") else "book"]
    kinds = [text_of(one) for one in found(article, "PublicationTypeList", "PublicationType")]
    return sorted(kinds, key=lambda one: one != "Journal Article")


def _pages(article: Any) -> str:
    pages = first_text(article, "Pagination", "MedlinePgn")
    if not pages:
        ends = [first_text(article, "Pagination", name) for name in ("StartPage", "EndPage")]
        pages = "-".join(dict.fromkeys(filter(None, ends)))
    return pages


def _article_number(article: Any) -> str:
    for one in found(article, "ELocationID"):
        if one.get("EIdType") == "pii" and not found(article, "Pagination", "MedlinePgn"):
            text = text_of(one)
            return text if len(text) < 12 else ""
    return ""


def _number(element: Any, kind: str) -> str:
    ids = found(element, "PubmedData", "ArticleIdList", "ArticleId")
    ids += found(element, "PubmedBookData", "ArticleIdList", "ArticleId")
    return next((text_of(one) for one in ids if one.get("IdType") == kind), "")


def _date(article: Any) -> str:
    for path in (("Journal", "JournalIssue", "PubDate"), ("ArticleDate",), ("Book", "PubDate")):
        for date in found(article, *path):
            year = first_text(date, "Year")
            if not year:
                year = first_text(date, "MedlineDate")[:4]
                if year.isdecimal():
                    return year
                continue
            month, day = first_text(date, "Month"), first_text(date, "Day")
            month = str(_MONTHS.index(month[:3]) + 1) if month[:3] in _MONTHS else month
            parts = [part for part in (month, day) if part.isdecimal()]
            if month.isdecimal():
                return "-".join([year, *(f"{int(part):02d}" for part in parts)])
            return year
    return ""


def _doi(element: Any, article: Any) -> str:
    for one in found(article, "ELocationID"):
        if one.get("EIdType") == "doi" and (text := text_of(one)):
            return text
    ids = found(element, "PubmedData", "ArticleIdList", "ArticleId")
    ids += found(element, "PubmedBookData", "ArticleIdList", "ArticleId")
    ids += found(article, "ArticleIdList", "ArticleId")
    return next((text_of(one) for one in ids if one.get("IdType") == "doi"), "")


class Nbib(Tagged):
    """Citations as PubMed's "Save, Format: PubMed" and "Send to: Citation manager" give them."""

    label = Message("PubMed's tagged format")
    line = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,3}-(?:\s(.*)|())$")
    begin_tag = "PMID"
    begin_sign = "PMID"
    begin_line = re.compile(r"^PMID\s*-\s*\d+\s*$")
    once = frozenset({"PMID", "OWN", "STAT", "TI", "DP", "JT", "TA"})

    def fields(self, values: Values) -> dict[str, Any]:
        """Return a citation's fields by our names."""
        pmid = first(values, "PMID")
        dois = [
            match[1]
            for one in every(values, "LID", "AID", "SO")
            if (match := _TAGGED_DOI.search(one))
        ]
        fields: dict[str, Any] = {**tagged_fields(values, "nbib")}
        fields["source"] = "ERIC" if "ERIC" in values.get("OWN", ()) else "PubMed"
        fields["title"] = [
            title
            for title in every(values, "TI", "TT", "BTI", "CTI")
            if title.strip("[] .").casefold() not in _NO_TITLES
        ]
        fields["doi"] = dois[:1]
        fields["text"] = every(values, "AB") or every(values, "OAB")
        fields["keywords"] = [one.replace("*", "") for one in fields.get("keywords", [])]
        if pmid.isdecimal():
            fields["url"] = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
        elif links := [one for one in every(values, "AID", "LID") if one.startswith("http")]:
            fields["url"] = links[:1]
        return fields
