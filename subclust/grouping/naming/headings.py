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

_FITTING = 0.1
"""Of how well a heading fits the texts, beside its score; chosen on wiki2014_validation."""

_FORETOLD = 25
"""Headings of a group that may be its own."""

_RANKERS = ("near", "exact")

_IN_BYTES = ("vectors", "group_map", "heading_map", "kinds")

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
    kinds : ndarray of shape (dim + 1, n_bank)
        What the mean of some texts, and 1, is multiplied by in `fits`.
    """

    bank: list[str]
    counts: IntArray
    vectors: FloatArray
    words: dict[str, float]
    group_map: FloatArray
    heading_map: FloatArray
    rankers: Mapping[int, tuple[BoostedTrees, BoostedTrees]]
    encoder: str
    kinds: FloatArray

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

    def fits(self, whole: FloatArray) -> FloatArray:
        """Compute how much likelier each heading of the bank is in such texts than in any.

        "Plot" heads sections of novels, not of algorithms.

        Parameters
        ----------
        whole : ndarray of shape (dim,)
            Mean of the texts, of length 1.

        Returns
        -------
        ndarray of shape (n_bank,)
            Differences of log-odds; higher is likelier.
        """
        return np.asarray(whole @ self.kinds[:-1] + self.kinds[-1])

    def likely(self, aimed: FloatArray, fits: FloatArray, n: int) -> tuple[IntArray, FloatArray]:
        """List the rows of the headings that score best in each group, and their chances.

        Parameters
        ----------
        aimed : ndarray of shape (n_groups, dim)
        fits : ndarray of shape (n_bank,)
        n : int

        Returns
        -------
        rows : ndarray of shape (n_groups, n)
        chances : ndarray of shape (n_groups, n)
            That the heading is the group's; they add up to 1.
        """
        known = _FREQUENT * np.log(self.counts) + _FITTING * fits
        scores = (self.scores(self.vectors, aimed) + known[:, None]).T
        rows = np.argsort(-scores, axis=1, kind="stable")[:, :n]
        best = np.take_along_axis(scores, rows, axis=1)
        chances = np.exp(best - best[:, :1])
        return rows, chances / chances.sum(axis=1, keepdims=True)

    def nearest(
        self, vectors: FloatArray, groups: IntArray, aimed: FloatArray, fits: FloatArray
    ) -> FloatArray:
        """Compute how likely the heading of its group is nearer to a text than those of rivals.

        As far as the likely headings of the bank say.

        Parameters
        ----------
        vectors : ndarray of shape (n_texts, dim)
        groups : ndarray of shape (n_texts,)
        aimed : ndarray of shape (n_groups, dim)
        fits : ndarray of shape (n_bank,)

        Returns
        -------
        ndarray of shape (n_texts,)
        """
        rows, chances = self.likely(aimed, fits, _FORETOLD)
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
        words = sorted(self.words)
        kept: dict[str, Any] = {
            "bank": np.array(self.bank),
            "counts": self.counts.astype(np.int32),
            "words": np.array(words),
            "odds": np.array([self.words[word] for word in words], dtype=np.float16),
            "rankers": np.array(sorted(self.rankers)),
            "encoder": np.array(self.encoder),
        }
        for name in _IN_BYTES:
            kept |= _to_bytes(name, getattr(self, name))
        for n, pair in self.rankers.items():
            for name, trees in zip(_RANKERS, pair, strict=True):
                kept |= trees.to_arrays(f"{name}_{n}")
        np.savez_compressed(file, **kept)


def _to_bytes(name: str, values: FloatArray) -> dict[str, Any]:
    """Round each row to 255 steps of its own."""
    steps = np.abs(values).max(axis=1, initial=1e-9) / 127
    rounded = np.rint(values / steps[:, None]).astype(np.int8)
    return {name: rounded, f"{name}_steps": steps.astype(np.float32)}


def _of_bytes(name: str, kept: Mapping[str, Any]) -> FloatArray:
    return np.asarray(kept[name].astype(np.float32) * kept[f"{name}_steps"][:, None])


@lru_cache(20_000)
def counted(text: str) -> str:
    """Return a heading in the form under which it is counted: no capitals, no plural."""
    return " ".join(stem(word) for word in text.split())


@lru_cache(maxsize=1)
def load_headings() -> Headings:
    """Read what ships with the package, once in this process."""
    near, exact = _RANKERS
    with np.load(FILE, allow_pickle=False) as kept:
        return Headings(
            bank=kept["bank"].tolist(),
            counts=kept["counts"].astype(np.int64),
            words=dict(
                zip(kept["words"].tolist(), kept["odds"].astype(float).tolist(), strict=True)
            ),
            rankers={
                int(n): (
                    BoostedTrees.of_arrays(kept, f"{near}_{n}"),
                    BoostedTrees.of_arrays(kept, f"{exact}_{n}"),
                )
                for n in kept["rankers"]
            },
            encoder=str(kept["encoder"]),
            **{name: _of_bytes(name, kept) for name in _IN_BYTES},
        )
