"""Hits that are grouped anew: what does not depend on the query is worked out once."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from counting_encoder import Counting
from made_library import make_library

from benchmarks import speed
from subclust.checkpoints import CheckpointStore
from subclust.core.records import Passage, Query
from subclust.methods import load_method
from subclust.pipeline import placing
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import HashingEncoder, StackedEncoder
from subclust.text.retrieval import Retriever

ALLOWED_MS = 350.0
"""Twice what it takes, so that a machine that is slow for the moment is no fault of the code."""

N_HITS = 200

_WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("n", "r", "st", "mer")]


def passages():
    """Write passages of eight subjects, each of which has words of its own, in a hundred words."""
    drawn = random.Random(3)
    found = []
    for number in range(N_HITS):
        own = _WORDS[(number % 8) * 20 : (number % 8) * 20 + 20]
        drawn_words = [drawn.choice(own if drawn.random() < 0.3 else _WORDS) for _ in range(100)]
        text = " ".join(drawn_words).capitalize()
        found.append(Passage(f"p{number:03}", f"The war. {text}.", title=f"War {number}"))
    return found


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory, random_checkpoint):
    folder = tmp_path_factory.mktemp("regrouped")
    encoder = HashingEncoder(64)
    store = CheckpointStore(folder / "models")
    store.save(
        random_checkpoint(
            "centred-qs3m", model={"embedding_dim": 64}, encoder_revision=encoder.revision
        )
    )
    library = make_library(folder / "library", encoder, passages())
    method = load_method("centred-qs3m", store, encoder)
    return SubtopicPipeline(Retriever(library, encoder), method)


def answer_of(subtopics):
    found = subtopics.to_dict()
    del found["timings_ms"]
    return found


def counting():
    encoder = Counting(64)
    encoder.revision += "-of-the-method"
    return encoder


def test_the_hits_are_encoded_and_placed_once_for_all_queries(pipeline, monkeypatch):
    own = counting()
    pipeline = SubtopicPipeline(pipeline.retriever, replace(pipeline.method, encoder=own))
    ranking = pipeline.retrieve(Query("the war"))
    assert len(ranking.hits) == N_HITS
    pipeline.group(ranking)
    assert len(own.seen) == N_HITS + 1
    monkeypatch.setattr(placing, "place_on_map", None)
    pipeline.group(ranking, Query("another war"))
    assert len(own.seen) == N_HITS + 2


def test_the_librarys_own_vectors_are_not_made_again(pipeline):
    base, own = pipeline.retriever.encoder, counting()
    stacked = StackedEncoder([own, base])
    ranking = pipeline.retrieve(Query("the war"))
    texts = [passage.text for passage in ranking.passages]
    found, _ = SubtopicPipeline(
        pipeline.retriever, replace(pipeline.method, encoder=stacked)
    ).encode(ranking, Query("the war"))
    assert len(own.seen) == N_HITS + 1
    assert np.allclose(found, stacked.encode(texts), atol=1e-6)
    marked = stacked.encode_beside(texts, {base.revision: 0 * ranking.embeddings})
    assert not marked[:, own.embedding_dim :].any()


def test_what_was_worked_out_changes_no_answer(pipeline):
    ranking = pipeline.retrieve(Query("the war"))
    pipeline.group(ranking, Query("first of all something else"))
    regrouped = pipeline.group(ranking, Query("bane dare"))
    fresh = pipeline.group(replace(ranking), Query("bane dare"))
    assert answer_of(regrouped) == answer_of(fresh)
    assert len(regrouped.subtopics) > 1


def test_fewer_hits_are_worked_out_anew(pipeline):
    ranking = pipeline.retrieve(Query("the war"))
    pipeline.group(ranking)
    some = replace(ranking, hits=ranking.hits[:40], embeddings=ranking.embeddings[:40])
    assert sum(one.size for one in pipeline.group(some).subtopics) == 40


def test_regrouping_takes_little_of_the_processor(pipeline):
    """The time of its own thread, and the least of it: what else the machine does only adds.

    The encoder is the tests' small one.
    """
    ranking = pipeline.retrieve(Query("the war"))
    pipeline.group(ranking)
    spent = []
    for number in range(9):
        started = time.thread_time()
        pipeline.group(ranking, Query(f"war number {number}"))
        spent.append((time.thread_time() - started) * 1000)
    assert min(spent) < ALLOWED_MS


def test_the_measurement_tells_what_regrouping_takes(pipeline, monkeypatch):
    monkeypatch.setattr(speed, "NEW", speed.NEW[:2])
    found = speed.time_queries(pipeline, ["the war", "another war"], top_k=50, rounds=2)
    assert found["regroup"]["n"] == found["regroup_processor"]["n"] == 4
    assert {"encode", "cluster", "name", "project"} <= set(found["regroup_stages"])
