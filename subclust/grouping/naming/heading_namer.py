"""Names learnt from the headings that people gave to passages."""

import copy
from collections.abc import Callable, Sequence

import numpy as np

from subclust.core.records import FloatArray, IntArray, Passage
from subclust.core.records.boilerplate import without_labels
from subclust.core.records.terms import Vocabulary
from subclust.grouping.naming.base import Asked, SubtopicNamer
from subclust.grouping.naming.candidates import (
    APART,
    WORDING,
    Candidates,
    Said,
    candidates_of,
    columns_of,
)
from subclust.grouping.naming.headings import Headings, load_headings
from subclust.grouping.naming.pairs import joined
from subclust.grouping.naming.places import Places
from subclust.grouping.naming.terms import term_index

Encode = Callable[[Sequence[str]], FloatArray]
"""Encodes texts as vectors of length 1; shape (n_texts, embedding_dim)."""

_PROPOSED = 12

_BORNE_OUT = 0.3

_COMMON, _RARE = 40, 0.2
"""Headings of fewer articles must have a word in this share of a group's passages."""

_WITH_WORDS = WORDING.index("passages with its words")
_ELSEWHERE = WORDING.index("such passages elsewhere")

_ENCODED = 10
"""Phrases of a group that are compared by what they mean."""

_JOINED = 0.05
"""What two joined phrases have to be better than the best single one; chosen like the rest."""


_TERM = 10.0
"""More than any score: groups with a preferred term choose first."""


class HeadingNamer(SubtopicNamer):
    """Names a group by the candidate that people would most likely have written over it.

    Candidates are noun phrases of the group's passages, with their titles and keywords, and general
    headings such as "Reception". A small network, trained on the headings of encyclopaedia articles
    (`benchmarks.headings`), says how likely each is to stand for the group rather than for its
    rivals, and to be the very heading. It sees what the candidate means beside the group and the
    others, in how many passages it stands and where, and its form.

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
        self._known: dict[str, tuple[str, FloatArray, str]] = {}

    def knowing(self, passages: Sequence[Passage], embeddings: FloatArray) -> "HeadingNamer":
        """Return this namer with what it may know of passages; see `SubtopicNamer.knowing`."""
        own = copy.copy(self)
        own._known = {
            passage.text: (_headed(passage), vector, passage.title)
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
        said = Said(
            asked.query,
            [self._known[one][0] if one in self._known else one for one in texts],
            group_of,
            n_groups,
            headings,
        )
        wanted = [asked.groups.index(group) for group in asked.wanted]
        found = candidates_of(said, wanted, places, headings)
        vectors = None
        if places is not None and found.texts:
            found = _likeliest(found, headings, self._least_held(texts))
            vectors = self._vectors(found.texts, headings if places.aimed is not None else None)
        scores = _scores(found, vectors, places, headings)
        pairs, pair_vectors = joined(found, vectors, scores, said.language)
        scores += [one - _JOINED for one in _scores(pairs, pair_vectors, places, headings)]
        names, place_of = [*found.texts, *pairs.texts], [*found.groups, *pairs.groups]
        single = len(found.texts)
        terms = self._terms.of_groups(texts, group_of, n_groups, asked.query.subject)
        proposals: dict[int, list[str]] = {}
        best: dict[int, float] = {}
        for group, place in zip(asked.wanted, wanted, strict=True):
            mine = [row for row, other in enumerate(place_of) if other == place]
            mine.sort(key=lambda row: (-scores[row], names[row]))
            best[group] = scores[mine[0]] if mine else 0.0
            pair = next((row for row in mine if row >= single), None)  # the best is enough
            mine = [row for row in mine if row < single or row == pair]
            proposed = [*terms[place], *(names[row] for row in mine)][:_PROPOSED]
            proposals[group] = proposed or [f"Subtopic {group + 1}"]
            best[group] += _TERM if terms[place] else 0.0
        return {group: proposals[group] for group in sorted(proposals, key=lambda g: -best[g])}

    def _least_held(self, texts: Sequence[str]) -> float:
        """Return the share of a group's passages that must have a word of a general heading.

        Such headings are those of encyclopaedia articles. Records, each with a title of its own,
        are seldom told apart by one that their words do not bear out.
        """
        titles = {self._known[text][2] for text in texts if text in self._known} - {""}
        return _BORNE_OUT if len(titles) > len(texts) / 2 else 0.0

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
            embeddings = np.stack([self._known[one][1] for one in asked.passages])
        if embeddings is None or not embeddings.shape[1]:
            return None
        subject = asked.query.subject
        query = self.encode([subject])[0] if self.asked is None else self.asked(subject)
        learnt = headings if self.encoder == headings.encoder else None
        return Places.of(embeddings[kept], group_of, len(asked.groups), query, learnt)


def _scores(
    found: Candidates, vectors: FloatArray | None, places: Places | None, headings: Headings
) -> list[float]:
    """Score candidates, higher is better."""
    if not found.texts:
        return []
    # Rounded, since vectors in bfloat16 depend a little on what was encoded beside them.
    scores = headings.rank(columns_of(found, vectors, places, headings))
    return [float(one) for one in np.round(scores, 3)]


def _likeliest(found: Candidates, headings: Headings, least_held: float) -> Candidates:
    """Keep the candidates of each group that are likeliest by their words, and the headings.

    Encoding phrases is most of what naming costs.
    """
    is_general = [headings.row_of(text) is not None for text in found.texts]
    own_rows = [row for row, general in enumerate(is_general) if not general]
    scores = dict(zip(own_rows, _scores(found.of(own_rows), None, None, headings), strict=True))
    kept: list[int] = []

    def _borne_out(row: int) -> bool:
        place = headings.row_of(found.texts[row])
        is_common = place is not None and headings.counts[place] >= _COMMON
        share, elsewhere = (found.wording[row][column] for column in (_WITH_WORDS, _ELSEWHERE))
        if least_held and share < APART * elsewhere:
            return False
        return share >= max(least_held, 0.0 if is_common else _RARE)

    for group in dict.fromkeys(found.groups):
        mine = [row for row, other in enumerate(found.groups) if other == group]
        own = [row for row in mine if not is_general[row]]
        own.sort(key=lambda row: (-scores[row], found.texts[row]))
        general = [row for row in mine if is_general[row]]
        kept += sorted([*(row for row in general if _borne_out(row)), *own[:_ENCODED]])
    return found.of(kept)


def _headed(passage: Passage) -> str:
    """Return a passage with its title and keywords before it, each a sentence of its own."""
    keywords = passage.metadata.get("keywords", "").split(";")
    return ". ".join(
        part for part in (passage.title, *keywords, without_labels(passage.text)) if part.strip()
    )
