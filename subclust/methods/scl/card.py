"""Cards of the SCL room."""

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
