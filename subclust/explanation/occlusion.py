"""The sentences and words without which a passage would fit its group less.

Occlusion: a part is taken out of the text, the rest is scored as any text would be, and what the
strength loses is the part's effect. Nothing is assumed about the method. After Zeiler and Fergus,
ECCV 2014, section 2 (of images); of texts, Li, Monroe and Jurafsky, arXiv:1612.08220, section 3.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from subclust.core.records import FloatArray
from subclust.explanation.units import Span, run_spans, sentence_spans

Membership = Callable[[Sequence[str]], FloatArray]
"""Returns the strength that texts would have in the passage's group; shape (n_texts,)."""

_LEAST_EFFECT = 0.002
"""In strength; what changes less is not marked."""

_SENTENCES = 2
"""Whose words are looked at."""

_MOST_RUNS = 16
"""That are taken out, those of the sentence of the largest effect first."""

_MOST_MARKED = 6
"""Runs that are marked, those of the largest effect."""


@dataclass(frozen=True)
class Marking:
    """A part of the text and what it does.

    Parameters
    ----------
    effect : float
        What the strength loses without it; above 0 where it speaks for the group.
    """

    span: Span
    effect: float


@dataclass(frozen=True)
class Marked:
    """What carries a passage's membership.

    Parameters
    ----------
    strength : float
        Of the whole text.
    sentences : tuple of Marking
        All, in the order of the text.
    words : tuple of Marking
        Those that speak for the group, in the order of the text.
    """

    strength: float
    sentences: tuple[Marking, ...]
    words: tuple[Marking, ...]


def without(text: str, spans: Iterable[Span]) -> str:
    """Take parts out of a text."""
    kept, reached = [], 0
    for span in sorted(spans):
        kept.append(text[reached : max(span.start, reached)])
        reached = max(reached, span.end)
    kept.append(text[reached:])
    return " ".join(" ".join(kept).split())


def mark(text: str, membership: Membership) -> Marked:
    """Find the sentences and words that carry a passage's membership.

    Every sentence is taken out in turn, then the runs of words of the sentences with the largest
    effects, so that a passage costs two dozen texts instead of a hundred.
    """
    spans = sentence_spans(text)
    strengths = membership([text, *(without(text, [span]) for span in spans)])
    whole = float(strengths[0])
    sentences = [
        Marking(span, whole - float(one)) for span, one in zip(spans, strengths[1:], strict=True)
    ]
    # Without its only sentence the text would be empty, and its score would mean nothing.
    if len(spans) == 1:
        sentences = [Marking(spans[0], whole)]
    order = sorted(sentences, key=lambda one: (-one.effect, one.span))[:_SENTENCES]
    runs = [run for one in order for run in run_spans(text, one.span)][:_MOST_RUNS]
    if not runs:
        return Marked(whole, tuple(sentences), ())
    values = membership([without(text, [run]) for run in runs])
    effects = [Marking(run, whole - float(value)) for run, value in zip(runs, values, strict=True)]
    telling = [one for one in effects if one.effect >= _LEAST_EFFECT]
    best = sorted(telling, key=lambda one: (-one.effect, one.span))[:_MOST_MARKED]
    return Marked(whole, tuple(sentences), tuple(sorted(best, key=lambda one: one.span)))
