"""Kinds of documents, and what formats and databases call them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache


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
          "Conference Paper",
          "conference proceedings, proceedings paper, conferencepaper, proceedings article"),
    _kind("thesis", "THES", "thesis phdthesis mastersthesis", "Thesis",
          "dissertation, doctoral thesis, hochschulschrift, dissertation/thesis, thèse, tesis"),
    _kind("report", "RPRT", "report techreport", "Report", "technical report, working paper"),
    _kind("webpage", "ELEC WEB BLOG", "online electronic www", "Web Page", "website, blog"),
    _kind("dataset", "DATA AGGR", "dataset", "Dataset", "data set, online database"),
    _kind("patent", "PAT", "patent", "Patent", "patent application, granted patent"),
    _kind("standard", "STAND", "standard", "Standard"),
    _kind("map", "MAP", "", "Map"),
    _kind("manuscript", "UNPB MANSCPT", "unpublished", "Unpublished Work",
          "manuscript, preprint, posted content"),
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
    "ab": "article-journal", "am": "book", "as": "periodical", "tm": "manuscript", "em": "map",
    "mm": "software", "gm": "motion_picture", "jm": "song", "km": "graphic", "ai": "webpage",
    "pm": "document",
}  # fmt: skip
"""Kinds of documents by positions 6 and 7 of MARC 21's leader; others stand in field 655."""

_KIND_OF = {
    **{word: kind.name for kind in reversed(KINDS) for word in kind.words},
    **{type_.casefold(): kind.name for kind in reversed(KINDS) for type_ in kind.bibtex},
    **{type_.casefold(): kind.name for kind in reversed(KINDS) for type_ in kind.ris},
    **{kind.name: kind.name for kind in KINDS},
}


@lru_cache(4096)
def kind_of(given: str) -> str:
    """Return the kind of a document by the name that any format or database has for it.

    >>> kind_of("CHAP"), kind_of("Book Section"), kind_of("phdthesis"), kind_of("Podcast")
    ('chapter', 'chapter', 'thesis', 'Podcast')
    """
    plain = given.strip().casefold()
    return _KIND_OF.get(plain) or _KIND_OF.get(plain.replace("-", " ")) or given.strip()
