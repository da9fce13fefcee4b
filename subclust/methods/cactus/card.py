"""Cards of the CACTUS room's methods, and of their checkpoints."""

from typing import Any

from subclust.core.records import MethodCard
from subclust.methods.cactus.variants import VARIANTS

_LOADER = "subclust.methods.cactus.clusterer:load"
_TRAINER = "subclust.methods.cactus.training:train"
_PAPER = "Context-Aware Clustering using Large Language Models (CACTUS), under review"


def _card(name: str, label: str, summary: str, where: str, fits: str) -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=where,
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=name == "cactus-query",
        fits=fits,
    )


CARDS: tuple[MethodCard, ...] = (
    _card(
        "cactus",
        "CACTUS",
        "Reads all passages of a hit set together, so that each is understood beside the others.",
        f"{_PAPER}, section 3",
        "Choose it if your sets are small, such as the items of a list or what one person "
        "asked, and what belongs together depends on what else there is.",
    ),
    _card(
        "cactus-query",
        "CACTUS for questions",
        "Reads all passages of a hit set together with the question.",
        f"After {_PAPER}, section 3; the query as one more entity is ours",
        "Like CACTUS, for sets that answer a question: it reads the question along with them.",
    ),
)


_NETWORKS = {
    "cactus": "CACTUS: passages of a set are encoded together (SIA, hid-mean).",
    "cactus-query": "CACTUS with the query as one more entity of each set (SIA, hid-mean).",
    "cactus-sia-first": "CACTUS with each passage's first token for the others to see.",
    "cactus-sia-kv-mean": "CACTUS with the mean of each passage's keys and values for the others.",
    "cactus-fia": "CACTUS with all tokens of a set in sight of each other.",
    "cactus-nia": "CACTUS over passages that are encoded alone.",
    "cactus-nia-context": "CACTUS over passages that see the mean of their set.",
    "scl-structural": "SCL: passages encoded alone.",
    "scl-structural-context": "SCL (context): as SCL, with the mean of the set beside a passage.",
    "word-emb": "Means of word embeddings.",
    "word-emb-context": "Means of word embeddings, with the mean of the set beside them.",
}
_OVER_VECTORS = {
    "all": "A passage is encoded alone; its vector{query} see one another "
    "in a small attention network above the encoder, and in no layer of it.",
    "mean": "A passage is encoded alone; a small network above the encoder sees its vector and the "
    "mean of the set's.",
    "none": "A passage is encoded alone, and a small network above the encoder changes its vector.",
}
_LOSSES = {
    "augmented-triplet": "Trained so that passages lie above a neutral similarity to those of "
    "their group, and below it to the others (augmented triplet loss).",
    "triplet": "Trained by the triplet loss.",
    "structural": "Trained by the structural loss.",
    "cross-entropy": "Trained by cross-entropy on pairs of passages.",
}


def about(method: str, *, loss: str, over_vectors: bool = False) -> dict[str, Any]:
    """Return the first entries of a card.

    Parameters
    ----------
    method : str
        One of `VARIANTS`.
    loss : str
        Of `SetObjective`.
    over_vectors : bool
        Whether the network stands above the encoder's vectors, and reads no word pieces itself.
    """
    summary = [_NETWORKS[method], _LOSSES[loss]]
    variant = VARIANTS[method]
    if over_vectors:
        also = ", those of the others and the query's" if variant.uses_query else " and the others'"
        summary = [_above(method), _OVER_VECTORS[variant.sees].format(query=also), _LOSSES[loss]]
    return {
        "summary": " ".join(summary),
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics, in "
        "English, on texts like those it was trained on.",
        "limits": "Groups follow the way in which its training texts are divided, and a passage's "
        "place depends on which others there are. Nothing is known of other languages.",
        "citation": "Context-Aware Clustering using Large Language Models (CACTUS). Anonymous "
        "authors, under review.",
        "licence": "Apache-2.0 (code and weights)",
    }


def _above(method: str) -> str:
    names = {"scl-structural": "SCL.", "scl-structural-context": "SCL (context)."}
    queries = "CACTUS for questions." if VARIANTS[method].uses_query else "CACTUS."
    return names.get(method, queries)
