"""Vectors that ship with Subclust, so that the demo library is built without encoding it."""

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray

FILE = Path(__file__).with_name("shipped.safetensors")

KEY_BYTES = 16
"""Of a text's SHA-256, by which it is found."""

LARGEST = 80
"""Number that a vector's largest becomes: below 127, the file is packed smaller in the wheel."""

_DIGEST = "sha256"
_KEYS, _VECTORS, _STEPS = "keys", "vectors", "steps"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ShippedVectors:
    """The vectors of some texts by one encoder, in 8 bits a number.

    Parameters
    ----------
    rows : mapping of bytes to int
        By the first `KEY_BYTES` bytes of the text's SHA-256.
    vectors : ndarray of shape (n_texts, embedding_dim)
        int8.
    steps : ndarray of shape (n_texts,)
        float32; what a vector's numbers are multiplied by.
    """

    rows: Mapping[bytes, int]
    vectors: npt.NDArray[np.int8]
    steps: FloatArray

    def of(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, FloatArray]]:
        """Yield the vectors of those texts that are there.

        Parameters
        ----------
        keys : sequence of bytes
            SHA-256 of each text.

        Yields
        ------
        tuple of bytes and ndarray of shape (embedding_dim,)
            Key and vector, of length 1 but for rounding.
        """
        for key in keys:
            row = self.rows.get(key[:KEY_BYTES])
            if row is not None:
                yield key, self.vectors[row] * self.steps[row]


_NONE = ShippedVectors({}, np.zeros((0, 0), np.int8), np.zeros(0, np.float32))


def shipped_vectors(revision: str, file: Path = FILE) -> ShippedVectors:
    """Return the vectors that ship for an encoder.

    Parameters
    ----------
    revision : str
        Of the encoder, which stands for its weights, those of its tuning, and its length.
    file : Path

    Returns
    -------
    ShippedVectors
        Of no text where none ship for it. A file that is missing, damaged or changed is done
        without, and told in the log.
    """
    return _read(file).get(revision, _NONE)


@lru_cache(maxsize=2)
def _read(file: Path) -> dict[str, ShippedVectors]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as opened:
            expected = (opened.metadata() or {}).get(_DIGEST)
            tensors = {name: opened.get_tensor(name) for name in sorted(opened.keys())}
    except (OSError, SafetensorError) as error:
        _log.warning("The vectors that ship with Subclust cannot be read (%s).", error)
        return {}
    if _digest(tensors) != expected:
        _log.warning("The vectors in %s are not those that shipped, and are not used.", file)
        return {}
    return {
        revision: _of_tensors(
            *(tensors[f"{revision}/{part}"] for part in (_KEYS, _VECTORS, _STEPS))
        )
        for revision in sorted({name.rpartition("/")[0] for name in tensors})
    }


def _of_tensors(
    keys: npt.NDArray[np.uint8], vectors: npt.NDArray[np.int8], steps: FloatArray
) -> ShippedVectors:
    content = keys.tobytes()
    starts = range(0, len(content), KEY_BYTES)
    rows = {content[at : at + KEY_BYTES]: row for row, at in enumerate(starts)}
    return ShippedVectors(rows, vectors, steps)


def write_shipped(
    vectors: Mapping[str, tuple[Sequence[str], FloatArray]], file: Path = FILE
) -> None:
    """Write the vectors that ship.

    Parameters
    ----------
    vectors : mapping of str to tuple
        By the encoder's revision: texts, all different, and their vectors, of shape (n_texts,
        embedding_dim).
    file : Path
    """
    from safetensors.numpy import save_file

    tensors: dict[str, npt.NDArray[np.generic]] = {}
    for revision, (texts, values) in vectors.items():
        steps = (np.abs(values).max(axis=1) / LARGEST).astype(np.float32)
        keys = b"".join(text_key(text)[:KEY_BYTES] for text in texts)
        tensors |= {
            f"{revision}/{_KEYS}": np.frombuffer(keys, np.uint8).reshape(-1, KEY_BYTES),
            f"{revision}/{_VECTORS}": np.rint(values / steps[:, None]).astype(np.int8),
            f"{revision}/{_STEPS}": steps,
        }
    save_file(tensors, file, metadata={_DIGEST: _digest(tensors)})


def text_key(text: str) -> bytes:
    """Compute the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _digest(tensors: Mapping[str, npt.NDArray[np.generic]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensors[name]).data)
    return digest.hexdigest()
