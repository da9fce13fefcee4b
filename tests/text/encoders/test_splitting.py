import numpy as np
import pytest
from counting_encoder import Counting

from subclust.text.encoders.base import HashingEncoder
from subclust.text.encoders.splitting import MAX_SENTENCES, _split_sentences, encode_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One came. Two left! Did three? Four", ["One came.", "Two left!", "Did three?", "Four"]),
        ("no end at all", ["no end at all"]),
        ("  Space around.   And between.  ", ["Space around.", "And between."]),
        ("A line.\nAnother.\n\nA paragraph.", ["A line.", "Another.", "A paragraph."]),
        (
            "Dr. Smith met the U.S. envoy. They spoke.",
            ["Dr. Smith met the U.S. envoy.", "They spoke."],
        ),
        ("It is 3.5 m long, i.e. short. Yes.", ["It is 3.5 m long, i.e. short.", "Yes."]),
        # What holds no word does not stand alone.
        ("1. Open the box. 2. Close it. 3.", ["1. Open the box.", "2. Close it. 3."]),
        ("他来了。他走了。", ["他来了。", "他走了。"]),
        ("", [""]),
        (" \n ", [""]),
        ("…", ["…"]),
        ("1. 2. 3.", ["1. 2. 3."]),
        ("A lone \ud800 half. Next one.", ["A lone \ufffd half.", "Next one."]),
    ],
)
def test_sentences(text, sentences):
    assert _split_sentences(text) == sentences


@pytest.mark.parametrize("max_sentences", [1, 2, 5, MAX_SENTENCES])
@pytest.mark.parametrize("n_sentences", [1, 2, 5, 6, 40])
def test_what_is_too_much_goes_to_the_last(max_sentences, n_sentences):
    names = [f"{letter}{other}" for letter in "ABCDEFGH" for other in "abcde"][:n_sentences]
    text = " ".join(f"Here is {name} now." for name in names)
    sentences = _split_sentences(text, max_sentences)
    assert len(sentences) == min(n_sentences, max_sentences)
    # Nothing is lost.
    assert " ".join(sentences) == text


def test_each_sentence_is_encoded_once_and_comes_back_to_its_passage():
    texts = ["Cats purr. Dogs bark.", "Dogs bark.", "", "Birds sing. Cats purr. Fish swim."]
    encoder = Counting()
    vectors = encode_sentences(texts, encoder)
    assert encoder.calls == [["", "Birds sing.", "Cats purr.", "Dogs bark.", "Fish swim."]]
    assert [len(passage) for passage in vectors] == [2, 1, 1, 3]
    for text, passage in zip(texts, vectors, strict=True):
        np.testing.assert_array_equal(passage, HashingEncoder(16).encode(_split_sentences(text)))


def test_the_order_of_the_passages_does_not_reach_the_encoder():
    texts = ["Cats purr. Dogs bark.", "Birds sing.", "Fish swim. Ants dig."]
    straight, turned = Counting(), Counting()
    encode_sentences(texts, straight)
    encode_sentences(texts[::-1], turned)
    assert straight.calls == turned.calls
