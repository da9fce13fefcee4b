"""What the cards of this room's checkpoints say."""

from typing import Any

SUMMARIES = {
    "aecl": "AECL: the themes of one collection of short texts, learnt from the texts alone.",
    "self-train": "Self-training: the themes of one collection, by an autoencoder and its groups.",
    "sccl": "SCCL: the themes of one collection, by other wordings of its texts and its groups.",
    "rstc": "RSTC: the themes of one collection, by pseudo-labels of optimal transport.",
}

CITATIONS = {
    "aecl": "Zhihao Yao and Bo Li. Discriminative Representation learning via "
    "Attention-Enhanced Contrastive Learning for Short Text Clustering. "
    "https://github.com/YZH0905/AECL-STC",
    "self-train": "Amir Hadifar, Lucas Sterckx, Thomas Demeester and Chris Develder. A "
    "Self-Training Approach for Short Text Clustering. RepL4NLP 2019. "
    "https://aclanthology.org/W19-4322",
    "sccl": "Dejiao Zhang et al. Supporting Clustering with Contrastive Learning. NAACL 2021. "
    "https://arxiv.org/abs/2103.12953",
    "rstc": "Xiaolin Zheng, Mengling Hu, Weiming Liu, Chaochao Chen and Xinting Liao. Robust "
    "Representation Learning with Reliable Pseudo-labels Generation via Self-Adaptive Optimal "
    "Transport for Short Text Clustering. ACL 2023. https://arxiv.org/abs/2305.16335",
}


def about(method: str) -> dict[str, Any]:
    """Give the first entries of a card."""
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
