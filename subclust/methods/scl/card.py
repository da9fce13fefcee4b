"""Cards of the SCL room's methods, and of their checkpoints."""

from typing import Any

from subclust.core.records import MethodCard

_LOADER = "subclust.methods.scl.clusterer:load"
_TRAINER = "subclust.methods.scl.training:train"
_PAPER = (
    "Shi and Sakai, Self-Supervised and Few-Shot Contrastive Learning Frameworks for Text "
    "Clustering, IEEE Access 2023"
)


def _card(name: str, label: str, summary: str, where: str) -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=f"{_PAPER}, {where}",
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        comparison=True,
        whole_collection=True,
    )


CARDS: tuple[MethodCard, ...] = (
    _card(
        "scl",
        "SCL (self-supervised)",
        "Learns one whole collection without labels, from two other wordings of each text.",
        "section III-B",
    ),
    _card(
        "fcl",
        "FCL (few-shot)",
        "Learns one whole collection from a few labels, or from pairs that belong together or not.",
        "section III-A",
    ),
    _card(
        "few-shot-supervised",
        "Supervised, few labels",
        "A classifier learnt from the same few labels; FCL's rival.",
        "section IV-D",
    ),
)


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
