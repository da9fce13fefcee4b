"""Cards of the AECL room."""

from subclust.records import MethodCard

_LOADER = "subclust.methods.aecl.clusterer:load"
_TRAINER = "subclust.methods.aecl.training:train"
_PAPER = (
    "Yao and Li, Discriminative Representation learning via Attention-Enhanced Contrastive "
    "Learning for Short Text Clustering"
)

CARDS: tuple[MethodCard, ...] = (
    MethodCard(
        name="aecl",
        label="AECL",
        summary="Learns the themes of one whole collection of short texts, without labels.",
        paper=_PAPER,
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        comparison=True,
        whole_collection=True,
    ),
)
