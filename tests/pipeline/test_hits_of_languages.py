"""Hits of two languages are compared by what they are about."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from subclust.core.records import Hit, Passage, Query, Ranking
from subclust.core.records.spoken import spoken
from subclust.methods import load_method
from subclust.pipeline import languages
from subclust.pipeline.languages import _language_of_passage, without_languages
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import HashingEncoder

ENGLISH = "The history of the town and of its people is told with many pictures {}."
GERMAN = "Die Geschichte der Stadt und ihrer Bewohner wird mit vielen Bildern erzählt {}."
DIM = 8


class Apart(HashingEncoder):
    """Puts German 3 away from English along the first axis, sentences 2 away."""

    def encode(self, texts, **_):
        vectors = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row, 0] = 2.0 * (spoken(text) == "ger")
            vectors[row, 1] = 1.0
        return vectors


@pytest.fixture
def hits():
    """Four passages of each language, two on either subject."""
    rng = np.random.default_rng(0)
    passages, vectors = [], []
    for row in range(8):
        german = row % 2
        passages.append(Passage(str(row), (GERMAN if german else ENGLISH).format(row)))
        about = np.zeros(DIM)
        about[0], about[2 + row // 4] = 3.0 * german, 1.0
        vectors.append(about + rng.normal(size=DIM) / 100)
    return passages, np.asarray(vectors, dtype=np.float32)


def test_a_quarter_by_the_hits_and_the_rest_by_the_same_sentences(hits):
    passages, vectors = hits
    moved = without_languages(vectors, passages, Apart())
    german = np.arange(8) % 2 == 1
    sentences = np.eye(1, DIM)[0] * 2.0
    own = vectors[german].mean(axis=0) - vectors[~german].mean(axis=0)
    for row in range(8):
        away = (0.25 * own + 0.75 * sentences) / 2 * (1 if german[row] else -1)
        want = vectors[row] - away
        want *= np.linalg.norm(vectors[row]) / np.linalg.norm(want)
        np.testing.assert_allclose(moved[row], want, atol=1e-4)


def test_hits_of_one_language_stay_as_they_are(hits):
    passages, vectors = hits
    english = passages[::2] * 6
    few = [*english, *passages[1::2][:2]]
    for some in (english, few):
        own = np.resize(vectors, (len(some), DIM))
        assert without_languages(own, some, Apart()) is own


def test_a_language_without_sentences_stays_where_it_is(hits, monkeypatch):
    passages, vectors = hits
    monkeypatch.setattr(languages, "_sentences", lambda: {"eng": ["a"], "fre": ["b"]})
    assert without_languages(vectors, passages, Apart()) is vectors


def test_the_text_says_the_language_before_its_record():
    record = Passage("a", ENGLISH, metadata={"language": "de"})
    assert _language_of_passage(record) == "eng"
    assert _language_of_passage(replace(record, text="Faust")) == "ger"
    assert _language_of_passage(Passage("a", "Faust")) == ""


def test_there_are_as_many_sentences_in_each_language_and_each_is_recognised():
    sentences = languages._sentences()
    assert sentences.keys() == {"eng", "ger", "fre", "spa", "por"}
    assert {len(of) for of in sentences.values()} == {12}
    for code, of in sentences.items():
        assert [spoken(one) for one in of] == [code] * 12


def test_a_search_compares_what_was_moved(hits):
    passages, vectors = hits
    encoder = HashingEncoder(DIM)
    retriever = SimpleNamespace(encoder=encoder, library=None)
    pipeline = SubtopicPipeline(retriever, load_method("centred-cosine", None, encoder))
    found = tuple(Hit(passage, rank, 0.0) for rank, passage in enumerate(passages, start=1))
    both = Ranking(Query("the town"), found, vectors)
    english = Ranking(Query("the town"), found[::2], vectors[::2])
    assert pipeline.encode(english, english.query)[0] is english.embeddings
    moved, _ = pipeline.encode(both, both.query)
    np.testing.assert_array_equal(moved, without_languages(vectors, passages, encoder))
    assert not np.allclose(moved, vectors)
