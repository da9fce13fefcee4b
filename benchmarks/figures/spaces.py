"""The passages of a query in the spaces of several methods."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MethodSpace:
    """The passages of a query as one method sees them.

    Parameters
    ----------
    label : str
        Of the method.
    ari : float
        Of its groups, -1 to 1.
    coordinates : tuple of (float, float, float)
        Of each passage, along the three principal components.
    explained : tuple of float
        Share of the variance along each, 0 to 1.
    groups : tuple of int
        Into which the method divides the passages.
    """

    label: str
    ari: float
    coordinates: tuple[tuple[float, float, float], ...]
    explained: tuple[float, ...]
    groups: tuple[int, ...]


@dataclass(frozen=True)
class QuerySpaces:
    """A query in the spaces of several methods.

    Parameters
    ----------
    subtopics : tuple of str
        Names of the gold subtopics.
    gold : tuple of int
        Of each passage, a place in `subtopics`.
    """

    query: str
    subtopics: tuple[str, ...]
    gold: tuple[int, ...]
    methods: tuple[MethodSpace, ...]
