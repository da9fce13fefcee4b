"""What the cards of this room's checkpoints say."""

from typing import Any

SUMMARIES = {
    "qs3m": "QS3M: a projection shared by query and passages, and a classifier of pairs.",
    "attn-qs3m": "attn-QS3M: QS3M over passages that an attention, asked by the query, puts "
    "together from the embeddings of their sentences.",
    "qss": "QSS: cosine after reweighting the dimensions by the query.",
    "centred-qs3m": "Centred QS3M: a residual projection that sees the query, the cosine of what "
    "sets passages apart from the other hits, and the TF-IDF cosine of the passages; where it was "
    "trained so, over tuned layers of the encoder, and behind a gate for hits that are about "
    "something else.",
}


def about(method: str) -> dict[str, Any]:
    """Return the first entries of a card."""
    return {
        "summary": SUMMARIES.get(method, method),
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics of "
        "that query, in English.",
        "limits": "Trained on encyclopaedia and textbook sections; groups follow that habit of "
        "dividing a subject. Nothing is known of other languages.",
        "citation": "Sumanta Kashyapi and Laura Dietz. Query-specific Subtopic Clustering. "
        "JCDL 2022. https://doi.org/10.1145/3529372.3530923",
        "licence": "Apache-2.0 (code and weights)",
    }
