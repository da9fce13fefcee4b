"""Self-supervised clustering (appendix B): subsets whose groups are one text with words dropped."""

from collections.abc import Iterator, Sequence

import numpy as np

from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query

CLUSTERS = (2, 10)
SIZES = (1, 5)
DROPPED = (0.2, 0.7)
"""Ends of what is drawn, both included: clusters of a subset, their sizes, share of words dropped
from each entity."""


def self_supervised_subsets(
    entities: Sequence[str], seed: int | np.random.Generator, n_subsets: int | None = None
) -> Iterator[ClusteringInstance]:
    """Make labelled subsets of entities that nobody has labelled.

    For each cluster a seed entity is drawn, and the cluster is filled with transformations of it:
    words are dropped at random, at least one is left, and those that are left keep their order.
    Seeds of one subset differ from each other. A subset without a triplet (no cluster of two) is
    drawn again, since nothing can be learnt from it.

    Parameters
    ----------
    entities : sequence of str
        The universal set; those without a word are passed over, and so are copies.
    seed : int or numpy.random.Generator
        The same one gives the same subsets.
    n_subsets : int, optional
        By default they never end.

    Yields
    ------
    ClusteringInstance
        Its query is ``""``; passages are labelled by cluster, in random order.

    Raises
    ------
    TrainingError
        If there are fewer than two entities.
    """
    usable = [entity for entity in dict.fromkeys(entities) if entity.split()]
    if len(usable) < CLUSTERS[0]:
        raise TrainingError(
            "Self-supervised training needs at least {cluster} different texts with words, but "
            "there are {count}; give it more.",
            cluster=CLUSTERS[0],
            count=len(usable),
        )
    generator = np.random.default_rng(seed)
    number = 0
    while n_subsets is None or number < n_subsets:
        n_clusters = min(int(generator.integers(CLUSTERS[0], CLUSTERS[1] + 1)), len(usable))
        sizes = generator.integers(SIZES[0], SIZES[1] + 1, size=n_clusters)
        if sizes.max() < 2:
            continue
        seeds = generator.choice(len(usable), n_clusters, replace=False)
        passages = [
            Passage(
                f"{number}-{cluster}-{copy}",
                drop_words(usable[chosen], generator),
                label=str(cluster),
                path=str(cluster),
            )
            for cluster, (chosen, size) in enumerate(zip(seeds, sizes, strict=True))
            for copy in range(size)
        ]
        order = generator.permutation(len(passages))
        yield ClusteringInstance(Query(""), tuple(passages[row] for row in order))
        number += 1


def drop_words(text: str, generator: np.random.Generator) -> str:
    """Drop a share of a text's words, drawn from U(0.2, 0.7).

    Parameters
    ----------
    text : str
        With at least one word.
    generator : numpy.random.Generator

    Returns
    -------
    str
        At least one word, in the order of the text, with single blanks between them.
    """
    words = text.split()
    n_kept = max(1, round(len(words) * (1 - generator.uniform(*DROPPED))))
    kept = np.sort(generator.permutation(len(words))[:n_kept])
    return " ".join(words[row] for row in kept)
