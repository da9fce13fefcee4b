"""Results of ambiguous web queries, by the sense of the query."""

from subclust.core.records import TaskCard

CARDS: tuple[TaskCard, ...] = (
    TaskCard(
        name="ambient",
        label="AMBIENT: ambiguous web queries",
        file="clustering/ambient.jsonl.gz",
        sha256="ba1bc4a6a48f27c73556612fbd6ae3deb2b54c6831a44f6c43fceb317f7e2975",
        licence="Distributed for research",
        citation="Carpineto and Romano, AMBIENT: AMBIguous ENTries, Fondazione Ugo Bordoni, 2008.",
        split="test",
        url="http://credo.fub.it/ambient/",
        construction=(
            "Title and snippet of 100 web results a query, a subtopic for each sense of the query "
            "in Wikipedia. About half of the results were given no sense by the annotators; those "
            "stay in the file under 'unlabelled' and are not in the task, since no grouping of "
            "them is right or wrong. The 31 results with several senses count under the first."
        ),
        n_queries=44,
        n_passages=2224,
        n_labels=7.9,
    ),
)
