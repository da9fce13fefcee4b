"""Cards of the COB room's methods, and of their checkpoints."""

from functools import partial
from typing import Any

from subclust.core.records import MethodCard

_PAPER = (
    "Kashyapi and Dietz, Learn the Big Picture: Representation Learning for Clustering, "
    "RepL4NLP 2021"
)
_card = partial(
    MethodCard,
    loader="subclust.methods.cob.clusterer:load",
    trainer="subclust.methods.cob.training:train",
    needs_checkpoint=True,
)

CARDS: tuple[MethodCard, ...] = (
    _card(
        name="cob",
        label="COB",
        summary="Learnt by grouping: its training looked at the resulting groups and moved "
        "passages until the groups were right.",
        paper=_PAPER,
        fits="Choose it if a collection should always be divided in the same way, whatever the "
        "question. It changes the encoder itself, so it takes longer and needs many questions.",
    ),
    _card(
        name="cob-query",
        label="COB for questions",
        summary="A network like the default's, which looks at the question, trained by the groups "
        "that come out.",
        paper=f"After {_PAPER}, section 3; the network that sees the query is ours",
        query_specific=True,
        fits="Choose it if getting the groups of your own collection right matters more than "
        "speed: it learns from whole groups, not from pairs of passages.",
    ),
    _card(
        name="sbert-triplet",
        label="SBERT Triplet",
        summary="Learnt from three passages at a time which two belong together; COB's rival.",
        paper=f"{_PAPER}, section 4.2",
        fits="Like COB, for comparison, but learns from three passages at a time. It changes "
        "the encoder itself and takes longer.",
    ),
)


SUMMARIES = {
    "cob": "SBERT COB: distances of embeddings that were trained by the groups that come of them.",
    "cob-query": "Query-specific COB: the network of Centred QS3M, trained by the groups that come "
    "of its scores.",
    "sbert-triplet": "SBERT Triplet: distances of embeddings that were trained three passages at a "
    "time.",
}


def about(method: str) -> dict[str, Any]:
    """Return the first entries of a card."""
    return {
        "summary": SUMMARIES[method],
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics, in "
        "English, on texts like those it was trained on.",
        "limits": "Groups follow the way in which its training texts are divided. Nothing is known "
        "of other languages.",
        "citation": "Sumanta Kashyapi and Laura Dietz. Learn the Big Picture: Representation "
        "Learning for Clustering. RepL4NLP 2021. https://aclanthology.org/2021.repl4nlp-1.15",
        "licence": "Apache-2.0 (code and weights)",
    }
