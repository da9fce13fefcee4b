"""What the cards of this room's checkpoints say."""

from typing import Any

SUMMARIES = {
    "cactus": "CACTUS: passages of a set are encoded together (SIA, hid-mean), and trained to lie "
    "above a neutral similarity to those of their group and below it to the others.",
    "cactus-query": "CACTUS with the query as one more entity of each set.",
    "cactus-sia-first": "CACTUS with each passage's first token for the others to see.",
    "cactus-sia-kv-mean": "CACTUS with the mean of each passage's keys and values for the others.",
    "cactus-fia": "CACTUS with all tokens of a set in sight of each other.",
    "cactus-nia": "The loss of CACTUS over passages that are encoded alone.",
    "cactus-nia-context": "The loss of CACTUS over passages that see the mean of their set.",
    "scl-structural": "SCL: passages encoded alone, trained by the structural loss.",
    "scl-structural-context": "SCL (context): as SCL, with the mean of the set beside a passage.",
    "word-emb": "Means of word embeddings, trained by the structural loss.",
    "word-emb-context": "Means of word embeddings, with the mean of the set beside them.",
}


def about(method: str) -> dict[str, Any]:
    """Give the first entries of a card."""
    return {
        "summary": SUMMARIES[method],
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics, in "
        "English, on texts like those it was trained on.",
        "limits": "Groups follow the way in which its training texts are divided, and a passage's "
        "place depends on which others there are. Nothing is known of other languages.",
        "citation": "Context-Aware Clustering using Large Language Models (CACTUS). Anonymous "
        "authors, under review.",
        "licence": "Apache-2.0 (code and weights)",
    }
