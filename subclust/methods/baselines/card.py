"""Cards of the baselines."""

from functools import partial

from subclust.core.records import MethodCard

_card = partial(MethodCard, loader="subclust.methods.baselines.clusterer:load")
_JCDL = "Kashyapi and Dietz, Query-specific Subtopic Clustering, JCDL 2022, section 4.2"

CARDS: tuple[MethodCard, ...] = (
    _card(
        name="centred-cosine",
        label="Centred cosine",
        summary="Compares what sets passages apart from the other hits; needs no training.",
        paper="",
    ),
    _card(
        name="sbert-cosine",
        label="SBERT cosine",
        summary="Compares the passages' meaning, whatever the question; needs no training.",
        paper=f"{_JCDL}, after Reimers and Gurevych, Sentence-BERT, EMNLP 2019",
    ),
    _card(
        name="sbert-euclid",
        label="SBERT Euclid",
        summary="Like SBERT cosine, but with the Euclidean distance between the vectors.",
        paper=f"{_JCDL}, after Reimers and Gurevych, Sentence-BERT, EMNLP 2019",
    ),
    _card(
        name="tfidf",
        label="TF-IDF",
        summary="Compares the words of the passages, rare ones counting more.",
        paper=_JCDL,
    ),
    _card(
        name="jaccard",
        label="Jaccard",
        summary="Counts the words that two passages share.",
        paper=_JCDL,
    ),
    _card(
        name="lda",
        label="Topic model",
        summary="Compares the topics of the passages' words, learnt from Wikipedia and textbooks.",
        paper=f"{_JCDL}, after Blei, Ng and Jordan, Latent Dirichlet Allocation, JMLR 2003",
        trainer="subclust.methods.baselines.training:train",
        needs_checkpoint=True,
        fits="Choose it if your texts have a vocabulary of their own, such as catalogue notes. "
        "It learns from the words alone, and looks at your labels only to choose the "
        "number of groups.",
    ),
    _card(
        name="kmeans",
        label="k-means",
        summary="Splits the passages around k centres of their vectors.",
        paper="",
    ),
    _card(
        name="spectral",
        label="Spectral",
        summary="Splits the graph of similar passages where its links are weakest.",
        paper="",
    ),
)
