"""Cards of the QS3M room's methods, and of their checkpoints."""

from functools import partial
from typing import Any

from subclust.core.records import MethodCard

_PAPER = "Kashyapi and Dietz, Query-specific Subtopic Clustering, JCDL 2022"
_card = partial(
    MethodCard,
    loader="subclust.methods.qs3m.clusterer:load",
    trainer="subclust.methods.qs3m.training:train",
    needs_checkpoint=True,
    query_specific=True,
)

CARDS: tuple[MethodCard, ...] = (
    _card(
        name="centred-qs3m",
        label="Centred QS3M",
        summary="The default: learnt from Wikipedia and textbooks how a subject divides into "
        "subtopics; sets aside hits about something else, and compares what sets the rest apart.",
        paper=f"After {_PAPER}, section 3.1.2; the centring and the residual form are ours",
        fits="Choose this one if you are not sure. It starts from what Explore uses now and "
        "learns how you divide a subject, within minutes.",
    ),
    _card(
        name="qs3m",
        label="QS3M",
        summary="Learnt from Wikipedia's sections which passages belong together for a question.",
        paper=f"{_PAPER}, section 3.1.2",
        fits="Choose it if your groups depend strongly on the wording of the question. It learns "
        "within minutes.",
    ),
    _card(
        name="qss",
        label="QSS",
        summary="Learnt which aspects of a passage's meaning count for a question.",
        paper=f"{_PAPER}, section 3.1.1",
        fits="The smallest and quickest. Choose it for a first try, or with very few questions; "
        "it learns less than the others.",
    ),
    _card(
        name="attn-qs3m",
        label="QS3M by sentence",
        summary="Reads each passage sentence by sentence with the question in mind; slower than "
        "the others on passages that it has not read yet.",
        paper=f"{_PAPER}, section 3.1.3",
        fits="Choose it if passages are long and only some of their sentences answer the "
        "question. Reading every sentence takes several times as long.",
    ),
)


SUMMARIES = {
    "qs3m": "QS3M: a projection shared by query and passages, and a classifier of pairs.",
    "attn-qs3m": "attn-QS3M: QS3M over passages that an attention, asked by the query, puts "
    "together from the embeddings of their sentences.",
    "qss": "QSS: cosine after reweighting the dimensions by the query.",
    "centred-qs3m": "Centred QS3M: a residual projection that sees the query, the cosine of what "
    "sets passages apart from the other hits, and the TF-IDF cosine of the passages; where it was "
    "trained so, over tuned layers of the encoder, and behind a gate for hits that are about "
    "something else.",
}


def about(method: str) -> dict[str, Any]:
    """Return the first entries of a card."""
    return {
        "summary": SUMMARIES.get(method, method),
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics of "
        "that query, in English.",
        "limits": "Trained on encyclopaedia and textbook sections; groups follow that habit of "
        "dividing a subject. Nothing is known of other languages.",
        "citation": "Sumanta Kashyapi and Laura Dietz. Query-specific Subtopic Clustering. "
        "JCDL 2022. https://doi.org/10.1145/3529372.3530923",
        "licence": "Apache-2.0 (code and weights)",
    }
