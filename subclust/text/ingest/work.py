"""A record as it is compared with others, each field in the one form that tells works apart."""

import re
from collections.abc import Mapping
from functools import cached_property

from subclust.core.records import Passage
from subclust.text.ingest.identity import family_names, is_generic, title_words

ORDINALS = {
    word: number
    for number, words in enumerate(
        (
            "first one erste erster erstes première primera un",
            "second two zweite zweiter zweites deuxième segunda zwei",
            "third three dritte dritter drittes troisième tercera drei",
            "fourth four vierte vierter viertes quatrième cuarta vier",
            "fifth five fünfte fünfter fünftes cinquième quinta fünf",
        ),
        start=1,
    )
    for word in (" ".join(title_words(words))).split()
}
"""Numbers by the words that stand for them."""

_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)")
_DAY = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}")
_BORDER = re.compile(r"(?:(?<!\s)\s+)?[:;.?!/=–—(\[]\s*|(?<!\s)\s+-+\s+")
_PAGES = re.compile(r"((?<![a-z])[a-z]+|)(\d+)(?:\s*[-‐‑–—−]+\s*([a-z]*)(\d+))?", re.IGNORECASE)
_EXTENT = re.compile(r"\d+\s*(?:p|pp|s|seiten|pages|leaves|bl)\b\.?", re.IGNORECASE)
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]")
_PREPRINT = re.compile(
    r"arxiv|\wrxiv|ssrn|pre-?print|research ?square|osf\.io|^10\.48550/|^10\.1101/\d|^10\.21203/",
    re.IGNORECASE,
)
_CONFERENCE = re.compile(r"\.\s+conference\b.*", re.IGNORECASE)
"""As Embase tells of a journal's supplement: "Heart. Conference: Annual Meeting"."""

_REMARK = re.compile(
    r"(?:(?<!\W)\W+)?\[\s*(?:(?:published )?erratum (?:appears|in)|retraction in|see comments?|"
    r"republished|corrected|summary (?:for|in))\b[^\]]*\]?\W*$"
    r"|(?<=[.\]])\s*\[[A-Z][a-z]+\]\s*$|<ORIGINAL>.*",
    re.IGNORECASE,
)
"""What databases add to a title: where it was corrected, and its language or first words."""

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_AS_DAY = re.compile(rf"(?:(\d+)-)?({'|'.join(_MONTHS)})(?:-(\d+))?")
"""Pages that a spreadsheet took for a day."""

_IN_PARENTHESES = re.compile(r"\(([^()]*)\)?")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_LABELS = frozenset("v vol volume bd band jg tome t no nr num number issue iss heft h n pt".split())
_SUPPLEMENTS = frozenset("s sup supp suppl suppls supplement supplements".split())
_LEADING = frozenset("the a an der die das ein eine le la les l el los las il lo".split())
_SMALL = frozenset("of the and for in on a an de la le des du der die das und fur et y e".split())
_KINDS = {
    "book": "book",
    "pamphlet": "book",
    "chapter": "chapter",
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "paper-conference": "conference",
    "thesis": "thesis",
    "dataset": "dataset",
    "patent": "patent",
}


class Work:
    """A record as it is compared.

    Parameters
    ----------
    id : str
        Of the document.
    title : str
    fields : mapping of str to str
        The metadata of its first passage.

    Attributes
    ----------
    is_column : bool
        Whether its title stands in a journal each year, as the others tell.
    """

    def __init__(self, id_: str, title: str, fields: Mapping[str, str]) -> None:
        self.id = id_
        self.title = title
        self.fields = fields
        self.is_column = False

    @classmethod
    def of(cls, passage: Passage, document: str) -> "Work":
        """Return the one whose first passage this is."""
        return cls(document, passage.title, passage.metadata)

    def _plain(self, name: str) -> str:
        return self.fields.get(name, "").strip().casefold()

    @cached_property
    def words(self) -> list[str]:
        """Of the title, without an article at its beginning."""
        words = title_words(_REMARK.sub("", self.title).replace("&", " and "))
        return words[1:] if len(words) > 1 and words[0] in _LEADING else words

    @cached_property
    def main(self) -> list[str]:
        """Words of the title before its first border, such as a colon."""
        # From the second character, since a title may begin with a bracket.
        at = _BORDER.search(self.title.strip(), 1)
        return self.words if at is None else Work("", self.title.strip()[: at.start()], {}).words

    @cached_property
    def year(self) -> int | None:
        """Of publication."""
        found = _YEAR.search(self._plain("year") or self._plain("date"))
        return int(found[0]) if found else None

    @cached_property
    def authors(self) -> list[str]:
        """Family names."""
        return family_names(self.fields.get("authors", ""))

    @cached_property
    def initial(self) -> str:
        """Of the first author's first given name; empty where none is told."""
        first = self.fields.get("authors", "").split(";")[0]
        family, comma, given = first.partition(",")
        words = title_words(given if comma else family)
        if not comma:
            last = self.authors[0] if self.authors else ""
            words = [word for word in words if word != last]
        return words[0][0] if words else ""

    @cached_property
    def doi(self) -> str:
        """In lower case."""
        return self._plain("doi")

    @cached_property
    def pages(self) -> tuple[str, str]:
        """First and last page; the last is empty where it is not told."""
        told = self._plain("pages") or self._plain("article_number")
        if as_day := _AS_DAY.fullmatch(told):
            number = int(as_day[1] or as_day[3] or 0)
            low, high = sorted((number, _MONTHS.index(as_day[2]) + 1))
            return (str(low), str(high)) if low else ("", "")
        found = None if _EXTENT.fullmatch(told) else _PAGES.search(told)
        if found is None:
            return "", ""
        letter, first, _, last = found.groups()
        if last and len(last) < len(first):  # "123-9"
            last = first[: -len(last)] + last
        return f"{letter}{first.lstrip('0')}", (last or "").lstrip("0")

    @cached_property
    def volume(self) -> tuple[str, ...]:
        """Its numbers and words, without what stands in parentheses: "82(3)", "Vol. 82"."""
        told = _IN_PARENTHESES.sub(" ", self._plain("volume"))
        return () if ")" in told else _pieces(told)  # the end of something that was cut off

    @cached_property
    def issue(self) -> tuple[str, ...]:
        """Its numbers and words in any order: "3 Suppl", "S3"; perhaps out of the volume."""
        found = _IN_PARENTHESES.search(self._plain("volume"))
        return tuple(sorted(_pieces(self._plain("issue") or (found[1] if found else ""))))

    @cached_property
    def isbns(self) -> frozenset[str]:
        """Without their check digit, as ISBN-10 has them."""
        found = (re.sub(r"[- ]", "", one) for one in _ISBN.findall(self._plain("isbn")))
        return frozenset(one[-10:-1] for one in found)

    @cached_property
    def edition(self) -> str:
        """Its number, or its words; empty for the first, and where it is a date or an article.

        Of PubMed's records, EndNote writes there when an article was first on the internet.
        """
        told = self._plain("edition")
        if self.kind == "article" or _DAY.search(told):
            return ""
        words = title_words(told)
        for word in words:
            number = re.match(r"\d+", word)
            told = number[0] if number else str(ORDINALS.get(word, ""))
            if told:
                return "" if told == "1" else told
        return " ".join(words)

    @cached_property
    def kind(self) -> str:
        """Of document; empty where it tells nothing."""
        told = _KINDS.get(self._plain("type"), "")
        return told or ("book" if self.isbns and not self._plain("venue") else "")

    @cached_property
    def venue(self) -> list[str]:
        """Words of the journal's name, without small ones and what stands in parentheses."""
        told = _CONFERENCE.sub("", self.fields.get("venue", ""))
        told = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", told).replace("&", " ")
        return [word for word in title_words(told) if word not in _SMALL]

    @cached_property
    def is_preprint(self) -> bool:
        """Whether it has not been published in a journal."""
        if self._plain("volume"):
            return False
        told = [self._plain(name) for name in ("venue", "type", "doi")]
        if not told[0]:
            told += [self._plain(name) for name in ("source", "url", "publisher")]
        return any(_PREPRINT.search(one) for one in told)

    @property
    def is_generic(self) -> bool:
        """Whether many works have its title."""
        return self.is_column or self._is_generic

    @cached_property
    def _is_generic(self) -> bool:
        return is_generic(self.title)


def _pieces(told: str) -> tuple[str, ...]:
    pieces = (one.lstrip("0") for one in _PIECE.findall(told) if one not in _LABELS)
    return tuple("suppl" if one in _SUPPLEMENTS else one for one in pieces)
