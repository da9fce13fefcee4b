import json
import os
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from made_library import SUBJECTS, make_library, notes
from raising import raises

from subclust.core.exceptions import (
    CheckpointNotFoundError,
    InputError,
    LibraryError,
    LibraryNotFoundError,
)
from subclust.core.records import OTHER_PASSAGES, OTHER_PASSAGES_NAME, Passage, Query
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.projection import PROJECTORS, PcaProjector
from subclust.grouping.similarity.cosine import CosineSimilarity
from subclust.methods import METHODS
from subclust.pipeline.load import load_pipeline
from subclust.text.library import PassageLibrary

ASKED = Query("taxes and ants and books")
STAGES = ["retrieve", "encode", "cluster", "name", "project", "total"]


@pytest.fixture
def passages():
    return notes()


@pytest.fixture
def folders(settings, encoder, passages, store, monkeypatch):
    """Give settings of a machine with a library and a checkpoint of each trained method."""
    monkeypatch.setattr("subclust.pipeline.load.load_encoder", lambda _: encoder)
    make_library(settings.library_dir, encoder, passages)
    make_library(settings.library_dir, encoder, passages[:1], "single")
    make_library(settings.library_dir, encoder, [], "empty")
    store.promote("centred-qs3m", "tiny", as_default=True)
    return settings


@pytest.fixture
def load(folders):
    return lambda **options: load_pipeline(folders, **{"method": "centred-cosine", **options})


def ids(subtopics):
    return {s.id: {member.passage.id for member in s.passages} for s in subtopics.subtopics}


def untimed(subtopics):
    printed = subtopics.to_dict()
    assert list(printed.pop("timings_ms")) == STAGES
    return printed


def test_the_printed_object_is_the_documented_one(load):
    result = load(random_state=5).run(ASKED, n_clusters=3, max_other=0.2)
    printed = json.loads(json.dumps(result.to_dict()))
    assert printed["nearest_cosine"] == pytest.approx(result.nearest_cosine, abs=1e-6)
    del printed["nearest_cosine"]
    assert [printed[key] for key in list(printed)[:8]] == [
        ASKED.text,
        "demo",
        "centred-cosine",
        None,
        5,
        None,
        3,
        "user",
    ]
    assert list(printed["timings_ms"]) == STAGES
    assert all(isinstance(value, float) and value >= 0 for value in printed["timings_ms"].values())
    parts = [printed["timings_ms"][stage] for stage in STAGES[:-1]]
    assert printed["timings_ms"]["total"] >= sum(parts) - 0.01
    for subtopic in printed["subtopics"]:
        assert list(subtopic) == [
            "id", "name", "term", "size", "quality", "relevance", "passages",
        ]  # fmt: skip
        assert subtopic["size"] == len(subtopic["passages"]) > 0
        assert -1 <= subtopic["quality"] <= 1
        for passage in subtopic["passages"]:
            assert list(passage) == [
                "id", "document", "title", "text", "rank", "strength", "relevance", "x", "y",
            ]  # fmt: skip
            assert passage.pop("relevance") is None
            assert [type(value) for value in passage.values()] == [
                str, str, str, str, int, float, float, float,
            ]  # fmt: skip
            assert -1 <= passage["strength"] <= 1


def test_an_unknown_strictness_is_named_whatever_is_known_of_the_hits(load):
    with raises(InputError, strictness="severe"):
        load().retrieve(ASKED, strictness="severe")


def test_a_query_is_carried_through_all_stages(load, passages):
    result = load().run(ASKED, n_clusters=3, max_other=0.0)
    assert [subtopic.id for subtopic in result.subtopics] == [0, 1, 2]
    # Every hit once, and the three plain subjects apart.
    groups = ids(result)
    assert sorted(sum(map(sorted, groups.values()), [])) == sorted(p.id for p in passages)
    assert {frozenset(id.split("-")[0] for id in group) for group in groups.values()} == {
        frozenset({title}) for title in SUBJECTS
    }
    names = [subtopic.name for subtopic in result.subtopics]
    assert len(set(names)) == 3 and all(name.strip() for name in names)
    ranks = sorted(m.rank for s in result.subtopics for m in s.passages)
    assert ranks == list(range(1, 25))
    for subtopic in result.subtopics:
        strengths = [member.strength for member in subtopic.passages]
        assert strengths == sorted(strengths, reverse=True)
        assert subtopic.quality == pytest.approx(np.mean(strengths))
        assert all(member.passage.metadata["licence"] for member in subtopic.passages)
    sizes = [subtopic.size for subtopic in result.subtopics]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("method", ["default", *METHODS])
def test_every_method_can_be_asked(load, method):
    result = load(method=method).run(ASKED, top_k=12)
    name = "centred-qs3m" if method == "default" else method
    assert result.method == name
    assert result.checkpoint == ("tiny" if METHODS[name].needs_checkpoint else None)
    assert sum(subtopic.size for subtopic in result.subtopics) == 12
    assert result.n_clusters == sum(s.id != OTHER_PASSAGES for s in result.subtopics)
    assert result.n_clusters_source != "user"


def test_at_most_so_many_hits_of_one_collection(load):
    result = load().run(ASKED, top_k=7, collection="odd")
    members = [member for s in result.subtopics for member in s.passages]
    assert len(members) == 7
    assert {member.passage.collection for member in members} == {"odd"}


@pytest.mark.parametrize("max_other", [0.0, 0.1, 0.5])
def test_other_passages_come_last_and_are_never_too_many(folders, encoder, load, max_other):
    # One passage about everything, one across two subjects, one of odd words.
    texts = ["taxes ants books", "ants books taxes maps", "war garden subject"]
    strays = [Passage(f"stray-{row}", text) for row, text in enumerate(texts)]
    PassageLibrary.open(folders.library_dir, "demo").add(
        strays, encoder.encode([passage.text for passage in strays])
    )
    result = load().run(ASKED, max_other=max_other)
    others = [s for s in result.subtopics if s.id == OTHER_PASSAGES]
    assert sum(s.size for s in others) <= max_other * 27
    if others:
        assert result.subtopics[-1] is others[0]
        assert others[0].name == OTHER_PASSAGES_NAME
    assert bool(others) == (max_other > 0)


def test_a_single_hit(load):
    for result in (load(library="single").run(ASKED), load().run(ASKED, top_k=1)):
        (subtopic,) = result.subtopics
        assert (subtopic.id, subtopic.size, result.n_clusters) == (0, 1, 1)
        assert subtopic.name.strip()
        json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.parametrize("n_clusters", ["auto", 1, 2, 24, 99])
def test_any_number_of_groups(load, n_clusters):
    result = load().run(ASKED, n_clusters=n_clusters)
    if n_clusters != "auto":
        assert result.n_clusters == min(n_clusters, 24)
        assert result.n_clusters_source == "user"


def test_the_same_hits_are_grouped_under_another_query(load):
    pipeline = load(method="qs3m")
    ranking = pipeline.retrieve(ASKED)
    first = pipeline.group(ranking, n_clusters=3)
    other = pipeline.group(ranking, Query("librarians and maps"), n_clusters=3)
    assert first.query.text == ASKED.text
    assert other.query.text == other.to_dict()["query"] == "librarians and maps"
    assert set.union(*ids(first).values()) == set.union(*ids(other).values())
    # The query counts: some strength is another.
    strengths = [
        {m.passage.id: m.strength for s in result.subtopics for m in s.passages}
        for result in (first, other)
    ]
    assert max(abs(strengths[0][id] - strengths[1][id]) for id in strengths[0]) > 1e-3
    assert first.timings_ms["retrieve"] == 0
    # And back again, with nothing left of the one between.
    assert pipeline.group(ranking, n_clusters=3) == first
    assert untimed(pipeline.run(ASKED, n_clusters=3)) == untimed(first)


@pytest.mark.parametrize("context", ["title", "description", "passages"])
def test_the_context_decides_what_a_method_sees_of_the_query(load, encoder, context):
    pipeline = load(method="qs3m")
    query = replace(ASKED, description="all about maps", context=context)
    ranking = pipeline.retrieve(query)
    seen = pipeline.encode(ranking, query)[1].embedding
    mean = ranking.embeddings.mean(axis=0)
    expected = {
        "title": encoder.encode([ASKED.text])[0],
        "description": encoder.encode(["all about maps"])[0],
        "passages": mean / np.linalg.norm(mean),
    }[context]
    np.testing.assert_allclose(seen, expected, atol=1e-5)


def test_another_map_of_the_same_groups(load, monkeypatch):
    class Line(PcaProjector):
        def _fit_transform(self, embeddings):
            return np.stack([np.arange(len(embeddings)), np.zeros(len(embeddings))], axis=1)

    monkeypatch.setitem(PROJECTORS, "line", Line)
    pipeline = load()
    ranking = pipeline.retrieve(ASKED)
    first = pipeline.group(ranking, n_clusters=3)
    moved = pipeline.project(first, ranking, "line")
    assert (first.projection, moved.projection) == ("pca", "line")
    assert ids(moved) == ids(first)
    for before, after in zip(first.subtopics, moved.subtopics, strict=True):
        assert before.name == after.name
        for one, two in zip(before.passages, after.passages, strict=True):
            assert (one.passage, one.rank, one.strength) == (two.passage, two.rank, two.strength)
            # The hit of rank r is row r - 1, and the map is centred.
            assert two.x == pytest.approx(two.rank - 1 - 11.5)
    assert pipeline.project(moved, ranking, "pca") == first
    for call in (
        lambda: pipeline.project(first, ranking, "globe"),
        lambda: pipeline.group(ranking, projection="globe"),
    ):
        with raises(InputError, projection="globe"):
            call()


def test_the_same_seed_gives_the_same_map(load):
    for method in METHODS:
        one, two = (load(method=method, random_state=1).run(ASKED) for _ in range(2))
        assert untimed(one) == untimed(two), method


class Reading(CosineSimilarity):
    """Says how far it is, as similarities do that read the hits themselves."""

    def prepare(self, query, passages, progress):
        progress(len(passages) // 2, len(passages))


def test_a_method_that_takes_its_time_tells_how_far_it_is(load):
    pipeline = load()
    pipeline.method = replace(pipeline.method, clusterer=AgglomerativeSubtopics(Reading()))
    told = []
    pipeline.run(ASKED, top_k=10, progress=lambda *far: told.append(far))
    assert told == [(5, 10)]
    pipeline.run(ASKED, top_k=10)  # nobody asked
    assert len(told) == 1


def test_two_sessions_that_share_a_pipeline_do_not_disturb_each_other(load):
    pipeline = load(method="qs3m")
    asked = [(Query("taxes and tea"), 2, 0.0), (Query("ants and books"), 5, 0.3)]

    def ask(query, n_clusters, max_other):
        return pipeline.run(query, n_clusters=n_clusters, max_other=max_other)

    alone = [untimed(ask(*question)) for question in asked]
    together: list[list[object]] = [[], []]
    start = threading.Barrier(2)

    def session(number):
        start.wait()
        try:
            for _ in range(8):
                together[number].append(untimed(ask(*asked[number])))
        except Exception as error:  # shown by the comparison below
            together[number].append(error)

    threads = [threading.Thread(target=session, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(2):
        assert together[number] == [alone[number]] * 8
    # What was asked of the pipeline is not written into the method that they share.
    assert pipeline.method.clusterer.n_clusters == "auto"
    assert not hasattr(pipeline.method.clusterer, "labels_")


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_query_is_said(load, text):
    with raises(InputError):
        load().run(Query(text))


def test_no_hits_are_said(load):
    pipeline = load()
    for call in (
        lambda: pipeline.run(ASKED, collection="nowhere"),
        lambda: load(library="empty").run(ASKED),
    ):
        with raises(InputError):
            call()


@pytest.mark.parametrize(
    ("options", "kind", "values"),
    [
        ({"library": "none"}, LibraryNotFoundError, {"name": "none", "same": "none"}),
        ({"library": "../demo"}, InputError, {"name": "../demo"}),
        ({"method": "qs4m"}, InputError, {"resolved": "qs4m"}),
        (
            {"method": "qs3m", "checkpoint": "none"},
            CheckpointNotFoundError,
            {"name": "none", "method": "qs3m", "there": "tiny"},
        ),
        (
            {"method": "tfidf", "checkpoint": "tiny"},
            InputError,
            {"card": "tfidf", "checkpoint": "tiny"},
        ),
    ],
)
def test_what_is_missing_is_one_sentence(load, options, kind, values):
    with raises(kind, **values) as caught:
        load(**options)
    assert "\n" not in str(caught.value)


def test_a_missing_demo_says_how_to_build_it(settings, encoder, monkeypatch):
    monkeypatch.setattr("subclust.pipeline.load.load_encoder", lambda _: encoder)
    with raises(LibraryNotFoundError):
        load_pipeline(settings, method="tfidf")


def test_a_library_of_another_encoder_is_refused(settings, encoder, passages):
    make_library(settings.library_dir, encoder, passages)
    # The settings name the hashing encoder of 64 dimensions, the library has the one of 32.
    with raises(LibraryError, name="demo", encoder="hashing", same="demo"):
        load_pipeline(settings, method="tfidf")


@pytest.mark.parametrize("number", [0, -3])
def test_a_wrong_number_of_hits_is_refused(load, number):
    with raises(InputError, top_k=number):
        load().run(ASKED, top_k=number)


@pytest.mark.app
def test_another_process_prints_the_same(load, folders):
    # Another order of Python's sets and dicts of strings must change nothing.
    code = """
import json, sys
from pathlib import Path
from subclust.checkpoints import CheckpointStore
from subclust.text.encoders import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.methods import load_method
from subclust.pipeline.query import SubtopicPipeline
from subclust.core.records import Query
from subclust.text.retrieval import Retriever
encoder = HashingEncoder(32)
retriever = Retriever(PassageLibrary.open(Path(sys.argv[1]), "demo"), encoder)
for method in sys.argv[3:]:
    loaded = load_method(method, CheckpointStore(Path(sys.argv[2])), encoder)
    result = SubtopicPipeline(retriever, loaded).run(Query("taxes and ants and books"))
    print(json.dumps(result.to_dict()))
"""
    methods = ["centred-cosine", "qs3m", "kmeans"]
    done = subprocess.run(
        [sys.executable, "-c", code, folders.library_dir, folders.models_dir, *methods],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert done.returncode == 0, done.stderr
    for method, line in zip(methods, done.stdout.splitlines(), strict=True):
        printed = json.loads(line)
        del printed["timings_ms"]
        assert printed == untimed(load(method=method).run(ASKED))
