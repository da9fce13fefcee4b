"""Names learnt from the headings that people gave to passages."""

import copy
import re
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from subclust.core.records import FloatArray, IntArray, Passage
from subclust.core.records.boilerplate import without_labels
from subclust.core.records.terms import Vocabulary
from subclust.grouping.naming.base import Asked, SubtopicNamer
from subclust.grouping.naming.candidates import (
    WORDING,
    Candidates,
    Said,
    candidates_of,
    columns_of,
)
from subclust.grouping.naming.headings import Headings, counted, load_headings
from subclust.grouping.naming.pairs import AND, joined
from subclust.grouping.naming.places import MEANING, Places
from subclust.grouping.naming.records import STANDS, RecordTitles, standing
from subclust.grouping.naming.sections import Sections, headings_above
from subclust.grouping.naming.terms import term_index
from subclust.grouping.naming.words import apart_words

Encode = Callable[[Sequence[str]], FloatArray]
"""Encodes texts as vectors of length 1; shape (n_texts, embedding_dim)."""

_PROPOSED = 12

_READ_FOR_CASE = 1000
"""Passages, at most, that say which words of titles have small letters."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

_COMMON, _RARE = 40, 0.2
"""Headings of fewer articles must have a word in this share of a group's passages."""

_EXACT = 1.0
"""What it counts to be the very heading of a section; chosen on wiki2014_validation."""

_FIRST = 2
"""Proposals in the order of their scores; the next are those likeliest to be the very heading."""

_BORNE_OUT = 0.5
"""Share of a group's passages that must have a word of its name, for that to come before the
heading nearest to the group."""

_LIKELY = 0.5
"""Score below which a name is likelier to mean another group, so that the nearest heading comes
first."""

_WITH_WORDS = WORDING.index("passages with its words")
_LIKENESS = len(WORDING) + MEANING.index("likeness")

_FULLER, _HOLDING = 0.5, 1 / 3
"""Share of the score of a lone word, and of the passages that hold it, that a longer phrase with
the word must have to come first."""

_ENCODED = 10
"""Phrases of a group that are compared by what they mean."""

_JOINED = 0.05
"""What two joined phrases have to be better than the best single one; chosen like the rest."""


_GIVEN = 10.0
"""More than any score: groups with a preferred term or a heading of their own choose first."""


class _Known(NamedTuple):
    """What is known of a passage: its text as `_headed` writes it, and the headings of `_above`."""

    headed: str
    vector: FloatArray
    title: str
    above: tuple[str, ...]


class HeadingNamer(SubtopicNamer):
    """Names a group by the candidate that people would most likely have written over it.

    Candidates are noun phrases of the group's passages, with their titles and keywords, and general
    headings such as "Reception". Boosted trees, grown on the headings of encyclopaedia articles
    (`benchmarks.headings`), say how likely each is to stand for the group rather than for its
    rivals, and to be the very heading. They see what the candidate means beside the group and the
    others, in how many passages it stands and where, and its form. Of records with titles of their
    own, phrases that many of them say come first. Before all of these come a library's preferred
    terms, and a title or heading that most of a group's passages stand under and hardly any others;
    the heading that is only nearest comes before a phrase that few of the passages bear out.

    Parameters
    ----------
    encode : callable, optional
        Of the encoder that made the passages' embeddings. Without one, and for passages without
        embeddings, words alone decide.
    encoder : str
        Its name. What was learnt about vectors holds for one encoder alone; with another, likeness
        decides and no general headings come into question.
    asked : callable, optional
        Encodes what is asked for, as a vector of length 1; by default like any text.
    vocabulary : Vocabulary, optional
        A term of it that much of a group and little else says comes before all other candidates.
    """

    def __init__(
        self,
        encode: Encode | None = None,
        encoder: str = "",
        asked: Callable[[str], FloatArray] | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self.encode = encode
        self.asked = asked
        self.vocabulary = vocabulary or Vocabulary()
        self._terms = term_index(self.vocabulary)
        self.encoder = encoder
        self._known: dict[str, _Known] = {}

    def knowing(self, passages: Sequence[Passage], embeddings: FloatArray) -> "HeadingNamer":
        """Return this namer with what it may know of passages; see `SubtopicNamer.knowing`."""
        own = copy.copy(self)
        read = passages[:_READ_FOR_CASE]
        written = frozenset().union(*(_written_words(one.text) for one in read))
        titled = [(title, one) for one in passages for title in headings_above(one)]
        titled = [(title, one) for title, one in titled if _is_name(title)]
        names = {title for title, one in titled if title in one.text}
        others = {title for title, _ in titled} - names
        names |= {title for title in others if any(title in one.text for one in read)}
        own._known = {
            passage.text: _Known(
                _headed(passage, written, names),
                vector,
                passage.title,
                _above(passage, written, names),
            )
            for passage, vector in zip(passages, embeddings, strict=True)
        }
        return own

    def propose(self, asked: Asked) -> dict[int, list[str]]:
        """List the best candidates; groups that have better ones choose first."""
        kept = np.flatnonzero(np.isin(asked.labels, asked.groups))
        group_of = np.searchsorted(np.asarray(asked.groups), asked.labels[kept])
        texts = [asked.passages[int(row)] for row in kept]
        headings = load_headings()
        n_groups = len(asked.groups)
        places = self._places(asked, kept, group_of, headings)
        heads = [self._known[one].title if one in self._known else "" for one in texts]
        are_records = len({*heads} - {""}) > len(texts) / 2  # not sections of a few articles
        said = Said(
            asked.query,
            [self._known[one].headed if one in self._known else one for one in texts],
            group_of,
            n_groups,
            headings,
            are_records=are_records,
        )
        titles = None
        if are_records:
            titles = RecordTitles(heads, group_of, n_groups, said.language)
        wanted = [asked.groups.index(group) for group in asked.wanted]
        found = candidates_of(said, wanted, places, headings)
        vectors = None
        if places is not None and found.texts:
            found = _likeliest(found, headings, titles)
            vectors = self._vectors(found.texts, headings if places.aimed is not None else None)
        scores, exact = _scores(found, vectors, places, headings, titles)
        pairs, pair_vectors = Candidates(), None
        if titles is None:
            pairs, pair_vectors = joined(found, vectors, scores, said.languages)
        of_pairs, exact_pairs = _scores(pairs, pair_vectors, places, headings)
        scores += [one - _JOINED for one in of_pairs]
        exact += exact_pairs
        names, place_of = [*found.texts, *pairs.texts], [*found.groups, *pairs.groups]
        subject = asked.query.subject
        terms = self._terms.of_groups(texts, group_of, n_groups, subject)
        under = self._under(texts, subject, said.language, are_records=are_records)
        joining = [AND[language] for language in said.languages]
        sections = under.names(group_of, joining)
        proposals, best = dict[int, list[str]](), dict[int, float]()
        for group, place in zip(asked.wanted, wanted, strict=True):
            mine = [row for row, other in enumerate(place_of) if other == place]
            mine.sort(key=lambda row: (-scores[row], names[row]))
            best[group] = scores[mine[0]] if mine else 0.0
            paired = [row for row in mine if row >= len(found.texts)]
            mine = [row for row in mine if row not in paired[1:]]  # the best of them is enough
            if titles is None:
                fuller = _fuller(found, mine, scores, headings)
                mine.sort(key=lambda row: row != fuller)
                mine[_FIRST:] = sorted(mine[_FIRST:], key=lambda row: -exact[row])
            given = [*terms[place], *sections[place]]
            is_said = bool(mine) and said.share_with(names[mine[0]], place) >= _BORNE_OUT
            if not is_said or best[group] < _LIKELY:
                near = under.nearest(group_of, place, "" if is_said else joining[place])
                own = apart_words(names[mine[0]]) if mine else frozenset()
                given += [near] if near and not apart_words(near) <= own else []
            proposed = [*given, *(names[row] for row in mine)][:_PROPOSED]
            proposals[group] = proposed or [f"Subtopic {group + 1}"]
            best[group] += _GIVEN if given else 0.0
        return {group: proposals[group] for group in sorted(proposals, key=lambda g: -best[g])}

    def _under(
        self, texts: Sequence[str], subject: str, language: str, *, are_records: bool
    ) -> Sections:
        """Return the headings that passages stand under; above records there are only classes."""
        above = [
            self._known[one].above if one in self._known and not are_records else ()
            for one in texts
        ]
        return Sections(above, subject, language)

    def _vectors(self, texts: Sequence[str], headings: Headings | None) -> FloatArray:
        """Encode candidates; the vectors of general headings are known for one encoder."""
        rows = [None if headings is None else headings.row_of(text) for text in texts]
        new = [text for text, row in zip(texts, rows, strict=True) if row is None]
        encoded = iter(self.encode(new) if new and self.encode is not None else ())
        known = headings.vectors if headings is not None else ()
        vectors = [next(encoded) if row is None else known[row] for row in rows]
        return np.asarray(vectors, dtype=np.float32)

    def _places(
        self, asked: Asked, kept: IntArray, group_of: IntArray, headings: Headings
    ) -> Places | None:
        """Return where the groups are among the vectors; None where there are none to compare."""
        if self.encode is None or len(asked.groups) < 2:
            return None
        embeddings = asked.embeddings
        if embeddings is None and self._known.keys() >= set(asked.passages):
            embeddings = np.stack([self._known[one].vector for one in asked.passages])
        if embeddings is None or not embeddings.shape[1]:
            return None
        subject = asked.query.subject
        query = self.encode([subject])[0] if self.asked is None else self.asked(subject)
        learnt = headings if self.encoder == headings.encoder else None
        return Places.of(embeddings[kept], group_of, len(asked.groups), query, learnt)


def _scores(
    found: Candidates,
    vectors: FloatArray | None,
    places: Places | None,
    headings: Headings,
    titles: RecordTitles | None = None,
) -> tuple[list[float], list[float]]:
    """Score candidates, higher is better, and return how likely each is the very heading.

    Sections are headed by what they are to their article, as "History"; records are not, and their
    names are to be like them and to stand in their titles.
    """
    if not found.texts:
        return [], []
    columns = columns_of(found, vectors, places, headings)
    near, exact = headings.rank(columns)
    if titles is None:
        scores = near + _EXACT * exact
    else:
        scores = near if vectors is None else near + columns[:, _LIKENESS]
        scores = scores + standing(found, headings, titles)
    # Rounded, since vectors in bfloat16 depend a little on what was encoded beside them.
    return np.round(scores, 3).tolist(), np.round(exact, 3).tolist()


def _fuller(
    found: Candidates, rows: Sequence[int], scores: Sequence[float], headings: Headings
) -> int | None:
    """Return the row of the phrase that says more than the best candidate where that is one word.

    "Abortion rate" says more than "rate"; names and general headings may stand alone.

    Parameters
    ----------
    found : Candidates
    rows : sequence of int
        Of one group, best first; those beyond the candidates are joined, and are passed over.
    scores : sequence of float
    headings : Headings
    """
    single = len(found.texts)
    if not rows or rows[0] >= single:
        return None
    word, said_by = found.texts[rows[0]], found.said_by[rows[0]]
    if " " in word or not word.islower() or headings.row_of(word) is not None:
        return None
    return next(
        (
            row
            for row in rows[1:]
            if row < single
            and counted(word) in counted(found.texts[row]).split()
            and scores[row] >= _FULLER * scores[rows[0]]
            and len(found.said_by[row]) >= _HOLDING * len(said_by)
        ),
        None,
    )


def _likeliest(found: Candidates, headings: Headings, titles: RecordTitles | None) -> Candidates:
    """Keep the candidates of each group that are likeliest by their words, and the headings.

    Encoding phrases is most of what naming costs. Rare headings must have a word in the passages.
    """
    rows_of = [headings.row_of(text) for text in found.texts]
    own_rows = [row for row, place in enumerate(rows_of) if place is None]
    stands = np.ones(len(rows_of)) if titles is None else standing(found, headings, titles)
    of_own, _ = _scores(found.of(own_rows), None, None, headings)
    scores = dict(zip(own_rows, of_own, strict=True))
    kept: list[int] = []
    for group in dict.fromkeys(found.groups):
        mine = [row for row, other in enumerate(found.groups) if other == group]
        own = [row for row in mine if rows_of[row] is None]
        own.sort(
            key=lambda row: (stands[row] < STANDS, -stands[row] - scores[row], found.texts[row])
        )
        general = [
            row
            for row in mine
            if (place := rows_of[row]) is not None
            and stands[row] >= STANDS
            and (headings.counts[place] >= _COMMON or found.wording[row][_WITH_WORDS] >= _RARE)
        ]
        kept += sorted([*general, *own[:_ENCODED]])
    return found.of(kept)


def _headed(passage: Passage, written: Set[str], names: Set[str]) -> str:
    """Return a passage with its title and keywords before it, each a sentence of its own.

    The words of a title in Title Case have small letters where passages write them so, but for
    names, such as "American Revolutionary War".
    """
    title = passage.title
    if _is_title_case(title) and title not in names:
        title = _in_small(title, (written, _written_words(passage.text)))
    keywords = passage.metadata.get("keywords", "").split(";")
    text = without_labels(passage.text)
    return ". ".join(part for part in (title, *keywords, text) if part.strip())


def _above(passage: Passage, written: Set[str], names: Set[str]) -> tuple[str, ...]:
    """Return the headings above a passage as they stand within a sentence."""
    known, general = (written, _written_words(passage.text)), load_headings()

    def as_written(heading: str) -> str:
        if (row := general.row_of(heading)) is not None:
            return general.bank[row]
        if heading in names:
            return heading
        return _in_small(heading, known, count=0 if _is_title_case(heading) else 1)

    return tuple(map(as_written, headings_above(passage)))


def _is_name(title: str) -> bool:
    """Return whether a title is several words in Title Case: a name where passages say it so."""
    return " " in title and _is_title_case(title)


def _is_title_case(title: str) -> bool:
    words = title.split()
    return sum(word.istitle() for word in words) > len(words) / 2


def _in_small(title: str, known: Sequence[Set[str]], count: int = 0) -> str:
    """Write the words of a title small where passages do: its first ones, or with 0 all.

    Once one of them is small, so are those that no passage writes with a capital: "Taxes Rates" is
    "taxes rates" where passages have taxes, but no rates.
    """

    def is_written(word: str) -> bool:
        return any(word in words for words in known)

    some = _WORD.findall(title)[: count or None]
    has_small = any(word.istitle() and is_written(word.lower()) for word in some)

    def small(word: str) -> str:
        is_small = is_written(word.lower()) or (has_small and not is_written(word))
        return word.lower() if word.istitle() and is_small else word

    return _WORD.sub(lambda found: small(found.group()), title, count)


@lru_cache(maxsize=2000)
def _written_words(text: str) -> frozenset[str]:
    """Return the words of a text as they are written."""
    return frozenset(word.strip(".,;:()") for word in text.split())
