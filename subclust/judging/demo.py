"""The demo articles, which are installed with the requirements."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from subclust.core.records import ClusteringInstance, Passage, Query, TaskCard

MIN_SECTIONS = 2
MIN_PASSAGES = 10

CARDS: tuple[TaskCard, ...] = (
    TaskCard(
        name="demo",
        label="Demo: Wikipedia 2016",
        file="test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2",
        sha256="a53f4648dec40467ebdcbc7a1307eddb51fe6e28e9309f6ebde81ba0d04bea2d",
        licence="CC BY-SA 3.0",
        citation="Articles of the English Wikipedia of May 2016 that ship with gensim.",
        split="test",
        url="https://pypi.org/project/gensim/",
        construction=(
            "The articles of the demo library with at least 2 sections and 10 passages: title as "
            "query, lead as description, top-level section as subtopic. No title is among those "
            "of the Wikipedia training and validation sets."
        ),
        builder="subclust.judging.demo:articles",
        package="gensim",
        n_queries=79,
        n_passages=4718,
        n_labels=7.4,
    ),
)


def articles(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Read the articles and keep those that can be divided."""
    # Listing the tasks must not wait for the parser.
    from subclust.text.sources.base import Document
    from subclust.text.sources.wikidump import WikipediaDump

    dump = WikipediaDump(files[0], licence=card.licence, sha256=card.sha256)
    read = [document for document in dump if isinstance(document, Document)]
    return _divisible((d.title, d.description, d.passages) for d in read)


def _divisible(
    documents: Iterable[tuple[str, str | None, Sequence[Passage]]],
) -> list[ClusteringInstance]:
    """Keep the articles with enough sections and passages.

    Parameters
    ----------
    documents : iterable of (title, lead, passages)
    """
    return [
        ClusteringInstance(Query(title, lead), tuple(passages))
        for title, lead, passages in documents
        if len(passages) >= MIN_PASSAGES
        and len({passage.label for passage in passages}) >= MIN_SECTIONS
    ]
