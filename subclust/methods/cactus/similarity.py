"""A trained set encoder as a pair similarity."""

import threading
from collections.abc import Callable, Sequence

import numpy as np
import torch

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.grouping.similarity.base import PairSimilarity
from subclust.methods.cactus.kept_sets import KeptSets, key_of
from subclust.methods.cactus.learner import asked
from subclust.methods.cactus.token_set import TokenSet


class SetSimilarity(PairSimilarity):
    """Cosines of passages that were encoded together; higher is closer, -1 to 1.

    The network is opened when a set comes that is not known yet. The vectors of the last set are
    remembered, and those of many more where there is a place to keep them.

    Parameters
    ----------
    open_network : callable
        Gives the trained network.
    uses_query : bool
        Whether the query is one more entity of the set.
    kept : KeptSets, optional
    """

    needs_embeddings = False

    def __init__(
        self,
        open_network: Callable[[], TokenSet],
        *,
        uses_query: bool,
        kept: KeptSets | None = None,
    ) -> None:
        self.open_network = open_network
        self.uses_query = uses_query
        self.kept = kept
        self._network: TokenSet | None = None
        self._last: tuple[bytes, FloatArray] | None = None
        self._lock = threading.Lock()  # several sessions may share one method

    def prepare(self, query: Query, passages: Sequence[str], progress: Progress) -> None:
        """Encode the passages of a query together, and remember their vectors."""
        self.vectors(query, passages, progress)

    def vectors(
        self, query: Query, passages: Sequence[str], progress: Progress | None = None
    ) -> FloatArray:
        """Encode the passages of a query together.

        Parameters
        ----------
        query : Query
        passages : sequence of str
            At least one.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` after each layer.

        Returns
        -------
        ndarray of shape (n_passages, embedding_dim)
            Each row of length 1.
        """
        text = asked(query, query.context) if self.uses_query else ""
        key = key_of(text, passages)
        last = self._last
        if last is not None and last[0] == key:
            return last[1]
        found = self.kept.get(key) if self.kept is not None else None
        if found is None or len(found) != len(passages):
            found = self._compute(text, passages, progress)
            if self.kept is not None:
                self.kept.add(key, found)
        self._last = (key, found)
        return found

    def _compute(self, text: str, passages: Sequence[str], progress: Progress | None) -> FloatArray:
        with self._lock:
            if self._network is None:
                self._network = self.open_network().eval()
            with torch.inference_mode():
                (vectors,) = self._network.embed([passages], [text], progress)
        return np.asarray(vectors.cpu().numpy(), dtype=np.float32)

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = self.vectors(query, passages)
        return np.asarray(vectors @ vectors.T, dtype=np.float32)
