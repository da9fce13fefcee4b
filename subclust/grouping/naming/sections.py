"""Names from the documents themselves: the titles and headings that passages stand under."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from subclust.core.records import IntArray, Passage
from subclust.grouping.naming.headings import counted
from subclust.grouping.naming.noun_phrases import is_noun_phrase
from subclust.grouping.naming.phrases import asked_roots, says_only, words_of
from subclust.grouping.naming.words import name_words

_MOST = 0.5
"""More than this share of a group must stand under its name, and more than this share of what
stands under the name must be in the group. So a heading names one group at most."""

_BOTH, _EACH = 2 / 3, 0.25
"""Share of a group that must stand under two headings that are joined, and under each of them."""

_ENOUGH, _MUCH = 3, 0.4
"""Passages of a group, and share of it, that must stand under a heading that is only nearest."""

_LONGEST, _LONGEST_HALF = 6, 3
"""Words of a heading, and of one that is joined with another."""

_SHORTEST = 3
"""Letters of its longest word: a shorter heading is a letter of a register, or a code."""

_PROPOSED = 2
"""Headings of a group, at most: tagging one takes milliseconds."""

_CODE = re.compile(r"\w[._/]\w|_")
"""What stands in codes of classes, such as "q-bio.PE"."""

_REMAINDER = ("other ", "further ", "andere ", "weitere ")
"""First words of headings of what is left, which is no half of a name."""

_DATED = re.compile(r"^\d{4}\s*[–-]\s*\d{2,4}: +")
"""Years before a heading, as in "1970–85: Early life"; not "2001: A Space Odyssey"."""

# Headings that say which part of a text is below them, and not what that is about.
_FORMAL = frozenset(
    map(
        counted,
        "abstract|summary|introduction|overview|general|other|types|examples|miscellaneous|notes|"
        "references|bibliography|further reading|see also|external links|appendix|acknowledgements|"
        "acknowledgments|funding|methods|materials and methods|results|results and discussion|"
        "discussion|conclusion|conclusions|limitations|supporting information|description|"
        "zusammenfassung|einleitung|einführung|überblick|allgemeines|sonstiges|anmerkungen|"
        "literatur|anhang|methoden|ergebnisse|diskussion|fazit|schluss|résumé|résultats|méthodes|"
        "introducción|resumen|métodos|resultados|conclusiones|introdução|resumo|conclusões".split(
            "|"
        ),
    )
)


def headings_above(passage: Passage) -> tuple[str, ...]:
    """List the title of a passage's document and the headings above the passage, from the top."""
    return (passage.title, *(passage.path or "").split(" / "))


class Sections:
    """The headings that grouped passages stand under.

    Parameters
    ----------
    above : sequence of n_passages sequences of str
        Of `headings_above`.
    asked : str
        A heading that only repeats its words names no group.
    language : str
        As for `is_noun_phrase`; names are noun phrases.
    """

    def __init__(self, above: Sequence[Sequence[str]], asked: str, language: str) -> None:
        self._asked, self._language = asked_roots(asked), language
        self._texts: dict[str, str] = {}
        self._under: dict[str, list[int]] = {}
        for row, headings in enumerate(above):
            texts = [_DATED.sub("", heading.strip()) for heading in headings]
            for key, text in {counted(text): text for text in texts}.items():
                self._texts.setdefault(key, text)
                self._under.setdefault(key, []).append(row)

    def names(self, group_of: IntArray, joining: Sequence[str]) -> list[list[str]]:
        """List the headings that most of each group stands under and little else, best first.

        The best has the highest F-measure of the group's share under the heading and the heading's
        share in the group. Where there is none, two headings are joined.

        Parameters
        ----------
        group_of : ndarray of shape (n_passages,)
            From 0.
        joining : sequence of n_groups str
            The word for "and".

        Returns
        -------
        list of n_groups list of str
        """
        sizes = np.bincount(group_of, minlength=len(joining)).tolist()
        own: list[list[tuple[int, str]]] = [[] for _ in joining]
        for key, rows in self._under.items():
            groups = np.bincount(group_of[rows])
            group = int(groups.argmax())
            n_inside = int(groups[group])
            is_own = n_inside > max(_MOST * len(rows), 1) and n_inside >= _EACH * sizes[group]
            if is_own:
                own[group].append((n_inside, key))
        return [
            self._alone(own[group], size) or self._pairs(own[group], size, joining[group])
            for group, size in enumerate(sizes)
        ]

    def nearest(self, group_of: IntArray, group: int, joining: str) -> str | None:
        """Return the heading that is nearest to a group, or two of them, None where none is near.

        It is for a group that no phrase names well. Nearest is the highest F-measure as in `names`,
        from a half on; a heading is near to one group alone. Where no heading is near, two may be
        so together.

        Parameters
        ----------
        group_of : ndarray of shape (n_passages,)
            From 0.
        group : int
        joining : str
            The word for "and"; without it, no two headings are joined.
        """
        sizes = np.bincount(group_of)

        def likeness(rows: Sequence[int]) -> float:
            inside = np.bincount(group_of[list(rows)], minlength=len(sizes))
            alike = 2 * inside / (sizes + len(rows))
            enough = inside[group] >= max(_ENOUGH, _MUCH * sizes[group])
            is_near = enough and alike[group] >= _MOST and alike.argmax() == group
            return float(alike[group]) if is_near else 0.0

        alone = sorted((-likeness(rows), key) for key, rows in self._under.items())
        for alike, key in alone:
            if alike and self._may_name(key):
                return self._texts[key]
        if not joining:
            return None
        inside = {key: int((group_of[rows] == group).sum()) for key, rows in self._under.items()}
        halves = [(n, key) for key, n in inside.items() if n >= max(_EACH * sizes[group], 2)]
        pairs = sorted(
            (-likeness([*self._under[first], *self._under[second]]), first, second)
            for first, second in self._apart(halves, joining)
        )
        near = ((first, second) for alike, first, second in pairs if alike)
        return next(self._joined(near, joining), None)

    def _may_name(self, key: str) -> bool:
        text = self._texts[key]
        words = [word for word in words_of(text) if word[0].isalpha()]
        if key in _FORMAL or not 1 <= len(words) <= _LONGEST or says_only(text, self._asked):
            return False
        is_code = _CODE.search(text) or max(map(len, words)) < _SHORTEST
        return not is_code and is_noun_phrase(" ".join(words), self._language)

    def _alone(self, own: Sequence[tuple[int, str]], size: int) -> list[str]:
        """List the headings that most of a group of this size stands under."""
        most = [
            (-n_inside / (size + len(self._under[key])), key)
            for n_inside, key in own
            if n_inside > _MOST * size
        ]
        usable = (key for _, key in sorted(most) if self._may_name(key))
        return [self._texts[key] for key in islice(usable, _PROPOSED)]

    def _pairs(self, own: Sequence[tuple[int, str]], size: int, joining: str) -> list[str]:
        """Join two headings that cover a group."""
        n_inside = {key: n for n, key in own}
        pairs = sorted(
            (-n_inside[first] - n_inside[second], first, second)
            for first, second in self._apart(own, joining)
            if n_inside[first] + n_inside[second] >= _BOTH * size
        )
        joined = self._joined(((first, second) for _, first, second in pairs), joining)
        return list(islice(joined, _PROPOSED))

    def _apart(self, own: Sequence[tuple[int, str]], joining: str) -> Iterator[tuple[str, str]]:
        """List pairs of short headings, the one of more passages first.

        Neither is below the other, nor has a word of it: not "Economy and economy of Angola".
        """
        short = sorted(
            (one for one in own if _may_join(self._texts[one[1]], joining)), reverse=True
        )
        for (_, first), (_, second) in combinations(short, 2):
            repeats = name_words(self._texts[first]) & name_words(self._texts[second])
            if not repeats and set(self._under[first]).isdisjoint(self._under[second]):
                yield first, second

    def _joined(self, pairs: Iterable[tuple[str, str]], joining: str) -> Iterator[str]:
        """Write pairs of headings that may name a group."""
        for first, second in pairs:
            if self._may_name(first) and self._may_name(second):
                yield f"{self._texts[first]} {joining} {self._texts[second]}"


def _may_join(text: str, joining: str) -> bool:
    words = words_of(text.lower())
    is_plain = not {joining, ","} & {*words} and not text.lower().startswith(_REMAINDER)
    return len(words) <= _LONGEST_HALF and is_plain
