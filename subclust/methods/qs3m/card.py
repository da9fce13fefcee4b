"""Cards of the QS3M room."""

from subclust.core.records import MethodCard

_LOADER = "subclust.methods.qs3m.clusterer:load"
_TRAINER = "subclust.methods.qs3m.training:train"
_PAPER = "Kashyapi and Dietz, Query-specific Subtopic Clustering, JCDL 2022"

CARDS: tuple[MethodCard, ...] = (
    MethodCard(
        name="centred-qs3m",
        label="Centred QS3M",
        summary="The default: learnt from Wikipedia and textbooks how a subject divides into "
        "subtopics; sets aside hits about something else, and compares what sets the rest apart.",
        paper=f"After {_PAPER}, section 3.1.2; the centring and the residual form are ours",
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=True,
        fits="Take this one if you are not sure. It starts from what Explore uses now and "
        "learns how you divide a subject, within minutes.",
    ),
    MethodCard(
        name="qs3m",
        label="QS3M",
        summary="Learnt from Wikipedia's sections which passages belong together for a query.",
        paper=f"{_PAPER}, section 3.1.2",
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=True,
        fits="Take it if your groups depend strongly on the wording of the query. It learns "
        "within minutes.",
    ),
    MethodCard(
        name="qss",
        label="QSS",
        summary="Learnt which sides of a passage's meaning count for a query.",
        paper=f"{_PAPER}, section 3.1.1",
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=True,
        fits="The smallest and quickest. Take it for a first try, or with very few queries; it "
        "learns less than the others.",
    ),
    MethodCard(
        name="attn-qs3m",
        label="QS3M by sentence",
        summary="Reads each passage sentence by sentence, with an eye on the query; slower than "
        "the others when passages are new to it.",
        paper=f"{_PAPER}, section 3.1.3",
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=True,
        fits="Take it if passages are long and only some of their sentences answer the query. "
        "Reading every sentence takes several times as long.",
    ),
)
