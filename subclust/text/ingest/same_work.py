"""Whether two records are of one work, by the fields that librarians compare, and with reasons."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from subclust.text.ingest.identity import title_words
from subclust.text.ingest.work import ORDINALS, Work

Certainty = Literal["same", "probable"]

POINTS_SAME = 5
POINTS_PROBABLE = 3
"""Points of agreement from which on two records are told to be one; set by hand, and left as they
were after the validation half of `benchmarks.duplicates`."""

MOST_DIFFERENT = 2
"""Fields beside title, authors and year that may differ in what is probably one work."""

_LONG_TITLE = 20
_TRUNCATED = 30
"""Letters of a title that is cut off anywhere."""

_LIKE_TITLES = 0.9
_LIKE_WORDS = 0.8
_MOST_TYPED = 64
_NUMBER = re.compile(r"\d\w*|[ivx]+|[b-hj-z]")
_LOST = re.compile(r"[?\ufffd](?=[^\W\d_])|(?<=[^\W\d_])\ufffd")
_PARTS = frozenset("part parts teil band volume vol bd partie tome parte book buch heft".split())
_ANSWERS = frozenset(
    "erratum errata corrigendum corrigenda correction corrections retraction retracted addendum "
    "reply rejoinder response comment comments berichtigung erwiderung rezension besprechung "
    "abstract poster supplement supplementary".split()
)
_FIRST_ONLY = frozenset("review reviews discussion summary commentary recension".split())
_SERIAL = re.compile(
    r"\b(?:annual|yearbook|year book|almanac|jahrbuch|jahresbericht|annuaire|proceedings|"
    r"(?:quarterly|monthly|biennial|activity) report|rapport annuel|tatigkeitsbericht|"
    r"statistics of|directory)\b"
)


@dataclass(frozen=True)
class Likeness:
    """What of two records agrees and differs, and how sure it is that they are one work.

    Parameters
    ----------
    agree, differ : tuple of str
        Names of fields that both have.
    certainty : {"same", "probable"}
    """

    agree: tuple[str, ...]
    differ: tuple[str, ...]
    certainty: Certainty


def compare(one: Work, other: Work) -> Likeness | None:
    """Return what speaks for two records being of one work; None where they are two.

    Two records are the same where the DOI is one or enough fields agree, and none by which works
    are told apart differs. Never the same are parts, editions, answers to a work and reviews of it,
    generic titles of other issues, and yearbooks of other years.
    """
    title, rest = _titles(one, other)
    agree, differ = _fields(one, other)
    is_one_doi = "doi" in agree
    if not title:
        translated = is_one_doi and "authors" in agree and differ.isdisjoint(("year", "pages"))
        if translated and _numbers(one.words) == _numbers(other.words):
            return _likeness(agree, differ | {"title"}, "probable")
        return None
    (agree if title == "equal" else differ).add("title")
    if _is_answer(rest) or "edition" in differ:
        return None
    if "type" in differ and not is_one_doi:
        articles = {one.kind, other.kind} == {"article", "conference"}
        if not articles:
            return None
        if "venue" in agree:
            differ.discard("type")
    if one.is_preprint != other.is_preprint:
        return _with_preprint(one, other, agree, differ, rest)
    if "authors" in differ:
        generic = one.is_generic or other.is_generic
        located = is_one_doi or ({"year", "venue", "volume", "pages"} <= agree and not generic)
        return _likeness(agree, differ, "probable") if located and title == "equal" else None
    if "doi" in differ:
        everything = {"venue", "volume", "pages"} <= agree
        return _likeness(agree, differ, "probable") if everything else None
    place = {"volume", "pages"} <= agree or ("pages" in agree and "venue" in agree)
    if one.is_generic or other.is_generic:
        sure = is_one_doi or ({"year", "volume", "pages"} <= agree)
        apart = differ & {"year", "volume", "pages", "venue"}
        return _likeness(agree, differ, "same") if sure and not apart else None
    hazard = _is_part(rest) and not place
    if is_one_doi:
        apart = differ & {"volume", "pages", "isbn", "type", "year"}
        sure = len(apart) < 2 and not hazard and not {"isbn", "type", "pages"} & apart
        return _likeness(agree, differ, "same" if sure else "probable")
    is_serial = bool(_SERIAL.search(" ".join(one.words)) or _SERIAL.search(" ".join(other.words)))
    if "year" in differ:
        near = abs((one.year or 0) - (other.year or 0)) == 1
        if is_serial or not near or "volume" in differ or "pages" in differ:
            return None
        certain = {"volume", "pages"} <= agree and "venue" not in differ
        if not certain:
            enough = "authors" in agree and "venue" not in differ and title != "alike"
            return _likeness(agree, differ, "probable") if enough else None
    apart = differ & {"volume", "issue", "pages", "isbn", "type", "venue"}
    if {"authors", "year", "volume", "pages"} <= agree:  # names of journals are also translated
        apart -= {"issue"} if title == "alike" else {"issue", "venue"}
    points = _points(one, other, title, agree)
    if len(apart) > MOST_DIFFERENT or points < POINTS_PROBABLE:
        return None
    if is_serial and "year" not in agree:
        return _likeness(agree, differ, "probable")
    known = "authors" in agree or "isbn" in agree or {"venue", "volume", "pages"} <= agree
    sure = known and not apart and not hazard and points >= POINTS_SAME
    if title == "alike":
        sure = sure and place
    return _likeness(agree, differ, "same" if sure else "probable")


def _likeness(agree: set[str], differ: set[str], certainty: Certainty) -> Likeness:
    return Likeness(tuple(sorted(agree)), tuple(sorted(differ)), certainty)


def _with_preprint(
    one: Work, other: Work, agree: set[str], differ: set[str], rest: list[str]
) -> Likeness | None:
    """Compare a preprint with what may be the article."""
    if "authors" not in agree or one.is_generic or _is_part(rest):
        return None
    apart = abs((one.year or 0) - (other.year or 0)) if one.year and other.year else 0
    if apart > 3:
        return None
    years = bool(one.year and other.year) and apart <= 1
    long = "title" in agree and len("".join(one.words)) >= _LONG_TITLE
    return _likeness(agree, differ, "same" if years and long else "probable")


def _points(one: Work, other: Work, title: str, agree: set[str]) -> int:
    long = title == "equal" and len("".join(one.words)) >= _LONG_TITLE and len(one.words) > 2
    points = 2 if long else 1
    if "authors" in agree:
        points += 1 + (len(one.authors) > 1)
    if "pages" in agree:
        points += 1 + bool(one.pages[1] and one.pages[1] == other.pages[1])
    return points + sum(n for name, n in _WORTH.items() if name in agree)


_WORTH = {"year": 1, "venue": 1, "volume": 1, "isbn": 3}


def _titles(one: Work, other: Work) -> tuple[str, list[str]]:
    """Return how two titles are one, empty where they are two, and the words that only one has."""
    first, second = one.words, other.words
    if not first or not second:
        return "", []
    if first == second or "".join(first) == "".join(second) or _is_spoilt(one, other):
        return "equal", []
    shorter, longer = sorted((one, other), key=lambda work: len("".join(work.words)))
    n_words = len(shorter.words)
    begins = longer.words[:n_words] == shorter.words
    if begins and longer.main == shorter.words and (n_words > 1 or len(shorter.words[0]) > 7):
        return "subtitle", longer.words[n_words:]
    whole, part = " ".join(longer.words), " ".join(shorter.words)
    if len(part) >= _TRUNCATED and whole.startswith(part):
        return "cut off", longer.words[n_words - (not begins) :]
    if n_words < 3 or _numbers(first) != _numbers(second):
        return "", []
    return ("alike", []) if _are_alike(first, second) else ("", [])


def _is_spoilt(one: Work, other: Work) -> bool:
    """Return whether only letters differ that an encoding has lost: "Caf? au lait"."""
    for spoilt, whole in ((one, other), (other, one)):
        pieces = ["".join(title_words(piece)) for piece in _LOST.split(spoilt.title)]
        if len(pieces) > 1 and len(min(pieces, key=len)) > 0:
            pattern = r"\w{0,2}".join(map(re.escape, pieces))
            if re.fullmatch(pattern, "".join(title_words(whole.title))):
                return True
    return False


def _are_alike(first: list[str], second: list[str]) -> bool:
    """Return whether titles differ in how words are spelt only."""
    if abs(len(first) - len(second)) > 1:
        return False
    lonely, others = [w for w in first if w not in second], [w for w in second if w not in first]
    if max(len(lonely), len(others)) > 3:
        return False
    one, other = "".join(lonely), "".join(others)
    total = sum(map(len, first)) + sum(map(len, second))
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    equal = sum(block.size for block in matcher.get_matching_blocks())
    typed = len(one) + len(other) - 2 * equal
    return typed <= (1 - _LIKE_TITLES) * total and matcher.ratio() >= _LIKE_WORDS


def _numbers(words: list[str]) -> list[str]:
    return sorted(
        str(ORDINALS.get(word, word))
        for word in words
        if word in ORDINALS or _NUMBER.fullmatch(word)
    )


def _is_part(rest: list[str]) -> bool:
    return bool(_numbers(rest)) or not _PARTS.isdisjoint(rest)


def _is_answer(rest: list[str]) -> bool:
    near = rest if len(rest) <= 6 else rest[:2]
    return not _ANSWERS.isdisjoint(near) or bool(rest and rest[0] in _FIRST_ONLY)


def _fields(one: Work, other: Work) -> tuple[set[str], set[str]]:
    """Return the names of the fields that agree and that differ, of those that both have."""
    told: dict[str, bool | None] = {
        "doi": one.doi == other.doi if one.doi and other.doi else None,
        "year": one.year == other.year if one.year and other.year else None,
        "authors": _same_people(one, other),
        "venue": _same_venue(one.venue, other.venue),
        "pages": _same_pages(one, other),
        "isbn": bool(one.isbns & other.isbns) if one.isbns and other.isbns else None,
        "type": one.kind == other.kind if one.kind and other.kind else None,
    }
    for name, first, second in (
        ("volume", one.volume, other.volume), ("issue", one.issue, other.issue)
    ):  # fmt: skip
        told[name] = first == second if first and second else None
    if one.edition or other.edition:
        told["edition"] = _same_edition(one, other, told["isbn"])
    agree = {name for name, same in told.items() if same}
    return agree, {name for name, same in told.items() if same is False}


def _same_edition(one: Work, other: Work, isbn: bool | None) -> bool | None:
    if one.edition == other.edition:
        return True
    told = "edition" in one.fields and "edition" in other.fields
    if not told and (isbn or one.year == other.year):  # one of the records does not tell it
        return None
    return False


def _same_people(one: Work, other: Work) -> bool | None:
    shorter, longer = sorted((one.authors, other.authors), key=len)
    if not shorter:
        return None
    initials = {one.initial, other.initial} - {""}
    if not _is_name(one.authors[0], other.authors[0]):
        return len(shorter) == len(longer) and _n_found(shorter, longer) == len(longer) > 1
    if len(initials) > 1:
        return False
    return _n_found(shorter, longer) >= 0.7 * len(shorter)


def _n_found(shorter: list[str], longer: list[str]) -> int:
    return sum(any(_is_name(name, other) for other in longer) for name in shorter[:_MOST_TYPED])


def _is_name(one: str, other: str) -> bool:
    if one == other or one.split()[-1] == other.split()[-1]:
        return True
    if other in one.split()[:1] or one in other.split()[:1]:  # "Lynch Jr", "Dias Mda"
        return True
    near = one[0] == other[0] and min(len(one), len(other)) > 3
    return near and SequenceMatcher(None, one, other).ratio() >= _LIKE_WORDS


def _same_pages(one: Work, other: Work) -> bool | None:
    (first, last), (second, end) = one.pages, other.pages
    if not first or not second:
        return None
    if first != second and "1" in (first, second):  # an article's number, and pages within it
        return None
    if first == "1":  # as of many articles
        return second == "1" and (not last or not end or last == end)
    long = min(len(first), len(second)) > 4
    return first == second or (long and first.lstrip("e") == second.lstrip("e"))


def _same_venue(one: list[str], other: list[str]) -> bool | None:
    """Return whether two names are of one journal, perhaps abbreviated: "J Chem Phys", "PNAS"."""
    if not one or not other:
        return None
    shorter, longer = sorted((one, other), key=lambda words: sum(map(len, words)))
    if len(shorter) == 1 < len(longer):
        return shorter[0] == "".join(word[0] for word in longer)[: max(3, len(shorter[0]))]
    rest = iter(longer)
    if not all(any(_abbreviates(part, word) for word in rest) for part in shorter):
        return False
    return len(shorter) == len(longer) or (
        len(shorter) > 2 and sum(map(len, shorter)) < 0.7 * sum(map(len, longer))
    )


def _abbreviates(part: str, word: str) -> bool:
    if part[0] != word[0]:
        return False
    letters = iter(word)
    return word.startswith(part) or all(letter in letters for letter in part)
