"""A library of any size out of real texts, to measure how searching grows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, FloatArray, Passage
from subclust.text.library import PassageLibrary

NOISE = 0.2
"""Length of what is added at random to a vector of length 1 to make another passage's of it."""

AT_ONCE = 20_000
"""Passages of a transaction."""

_PARTS = 10


@dataclass(frozen=True)
class ScaleTexts:
    """Real texts in an order of their own, and the vectors of the first ones.

    Parameters
    ----------
    passages : sequence of Passage
        n_texts, at least one.
    vectors : ndarray of shape (n_encoded, embedding_dim)
        Of the first 1 to n_texts passages; L2-normalised.
    noise : float
        The vector of a passage that was not encoded is that of an encoded one, and between none
        and all of that of another, and something of this length at random.
    """

    passages: Sequence[Passage]
    vectors: FloatArray
    noise: float = NOISE

    def batch(
        self, start: int, stop: int, random_state: int = 0
    ) -> tuple[list[Passage], FloatArray]:
        """Make the passages from number `start` to `stop`, which is not included.

        The same numbers give the same passages only where the batches begin alike.

        Returns
        -------
        passages : list of Passage
            Ids are numbers. Once all texts were used they come again, each time without another
            tenth of their words, so that hardly two passages are the same.
        vectors : ndarray of shape (stop - start, embedding_dim)
            L2-normalised float32.
        """
        rows = np.arange(start, stop)
        generator = np.random.default_rng([random_state, start])
        moved = generator.standard_normal((len(rows), self.vectors.shape[1]), dtype=np.float32)
        moved *= self.noise / np.linalg.norm(moved, axis=1, keepdims=True)
        others = generator.integers(len(self.vectors), size=len(rows))
        share = generator.random((len(rows), 1), dtype=np.float32)
        moved += share * self.vectors[others]
        moved[rows < len(self.vectors)] = 0  # these are as they were encoded
        vectors = self.vectors[rows % len(self.vectors)] + moved
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return [self._passage(row) for row in rows.tolist()], vectors

    def _passage(self, number: int) -> Passage:
        turn, row = divmod(number, len(self.passages))
        passage = self.passages[row]
        return replace(passage, id=f"{number:08}", text=_without_a_part(passage.text, turn))


def scale_texts(
    library: PassageLibrary, instances: Sequence[ClusteringInstance], random_state: int = 0
) -> ScaleTexts:
    """Take a library's passages with their vectors, and then those of labelled queries.

    Both are in a random order; the latter have their query as the title.

    Raises
    ------
    BenchmarkError
        If the library is empty.
    """
    found = library.passages()
    if not len(found):
        raise BenchmarkError(
            "The library {library!r} has no passage whose vector could be used; choose another "
            "with --library.",
            library=library.name,
        )
    generator = np.random.default_rng(random_state)
    first = generator.permutation(len(found))
    more = [
        replace(passage, title=instance.query.text, collection="scale")
        for instance in instances
        for passage in instance.passages
    ]
    passages = [found.passages[row] for row in first.tolist()]
    passages += [more[row] for row in generator.permutation(len(more)).tolist()]
    return ScaleTexts(passages, found.embeddings[first])


def fill(
    library: PassageLibrary,
    texts: ScaleTexts,
    n_passages: int,
    progress: Callable[[int, int | None], None] | None = None,
) -> None:
    """Add so many passages; only a batch of `AT_ONCE` is in memory at a time.

    Parameters
    ----------
    library : PassageLibrary
        Empty.
    progress : callable, optional
        Called as ``progress(n_done, n_total)``.
    """
    for start in range(0, n_passages, AT_ONCE):
        stop = min(start + AT_ONCE, n_passages)
        library.add(*texts.batch(start, stop))
        if progress is not None:
            progress(stop, n_passages)


def _without_a_part(text: str, turn: int) -> str:
    if not turn:
        return text
    words = text.split()
    length = max(1, len(words) // _PARTS)
    first = (turn - 1) % _PARTS * length
    return " ".join(words[:first] + words[first + length :]) or text
