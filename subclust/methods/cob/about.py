"""What the cards of this room's checkpoints say."""

from typing import Any

SUMMARIES = {
    "cob": "SBERT COB: distances of embeddings that were trained by the groups that come of them.",
    "cob-query": "Query-specific COB: the network of Centred QS3M, trained by the groups that come "
    "of its scores.",
    "sbert-triplet": "SBERT Triplet: distances of embeddings that were trained three passages at a "
    "time.",
}


def about(method: str) -> dict[str, Any]:
    """Return the first entries of a card."""
    return {
        "summary": SUMMARIES[method],
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics, in "
        "English, on texts like those it was trained on.",
        "limits": "Groups follow the way in which its training texts are divided. Nothing is known "
        "of other languages.",
        "citation": "Sumanta Kashyapi and Laura Dietz. Learn the Big Picture: Representation "
        "Learning for Clustering. RepL4NLP 2021. https://aclanthology.org/2021.repl4nlp-1.15",
        "licence": "Apache-2.0 (code and weights)",
    }
