"""Names from a group's own phrases, chosen by what they mean."""

import copy
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.naming.base import Asked, SubtopicNamer, join_phrases
from subclust.grouping.naming.ctfidf import ClassTfidfNamer
from subclust.grouping.naming.phrases import phrase_table
from subclust.grouping.naming.weights import WeightedPhrases

Encode = Callable[[Sequence[str]], FloatArray]
"""Encodes texts as vectors of length 1; shape (n_texts, embedding_dim)."""

# Words that begin with the same letters ("immigration", "immigrants") repeat each other.
_KIN = 5


class KeyphraseNamer(SubtopicNamer):
    """Names a group by those of its phrases that mean what sets it apart from the other groups.

    Candidates are the phrases that at least two passages of the group hold and that weigh most by
    class-based TF-IDF. A small group has few of them, which often say little: behind the first
    phrase its name may use words of a single passage. The encoder then chooses among them, one
    after the other: a name is good where the mean of its phrases is close to the group's mean
    passage and far from those of the others, once all are freed of what they share. That is above
    all the query, whose direction would otherwise make every group alike; `remove` says how it is
    taken away.

    After KeyBERT (Grootendorst 2020) with candidates of several passages, and a contrast between
    groups. The settings are chosen on wiki2014_validation, by how often the query's heading nearest
    to a name is its group's own.

    Parameters
    ----------
    encode : callable
        Of the encoder that made the passages' embeddings. Without embeddings the names are those
        of `ClassTfidfNamer`.
    n_candidates : int
        At most so many phrases a group are ranked.
    small, n_lone : int
        A group of at most so many passages is named by words of a single one too, of which at most
        so many are ranked; no name begins with one.
    max_phrases, max_characters : int
        At most so many phrases a name, and a further one only where the name does not get longer
        than this.
    contrast : float
        Weight of the likeness to the nearest other group, which counts against a phrase.
    remove : {"shared", "query"}
        Whether the mean of the groups is taken away, or the direction of the query.

    Raises
    ------
    InputError
        If there is no such way to take away what is shared, or a name would have no phrase.
    """

    def __init__(
        self,
        encode: Encode,
        *,
        n_candidates: int = 16,
        small: int = 5,
        n_lone: int = 64,
        max_phrases: int = 3,
        max_characters: int = 48,
        contrast: float = 0.5,
        remove: str = "shared",
    ) -> None:
        if remove not in ("shared", "query"):
            raise InputError(
                "A name can be freed of 'shared' or 'query', not of {remove!r}.", remove=remove
            )
        if max_phrases < 1:
            raise InputError(
                "A name has at least one phrase, not {max_phrases}.", max_phrases=max_phrases
            )
        self.encode = encode
        self.n_candidates = n_candidates
        self.small = small
        self.n_lone = n_lone
        self.max_phrases = max_phrases
        self.max_characters = max_characters
        self.contrast = contrast
        self.remove = remove
        self._known: dict[str, FloatArray] = {}

    def knowing(self, passages: Sequence[str], embeddings: FloatArray) -> "KeyphraseNamer":
        """Return this namer with the embeddings of passages; see `SubtopicNamer.knowing`."""
        own = copy.copy(self)
        own._known = dict(zip(passages, embeddings, strict=True))
        return own

    def _name(self, asked: Asked) -> dict[int, str]:
        query, passages, groups = asked.query, asked.passages, asked.groups
        embeddings = asked.embeddings
        if embeddings is None and self._known and self._known.keys() >= set(passages):
            embeddings = np.stack([self._known[passage] for passage in passages])
        if embeddings is None or not embeddings.shape[1] or len(groups) < 2:
            return ClassTfidfNamer()._name(asked)
        kept = np.flatnonzero(np.isin(asked.labels, groups))
        group_of = np.searchsorted(np.asarray(groups), asked.labels[kept])
        weighted = WeightedPhrases.of(
            phrase_table([passages[int(row)] for row in kept], query.text),
            group_of,
            n_groups=len(groups),
        )
        place_of = {group: groups.index(group) for group in asked.wanted}
        candidates = {
            group: weighted.candidates(place, self.n_candidates)
            for group, place in place_of.items()
        }
        sizes = np.bincount(group_of, minlength=len(groups))
        lone = {
            group: weighted.lone_words(place, self.n_lone) if sizes[place] <= self.small else []
            for group, place in place_of.items()
        }
        every = [*candidates.values(), *lone.values()]
        phrases = sorted({phrase for found in every for phrase, _ in found})
        if not phrases:
            return ClassTfidfNamer()._name(asked)
        vectors = dict(zip(phrases, self._freed(self.encode(phrases), query), strict=True))
        centres = self._centres(embeddings[kept], group_of, query)

        @cache
        def spare() -> dict[int, str]:
            return ClassTfidfNamer()._name(asked)

        def propose(group: int) -> tuple[Sequence[str], int]:
            ranked, n_phrases = self._ranked(
                candidates[group], lone[group], vectors, centres, place_of[group]
            )
            return (ranked, n_phrases) if ranked else ([spare()[group]], 1)

        return asked.distinct(propose)

    def _centres(self, embeddings: FloatArray, group_of: IntArray, query: Query) -> FloatArray:
        """Return each group's mean passage, without what all share; shape (n_groups, dim)."""
        # In double precision, so that the order of the passages does not reach the result.
        vectors = np.asarray(embeddings, dtype=np.float64)
        n_groups = int(group_of.max()) + 1
        means = np.stack([vectors[group_of == group].mean(axis=0) for group in range(n_groups)])
        means = self._freed(means, query)
        if self.remove == "shared":
            means = means - means.mean(axis=0)
        return np.asarray(_unit(means), dtype=np.float32)

    def _freed(self, vectors: FloatArray, query: Query) -> FloatArray:
        if self.remove != "query":
            return vectors
        direction = np.asarray(self.encode([query.text])[0], dtype=vectors.dtype)
        freed = vectors - np.outer(vectors @ direction, direction)
        return np.asarray(_unit(freed), dtype=vectors.dtype)

    def _ranked(
        self,
        candidates: Sequence[tuple[str, float]],
        lone: Sequence[tuple[str, float]],
        vectors: dict[str, FloatArray],
        centres: FloatArray,
        group: int,
    ) -> tuple[list[str], int]:
        """Choose the phrases of a name, and order the others behind them.

        A name begins with a candidate and grows by the phrase with which it tells the group best as
        a whole, as long as one fits; no phrase repeats another.
        """
        if not candidates:
            return [], 0
        begin = len(candidates)
        seen = {phrase for phrase, _ in candidates}
        phrases = [phrase for phrase, _ in candidates]
        phrases += [word for word, _ in lone if word not in seen]
        kin = [{word.lower()[:_KIN] for word in phrase.split()} for phrase in phrases]
        kept = np.stack([vectors[phrase] for phrase in phrases])
        chosen: list[int] = []
        used: set[str] = set()
        left = np.argsort(-self._values(kept, centres, group), kind="stable").tolist()
        while left and len(chosen) < self.max_phrases:
            begun = [phrases[one] for one in chosen]
            fitting = [
                one for one in left if (begun or one < begin) and self._fits([*begun, phrases[one]])
            ]
            if not fitting:
                break
            grown = kept[fitting] + kept[chosen].sum(axis=0)
            best = fitting[int(self._values(_unit(grown), centres, group).argmax())]
            chosen.append(best)
            used |= kin[best]
            left = [one for one in left if not used & kin[one]]
        others: list[int] = []
        for one in left:
            if one < begin and not used & kin[one]:
                used |= kin[one]
                others.append(one)
        return [phrases[one] for one in (*chosen, *others)], len(chosen)

    def _values(self, vectors: FloatArray, centres: FloatArray, group: int) -> FloatArray:
        """Return how well vectors tell a group from the nearest other one; higher is better."""
        likeness = vectors @ centres.T
        others = np.delete(likeness, group, axis=1).max(axis=1)
        # Rounded, since vectors in bfloat16 depend a little on what was encoded beside them; the
        # candidates come heaviest first, and the first of equals is taken.
        return np.asarray(np.round(likeness[:, group] - self.contrast * others, 2))

    def _fits(self, phrases: list[str]) -> bool:
        return len(phrases) == 1 or len(join_phrases(phrases)) <= self.max_characters


def _unit(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))
