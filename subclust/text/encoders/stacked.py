"""The vectors of several encoders side by side."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.text.encoders.base import Encoder


class StackedEncoder(Encoder):
    """Puts the vectors of several encoders side by side, each of the same weight.

    Parameters
    ----------
    encoders : sequence of Encoder
        At least one; each keeps its own cache.
    """

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self.encoders = tuple(encoders)
        self.name = " + ".join(encoder.name for encoder in self.encoders)

    @property
    def revision(self) -> str:  # type: ignore[override]
        """The revisions of all."""
        return "+".join(encoder.revision for encoder in self.encoders)

    @property
    def embedding_dim(self) -> int:  # type: ignore[override]
        """The sum of all."""
        return sum(encoder.embedding_dim for encoder in self.encoders)

    def encode_asked(self, text: str) -> FloatArray:
        """Encode what somebody asks by each of the encoders."""
        parts = [encoder.encode_asked(text) for encoder in self.encoders]
        vector: FloatArray = self._checked(np.concatenate(parts)[None])[0]
        return vector

    def encode_beside(
        self,
        texts: Sequence[str],
        known: Mapping[str, FloatArray],
        *,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Encode texts by those encoders alone whose vectors are not at hand; see `Encoder`."""
        return self._checked(self._stacked(texts, None, progress, known))

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        return self._stacked(texts, query, progress, {})

    def _stacked(
        self,
        texts: Sequence[str],
        query: Query | None,
        progress: Progress | None,
        known: Mapping[str, FloatArray],
    ) -> FloatArray:
        parts, n_parts = [], len(self.encoders)
        for done, encoder in enumerate(self.encoders):
            if encoder.revision in known:
                parts.append(known[encoder.revision])
                continue

            def report(n_done: int, n_total: int, done: int = done) -> None:
                if progress is not None:
                    progress((done * n_total + n_done) // n_parts, n_total)

            parts.append(encoder.encode(texts, query=query, progress=report))
        return np.concatenate(parts, axis=1)
