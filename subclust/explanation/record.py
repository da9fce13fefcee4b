"""Why a passage is where it is, as one record."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

ReasonKind = Literal[
    "in a group", "about something else", "alone", "between groups", "without a value", "by hand"
]


@dataclass(frozen=True)
class Reason:
    """Why a passage is where it is, in a word and a number.

    Parameters
    ----------
    kind : str
        ``"in a group"``; of "other passages" ``"about something else"`` than the query (the
        relevance gate set it aside), ``"alone"`` (nothing is like it), ``"between groups"`` (it
        fits its nearest group less than another), ``"without a value"`` (its record does not say
        where it belongs) or ``"by hand"`` (somebody put it there).
    value : float
        How far it is about the query, 0 to 1, for ``"about something else"``; otherwise the
        strength, -1 to 1.
    """

    kind: ReasonKind
    value: float


@dataclass(frozen=True)
class NamedGroup:
    """A group, for people: its number, name, and how like it the passage is."""

    id: int
    name: str
    likeness: float


@dataclass(frozen=True)
class NamedNeighbour:
    """A passage that is close, for people.

    Parameters
    ----------
    group : str
        Name of its group.
    score : float
        Higher is closer.
    """

    id: str
    title: str
    group: str
    score: float


@dataclass(frozen=True)
class TextPart:
    """A part of the passage's text and what the strength loses without it."""

    start: int
    end: int
    effect: float


@dataclass(frozen=True)
class Explanation:
    """Why a passage is where it is.

    Parameters
    ----------
    id, title, text : str
        Of the passage.
    group : NamedGroup
        That it is in; for "other passages" the likeness is that to `nearest`.
    nearest, runner_up : NamedGroup or None
        The group it is most like of those it is not in, or None; for "other passages" the two
        that are most like it.
    strength : float
        -1 (fits another group better) to 1. For "other passages", what it would be in `nearest`.
    margin : float
        How much closer its own group is than the next, on the scale of the scores.
    query_specific : bool
        Whether the method looks at the query.
    with_query, without_query : tuple of NamedNeighbour
        Nearest as the method compares, and by the cosine of the texts' embeddings alone.
    sentences, words : tuple of TextPart
        All sentences; the words that carry the membership. In the order of the text.
    value : str
        What a field of its record or its kind of study says, where that decides; otherwise empty.
    """

    id: str
    title: str
    text: str
    reason: Reason
    group: NamedGroup
    nearest: NamedGroup | None
    runner_up: NamedGroup | None
    strength: float
    margin: float
    query_specific: bool
    with_query: tuple[NamedNeighbour, ...]
    without_query: tuple[NamedNeighbour, ...]
    sentences: tuple[TextPart, ...]
    words: tuple[TextPart, ...]
    value: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust explain --json`` prints."""
        told = asdict(self)
        for part in (*told["sentences"], *told["words"]):
            part["text"] = self.text[part["start"] : part["end"]]
        rounded: dict[str, Any] = _rounded(told)
        return rounded


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value
