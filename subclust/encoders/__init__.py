"""Texts to vectors."""

from subclust.encoders.base import Encoder, with_embedding
from subclust.encoders.cache import CachedEncoder
from subclust.encoders.hashing import HashingEncoder
from subclust.encoders.sentence import SentenceEncoder
from subclust.settings import Settings

__all__ = [
    "CachedEncoder",
    "Encoder",
    "HashingEncoder",
    "SentenceEncoder",
    "load_encoder",
    "with_embedding",
]


def load_encoder(settings: Settings) -> Encoder:
    """Make the encoder that the settings name, with its cache on disk.

    Parameters
    ----------
    settings : Settings
        ``encoder`` may also be ``"hashing"``, which needs no weights and groups words, not
        meanings: for tests.

    Raises
    ------
    EncoderError
        If it cannot be had.
    """
    if settings.encoder == "hashing":
        return HashingEncoder()
    encoder = SentenceEncoder(
        settings.encoder,
        device=settings.resolve_device(),
        max_seq_length=settings.max_seq_length,
        offline=settings.offline,
    )
    return CachedEncoder(encoder, settings.embeddings_dir)
