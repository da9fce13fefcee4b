"""What a paper's file says in our words, which the interface says in its languages."""

from collections.abc import Iterator

from subclust.benchmarks.published.records import Paper


def paper_texts(paper: Paper) -> Iterator[str]:
    """Yield captions, notes, and how our data differ; not what is the paper's own.

    Labels are made of parts that the interface knows, and statements are quotations.
    """
    yield paper.difference
    yield from (dataset.difference for dataset in paper.datasets)
    for table in paper.tables:
        yield table.caption
        yield from (row.note for row in table.rows if row.note)
    parts = (paper.figures, paper.ablations, paper.searches, paper.statistics)
    yield from (one.caption for part in parts for one in part)
