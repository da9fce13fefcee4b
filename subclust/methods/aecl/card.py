"""Cards of the AECL room's methods, and of their checkpoints."""

from typing import Any

from subclust.core.records import MethodCard

CARDS: tuple[MethodCard, ...] = (
    MethodCard(
        name="aecl",
        label="AECL",
        summary="Learns the themes of one whole collection of short texts, without labels.",
        paper="Yao and Li, Discriminative Representation learning via Attention-Enhanced "
        "Contrastive Learning for Short Text Clustering",
        loader="subclust.methods.aecl.clusterer:load",
        trainer="subclust.methods.aecl.training:train",
        needs_checkpoint=True,
        comparison=True,
        whole_collection=True,
    ),
)

SUMMARIES = {
    "aecl": "AECL: the themes of one collection of short texts, learnt from the texts alone.",
}

CITATIONS = {
    "aecl": "Zhihao Yao and Bo Li. Discriminative Representation learning via "
    "Attention-Enhanced Contrastive Learning for Short Text Clustering. "
    "https://github.com/YZH0905/AECL-STC",
}


def about(method: str) -> dict[str, Any]:
    """Return the first entries of a card."""
    return {
        "summary": SUMMARIES[method],
        "intended_use": "Grouping the collection of short English texts that it was trained on, "
        "such as titles, snippets or questions, into themes.",
        "limits": "It knows one collection, and the number of themes that it was trained for; "
        "other texts are put where they fit best, and another number of groups is made by k-means "
        "on what it has learnt.",
        "citation": CITATIONS[method],
        "licence": "Apache-2.0 (code and weights)",
    }
