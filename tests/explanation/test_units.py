from hypothesis import given
from hypothesis import strategies as st

from subclust.explanation.units import MAX_RUN, Span, run_spans, sentence_spans, word_spans

TEXT = "The Stamp Act angered Boston merchants. In 1765 they refused it; crowds burnt the stamps!"


def test_sentences_are_cut_where_they_end():
    assert [span.of(TEXT) for span in sentence_spans(TEXT)] == [
        "The Stamp Act angered Boston merchants.",
        "In 1765 they refused it; crowds burnt the stamps!",
    ]


def test_many_sentences_are_cut_into_the_most_allowed():
    text = "One ant ate. " * 20
    spans = sentence_spans(text, most=5)
    assert len(spans) == 5
    assert spans[-1].end == len(text.rstrip())


def test_words_that_say_nothing_are_left_out():
    assert [span.of(TEXT) for span in word_spans(TEXT)] == [
        "Stamp", "Act", "angered", "Boston", "merchants", "refused", "crowds", "burnt", "stamps",
    ]  # fmt: skip


def test_runs_stop_at_punctuation_and_at_the_longest():
    assert [span.of(TEXT) for span in run_spans(TEXT)] == [
        "Stamp Act angered", "Boston merchants", "refused", "crowds burnt", "stamps",
    ]  # fmt: skip


def test_runs_of_one_sentence_lie_in_it():
    second = sentence_spans(TEXT)[1]
    assert all(
        second.start <= run.start and run.end <= second.end for run in run_spans(TEXT, second)
    )
    assert len(run_spans(TEXT, second)) == 3
    boston = Span(TEXT.index("Boston"), TEXT.index("merchants"))
    assert [run.of(TEXT) for run in run_spans(TEXT, boston)] == ["Boston"]


@given(st.text())
def test_whatever_the_text_the_spans_lie_in_it_in_order(text):
    for spans in (sentence_spans(text), word_spans(text), run_spans(text)):
        places = [place for span in spans for place in (span.start, span.end)]
        assert places == sorted(places)
        assert all(span.start < span.end <= len(text) for span in spans)
    assert all(len(word_spans(run.of(text))) <= MAX_RUN for run in run_spans(text))
