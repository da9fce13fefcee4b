"""What was learnt from the headings that people wrote: see `benchmarks.headings`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from subclust.core.records import FloatArray, IntArray
from subclust.core.trees import BoostedTrees
from subclust.grouping.naming.words import stem

_FREQUENT = 0.8
"""Of the logarithm of a heading's frequency, beside its score."""

_FORETOLD = 25
"""Headings of a group that may be its own."""

_RANKERS = ("near", "exact")

FILE = Path(__file__).with_name("headings.npz")


@dataclass(frozen=True)
class Headings:
    """A bank of headings, a map from groups to headings, and what the numbers of names are worth.

    Parameters
    ----------
    bank : list of str
        Headings that several texts have, n_bank of them.
    counts : ndarray of shape (n_bank,)
        How many texts.
    vectors : ndarray of shape (n_bank, dim)
        By the encoder.
    words : mapping of str to float
        Of words as they are counted, how much more frequent they are in headings than in texts: a
        logarithm.
    group_map : ndarray of shape (3 * dim, dim)
    heading_map : ndarray of shape (dim, dim)
    rankers : mapping of int to tuple of BoostedTrees
        By the number of columns: whether a candidate means the group rather than its rivals, and
        whether it is the very heading.
    encoder : str
        Of the vectors; its name.
    """

    bank: list[str]
    counts: IntArray
    vectors: FloatArray
    words: dict[str, float]
    group_map: FloatArray
    heading_map: FloatArray
    rankers: Mapping[int, tuple[BoostedTrees, BoostedTrees]]
    encoder: str

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {counted(text): row for row, text in enumerate(self.bank)}

    def row_of(self, text: str) -> int | None:
        """Return the row of a heading of the bank, however it is written."""
        return self._rows.get(counted(text))

    def odds_of(self, word: str) -> float:
        """Return how typical of headings a word is, as it is counted; unknown ones are not."""
        return self.words.get(word, -1.0)

    def aim(self, mean: FloatArray, centred: FloatArray, query: FloatArray) -> FloatArray:
        """Compute where the headings of groups are to be looked for; shape (n_groups, dim)."""
        repeated = np.broadcast_to(query, mean.shape)
        return np.asarray(np.concatenate([mean, centred, repeated], axis=1) @ self.group_map)

    def scores(self, vectors: FloatArray, aimed: FloatArray) -> FloatArray:
        """Score texts as headings of groups, higher is better; shape (n_texts, n_groups)."""
        return np.asarray((vectors + vectors @ self.heading_map) @ aimed.T)

    def likely(self, aimed: FloatArray, n: int) -> tuple[IntArray, FloatArray]:
        """List the rows of the headings that score best in each group, and their chances.

        Returns
        -------
        rows : ndarray of shape (n_groups, n)
        chances : ndarray of shape (n_groups, n)
            That the heading is the group's; they add up to 1.
        """
        scores = (self.scores(self.vectors, aimed) + _FREQUENT * np.log(self.counts)[:, None]).T
        rows = np.argsort(-scores, axis=1, kind="stable")[:, :n]
        best = np.take_along_axis(scores, rows, axis=1)
        chances = np.exp(best - best[:, :1])
        return rows, chances / chances.sum(axis=1, keepdims=True)

    def nearest(self, vectors: FloatArray, groups: IntArray, aimed: FloatArray) -> FloatArray:
        """Compute how likely the heading of its group is nearer to a text than those of rivals.

        As far as the likely headings of the bank say.

        Parameters
        ----------
        vectors : ndarray of shape (n_texts, dim)
        groups : ndarray of shape (n_texts,)
        aimed : ndarray of shape (n_groups, dim)

        Returns
        -------
        ndarray of shape (n_texts,)
        """
        rows, chances = self.likely(aimed, _FORETOLD)
        likeness = vectors @ self.vectors[rows.ravel()].T
        likeness = likeness.reshape(len(vectors), *rows.shape)
        found = np.zeros(len(vectors), dtype=np.float32)
        for group in np.unique(groups):
            of_texts = likeness[groups == group]
            nearer = np.tile(chances[group], (len(of_texts), 1))
            for rival in range(len(rows)):
                if rival != group:
                    below = of_texts[:, rival, None, :] < of_texts[:, group, :, None]
                    nearer *= below @ chances[rival]
            found[groups == group] = nearer.sum(axis=1)
        return found

    def rank(self, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Score candidates, higher is better.

        Parameters
        ----------
        columns : ndarray of shape (n_candidates, n_columns)
            Those of `subclust.grouping.naming.candidates`, with those of vectors and of what was
            learnt about them where these are known.

        Returns
        -------
        near, exact : ndarray of shape (n_candidates,)
            Probability that the candidate means the group and no rival of it, and that it is the
            very heading.
        """
        near, exact = (one.probabilities(columns) for one in self.rankers[columns.shape[1]])
        return near.astype(np.float32), exact.astype(np.float32)

    def save(self, file: Path) -> None:
        """Write everything to a file, rounded; `load_headings` reads it."""
        scale = np.abs(self.vectors).max(axis=1) / 127
        words = sorted(self.words)
        kept: dict[str, Any] = {
            "bank": np.array(self.bank),
            "counts": self.counts.astype(np.int32),
            "vectors": np.rint(self.vectors / scale[:, None]).astype(np.int8),
            "scale": scale.astype(np.float32),
            "words": np.array(words),
            "odds": np.array([self.words[word] for word in words], dtype=np.float16),
            "group_map": self.group_map.astype(np.float16),
            "heading_map": self.heading_map.astype(np.float16),
            "rankers": np.array(sorted(self.rankers)),
            "encoder": np.array(self.encoder),
        }
        for n, pair in self.rankers.items():
            for name, trees in zip(_RANKERS, pair, strict=True):
                kept |= trees.to_arrays(f"{name}_{n}")
        np.savez_compressed(file, **kept)


@lru_cache(20_000)
def counted(text: str) -> str:
    """Return a heading in the form under which it is counted: no capitals, no plural."""
    return " ".join(stem(word) for word in text.split())


@lru_cache(maxsize=1)
def load_headings() -> Headings:
    """Read what ships with the package, once in this process."""
    near, exact = _RANKERS
    with np.load(FILE, allow_pickle=False) as kept:
        steps = kept["scale"].astype(np.float32)
        return Headings(
            kept["bank"].tolist(),
            kept["counts"].astype(np.int64),
            kept["vectors"].astype(np.float32) * steps[:, None],
            dict(zip(kept["words"].tolist(), kept["odds"].astype(float).tolist(), strict=True)),
            kept["group_map"].astype(np.float32),
            kept["heading_map"].astype(np.float32),
            {
                int(n): (
                    BoostedTrees.of_arrays(kept, f"{near}_{n}"),
                    BoostedTrees.of_arrays(kept, f"{exact}_{n}"),
                )
                for n in kept["rankers"]
            },
            str(kept["encoder"]),
        )
