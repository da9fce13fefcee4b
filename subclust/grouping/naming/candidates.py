"""What a group may be named: noun phrases of its passages, and headings that many texts have.

Each candidate has numbers that say how well it stands for its group; `subclust.grouping.naming.
headings` learnt what they are worth.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.naming.headings import Headings, counted
from subclust.grouping.naming.noun_phrases import is_name, language_of
from subclust.grouping.naming.phrases import (
    PhraseTable,
    asked_roots,
    phrase_table,
    says_only,
    words_of,
)
from subclust.grouping.naming.places import Places
from subclust.grouping.naming.weights import WeightedPhrases
from subclust.grouping.naming.words import EMPTY_WORDS, is_in_latin, root, stem

_EARLY = 30
"""Words of a passage that are its beginning: a title or a first sentence."""

_PHRASES, _LONE, _BANK = 16, 8, 25
"""At most so many candidates a group: phrases of several passages, of one, and headings."""

LARGE, _ENOUGH = 4, 4
"""Passages of a group, and phrases that several of them hold, from which on those of one do not
count: what one passage says seldom names what many are about."""

_TYPICAL = 0.3
"""Share of a group's passages that must have a name of one word in capitals."""

_ALONE = 0.6
"""Share of its places in which a word that is to stand alone may be followed by another."""

APART = 2.0
"""How much more often passages of the group than others must have a word that names it alone."""

_MOSTLY = 0.5
"""Share of passages that begin in Latin letters above which a group has no name in others."""

_NAME = re.compile(r"\b[A-Z]\w*(?: [A-Z]\w*)+")
"""Capitals side by side, as in "Civil War service"; one alone may be there by chance."""

LONGEST = 60
"""Characters of a name; what is longer is no word of any language."""

WORDING = (
    "in the bank", "frequency as a heading", "share of its passages", "share elsewhere",
    "largest share elsewhere", "number of its passages", "size of the group", "number of groups",
    "weight", "weight beside the heaviest", "passages with its words", "such passages elsewhere",
    "words", "joining word", "letters", "capitals", "earliest place", "share at the beginning",
    "last word", "words of headings", "first word", "words of the query", "plural", "gerund",
    "held twice", "word before", "word behind", "of behind", "share within a longer one",
    "share of its beginning or end", "two joined",
)  # fmt: skip
"""Names of the columns."""


@dataclass
class Candidates:
    """The candidates of some groups, those of a group side by side.

    Parameters
    ----------
    texts : list of str
        As a heading has them, a first capital apart.
    groups : list of int
        Place of the group of each candidate.
    wording : list of list of float
        The columns of `WORDING`.
    said_by : list of frozenset of int
        Passages of the group that hold it.
    """

    texts: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    wording: list[list[float]] = field(default_factory=list)
    said_by: list[frozenset[int]] = field(default_factory=list)

    def of(self, rows: Sequence[int]) -> "Candidates":
        """Return some of them, in this order."""
        return Candidates(
            [self.texts[row] for row in rows],
            [self.groups[row] for row in rows],
            [self.wording[row] for row in rows],
            [self.said_by[row] for row in rows],
        )


class Said:
    """The passages of some groups as words, and the candidates in them.

    Parameters
    ----------
    query : Query
    passages : sequence of str
        Texts of grouped passages, n_passages of them.
    group_of : ndarray of shape (n_passages,)
        Place of the group of each, from 0.
    n_groups : int
    headings : Headings
    are_records : bool
        Of which an English word seldom names several: it does not count as enough.
    """

    def __init__(
        self,
        query: Query,
        passages: Sequence[str],
        group_of: IntArray,
        n_groups: int,
        headings: Headings,
        *,
        are_records: bool = False,
    ) -> None:
        self.headings, self.n_groups = headings, n_groups
        self.language = language_of(passages)
        self.languages = [
            language_of(
                (passages[int(row)] for row in np.flatnonzero(group_of == group)), self.language
            )
            for group in range(n_groups)
        ]
        self._in_latin = [
            float(np.mean([is_in_latin(_first_word(passages[int(row)])) for row in rows])) > _MOSTLY
            for rows in (np.flatnonzero(group_of == group) for group in range(n_groups))
        ]
        self._needs_phrases = are_records and self.language == "en"
        self.table: PhraseTable = phrase_table(passages, query.subject)
        self.weighted = WeightedPhrases.of(self.table, group_of, n_groups)
        self._sizes: list[int] = np.bincount(group_of, minlength=n_groups).tolist()
        self._forms: dict[tuple[str, int | None], _Form] = {}
        self.asked = asked_roots(query.subject)
        self._passages, self._group_of = passages, group_of
        self._place_of: list[int] = group_of.tolist()

    def of(self, group: int, n: int, n_lone: int, bank: Sequence[int]) -> Candidates:
        """List the candidates of a group.

        Parameters
        ----------
        group : int
        n, n_lone : int
            At most so many phrases that two passages hold, and that one holds.
        bank : sequence of int
            Rows of the headings that come into question.
        """
        found = Candidates()
        held = self.weighted.held_by[:, group]
        heaviest = float(self.weighted.weights[:, group].max(initial=1e-6))
        chosen: dict[str, int | None] = {}
        for is_lone, usable, most in ((False, held >= 2, n), (True, held == 1, n_lone)):
            enough = [text for text in chosen if " " in text or not self._needs_phrases]
            if is_lone and len(enough) >= _ENOUGH and self._sizes[group] >= LARGE:
                break
            taken = 0
            for heavy in self._heaviest(np.flatnonzero(usable), group, 4 * most):
                if taken == most:
                    break
                # German nouns have capitals, so that these tell no name.
                is_english = self.languages[group] == "en"
                text = self.table.whole(heavy) if is_english else self.table.text(heavy)
                if self._may_name(text, heavy, group):
                    row = self.headings.row_of(text) if text[:1].isupper() else None
                    # "Award", a piece of names, is headed "awards".
                    text = text if row is None else self.headings.bank[row]
                    taken += text not in chosen
                    chosen.setdefault(text, heavy)
        keys = {counted(text) for text in chosen}
        for row in bank if self.languages[group] == "en" else ():  # its headings are English
            text = self.headings.bank[row]
            is_new = counted(text) not in keys and not says_only(text, self.asked)
            if is_new and self._says_names_of(text, group):
                chosen[text] = self.table.find([stem(word) for word in words_of(text)])
        numbers = {
            f" {counted(text)} ": self._n_holding(phrase, group) for text, phrase in chosen.items()
        }
        for text, phrase in chosen.items():
            found.texts.append(text)
            found.groups.append(group)
            columns = self._numbers(text, phrase, group, heaviest)
            found.wording.append([*columns, *_beside_others(f" {counted(text)} ", numbers), 0.0])
            found.said_by.append(self._said_by(phrase, group))
        return found

    def share_with(self, text: str, group: int) -> float:
        """Return the share of a group's passages that have a word of a name, 0 to 1."""
        stems = [stem(word) for word in _telling(text)]
        return int(self._having(stems)[group]) / max(self._sizes[group], 1)

    def _says_names_of(self, heading: str, group: int) -> bool:
        """Return whether a passage of the group says each name in a heading of other texts."""
        own = [self._passages[row] for row in np.flatnonzero(self._group_of == group).tolist()]
        return all(any(name in text for text in own) for name in _NAME.findall(heading))

    def _may_name(self, text: str, phrase: int, group: int) -> bool:
        """Return whether a phrase is no fragment, and a name alone is typical of the group."""
        if len(text) > LONGEST or self.table.after_initial(phrase) > _ALONE:
            return False
        if self._in_latin[group] and not is_in_latin(text):
            return False
        if " " not in text and self.languages[group] == "en":  # German nouns have capitals, too
            if text[:1].isupper():
                stands = self._n_holding(phrase, group) >= _TYPICAL * self._sizes[group]
            else:
                share, elsewhere, _ = _shares(
                    self.weighted.held_by[phrase].tolist(), self._sizes, group
                )
                stands = self.table.going_on(phrase)[1] <= _ALONE and share >= APART * elsewhere
            if not stands:
                return False
        return is_name(text, self.languages[group])  # last, since tagging takes longest

    def _said_by(self, phrase: int | None, group: int) -> frozenset[int]:
        holding = self.table.passages_with(phrase) if phrase is not None else ()
        return frozenset(one for one in holding if self._place_of[one] == group)

    def _n_holding(self, phrase: int | None, group: int) -> int:
        return 0 if phrase is None else int(self.weighted.held_by[phrase, group])

    def _heaviest(self, usable: IntArray, group: int, n: int) -> list[int]:
        weight, earliest = self.weighted.weights[:, group], self.table.earliest
        if len(usable) > n:
            usable = usable[weight[usable] >= np.partition(weight[usable], -n)[-n]]
        return sorted(
            usable.tolist(),
            key=lambda phrase: (
                -round(float(weight[phrase]), 6),
                earliest[phrase],
                self.table.key(phrase),
            ),
        )[:n]

    def _numbers(self, text: str, phrase: int | None, group: int, heaviest: float) -> list[float]:
        if (text, phrase) not in self._forms:
            self._forms[text, phrase] = self._form(text, phrase)
        form = self._forms[text, phrase]
        size = self._sizes[group]
        share, elsewhere, largest = _shares(form.held, self._sizes, group)
        with_words, with_words_elsewhere, _ = _shares(form.having, self._sizes, group)
        weight = float(self.weighted.weights[phrase, group]) if phrase is not None else 0.0
        return [
            *form.in_bank,
            share,
            elsewhere,
            largest,
            float(np.log1p(form.held[group])),
            float(np.log1p(size)),
            float(np.log1p(self.n_groups)),
            weight,
            weight / heaviest,
            with_words,
            with_words_elsewhere,
            *form.columns,
            float(form.held[group] >= 2),
            *form.going_on,
        ]

    def _form(self, text: str, phrase: int | None) -> "_Form":
        """Return what a candidate has in whatever group."""
        words = words_of(text)
        telling = _telling(text)
        stems = [stem(word) for word in telling]
        row = self.headings.row_of(text)
        odds = [self.headings.odds_of(one) for one in stems] or [0.0]
        held, place, early = self._held(phrase)
        count = 0.0 if row is None else float(np.log1p(self.headings.counts[row]))
        return _Form(
            held.tolist(),
            self._having(stems).tolist(),
            (float(row is not None), count),
            (
                float(len(words)),
                float(len(telling) < len(words)),
                len(text) / 20,
                sum(word[:1].isupper() for word in telling) / max(len(telling), 1),
                place,
                early,
                odds[-1],
                sum(odds) / len(odds),
                odds[0],
                sum(root(word) in self.asked for word in telling) / max(len(telling), 1),
                float(telling[-1].lower() != stems[-1]) if telling else 0.0,
                float(bool(telling) and telling[-1].endswith("ing")),
            ),
            (0.0, 0.0, 0.0)
            if phrase is None or self.language != "en"
            else self.table.going_on(phrase),
        )

    def _held(self, phrase: int | None) -> tuple[IntArray, float, float]:
        """Return how many passages of each group hold a phrase, and how near to their beginning."""
        if phrase is None:
            return np.zeros(self.n_groups, dtype=np.int64), 1.0, 0.0
        offsets = self.table.offsets(phrase)
        early = float((offsets < _EARLY).mean())
        return self.weighted.held_by[phrase], min(float(offsets.min()) / 100, 1.0), early

    def _having(self, stems: Sequence[str]) -> IntArray:
        """Return how many passages of each group have a word of some."""
        having = np.zeros(len(self._passages), dtype=bool)
        for word in stems:
            having[self.table.passages_of(word)] = True
        return np.bincount(self._group_of[having], minlength=self.n_groups)


class _Form(NamedTuple):
    """What a candidate has in whatever group.

    Parameters
    ----------
    held, having : list of int
        How many passages of each group hold it, and any of its words.
    in_bank, columns, going_on : tuple of float
        The columns of `WORDING` that no group changes: the first two, those of the form, and those
        of `PhraseTable.going_on`.
    """

    held: list[int]
    having: list[int]
    in_bank: tuple[float, ...]
    columns: tuple[float, ...]
    going_on: tuple[float, float, float]


def _telling(text: str) -> list[str]:
    return [word for word in words_of(text) if word.lower() not in EMPTY_WORDS]


def _first_word(text: str) -> str:
    return next(iter(text.split(maxsplit=1)), "")


def _beside_others(key: str, numbers: Mapping[str, int]) -> tuple[float, float]:
    """Return how much of a phrase longer ones account for, and how much of shorter ones it does.

    Parameters
    ----------
    key : str
        As the phrase is counted, between blanks.
    numbers : mapping of str to int
        Of all candidates of a group, written alike, how many passages hold them.
    """
    n = max(numbers[key], 1)
    longer = (m for other, m in numbers.items() if key in other and other != key)
    shorter = [m for other, m in numbers.items() if other in key and other != key]
    return min(max(longer, default=0) / n, 1.0), min(n / max([*shorter, 1]), 1.0)


def _shares(held: Sequence[int], sizes: Sequence[int], group: int) -> tuple[float, float, float]:
    """Return the shares of the group's passages, of all others and of another group at most."""
    elsewhere = (sum(held) - held[group]) / max(sum(sizes) - sizes[group], 1)
    others = (n / max(size, 1) for n, size in zip(held, sizes, strict=True))
    largest = max((share for place, share in enumerate(others) if place != group), default=0.0)
    return held[group] / max(sizes[group], 1), elsewhere, largest


def candidates_of(
    said: Said, wanted: Sequence[int], places: Places | None, headings: Headings
) -> Candidates:
    """List the candidates of some groups."""
    likely: list[list[int]] = []
    if places is not None and places.aimed is not None and places.fits is not None:
        likely = headings.likely(places.aimed, places.fits, _BANK)[0].tolist()
    found = Candidates()
    for group in wanted:
        some = said.of(group, _PHRASES, _LONE, likely[group] if likely else ())
        found.texts += some.texts
        found.groups += some.groups
        found.wording += some.wording
        found.said_by += some.said_by
    return found


def columns_of(
    found: Candidates, vectors: FloatArray | None, places: Places | None, headings: Headings
) -> FloatArray:
    """Return all that is known of candidates; shape (n_candidates, n_columns)."""
    columns = [np.asarray(found.wording, dtype=np.float32)]
    if places is not None and vectors is not None:
        groups = np.asarray(found.groups)
        columns.append(places.meaning(vectors, groups))
        if places.aimed is not None and places.fits is not None:
            columns.append(places.learnt(headings.scores(vectors, places.aimed), groups))
            columns.append(headings.nearest(vectors, groups, places.aimed, places.fits)[:, None])
            rows = [headings.row_of(text) for text in found.texts]
            fits = [0.0 if row is None else float(places.fits[row]) for row in rows]
            columns.append(np.asarray(fits, dtype=np.float32)[:, None])
    return np.concatenate(columns, axis=1)
