"""The topic model baseline's checkpoint: a table of topics and words, and the words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.checkpoint import unfit
from subclust.core.exceptions import CheckpointError
from subclust.grouping.similarity.topic_model import TopicModelSimilarity

TOPIC_WORD = "topic_word"
VOCABULARY = "vocabulary"

_LARGEST_HALF = float(np.finfo(np.float16).max)


@dataclass(frozen=True)
class TopicModelShape:
    """What a checkpoint's config says of its table.

    Parameters
    ----------
    prior : float
        Of a passage's topics.
    """

    n_topics: int
    n_words: int
    prior: float


def to_tensors(
    topic_word: npt.NDArray[np.floating], words: Sequence[str]
) -> dict[str, npt.NDArray[Any]]:
    """Return a topic model as tensors, the table in half precision where it fits.

    Parameters
    ----------
    topic_word : ndarray of shape (n_topics, n_words)
    words : sequence of str
        Without line breaks; they become one tensor of UTF-8 bytes, a word a line.
    """
    # Counts of frequent words in large sets exceed what half precision can hold.
    fits = float(topic_word.max()) < _LARGEST_HALF
    return {
        TOPIC_WORD: topic_word.astype(np.float16 if fits else np.float32),
        VOCABULARY: np.frombuffer("\n".join(words).encode("utf-8"), dtype=np.uint8),
    }


def to_config(shape: TopicModelShape) -> dict[str, Any]:
    """Return a checkpoint's config, which names no encoder: words are read, not vectors."""
    return {"model": asdict(shape), "encoder_revision": None}


def similarity_of(checkpoint: Checkpoint) -> TopicModelSimilarity:
    """Make the similarity of a checkpoint.

    Raises
    ------
    CheckpointError
        If its configuration cannot be used, or its tensors do not fit it.
    """
    try:
        shape = TopicModelShape(**checkpoint.config["model"])
    except (KeyError, TypeError) as error:
        raise CheckpointError(
            "The [model] values of {method} cannot be used ({error}); train the checkpoint again.",
            method=checkpoint.method,
            error=error,
        ) from error
    try:
        topic_word = np.asarray(checkpoint.tensors[TOPIC_WORD], dtype=np.float32)
        text = np.asarray(checkpoint.tensors[VOCABULARY], dtype=np.uint8).tobytes()
        words = text.decode("utf-8").split("\n")
        if topic_word.shape != (shape.n_topics, shape.n_words) or len(words) != shape.n_words:
            raise ValueError(f"{topic_word.shape} for {len(words)} words")
    except (KeyError, ValueError) as error:
        raise unfit(checkpoint) from error
    return TopicModelSimilarity(topic_word, words, shape.prior)
