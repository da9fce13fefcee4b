"""A tiny encoder without weights, for tests and for trying the app out."""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.text.encoders.base import Encoder

_WORD = re.compile(r"\w+")


class HashingEncoder(Encoder):
    """Sum of one fixed random direction per word (the hashing trick).

    Parameters
    ----------
    embedding_dim : int
        At least 2.
    """

    def __init__(self, embedding_dim: int = 64) -> None:
        self.embedding_dim = embedding_dim
        self.name = "hashing"
        self.revision = f"hashing-{embedding_dim}"

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        directions: dict[str, FloatArray] = {}
        result = np.zeros((len(texts), self.embedding_dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.lower()) or [""]:
                if word not in directions:
                    seed = zlib.crc32(word.encode())
                    directions[word] = (
                        np.random.default_rng(seed)
                        .standard_normal(self.embedding_dim)
                        .astype(np.float32)
                    )
                result[row] += directions[word]
            if progress is not None:
                progress(row + 1, len(texts))
        return result
