"""What a record can say: one table of fields, from which readers and writers are made.

A row names what a field is called here and by each format. Of several tags of a format the first is
written and all are read; of a field with one value, the first tag that has one counts.
"""

import re
import unicodedata
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
           "ref id, item id, application number, publication number, pui, nummer, numéro, "
           "número, publication id, store id, biblionumber, mms id, an, ui, document id, "
           "paper id, bib id, biblio number, cochrane review id, "
           "control number, ppn, katalogschlüssel, zotero key, record number in source, "
           "covidence #, display key"),
    _field("title", Message("Title"), "TI, T1, CT", "title", "title", "245 a", "titles/title",
           "%T", "TI", "TI, TT, BTI",
           heads="article title, document title, primary title, display name, query, ti, t1, "
           "titel, titre, título, titolo, dc title, item title, work title, "
           "hauptsachtitel, titel des werks, titre de l'article, "
           "título del artículo, title proper, title statement, dcterms title"),
    _field("text", Message("Abstract or text"), "AB, N2", "abstract", "abstract", "520 a",
           "abstract", "%X", "AB", "AB, OAB",
           heads="abstract, abstract note, summary, content, body, passage, ab, n2, "
           "zusammenfassung, kurzfassung, résumé, resumen, riassunto, resumo, "
           "description abstract, abstracts, original abstract, abstract text, inhalt, "
           "inhaltsangabe, kurzreferat, extracto, sommario, samenvatting, "
           "dc description abstract, dcterms abstract, abstract en, sumario", many=True),
    _field("label", Message("Subtopic, in labelled sets"), heads="subtopic"),
    _field("path", Message("Headings above it")),
    _field("description", Message("What the whole is about")),
    _field("type", Message("Kind of document"), "TY", "entrytype", "type", "", "ref-type", "%0",
           "DT", "PT",
           heads="document type, publication type, item type, reference type, dokumenttyp, "
           "medientyp, type de document, tipo de documento, doc type, doctype, doctypes, "
           "doc types, pub type, pub types, pt, ty, material type, resource type, content type, "
           "itemtype, article type, type of document, genre, source type, dokumententyp, "
           "publikationstyp, publikationsart, materialart, dc type, dcterms type, tipo, "
           "type of publication"),
    _field("authors", Message("Authors"), "AU, A1", "author", "author", "100 a",
           "contributors/authors/author", "%A", "AF|AU, CA", "FAU|AU, CN",
           heads="author, creator, author names, author/s, author(s), "
           "inventors, applicants, applicant(s), au, a1, autor, autoren, verfasser, "
           "verfasser/in, urheber, auteur, auteurs, autores, autore, autori, contributors, "
           "author list, book authors, first author, main author, personal author, "
           "authorships author display name, authorships raw author name, author authors, "
           "autor herausgeber oder organisation, autor/in, autor:in, autorin, autor(en), "
           "autor/en, autor/innen, verfasserin, verfasser:in, verfasserinnen, name des autors, "
           "autor(es), autor/es, auteur(s), auteurs principaux, auteur principal, "
           "dc contributor author, dc creator, dcterms creator, schrijver, "
           "author string", many=True),
    _field("editors", Message("Editors"), "ED, A2, A3", "editor", "editor", "700 a",
           "contributors/secondary-authors/author", "%E", "BE", "ED",
           heads="editor, ed, herausgeber, hrsg, éditeur scientifique, editores, book editors, "
           "editor names, herausgeberin, herausgeber/in, editores científicos, "
           "dc contributor editor, éditeurs scientifiques", many=True),
    _field("year", Message("Year of publication"), "PY, Y1", "year", "issued", "264 c, 260 c",
           "dates/year", "%D", "PY", "DP",
           heads="publication year, pub year, pubyear, year of publication, py, y1, jahr, "
           "publish date, "
           "erscheinungsjahr, année, année de publication, año, anno, ano, published year, "
           "copyright date, issued, date issued, pub date, pubdate, begin publication date, "
           "year published, yr, jahr ermittelt, publikationsjahr, veröffentlichungsjahr, "
           "ersch jahr, ersch-jahr, année de parution, année d'édition, año de publicación, "
           "anno di pubblicazione, ano de publicação, jaar, dc date issued, dc date, "
           "dcterms issued, dcterms date"),
    _field("date", Message("Exact date of publication"), "DA", "date", "", "046 k",
           "dates/pub-dates/date", "%8", "PD", "",
           heads="publication date, date published, cover date, issue date, filing date, da, "
           "prism cover date, "
           "datum, erscheinungsdatum, date de publication, fecha, date of publication, "
           "published date, published, date published online, online date, early access date, "
           "publikationsdatum, veröffentlichungsdatum, date de parution, fecha de publicación, "
           "data di pubblicazione"),
    _field("venue", Message("Journal, book or series that it is part of"), "T2, JO, JF, JA, J2, BT",
           "journaltitle, journal, booktitle, maintitle", "container-title", "773 t",
           "titles/secondary-title, periodical/full-title", "%J, %B", "SO", "JT, TA",
           heads="journal, source title, publication title, booktitle, book title, publication, "
           "prism publication name, "
           "journal/book, container title, journal title, secondary title, so, t2, jf, jo, "
           "zeitschrift, revue, revista, rivista, pubtitle, pub title, published in, periodical, "
           "periodical title, journal name, source publication, anthology title, "
           "proceedings title, conference title, primary location source display name, "
           "host venue display name, zeitschrift/zeitung, zeitschriftentitel, sammelwerk, "
           "titre de la revue, titre du périodique, périodique, "
           "título de la revista, título de revista, titolo della rivista, tijdschrift, "
           "is part of, dc relation ispartof, dcterms is part of, dc relation journal, "
           "dc source, dc title journal, journal abbreviation, journal iso abbreviation, "
           "abbreviated source title, abbreviated journal"),
    _field("volume", Message("Volume"), "VL", "volume", "volume", "773 g", "volume", "%V", "VL",
           "VI", heads="vol, vl, band, jahrgang, tome, volumen, journal volume, volume number, "
           "prism volume, "
           "biblio volume, bd, jg, jahrgang/band, bandnummer, tomo, volume/numéro, volumes, "
           "dc citation volume, dc identifier volume"),
    _field("issue", Message("Issue"), "IS", "number", "issue", "773 g", "number", "%N", "IS",
           "IP", heads="issue number, no, is, heft, numéro de revue, journal issue, issue no, "
           "prism issue identifier, "
           "biblio issue, heftnummer, ausgabe, nr, numéro du fascicule, fascicule, "
           "número de revista, fascicolo, dc citation issue"),
    _field("pages", Message("Pages"), "SP", "pages", "page", "773 g, 300 a", "pages", "%P", "",
           "PG",
           heads="page, page range, pagination, sp, seiten, páginas, seiten von bis, seitenzahl, "
           "seite, seiten von-bis, nombre de pages, página, pagine, pagina, paginación, "
           "dc citation pages, pages from to, page numbers"),
    _field("article_number", Message("Article number"), "C7, M1", "eid, articleno", "number", "",
           "custom7", "", "AR", "",
           heads="art no, article no, c7, artikelnummer, art number, article no., aufsatznummer"),
    _field("issn", Message("ISSN"), "SN", "issn", "ISSN", "773 x, 022 a", "issn", "%@", "SN, EI",
           "IS", heads="issns, issn/isbn, print issn, electronic issn, eissn, sn, e issn, "
           "prism issn, "
           "issn (print), issn (online), linking issn, issn l, online issn, issn electronic, "
           "dc identifier issn, dc relation issn", many=True),
    _field("isbn", Message("ISBN"), "", "isbn", "ISBN", "020 a", "isbn", "", "BN", "ISBN",
           heads="isbns, e isbn, print isbn, electronic isbn, isbn/issn, isbn 13, isbn 10, "
           "isbn13, isbn10, dc identifier isbn", many=True),
    _field("publisher", Message("Publisher"), "PB", "publisher, institution, school, organization",
           "publisher", "264 b, 260 b", "publisher", "%I", "PU", "PB",
           heads="pb, verlag, maison d'édition, editorial, publisher name, publishercode, "
           "publisher code, book publisher, verlagsname, éditeur, éditeur commercial, editora, "
           "editore, casa editrice, uitgever, dc publisher, dcterms publisher"),
    _field("place", Message("Place of publication"), "CY, PP", "location, address",
           "publisher-place", "264 a, 260 a", "pub-location", "%C", "PI", "PL",
           heads="place of publication, publisher place, cy, ort, erscheinungsort, lieu, "
           "publication place, publisher city, publisher location, publisher locations, city, "
           "verlagsort, lieu d'édition, lieu de publication, lugar de publicación, lugar, "
           "luogo di pubblicazione, dc publisher place"),
    _field("edition", Message("Edition"), "ET", "edition", "edition", "250 a", "edition", "%7",
           "", "",
           heads="et, auflage, édition, edición, edition statement, ausgabe/auflage, edizione, "
           "edição"),
    _field("series", Message("Series"), "T3", "series", "collection-title", "490 a",
           "titles/tertiary-title", "%S", "SE", "CTI",
           heads="series title, reihe, collection title, serie, book series title, "
           "schriftenreihe, reihentitel, collection éditoriale, dc relation ispartofseries"),
    _field("doi", Message("DOI"), "DO, DI, M3, L3, C8", "doi", "DOI", "024 a",
           "electronic-resource-num", "%R", "DI", "",
           heads="di, doi link, digital object identifier, doi name, item doi, book doi, "
           "prism doi, doi number, ids doi, doi/url, dc identifier doi, dcterms doi"),
    _field("pmid", Message("PubMed number"), "", "pmid", "PMID", "", "", "", "PM", "PMID",
           heads="pubmed id, pubmedid, medline pmid, pm, pubmed, medline id, pubmed number, "
           "ids pmid, dc identifier pmid"),
    _field("pmcid", Message("PubMed Central number"), "C2", "pmcid", "PMCID", "", "custom2", "",
           "", "PMC", heads="pmc id, pmc, ids pmcid, pubmed central id"),
    _field("ut", Message("Web of Science number"), "", "", "", "", "", "", "UT", "",
           heads="ut (unique wos id), unique wos id, wos id, ut, wos uid, isi id, "
           "accession number (isi)"),
    _field("eid", Message("Scopus number"), "", "", "", "", "", "", "", "",
           heads="scopus eid, scopus id, eid scopus"),
    _field("openalex", Message("OpenAlex number"), "", "", "", "", "", "", "", "",
           heads="openalex id, ids openalex, openalex, openalex url"),
    _field("url", Message("Address"), "UR, LK, L2", "url", "URL", "856 u",
           "urls/related-urls/url", "%U", "", "",
           heads="link, urls, article url, document url, ur, adresse, plink, p link, permalink, "
           "pdf link, full text link, fulltext url, full text url, source urls, external url, "
           "web address, persistent link, dimensions url, primary location landing page url, "
           "article link, document link, uri, online adresse, internetadresse, webadresse, "
           "adresse url, lien, enlace, dirección, dc identifier uri, dcterms identifier, web url"),
    _field("keywords", Message("Subjects and keywords"), "KW", "keywords, keyword", "keyword",
           "653 a", "keywords/keyword", "%K", "DE, ID", "OT, MH",
           heads="author keywords, subjects, subject, tags, manual tags, index keywords, "
           "keywords plus, emtree drug index terms, mesh headings, mesh terms, fields of study, "
           "de, kw, schlagwörter, schlagworte, schlagwort, mots-clés, mots clés, palabras clave, "
           "parole chiave, keyword, author keyword, author supplied keywords, "
           "identifier keywords, subject terms, subject headings, subject heading, topics, "
           "topical subject, descriptors, automatic tags, ieee terms, controlled terms, "
           "non controlled terms, inspec controlled terms, inspec non controlled terms, mesh, "
           "major subject headings, minor subject headings, "
           "emtree drug index terms (major focus), emtree medical index terms, "
           "emtree medical index terms (major focus), emtree terms, drug terms, "
           "keywords display name, concepts display name, topics display name, thesaurus terms, "
           "indexing terms, lc subjects, lcsh, schlagwoerter, stichwörter, stichworte, "
           "deskriptoren, sachschlagwörter, themen, sujet, sujets, descripteurs, materias, "
           "materia, descriptores, palabras-clave, palavras chave, soggetti, soggetto, "
           "trefwoorden, dc subject, dcterms subject, dc subject lcsh, dc subject mesh, "
           "dc subject keywords, dc subject ddc, dc subject other", many=True),
    _field("language", Message("Language"), "LA", "language, langid", "language", "041 a",
           "language", "%G", "LA", "LA",
           heads="lang, language of original document, article language, la, sprache, langue, "
           "idioma, lingua, languages, language code, text language, language of publication, "
           "original language, language of text, publikationssprache, sprachen, langues, "
           "idiomas, lengua, taal, dc language iso, dc language, dcterms language", many=True),
    _field("source", Message("Database"), "DB, DP", "database, source", "source", "003",
           "remote-database-name", "%W, %~", "", "",
           heads="quelle, database, db, datenbank, database name, longdbname, long db name, data "
           "source, database provider, library catalog, base de données, base de datos, dc source "
           "database"),
    _field("licence", Message("Licence"), "", "copyright", "license", "540 a", "", "", "", "",
           heads="license, rights, lizenz, licencia, copyright, copyright statement, "
           "access rights, nutzungsrechte, droits, derechos, dc rights, dcterms rights, "
           "dc rights uri, license url, primary location license"),
    _field("section", Message("Section"), "SE", "", "section", "", "section", "", "", ""),
    _field("notes", Message("Notes"), "N1", "note", "note", "500 a", "notes", "%Z", "", "",
           heads="note, n1, anmerkungen, notas, anmerkung, bemerkung, bemerkungen, fußnoten, "
           "commentaires, remarques, observaciones, dc description note, general note", many=True),
)  # fmt: skip

AS_GIVEN = {"title": "title_as_given", "text": "abstract_as_given"}
"""Where a text is kept as its file has it, if readers are shown another one."""

BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}
_BESIDE = {
    "subtitle": "untertitel, remainder of title, title remainder, zusatz zum titel, "
    "zusatz zum sachtitel, titelzusatz, sous-titre, subtítulo, sottotitolo, subtitulo, 245 b",
    "first page": "page start, start page, beginning page, bp, startseite, seite von, "
    "anfangsseite, page de début, página inicial, biblio first page",
    "last page": "page end, end page, ending page, ep, endseite, seite bis, page de fin, "
    "página final, biblio last page",
    "full names": "author full names, authors full names, af, full author names",
    "corporate authors": "group authors, corporate author, collective author, ca, körperschaft, "
    "corporate creator, auteur collectif",
    "citation": "source citation, bibliographic citation, quellenangabe, full citation, "
    "citation source, référence bibliographique, dc identifier citation",
}
"""Heads of what becomes part of a field, or several fields."""

_TAGS = {
    format_: [
        (field.name, field.many, [one.split("|") for one in getattr(field, format_)])
        for field in FIELDS
        if getattr(field, format_)
    ]
    for format_ in FORMATS
}
_PLACES: dict[str, dict[str, list[int]]] = {format_: {} for format_ in FORMATS}
"""Where in `_TAGS` the fields of each tag stand."""

for _format, _fields in _TAGS.items():
    for _place, _row in enumerate(_fields):
        for _tag in dict.fromkeys(tag for same in _row[2] for tag in same):
            _PLACES[_format].setdefault(_tag, []).append(_place)
_LONGEST_HEAD = 80
_DOI = re.compile(r"(?:^|[\s:/])(10\.\d{4,9}/\S+)")
_MARK = re.compile(r"\[[\w *-]*\]\s*$")
_APART = re.compile(r"[\W_]+")


def _key(head: str) -> str:
    """Return what is the same for one head in all of its spellings: its letters and digits."""
    return _APART.sub("", unicodedata.normalize("NFKD", _MARK.sub("", head)).casefold())


def _keys() -> dict[str, str]:
    keys = {_key(one): name for name, heads in _BESIDE.items() for one in (name, *heads.split(","))}
    keys |= {_key(name): name for name in AS_GIVEN.values()}
    for field in FIELDS:
        for head in field.heads:
            keys.setdefault(_key(head), field.name)
    for field in FIELDS:  # 245$a, as catalogues' reports have it
        for code in field.marc:
            if code[:3].isdecimal() and code not in ("773 g", "773 x", "001", "003"):
                keys.setdefault(_key(code), field.name)
    return keys


_KEYS = _keys()
_RANKS = {
    _key(head): rank for field in FIELDS for rank, head in reversed([*enumerate(field.heads)])
}


@lru_cache(maxsize=4096)
def field_of(name: str) -> str:
    """Return our name of a table's column: "Article Title" is "title"; unknown ones in lower case.

    Blanks, hyphens, accents, capitals, marks of a language in brackets, and, where nothing else is
    known, what stands in parentheses make no difference.

    >>> field_of("Publication Year"), field_of("dc.title[en]"), field_of("Shelf mark")
    ('year', 'title', 'shelf mark')
    """
    plain = re.sub(r"[\s_-]+", " ", name).strip().casefold()
    if len(plain) > _LONGEST_HEAD:
        return plain
    shorter = re.sub(r"\s*\([^()]*\)\s*$", "", plain)
    return _KEYS.get(_key(plain)) or (_KEYS.get(_key(shorter)) if shorter else None) or plain


@lru_cache(4096)
def rank_of(name: str) -> int:
    """Return the place of a head among those of its field: of two, the lower one counts."""
    return _RANKS.get(_key(name), 0)


def tag_heads(names: Iterable[str]) -> dict[str, str]:
    """Return what the heads of a table mean that are tags of Web of Science or RIS.

    Parameters
    ----------
    names : iterable of str
        All heads of the table.

    Returns
    -------
    dict of str to str
        Our name of each tag that is known; empty where the heads are no tags.
    """
    heads = {name.strip().upper() for name in names if name.strip()}
    tags = {head for head in heads if re.fullmatch(r"[A-Z][A-Z0-9]", head)}
    if len(tags) < 4 or 2 * len(tags) < len(heads):
        return {}
    of_wos = "UT" in tags or ({"PT", "SO"} <= tags and "TY" not in tags)
    found = {"BP": "first page", "EP": "last page", "AF": "full names"}
    found |= {"CA": "corporate authors", "YR": "year", "UI": "number"}
    if not of_wos:
        found |= {"SP": "first page"}
    for field in FIELDS:
        for tag in "|".join(field.wos if of_wos else field.ris).split("|"):
            if tag and not (field.name == "doi" and tag not in ("DO", "DI")):
                found.setdefault(tag, field.name)
    return found


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
    places, fields = _PLACES[format_], _TAGS[format_]
    for place in sorted({place for tag in held for place in places.get(tag, ())}):
        name, many, named = fields[place]
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
