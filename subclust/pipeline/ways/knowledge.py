"""The way to divide hits by the field of knowledge that each belongs to."""

from weakref import WeakKeyDictionary

import numpy as np

from subclust.core.records import FloatArray
from subclust.grouping.similarity.question_metric import SHARPNESS
from subclust.pipeline.ways.division import Division
from subclust.text.encoders import Encoder

KNOWLEDGE = "knowledge"
"""Key of the way."""

FIELDS_OF_KNOWLEDGE = (
    "Astronomy", "Biology", "Chemistry", "Computer science", "Economics", "Education",
    "Engineering", "Geography", "History", "Law", "Linguistics", "Literature", "Mathematics",
    "Medicine", "Military", "Music", "Philosophy", "Physics", "Politics", "Psychology", "Religion",
    "Sociology", "Sport", "Statistics", "Visual arts",
)  # fmt: skip

_LEAST = 0.05
"""Share of the hits that are nearest to a field, for it to have a group."""

_MOST_GROUPS = 8

_INSIDE = 0.4
"""Weight of the cosine beside 1 for hits of one field, by which groups are divided further."""

_known: WeakKeyDictionary[Encoder, FloatArray] = WeakKeyDictionary()


def by_field_of_knowledge(vectors: FloatArray, fields: FloatArray) -> Division | None:
    """Divide hits by the field whose name each is nearest to.

    Parameters
    ----------
    vectors : ndarray of shape (n_hits, dim)
        Of length 1, not centred: what all hits are about tells their field as well.
    fields : ndarray of shape (n_fields, dim)
        Of `FIELDS_OF_KNOWLEDGE`, of length 1.

    Returns
    -------
    Division or None
        None where the hits are of one field.
    """
    nearness = vectors @ fields.T
    counts = np.bincount(nearness.argmax(axis=1), minlength=len(fields))
    order = np.argsort(-counts, kind="stable")[:_MOST_GROUPS]
    kept = order[counts[order] >= max(2, _LEAST * len(vectors))]
    if len(kept) < 2:
        return None
    labels = nearness[:, kept].argmax(axis=1)  # those of other fields, too
    members = np.eye(len(kept), dtype=np.float32)[labels]
    scores = members @ members.T + _INSIDE * (vectors @ vectors.T)

    def near(row: int, others: FloatArray) -> FloatArray:
        shares = np.exp(SHARPNESS * (others @ fields[kept].T))
        shares /= shares.sum(axis=1, keepdims=True)
        found = shares @ members.T + _INSIDE * (others @ vectors.T)
        return np.asarray(found, dtype=np.float32)

    names = tuple(FIELDS_OF_KNOWLEDGE[one] for one in kept.tolist())
    return Division(labels, np.asarray(scores, dtype=np.float32), names, near)


def fields_of_knowledge(encoder: Encoder) -> FloatArray:
    """Return the vectors of `FIELDS_OF_KNOWLEDGE`, encoded once."""
    if encoder not in _known:
        _known[encoder] = encoder.encode(list(FIELDS_OF_KNOWLEDGE))
    return _known[encoder]
