"""Encoders around others: with vectors at hand, with a memory, and several side by side."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.text.encoders.base import Encoder, WrappingEncoder

MOST = 20_000
"""Texts that are remembered: about 30 MB at 384 dimensions."""

_making = Lock()


class KnownEncoder(WrappingEncoder):
    """Returns the vectors that it was given, and asks another encoder for those of all other texts.

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
        super().__init__(encoder)
        self.folder = folder
        self.embeddings = embeddings
        self._rows = {text: row for row, text in enumerate(texts)}

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


class RememberedEncoder(WrappingEncoder):
    """An encoder that remembers the last texts, in memory only. Threads may share it.

    Parameters
    ----------
    encoder : Encoder
        Its vectors must depend on the text alone.
    most : int
        So many texts; the one that was not asked for longest goes first.
    """

    def __init__(self, encoder: Encoder, most: int = MOST) -> None:
        super().__init__(encoder)
        self.most = most
        self._known: OrderedDict[str, FloatArray] = OrderedDict()
        self._lock = Lock()

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
        # Outside the lock: encoding is slow, and it does no harm if two threads encode the same
        # text.
        vectors = self.encoder.encode(missing, progress=progress)
        found |= dict(zip(missing, vectors, strict=True))
        with self._lock:
            for text in missing:
                self._known[text] = found[text]
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return np.stack([found[text] for text in texts])


_remembered: WeakKeyDictionary[Encoder, RememberedEncoder] = WeakKeyDictionary()


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


def base_of(encoder: Encoder) -> Encoder:
    """Return the base encoder of a method's own: the last one of several side by side."""
    return encoder.encoders[-1] if isinstance(encoder, StackedEncoder) else encoder


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

            def report(n_done: int, n_total: int, done: int = done) -> None:
                if progress is not None:
                    progress((done * n_total + n_done) // n_parts, n_total)

            if encoder.revision in known:
                parts.append(known[encoder.revision])
                report(len(texts), len(texts))
                continue
            parts.append(encoder.encode(texts, query=query, progress=report))
        return np.concatenate(parts, axis=1)
