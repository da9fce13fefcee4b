"""A collection of short texts about a few things, for methods that learn one without labels."""

import numpy as np

from subclust.core.records import ClusteringInstance, Passage, Query

THEMES = (
    "taxes colonies army battle king crown tea port".split(),
    "ant burrow night termite claw savanna tongue snout".split(),
    "shelf map author catalogue reader page index binding".split(),
)


def themed(n_texts: int = 240, seed: int = 0) -> ClusteringInstance:
    """Make texts of four words of one theme each, and their labels."""
    generator = np.random.default_rng(seed)
    passages = []
    for number in range(n_texts):
        theme = number % len(THEMES)
        words = [*generator.permutation(THEMES[theme])[:4], str(number % 10)]
        passages.append(Passage(f"p{number}", " ".join(words), label=f"theme {theme}"))
    return ClusteringInstance(Query("themes"), tuple(passages))


def relabelled(instance: ClusteringInstance) -> ClusteringInstance:
    """Give the texts labels that say nothing, in the same number."""
    passages = tuple(
        Passage(p.id, p.text, label=f"l{i * 7 % len(THEMES)}" if i else "l1")
        for i, p in enumerate(sorted(instance.passages, key=lambda p: p.text[::-1]))
    )
    by_id = {p.id: p for p in passages}
    return ClusteringInstance(instance.query, tuple(by_id[p.id] for p in instance.passages))
