"""Vectors of short texts that come again within minutes, such as the phrases of names."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.text.encoders.base import Encoder

MOST = 20_000
"""Texts that are remembered: about 30 MB at 384 dimensions."""


class RememberedEncoder(Encoder):
    """An encoder that remembers the last texts, in memory only. Threads may share it.

    Parameters
    ----------
    encoder : Encoder
        Its vectors must depend on the text alone.
    most : int
        So many texts; the one that was not asked for longest goes first.
    """

    def __init__(self, encoder: Encoder, most: int = MOST) -> None:
        self.encoder = encoder
        self.most = most
        self.name = encoder.name
        self._known: OrderedDict[str, FloatArray] = OrderedDict()
        self._lock = Lock()

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
        found: dict[str, FloatArray] = {}
        with self._lock:
            for text in texts:
                if text in self._known:
                    self._known.move_to_end(text)
                    found[text] = self._known[text]
        missing = sorted(set(texts) - set(found))
        vectors = self.encoder.encode(missing, progress=progress)
        found |= dict(zip(missing, vectors, strict=True))
        with self._lock:
            for text in missing:
                self._known[text] = found[text]
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return np.stack([found[text] for text in texts])


_remembered: WeakKeyDictionary[Encoder, RememberedEncoder] = WeakKeyDictionary()
_making = Lock()


def remembering(encoder: Encoder, unwritten: Encoder) -> RememberedEncoder:
    """Return the one remembering encoder that goes with an encoder, as long as that is there.

    Parameters
    ----------
    encoder : Encoder
        That others share.
    unwritten : Encoder
        The same, which writes nothing to a cache on disk.
    """
    with _making:
        found = _remembered.get(encoder)
        if found is None:
            found = _remembered[encoder] = RememberedEncoder(unwritten)
        return found
