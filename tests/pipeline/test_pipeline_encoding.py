"""Where hits have to be encoded for a method, whoever waits is told how far that is."""

import pytest
from made_library import make_library

from subclust.core.records import Passage, Query
from subclust.methods import METHODS, LoadedMethod, resolve
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.text.retrieval import Retriever


class SlowEncoder(HashingEncoder):
    """Another encoder than that of the library, one text after the other."""

    name = revision = "slow"

    def _encode(self, texts, query, progress):
        vectors = super()._encode(texts, query, None)
        for done in range(1, len(texts) + 1):
            if progress is not None:
                progress(done, len(texts))
        return vectors


@pytest.fixture
def pipeline(settings, encoder):
    passages = [Passage(f"p{n}", f"taxes and ants {n}") for n in range(6)]
    make_library(settings.library_dir, encoder, passages, "small")
    library = PassageLibrary.open(settings.library_dir, "small")
    card, slow = METHODS["sbert-cosine"], SlowEncoder()
    method = LoadedMethod(card, resolve(card.loader)(card.name, None, slow), slow, None)
    return SubtopicPipeline(Retriever(library, encoder), method)


def test_encoding_hits_for_a_method_is_told(pipeline):
    told = []
    ranking = pipeline.retrieve(Query("taxes"))
    pipeline.group(ranking, progress=lambda done, total: told.append((done, total)))
    assert told[: len(ranking.hits)] == [(n + 1, 6) for n in range(6)]
