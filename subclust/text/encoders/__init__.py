"""Texts to vectors."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy.typing as npt

from subclust.core.exceptions import EncoderError
from subclust.core.settings import APPROXIMATE_BACKENDS, Settings
from subclust.text.encoders.backends import choose_backend
from subclust.text.encoders.base import Encoder, HashingEncoder, with_embedding
from subclust.text.encoders.cache import CachedEncoder, ReadingEncoder
from subclust.text.encoders.exported_encoder import ExportedEncoder
from subclust.text.encoders.sentence import (
    EMBEDDED_MODEL,
    EMBEDDED_SHA256,
    SentenceEncoder,
    native_precision,
    revision_of,
)
from subclust.text.encoders.wrapping import (
    KnownEncoder,
    RememberedEncoder,
    StackedEncoder,
    base_of,
    remembering,
)

__all__ = [
    "CachedEncoder",
    "Encoder",
    "ExportedEncoder",
    "HashingEncoder",
    "ReadingEncoder",
    "RememberedEncoder",
    "SentenceEncoder",
    "StackedEncoder",
    "base_of",
    "cache_folder",
    "encoder_in_use",
    "exact",
    "identity_of",
    "load_encoder",
    "native_precision",
    "reading",
    "remembering",
    "shared_encoder",
    "tuned",
    "uncached",
    "unprepared",
    "untuned",
    "with_embedding",
]


def load_encoder(settings: Settings, *, shipped: bool = True) -> Encoder:
    """Make the encoder that the settings name, with its cache on disk.

    Parameters
    ----------
    settings : Settings
        ``encoder`` may also be ``"hashing"``, which needs no weights and groups words, not
        meanings: for tests.
    shipped : bool
        Whether to use the vectors that ship with Subclust; False to time the encoding.

    Raises
    ------
    EncoderError
        If it cannot be had.
    """
    if settings.encoder == "hashing":
        return HashingEncoder()
    return CachedEncoder(_sentence_encoder(settings), settings.embeddings_dir, shipped=shipped)


def _identity_of(settings: Settings) -> tuple[str, str]:
    """Return name and revision of the encoder that the settings name.

    Of the embedded one they are known without looking at its weights, which takes seconds.

    Raises
    ------
    EncoderError
        If it cannot be had.
    """
    if settings.encoder == EMBEDDED_MODEL and settings.encoder_backend not in APPROXIMATE_BACKENDS:
        return EMBEDDED_MODEL, revision_of(EMBEDDED_MODEL, EMBEDDED_SHA256, settings.max_seq_length)
    encoder = load_encoder(settings)
    return encoder.name, encoder.revision


def encoder_in_use(settings: Settings) -> tuple[str, str] | None:
    """Return name and revision as `_identity_of` does; None where the encoder cannot be had."""
    try:
        return _identity_of(settings)
    except EncoderError:
        return None


@lru_cache(maxsize=2)
def shared_encoder(settings: Settings) -> Encoder:
    """Make the encoder that the settings name, once in this process.

    Raises
    ------
    EncoderError
        If it cannot be had.
    """
    return load_encoder(settings)


def _sentence_encoder(settings: Settings) -> SentenceEncoder:
    device = settings.resolve_device()
    backend = choose_backend(settings.encoder_backend, device)
    if backend is None or backend.is_torch:
        return SentenceEncoder(
            settings.encoder,
            device=device,
            max_seq_length=settings.max_seq_length,
            offline=settings.offline,
            precision="auto" if backend is None else backend.precision,
            unpacked=settings.encoders_dir,
        )
    return ExportedEncoder(
        settings.encoder,
        backend=backend,
        exports=settings.encoders_dir,
        max_seq_length=settings.max_seq_length,
        offline=settings.offline,
    )


def tuned(encoder: Encoder, layers: Mapping[str, npt.NDArray[Any]]) -> Encoder:
    """Make a tuning of an encoder, with a cache of its own beside that of the encoder.

    Parameters
    ----------
    encoder : Encoder
        A `SentenceEncoder`, or the cache of one.
    layers : mapping of str to ndarray
        Weights that replace those of the same name, and adapters, as `SentenceEncoder` takes them.

    Raises
    ------
    EncoderError
        If the encoder is of another kind.
    """
    inner = _inner(encoder)
    if not isinstance(inner, SentenceEncoder):
        raise EncoderError(
            "The encoder {encoder} has no layers that could be replaced.", encoder=encoder.name
        )
    other = SentenceEncoder(
        inner.name,
        device=inner.device,
        max_seq_length=inner.max_seq_length,
        offline=inner.offline,
        # Layers are replaced in PyTorch, whatever computes the others' vectors.
        precision="auto" if isinstance(inner, ExportedEncoder) else inner.precision,
        layers=layers,
        unpacked=inner.unpacked,
    )
    if isinstance(encoder, CachedEncoder):
        return CachedEncoder(other, encoder.folder, shipped=encoder.shipped)
    return other


def unprepared(encoder: Encoder) -> ExportedEncoder | None:
    """Return the encoder that has to be exported before its first text; None where none has to."""
    inner = _inner(encoder)
    return inner if isinstance(inner, ExportedEncoder) and not inner.prepared else None


def exact(encoder: Encoder) -> Encoder:
    """Return the encoder that a rounding one approximates; itself where it rounds nothing."""
    inner = _inner(encoder)
    if isinstance(inner, ExportedEncoder) and inner.backend.approximate:
        return tuned(encoder, {})
    return encoder


def untuned(encoder: Encoder) -> Encoder:
    """Return the encoder that a tuning started from; itself where it is none."""
    inner = _inner(encoder)
    if isinstance(inner, SentenceEncoder) and inner.layers:
        return tuned(encoder, {})
    return encoder


def cache_folder(encoder: Encoder) -> Path | None:
    """Return the folder in which what is made of an encoder's texts is kept; None for nowhere.

    Parameters
    ----------
    encoder : Encoder
        A `KnownEncoder` has one of its own, since its texts are not everybody's.
    """
    if isinstance(encoder, KnownEncoder):
        return encoder.folder
    if isinstance(encoder, CachedEncoder) and not isinstance(encoder, ReadingEncoder):
        return encoder.folder
    return None


def reading(encoder: Encoder) -> Encoder:
    """Return an encoder that only reads its cache, for texts made up in passing."""
    if isinstance(encoder, CachedEncoder):
        return ReadingEncoder(
            encoder.encoder, encoder.folder, encoder.asked, shipped=encoder.shipped
        )
    if isinstance(encoder, StackedEncoder):
        return StackedEncoder([reading(one) for one in encoder.encoders])
    return encoder


def uncached(encoder: Encoder) -> Encoder:
    """Return an encoder without its cache, for texts that nobody will ask for again."""
    if isinstance(encoder, CachedEncoder):
        return encoder.encoder
    if isinstance(encoder, StackedEncoder):
        return StackedEncoder([uncached(one) for one in encoder.encoders])
    return encoder


def _inner(encoder: Encoder) -> Encoder:
    return encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
