"""Methods that are there for a paper's table only: rivals, and parts taken away."""

from subclust.core.records import MethodCard

_PAPER = "Context-Aware Clustering using Large Language Models (CACTUS), under review"
_SCL = "Barnabo et al., Supervised Clustering Loss, 2023"
_AECL = "Yao and Li, Attention-Enhanced Contrastive Learning for Short Text Clustering, table 2"


def _cactus(name: str, label: str, summary: str, paper: str) -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=paper,
        loader="subclust.methods.cactus.clusterer:load",
        trainer="subclust.methods.cactus.training:train",
        needs_checkpoint=True,
        comparison=True,
    )


def _rival(name: str, label: str, summary: str, paper: str) -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=paper,
        loader="benchmarks.methods.rivals.training:load",
        trainer="benchmarks.methods.rivals.training:train",
        needs_checkpoint=True,
        comparison=True,
        whole_collection=True,
    )


_CARDS: tuple[MethodCard, ...] = (
    _cactus(
        "cactus-sia-first",
        "CACTUS (first token)",
        "As CACTUS; passages see only each other's first word piece.",
        f"{_PAPER}, table 3",
    ),
    _cactus(
        "cactus-sia-kv-mean",
        "CACTUS (KV-mean)",
        "As CACTUS; passages see each other's mean keys and values.",
        f"{_PAPER}, table 3",
    ),
    _cactus(
        "cactus-fia",
        "CACTUS (full attention)",
        "As CACTUS, with every word in sight of every other; slow on large sets.",
        f"{_PAPER}, table 3",
    ),
    _cactus(
        "cactus-nia",
        "CACTUS (no attention)",
        "Learnt as CACTUS is, but each passage is read alone.",
        f"{_PAPER}, table 3",
    ),
    _cactus(
        "cactus-nia-context",
        "CACTUS (mean)",
        "Learnt as CACTUS is; each passage is read alone and then sees the mean of the set.",
        f"{_PAPER}, table 3",
    ),
    _cactus(
        "scl-structural",
        "SCL",
        "Each passage is read alone; learnt by spanning forests. A rival of CACTUS.",
        f"{_SCL}; {_PAPER}, section 4.2",
    ),
    _cactus(
        "scl-structural-context",
        "SCL (context)",
        "As SCL; each passage then sees the mean of the set.",
        f"{_SCL}; {_PAPER}, section 4.2",
    ),
    _cactus(
        "word-emb",
        "Word embeddings",
        "The mean of learnt word vectors, without a language model above them.",
        f"{_PAPER}, section 4.2",
    ),
    _cactus(
        "word-emb-context",
        "Word embeddings (context)",
        "The mean of learnt word vectors, which then sees the mean of the set.",
        f"{_PAPER}, section 4.2",
    ),
    _rival(
        "self-train",
        "Self-training",
        "Compresses the texts of one whole collection, then sharpens its own groups of them.",
        "Hadifar et al., A Self-Training Approach for Short Text Clustering, RepL4NLP 2019",
    ),
    _rival(
        "sccl",
        "SCCL",
        "Learns one whole collection by its other wordings and its own sharpened groups at once.",
        "Zhang et al., Supporting Clustering with Contrastive Learning, NAACL 2021",
    ),
    _rival(
        "rstc",
        "RSTC",
        "Learns one whole collection by labels that it gives itself, of sizes that it finds.",
        "Zheng et al., Robust Representation Learning with Reliable Pseudo-labels Generation via "
        "Self-Adaptive Optimal Transport for Short Text Clustering, ACL 2023",
    ),
    MethodCard(
        name="bow-kmeans",
        label="Bag of words, k-means",
        summary="k-means on how often each word occurs.",
        paper=f"{_AECL}, after Scott and Matwin, 1998",
        loader="benchmarks.methods.term_kmeans:load",
        comparison=True,
    ),
    MethodCard(
        name="tfidf-kmeans",
        label="TF-IDF, k-means",
        summary="k-means on the words of the passages, rare ones counting more.",
        paper=f"{_AECL}, after Chowdhury, Introduction to Modern Information Retrieval, 2010",
        loader="benchmarks.methods.term_kmeans:load",
        comparison=True,
    ),
)

METHODS: dict[str, MethodCard] = {card.name: card for card in _CARDS}
"""By name."""
