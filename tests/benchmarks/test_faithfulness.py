import numpy as np

from benchmarks.explanations import compare
from subclust.explanation.occlusion import mark
from subclust.explanation.units import Span, word_spans

TEXT = (
    "Snow fell for weeks on the hills. The Stamp Act put a heavy tax on printed paper. "
    "Horses needed hay and shelter."
)


def tax_membership(texts):
    """Count what is about the tax: a method whose reasons are known."""
    worth = {"Stamp": 0.3, "Act": 0.1, "tax": 0.4, "paper": 0.05, "Horses": -0.2}
    values = [sum(v for word, v in worth.items() if word in text) for text in texts]
    return np.asarray(values, dtype=np.float32)


def test_marked_words_lose_more_than_random_ones():
    marked = mark(TEXT, tax_membership)
    compared = compare(TEXT, [one.span for one in marked.words], tax_membership)
    assert compared.marked > compared.random > 0


def test_wrongly_marked_words_lose_less_than_random_ones():
    wrong = [word for word in word_spans(TEXT) if word.of(TEXT) in {"Snow", "weeks", "Horses"}]
    compared = compare(TEXT, wrong, tax_membership)
    assert compared.n_words == 3
    assert compared.marked < compared.random


def test_nothing_is_compared_where_nothing_or_everything_is_marked():
    assert compare(TEXT, [], tax_membership) is None
    assert compare(TEXT, [Span(0, len(TEXT))], tax_membership) is None
