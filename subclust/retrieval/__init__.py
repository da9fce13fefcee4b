"""From a query to a ranking."""

from subclust.retrieval.fusion import reciprocal_rank_fusion
from subclust.retrieval.retriever import (
    RETRIEVAL_MODES,
    RetrievalMode,
    Retriever,
    check_question,
)
from subclust.retrieval.typed_words import holding

__all__ = [
    "RETRIEVAL_MODES",
    "RetrievalMode",
    "Retriever",
    "check_question",
    "holding",
    "reciprocal_rank_fusion",
]
