"""Cards of the AECL room."""

from subclust.core.records import MethodCard

_LOADER = "subclust.methods.aecl.clusterer:load"
_TRAINER = "subclust.methods.aecl.training:train"
_PAPER = (
    "Yao and Li, Discriminative Representation learning via Attention-Enhanced Contrastive "
    "Learning for Short Text Clustering"
)


def _card(name: str, label: str, summary: str, paper: str) -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=paper,
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        comparison=True,
        whole_collection=True,
    )


CARDS: tuple[MethodCard, ...] = (
    _card(
        "aecl",
        "AECL",
        "Learns the themes of one whole collection of short texts, without labels.",
        _PAPER,
    ),
)
