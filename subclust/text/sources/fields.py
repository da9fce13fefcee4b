"""What a record can say: one table of fields, from which readers and writers are made.

A row names what a field is called here and by each format. Of several tags of a format the first is
written and all are read; of a field with one value, the first tag that has one counts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from subclust.core.messages import Message

FORMATS = ("ris", "bibtex", "csl", "marc", "endnote", "refer", "wos", "nbib")
"""The columns of the table beside the heads of tables."""


@dataclass(frozen=True)
class Field:
    """A field of a record.

    Parameters
    ----------
    name : str
        Ours: a key of a passage's metadata.
    meaning : str
        For people.
    many : bool
        Whether it holds several values; they are kept joined by "; ".
    heads : tuple of str
        What tables call it, in lower case.
    ris, bibtex, csl, marc, endnote, refer, wos, nbib : tuple of str
        What the formats call it: tags, names, ``"FIELD SUBFIELD"`` in MARC 21, and paths in
        EndNote's XML; ``"AF|AU"`` where the second says the same as the first. Empty where the
        format has no place for it.
    """

    name: str
    meaning: str
    many: bool
    heads: tuple[str, ...]
    ris: tuple[str, ...] = ()
    bibtex: tuple[str, ...] = ()
    csl: tuple[str, ...] = ()
    marc: tuple[str, ...] = ()
    endnote: tuple[str, ...] = ()
    refer: tuple[str, ...] = ()
    wos: tuple[str, ...] = ()
    nbib: tuple[str, ...] = ()


def _field(name: str, meaning: Message, *tags: str, heads: str = "", many: bool = False) -> Field:
    split = [tuple(one.strip() for one in tag.split(",") if one.strip()) for tag in tags]
    names = [name.replace("_", " "), *(one.strip() for one in heads.split(","))]
    return Field(name, meaning, many, tuple(dict.fromkeys(filter(None, names))), *split)


FIELDS: tuple[Field, ...] = (
    # name, meaning, RIS, BibTeX, CSL JSON, MARC 21, EndNote XML, Refer, Web of Science, PubMed
    _field("id", Message("Unique in the world, or in a list of one's own"), "", "", "", "", "", "",
           "", "", heads="identifier"),
    _field("number", Message("The record's number in its file"),
           "ID, AN, U2", "", "id", "001", "rec-number", "%F, %M", "GA", "",
           heads="record id, key, accession number, citation key, record number, lens id, "
           "ref id, item id, application number, publication number, pui, nummer, numéro, número"),
    _field("title", Message("Title"), "TI, T1, CT", "title", "title", "245 a", "titles/title",
           "%T", "TI", "TI, TT, BTI",
           heads="article title, document title, primary title, display name, query, ti, t1, "
           "titel, titre, título, titolo, dc title"),
    _field("text", Message("Abstract or text"), "AB, N2", "abstract", "abstract", "520 a",
           "abstract", "%X", "AB", "AB, OAB",
           heads="abstract, abstract note, summary, content, body, passage, ab, n2, "
           "zusammenfassung, kurzfassung, résumé, resumen, riassunto, resumo", many=True),
    _field("label", Message("Subtopic, in labelled sets"), heads="subtopic"),
    _field("path", Message("Headings above it")),
    _field("description", Message("What the whole is about")),
    _field("type", Message("Kind of document"), "TY", "entrytype", "type", "", "ref-type", "%0",
           "DT", "PT",
           heads="document type, publication type, item type, reference type, dokumenttyp, "
           "medientyp, type de document, tipo de documento"),
    _field("authors", Message("Authors"), "AU, A1", "author", "author", "100 a",
           "contributors/authors/author", "%A", "AF|AU, CA", "FAU|AU, CN",
           heads="author, creator, author full names, author names, author/s, author(s), inventors,"
           " applicants, applicant(s), af, au, a1, autor, autoren, verfasser, verfasser/in, "
           "urheber, auteur, auteurs, autores, autore, autori", many=True),
    _field("editors", Message("Editors"), "ED, A2, A3", "editor", "editor", "700 a",
           "contributors/secondary-authors/author", "%E", "BE", "ED",
           heads="editor, ed, herausgeber, hrsg, éditeur scientifique, editores", many=True),
    _field("year", Message("Year of publication"), "PY, Y1", "year", "issued", "264 c, 260 c",
           "dates/year", "%D", "PY", "DP",
           heads="publication year, pub year, pubyear, year of publication, py, y1, jahr, "
           "erscheinungsjahr, année, année de publication, año, anno, ano"),
    _field("date", Message("Exact date of publication"), "DA", "date", "", "046 k",
           "dates/pub-dates/date", "%8", "PD", "",
           heads="publication date, date published, cover date, issue date, filing date, da, "
           "datum, erscheinungsdatum, date de publication, fecha"),
    _field("venue", Message("Journal, book or series that it is part of"), "T2, JO, JF, JA, J2, BT",
           "journaltitle, journal, booktitle, maintitle", "container-title", "773 t",
           "titles/secondary-title, periodical/full-title", "%J, %B", "SO", "JT, TA",
           heads="journal, source title, publication title, booktitle, book title, publication, "
           "journal/book, container title, journal title, secondary title, so, t2, jf, jo, "
           "zeitschrift, revue, revista, rivista"),
    _field("volume", Message("Volume"), "VL", "volume", "volume", "773 g", "volume", "%V", "VL",
           "VI", heads="vol, vl, band, jahrgang, tome, volumen"),
    _field("issue", Message("Issue"), "IS", "number", "issue", "773 g", "number", "%N", "IS",
           "IP", heads="issue number, no, is, heft, numéro de revue"),
    _field("pages", Message("Pages"), "SP", "pages", "page", "773 g, 300 a", "pages", "%P", "",
           "PG", heads="page, page range, pagination, sp, seiten, páginas"),
    _field("article_number", Message("Article number"), "C7, M1", "eid, articleno", "number", "",
           "custom7", "", "AR", "", heads="art no, article no, c7, artikelnummer"),
    _field("issn", Message("ISSN"), "SN", "issn", "ISSN", "773 x, 022 a", "issn", "%@", "SN, EI",
           "IS", heads="issns, issn/isbn, print issn, electronic issn, eissn, sn", many=True),
    _field("isbn", Message("ISBN"), "", "isbn", "ISBN", "020 a", "isbn", "", "BN", "ISBN",
           heads="isbns", many=True),
    _field("publisher", Message("Publisher"), "PB", "publisher, institution, school, organization",
           "publisher", "264 b, 260 b", "publisher", "%I", "PU", "PB",
           heads="pb, verlag, maison d'édition, editorial"),
    _field("place", Message("Place of publication"), "CY, PP", "location, address",
           "publisher-place", "264 a, 260 a", "pub-location", "%C", "PI", "PL",
           heads="place of publication, publisher place, cy, ort, erscheinungsort, lieu"),
    _field("edition", Message("Edition"), "ET", "edition", "edition", "250 a", "edition", "%7",
           "", "", heads="et, auflage, édition, edición"),
    _field("series", Message("Series"), "T3", "series", "collection-title", "490 a",
           "titles/tertiary-title", "%S", "SE", "CTI",
           heads="series title, reihe, collection title, serie"),
    _field("doi", Message("DOI"), "DO, DI, M3, L3, C8", "doi", "DOI", "024 a",
           "electronic-resource-num", "%R", "DI", "", heads="di, doi link"),
    _field("pmid", Message("PubMed number"), "", "pmid", "PMID", "", "", "", "PM", "PMID",
           heads="pubmed id, pubmedid, medline pmid, pm"),
    _field("pmcid", Message("PubMed Central number"), "C2", "pmcid", "PMCID", "", "custom2", "",
           "", "PMC", heads="pmc id"),
    _field("ut", Message("Web of Science number"), "", "", "", "", "", "", "UT", "",
           heads="ut (unique wos id), unique wos id, wos id"),
    _field("eid", Message("Scopus number"), "", "", "", "", "", "", "", "", heads="scopus eid"),
    _field("openalex", Message("OpenAlex number"), "", "", "", "", "", "", "", "",
           heads="openalex id"),
    _field("url", Message("Address"), "UR, LK, L2", "url", "URL", "856 u",
           "urls/related-urls/url", "%U", "", "",
           heads="link, urls, article url, document url, ur, adresse"),
    _field("keywords", Message("Subjects and keywords"), "KW", "keywords, keyword", "keyword",
           "653 a", "keywords/keyword", "%K", "DE, ID", "OT, MH",
           heads="author keywords, subjects, subject, tags, manual tags, index keywords, "
           "keywords plus, emtree drug index terms, mesh headings, mesh terms, fields of study, "
           "de, kw, schlagwörter, schlagworte, schlagwort, mots-clés, mots clés, palabras clave, "
           "parole chiave", many=True),
    _field("language", Message("Language"), "LA", "language, langid", "language", "041 a",
           "language", "%G", "LA", "LA",
           heads="lang, language of original document, article language, la, sprache, langue, "
           "idioma, lingua", many=True),
    _field("source", Message("Database"), "DB, DP", "database, source", "source", "003",
           "remote-database-name", "%W, %~", "", "", heads="database, db, datenbank"),
    _field("licence", Message("Licence"), "", "copyright", "license", "540 a", "", "", "", "",
           heads="license, rights, lizenz, licencia"),
    _field("section", Message("Section"), "SE", "", "section", "", "section", "", "", ""),
    _field("notes", Message("Notes"), "N1", "note", "note", "500 a", "notes", "%Z", "", "",
           heads="note, n1, anmerkungen, notas", many=True),
)  # fmt: skip

AS_GIVEN = {"title": "title_as_given", "text": "abstract_as_given"}
"""Where a text is kept as its file has it, if readers are shown another one."""

BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}
_HEADS = {head: field.name for field in reversed(FIELDS) for head in field.heads} | {
    **dict.fromkeys(
        ("page start", "start page", "first page", "beginning page", "bp"), "first page"
    ),
    **{name.replace("_", " "): name for name in AS_GIVEN.values()},
    **dict.fromkeys(("page end", "end page", "last page", "ending page", "ep"), "last page"),
}

_TAGS = {
    format_: [
        (field.name, field.many, [one.split("|") for one in getattr(field, format_)])
        for field in FIELDS
        if getattr(field, format_)
    ]
    for format_ in FORMATS
}
_DOI = re.compile(r"(?:^|[\s:/])(10\.\d{4,9}/\S+)")


@lru_cache(4096)
def field_of(name: str) -> str:
    """Return our name of a table's column: "Article Title" is "title"; unknown ones in lower case.

    >>> field_of("Publication Year"), field_of("Shelf mark")
    ('year', 'shelf mark')
    """
    plain = re.sub(r"[\s_-]+", " ", name).strip().casefold()
    return _HEADS.get(plain, plain)


def tagged_fields(values: Mapping[str, Sequence[str]], format_: str) -> dict[str, list[str]]:
    """Return a record's fields by our names, as the table has them for a format.

    Parameters
    ----------
    values : mapping of str to sequence of str
        The values of each tag, in the order of the file.
    format_ : str
        One of `FORMATS`.

    Returns
    -------
    dict of str to list of str
        Of a field with many values those of all tags, in the order of the file, else those of the
        first tag that has one; fields without a value are left out.
    """
    held = {tag: kept for tag, given in values.items() if (kept := [v for v in given if v.strip()])}
    found: dict[str, list[str]] = {}
    for name, many, named in _TAGS[format_]:
        tags = [tag for same in named for tag in same if tag in held]
        if len(tags) > 1:
            tags = [next((tag for tag in same if tag in held), "") for same in named]
            if many:  # in the order of the file
                tags = [tag for tag in held if tag in tags]
        for tag in tags:
            given = held.get(tag, [])
            if name == "doi":  # programs put it wherever there is room
                given = [match[1] for value in given if (match := _DOI.search(value))]
            if given and (many or name not in found):
                found.setdefault(name, []).extend(given)
    return found


@dataclass(frozen=True)
class Kind:
    """A kind of document.

    Parameters
    ----------
    name : str
        As the Citation Style Language calls it; what a record's ``type`` is.
    ris, bibtex : tuple of str
        The first is written, all are read.
    refer : str
        As EndNote calls it.
    words : tuple of str
        What databases call it, in lower case.
    """

    name: str
    ris: tuple[str, ...]
    bibtex: tuple[str, ...]
    refer: str
    words: tuple[str, ...]


def _kind(name: str, ris: str, bibtex: str, refer: str, words: str = "") -> Kind:
    spelt = [refer, name.replace("-", " "), *words.split(",")]
    return Kind(
        name, tuple(ris.split()), tuple(bibtex.split()), refer,
        tuple(dict.fromkeys(word.strip().casefold() for word in spelt if word.strip())),
    )  # fmt: skip


KINDS: tuple[Kind, ...] = (
    _kind("article-journal", "JOUR EJOUR ABST INPR", "article", "Journal Article",
          "article, review, journal, journalarticle, research article, letter, editorial, note, "
          "zeitschriftenaufsatz, zeitschriftenartikel"),
    _kind("article-magazine", "MGZN", "magazine", "Magazine Article", "magazinearticle"),
    _kind("article-newspaper", "NEWS", "newspaper", "Newspaper Article",
          "newspaperarticle, zeitungsartikel"),
    _kind("book", "BOOK EBOOK EDBOOK WHOLE", "book mvbook collection mvcollection reference",
          "Book", "edited book, electronic book, monograph, buch, monographie, livre, libro"),
    _kind("chapter", "CHAP ECHAP", "incollection inbook bookinbook suppbook suppcollection",
          "Book Section", "book chapter, booksection, electronic book section, buchkapitel"),
    _kind("paper-conference", "CPAPER CONF", "inproceedings conference proceedings mvproceedings",
          "Conference Paper", "conference proceedings, proceedings paper, conferencepaper"),
    _kind("thesis", "THES", "thesis phdthesis mastersthesis", "Thesis",
          "dissertation, doctoral thesis, hochschulschrift, dissertation/thesis, thèse, tesis"),
    _kind("report", "RPRT", "report techreport", "Report", "technical report, working paper"),
    _kind("webpage", "ELEC WEB BLOG", "online electronic www", "Web Page", "website, blog"),
    _kind("dataset", "DATA AGGR", "dataset", "Dataset", "data set, online database"),
    _kind("patent", "PAT", "patent", "Patent"),
    _kind("standard", "STAND", "standard", "Standard"),
    _kind("map", "MAP", "", "Map"),
    _kind("manuscript", "UNPB MANSCPT", "unpublished", "Unpublished Work", "manuscript, preprint"),
    _kind("entry-encyclopedia", "ENCYC", "inreference", "Encyclopedia", "encyclopediaarticle"),
    _kind("entry-dictionary", "DICT", "", "Dictionary", "dictionaryentry"),
    _kind("periodical", "JFULL SER", "periodical suppperiodical", "Serial"),
    _kind("pamphlet", "PAMP", "booklet", "Pamphlet"),
    _kind("software", "COMP", "software", "Computer Program"),
    _kind("motion_picture", "VIDEO MPCT", "video movie", "Film or Broadcast", "film"),
    _kind("song", "SOUND MUSIC", "audio music", "Music"),
    _kind("graphic", "ART FIGURE SLIDE", "image artwork", "Artwork", "figure"),
    _kind("speech", "HEAR", "", "Hearing", "presentation"),
    _kind("legislation", "STAT BILL", "legislation", "Statute", "bill"),
    _kind("legal_case", "CASE", "jurisdiction", "Case"),
    _kind("personal_communication", "PCOMM ICOMM", "letter", "Personal Communication", "email"),
    _kind("document", "GEN", "misc", "Generic", "document, other, miscellaneous"),
)  # fmt: skip

KIND_BY_NAME: Mapping[str, Kind] = {kind.name: kind for kind in KINDS}
MARC_KINDS = {
    "ab": "article-journal", "aa": "chapter", "am": "book", "as": "periodical", "tm": "manuscript",
    "em": "map", "mm": "software", "gm": "motion_picture", "jm": "song", "km": "graphic",
    "ai": "webpage",
}  # fmt: skip
"""Kinds of documents by positions 6 and 7 of MARC 21's leader; a thesis has field 502, too."""

_KIND_OF = {
    **{word: kind.name for kind in reversed(KINDS) for word in kind.words},
    **{type_.casefold(): kind.name for kind in reversed(KINDS) for type_ in kind.bibtex},
    **{type_.casefold(): kind.name for kind in reversed(KINDS) for type_ in kind.ris},
    **{kind.name: kind.name for kind in KINDS},
}


def kind_of(given: str) -> str:
    """Return the kind of a document by the name that any format or database has for it.

    >>> kind_of("CHAP"), kind_of("Book Section"), kind_of("phdthesis"), kind_of("Podcast")
    ('chapter', 'chapter', 'thesis', 'Podcast')
    """
    return _KIND_OF.get(given.strip().casefold(), given.strip())


def unplaced(names: Iterable[str], format_: str) -> list[str]:
    """Return those fields that a format has no place for.

    Parameters
    ----------
    names : iterable of str
        Of a record's fields.
    format_ : str
        One of `FORMATS`.
    """
    return [name for name in names if name not in BY_NAME or not getattr(BY_NAME[name], format_)]
