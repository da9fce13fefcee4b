"""What the cards of this room's checkpoints say."""

from typing import Any

SUMMARIES = {
    "scl": "SCL: one collection, placed so that two wordings of a text are near each other.",
    "fcl": "FCL: one collection, placed so that texts of one label, or of a pair, are near.",
    "few-shot-supervised": "A classifier of one collection, learnt from a few of its labels.",
}


def about(method: str) -> dict[str, Any]:
    """Return the first entries of a card."""
    return {
        "summary": SUMMARIES[method],
        "intended_use": "Grouping the collection of English texts that it was trained on.",
        "limits": "It knows one collection; nothing is known of others.",
        "citation": "Haoxiang Shi and Tetsuya Sakai. Self-Supervised and Few-Shot Contrastive "
        "Learning Frameworks for Text Clustering. IEEE Access 11, 2023. "
        "https://doi.org/10.1109/ACCESS.2023.3302913",
        "licence": "Apache-2.0 (code and weights)",
    }
