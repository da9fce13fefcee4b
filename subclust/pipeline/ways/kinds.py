"""What the names of groups have in common: countries, persons, periods, methods."""

from collections import Counter
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from subclust.core.messages import N_
from subclust.core.records import FloatArray
from subclust.grouping.naming.words import name_words
from subclust.grouping.similarity.cosine import unit_rows
from subclust.text.encoders import Encoder

TOPIC = "topic"

EXAMPLES: dict[str, tuple[str, ...]] = {
    "country": ("France", "Brazil", "Kenya", "Japan", "Canada", "Poland"),
    "place": ("Paris", "London", "Tokyo", "Chicago", "Berlin", "Cairo"),
    "person": (
        "Albert Einstein", "Abraham Lincoln", "Jane Austen", "Karl Marx", "Marie Curie",
        "John Smith",
    ),
    "period": (
        "19th century", "Middle Ages", "1990s", "Ancient history", "1914–1918", "Victorian era",
    ),
    "war": ("World War II", "Battle of Hastings", "Civil War", "Siege", "Invasion", "Rebellion"),
    "organisation": ("IBM", "Microsoft", "United Nations", "Red Cross", "Google", "Toyota"),
    "language": ("English language", "German", "Spanish", "Arabic", "Latin", "Chinese language"),
    "religion": (
        "Christianity", "Islam", "Buddhism", "Judaism", "Hinduism", "Catholic Church",
    ),
    "animal": ("Dogs", "Horses", "Birds", "Elephants", "Insects", "Whales"),
    "plant": ("Roses", "Oak trees", "Wheat", "Grasses", "Orchids", "Fruit trees"),
    "disease": ("Cancer", "Diabetes", "Influenza", "Malaria", "Depression", "Tuberculosis"),
    "field": (
        "Physics", "Mathematics", "Biology", "Chemistry", "Computer science", "Sociology",
    ),
    "method": (
        "Regression analysis", "Survey", "Clustering", "Neural networks", "Experiment",
        "Simulation",
    ),
    "work": (
        "Hamlet", "The Great Gatsby", "Nineteen Eighty-Four", "Star Wars", "Don Quixote",
        "Moby-Dick",
    ),
    "life": ("Early life", "Career", "Personal life", "Death", "Legacy", "Marriage and family"),
    TOPIC: (
        "History", "Economy", "Geography", "Culture", "Politics", "Education", "Climate",
        "Transport", "Sport", "Demographics",
    ),
}  # fmt: skip
"""Of each kind some names, whose mean the others are compared with."""

CALLED: dict[str, str] = {
    "country": N_("by country"),
    "place": N_("by place"),
    "person": N_("by person"),
    "period": N_("by period"),
    "war": N_("by conflict"),
    "organisation": N_("by organisation"),
    "language": N_("by language"),
    "religion": N_("by religion"),
    "animal": N_("by animal"),
    "plant": N_("by plant"),
    "disease": N_("by disease"),
    "field": N_("by field"),
    "method": N_("by method"),
    "work": N_("by work"),
    "life": N_("by stage of life"),
}
"""What a way is called whose groups are named so; `TOPIC` and no kind are shown with names."""

_LEAST = 0.25
"""Least mean cosine of names with their kind."""

_AHEAD = 0.08
"""What the kind of names must be nearer than the next one."""

_FEWEST = 3
"""Names that show what they have in common."""

_MOST_OTHER = 0.4
"""Share of the names that may be nearer to another kind."""

_known: WeakKeyDictionary[Encoder, tuple[FloatArray, FloatArray]] = WeakKeyDictionary()


def kind_of(
    names: Sequence[str], encoder: Encoder, encode: Callable[[Sequence[str]], FloatArray]
) -> str:
    """Return what names have in common.

    Parameters
    ----------
    names : sequence of str
    encoder : Encoder
        Its cache holds the examples.
    encode : callable
        Encodes the names; the same encoder, with a cache or without.

    Returns
    -------
    str
        A key of `EXAMPLES`; empty where they have nothing of these in common.
    """
    if len(names) < _FEWEST or _share_words(names):
        return ""
    centres, middle = _centres(encoder)
    near = unit_rows(encode(list(names)) - middle) @ centres.T
    means = near.mean(axis=0)
    best = int(means.argmax())
    others = np.delete(means, best)
    apart = float((near.argmax(axis=1) != best).mean())
    is_kind = means[best] >= _LEAST and means[best] - others.max() >= _AHEAD
    return list(EXAMPLES)[best] if is_kind and apart <= _MOST_OTHER else ""


def _share_words(names: Sequence[str]) -> bool:
    """Return whether half of the names have a word in common, such as the articles on a country."""
    counts = Counter(word for name in names for word in name_words(name))
    return bool(counts) and 2 * max(counts.values()) >= len(names)


def _centres(encoder: Encoder) -> tuple[FloatArray, FloatArray]:
    """Return the centre of each kind and the middle of all examples."""
    if encoder not in _known:
        vectors = encoder.encode([name for names in EXAMPLES.values() for name in names])
        middle = vectors.mean(axis=0)
        ends = np.cumsum([len(names) for names in EXAMPLES.values()])[:-1]
        parts = np.split(unit_rows(vectors - middle), ends)
        _known[encoder] = (unit_rows(np.stack([one.mean(axis=0) for one in parts])), middle)
    return _known[encoder]
