"""From a query to a ranking."""

from subclust.retrieval.fusion import reciprocal_rank_fusion
from subclust.retrieval.retriever import RETRIEVAL_MODES, RetrievalMode, Retriever

__all__ = ["RETRIEVAL_MODES", "RetrievalMode", "Retriever", "reciprocal_rank_fusion"]
