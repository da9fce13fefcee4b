"""An encoder that already knows the vectors of some texts, such as those of a library."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.text.encoders.base import Encoder


class KnownEncoder(Encoder):
    """Gives the vectors that it was told, and asks another encoder for those of all other texts.

    Parameters
    ----------
    encoder : Encoder
        Its vectors must depend on the text alone.
    texts : sequence of str
    embeddings : ndarray of shape (n_texts, embedding_dim)
        By that encoder.
    folder : Path, optional
        Where what is made of the texts may be kept, such as other wordings of them.
    """

    def __init__(
        self,
        encoder: Encoder,
        texts: Sequence[str],
        embeddings: FloatArray,
        folder: Path | None = None,
    ) -> None:
        self.encoder = encoder
        self.folder = folder
        self.name = encoder.name
        self.embeddings = embeddings
        self._rows = {text: row for row, text in enumerate(texts)}

    @property
    def revision(self) -> str:  # type: ignore[override]
        """The revision of the encoder inside."""
        return self.encoder.revision

    @property
    def embedding_dim(self) -> int:  # type: ignore[override]
        """The dimension of the encoder inside."""
        return self.encoder.embedding_dim

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        rows = [self._rows.get(text) for text in texts]
        missing = list(
            dict.fromkeys(text for text, row in zip(texts, rows, strict=True) if row is None)
        )
        new = self.encoder.encode(missing, query=query, progress=progress)
        places = {text: row for row, text in enumerate(missing)}
        return np.stack(
            [
                new[places[text]] if row is None else self.embeddings[row]
                for text, row in zip(texts, rows, strict=True)
            ]
        )
