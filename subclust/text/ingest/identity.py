"""Whether two records that share an id, or seem to, are the same one."""

import re
import unicodedata
from collections.abc import Mapping
from difflib import SequenceMatcher

from subclust.core.records import Passage
from subclust.text.sources.record import MADE, digest

UNIQUE = re.compile(r"(?:doi|pmid|pmcid|ut|eid|openalex|isbn|control):", re.IGNORECASE)
"""How an id begins that no two works share."""

_MANY = frozenset(
    "keywords subjects notes note url language source abstract description merged also".split()
)
"""Fields in which two databases differ on one work."""

_MOST_UNLIKE = 0.25
"""Share of the letters of two titles, from which on what stands in one only makes two titles."""

_LIKE_WORDS = 0.75
_LEAST_WORDS = 2
_BEGINNING = 200
_WORD = re.compile(r"\w+")
_SUBTITLE = re.compile(r"\s*[:;.?!/=–—(\[]|\s+-\s")
_NUMBER = re.compile(r"\d+|[ivx]+")

# Titles that a journal has in every issue, in the languages that libraries hold most of.
_GENERIC = frozenset(
    "abstract abstracts addendum announcement announcements bibliography bookreview bookreviews "
    "commentary comment contents contributors conclusion corrigendum correction correspondence "
    "discussion editorial editorials editorsnote erratum errata foreword index inmemoriam "
    "introduction issueinformation letter letters lettertotheeditor miscellany news note notes "
    "obituary preface prologue reply response review reviews retraction tableofcontents untitled "
    "vorwort einleitung einführung editorialboard rezension rezensionen nachruf mitteilungen "
    "introducción prólogo reseña reseñas éditorial avantpropos comptesrendus préface "
    "introduzione recensioni prefazione redazionale apresentação introdução".split()
)


def title_words(title: str) -> list[str]:
    """Return the words of a title, without case, accents and signs."""
    plain = unicodedata.normalize("NFKD", title.casefold())
    return _WORD.findall("".join(sign for sign in plain if not unicodedata.combining(sign)))


def is_generic(title: str) -> bool:
    """Return whether many works have this title, as "Editorial"."""
    words = [word for word in _WORD.findall(title.casefold()) if not word.isdigit()]
    return not words or "".join(words) in _GENERIC


def titles_alike(one: str, other: str) -> bool:
    """Return whether two titles are one, perhaps with an error corrected or a subtitle added.

    Numbers must agree, so that two parts or two years of a series are two titles.
    """
    if one == other:
        return True
    first, second = title_words(one), title_words(other)
    if first == second:
        return True
    if not first or not second:
        return False
    shorter, longer = sorted((one, other), key=len)
    n_words = len(title_words(shorter))
    if n_words >= _LEAST_WORDS and _begins(shorter, longer):
        return True
    if _numbers(first) != _numbers(second):
        return False
    return _unlike(first, second) <= _MOST_UNLIKE


def heading(passage: Passage) -> str:
    """Return the title of a record, or how its text begins where it has none."""
    return passage.title or passage.text[:_BEGINNING]


def same_record(one: Passage, other: Passage) -> bool:
    """Return whether two records of one id are the same, by title, people, year and place.

    Parameters
    ----------
    one, other : Passage
        The first passage of each.
    """
    if not titles_alike(heading(one), heading(other)):
        return False
    local = one.id.partition(":")[2]
    if UNIQUE.match(local) or not one.title:
        return True
    if MADE.match(local):  # no id of its own
        first, second = one.metadata, other.metadata
        if first.get("authors") and (first.get("year") or first.get("venue")):
            return not _disagreements(first, second)
        return not _differing(first, second)  # what differs in a number is another record
    against = _disagreements(one.metadata, other.metadata)
    doi = one.metadata.get("doi", "").casefold()
    if doi and doi == other.metadata.get("doi", "").casefold():
        return True
    return len(against) < (1 if is_generic(one.title) else 2)


def _disagreements(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return the fields by which two works are told apart that both have and that differ."""
    found = []
    for name in ("doi", "year", "volume"):
        first, second = (fields.get(name, "").strip().casefold() for fields in (one, other))
        if first and second and first != second:
            found.append(name)
    people = [family_names(fields.get("authors", "")) for fields in (one, other)]
    if all(people) and not _likely_same(people[0][0], people[1][0]):
        found.append("authors")
    places = [title_words(fields.get("venue", "")) for fields in (one, other)]
    if all(places) and not _same_venue(*places):
        found.append("venue")
    return found


def family_names(authors: str) -> list[str]:
    """Return the family names of authors that are divided by semicolons."""
    names = []
    for author in authors.split(";"):
        family, comma, _ = author.partition(",")
        words = title_words(family)
        if words and not comma:  # "Ada Falk", "Falk A", "Falk AB"
            long = [word for word in words if len(word) > 2] or words
            last = words[-1] if len(words[-1]) > 2 else long[-1]
            words = [last]
        if words:
            names.append(" ".join(words))
    return names


def suffix_of(title: str, fields: Mapping[str, str] | None = None) -> str:
    """Return what tells a record apart from another one of its id.

    Parameters
    ----------
    title : str
    fields : mapping of str to str, optional
        Its metadata, where another record has the title too.
    """
    told = sorted((fields or {}).items())
    return "~" + digest(" ".join(title_words(title)), *(f"{k} {v}" for k, v in told))[:6]


def _differing(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    names = (one.keys() & other.keys()) - _MANY
    return any(title_words(one[name]) != title_words(other[name]) for name in names)


def _begins(shorter: str, longer: str) -> bool:
    """Return whether the longer title is the shorter one and a subtitle."""
    plain, whole = (" ".join(text.casefold().split()) for text in (shorter, longer))
    plain = plain.rstrip(" .:;/")
    return whole.startswith(plain) and bool(_SUBTITLE.match(whole, len(plain)))


def _numbers(words: list[str]) -> list[str]:
    return sorted(word for word in words if _NUMBER.fullmatch(word))


def _unlike(first: list[str], second: list[str]) -> float:
    """Compute the share of letters in words that have no counterpart in the other title."""
    rest = list(second)
    lonely = []
    for word in first:
        if word in rest:
            rest.remove(word)
        else:
            lonely.append(word)
    total = sum(map(len, first)) + sum(map(len, second))
    unlike = 0
    for word in lonely:
        near = next((other for other in rest if _likely_same(word, other)), None)
        if near is None:
            unlike += len(word)
        else:
            rest.remove(near)
    return (unlike + sum(map(len, rest))) / max(1, total)


def _likely_same(word: str, other: str) -> bool:
    return word == other or SequenceMatcher(None, word, other).ratio() >= _LIKE_WORDS


def _same_venue(one: list[str], other: list[str]) -> bool:
    """Return whether a journal may be the other one abbreviated: "J Chem Phys"."""
    shorter, longer = sorted((one, other), key=lambda words: sum(map(len, words)))
    rest = iter(longer)
    return all(any(word.startswith(part[:4]) for word in rest) for part in shorter)
