"""Cards of the AECL room."""

from subclust.records import MethodCard

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
    _card(
        "self-train",
        "Self-training",
        "Compresses the texts of one whole collection, then sharpens its own groups of them.",
        "Hadifar et al., A Self-Training Approach for Short Text Clustering, RepL4NLP 2019",
    ),
    _card(
        "sccl",
        "SCCL",
        "Learns one whole collection by its other wordings and its own sharpened groups at once.",
        "Zhang et al., Supporting Clustering with Contrastive Learning, NAACL 2021",
    ),
    _card(
        "rstc",
        "RSTC",
        "Learns one whole collection by labels that it gives itself, of sizes that it finds.",
        "Zheng et al., Robust Representation Learning with Reliable Pseudo-labels Generation via "
        "Self-Adaptive Optimal Transport for Short Text Clustering, ACL 2023",
    ),
)
