import numpy as np

from subclust.explanation import occlusion
from subclust.explanation.occlusion import mark, without
from subclust.explanation.units import Span

TEXT = (
    "Snow fell for weeks on the hills. The Stamp Act put a heavy tax on printed paper. "
    "Horses needed hay and shelter."
)


def tax_membership(texts):
    """Count what is about the tax: a method whose reasons are known."""
    worth = {"Stamp": 0.3, "Act": 0.1, "tax": 0.4, "paper": 0.05, "Horses": -0.2}
    values = [sum(v for word, v in worth.items() if word in text) for text in texts]
    return np.asarray(values, dtype=np.float32)


def marked_words(marked):
    return {TEXT[one.span.start : one.span.end] for one in marked.words}


def test_taking_parts_out_leaves_the_rest():
    assert without("one two three four", [Span(8, 13), Span(0, 3)]) == "two four"
    assert without("one", [Span(0, 3)]) == ""


def test_the_sentence_and_words_that_carry_it_are_found():
    marked = mark(TEXT, tax_membership)
    assert np.isclose(marked.strength, 0.65)
    effects = [one.effect for one in marked.sentences]
    assert np.argmax(effects) == 1
    np.testing.assert_allclose(effects, [0.0, 0.85, -0.2], atol=1e-6)
    assert {"Stamp Act", "heavy tax"} <= marked_words(marked)
    assert not any("Horses" in word or "Snow" in word for word in marked_words(marked))


def test_the_words_marked_are_in_the_order_of_the_text_and_at_most_so_many(monkeypatch):
    monkeypatch.setattr(occlusion, "_MOST_MARKED", 2)
    marked = mark(TEXT, tax_membership)
    assert [TEXT[w.span.start : w.span.end] for w in marked.words] == ["Stamp Act", "heavy tax"]


def test_few_texts_are_scored():
    asked = []

    def counted(texts):
        asked.append(len(texts))
        return tax_membership(texts)

    mark(TEXT * 10, counted)
    assert len(asked) == 2
    assert sum(asked) <= 1 + 8 + 16


def test_a_text_without_words_has_no_marks():
    marked = mark("… – !", tax_membership)
    assert (marked.sentences, marked.words) == ((), ())
