"""Hand-made groupings of the same hits, without a library or a model."""

import numpy as np

from subclust.comparison import Column, compare
from subclust.core.records import (
    Hit,
    MappedPassage,
    Passage,
    Query,
    Ranking,
    Subtopic,
    SubtopicMap,
)


def hits(n_hits, labels="", titles=""):
    """Make hits "0", "1", ..., with a label and a title of one letter each where given."""
    return tuple(
        Hit(
            Passage(
                str(n),
                f"text {n}",
                title=titles[n] if titles else "",
                label=labels[n].strip() or None if labels else None,
            ),
            n + 1,
            1.0,
        )
        for n in range(n_hits)
    )


def grouped(groups, places=None, query="a question", method="centred-cosine"):
    """Make a map of "0012-": the group of each hit; "-" is other passages."""
    ids = sorted({-1 if sign == "-" else int(sign) for sign in groups}, key=lambda g: (g < 0, g))
    if places is None:
        places = np.random.default_rng(1).normal(size=(len(groups), 2))
    subtopics = []
    for group in ids:
        rows = [n for n, sign in enumerate(groups) if (-1 if sign == "-" else int(sign)) == group]
        members = tuple(
            MappedPassage(
                Passage(str(n), f"text {n}"), n + 1, 0.5, float(places[n][0]), float(places[n][1])
            )
            for n in rows
        )
        subtopics.append(Subtopic(group, f"group {group}", 0.5, members))
    return SubtopicMap(
        Query(query), "demo", method, None, 0, len(ids), "user", tuple(subtopics), {}, "pca"
    )


def made(*groups, labels="", titles="", columns=None, places=None):
    """Compare groupings that are written as strings."""
    n_hits = len(groups[0])
    ranking = Ranking(
        Query("a question"),
        hits(n_hits, labels, titles),
        np.zeros((n_hits, 2), dtype=np.float32),
        "demo",
    )
    maps = [grouped(one, places[n] if places else None) for n, one in enumerate(groups)]
    return compare(ranking, columns or [Column(method=f"m{n}") for n in range(len(maps))], maps)
