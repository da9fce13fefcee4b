"""From a query to a ranking."""

from subclust.text.retrieval.fusion import fuse
from subclust.text.retrieval.hit_features import N_NEAREST
from subclust.text.retrieval.operators import read_as, understood
from subclust.text.retrieval.relevance import FEW, STRICTNESSES
from subclust.text.retrieval.retriever import (
    RETRIEVAL_MODES,
    RetrievalMode,
    Retriever,
    check_question,
)
from subclust.text.retrieval.typed_words import hardly_mentioned, holding

__all__ = [
    "FEW",
    "N_NEAREST",
    "RETRIEVAL_MODES",
    "RetrievalMode",
    "STRICTNESSES",
    "Retriever",
    "check_question",
    "fuse",
    "hardly_mentioned",
    "holding",
    "read_as",
    "understood",
]
