"""Groups for one number and the next: what stays, and what is cut anew from the same tree."""

import pytest
from made_library import make_library, notes

from subclust.core.records import OTHER_PASSAGES, Passage, Query
from subclust.grouping.naming import HeadingNamer
from subclust.methods import METHODS, LoadedMethod, resolve
from subclust.pipeline.cuts import recut
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.text.retrieval import Retriever

ASKED = Query("taxes and ants and books")


@pytest.fixture
def load(settings, encoder, store, monkeypatch):
    monkeypatch.setattr("subclust.pipeline.load.load_encoder", lambda _: encoder)
    make_library(settings.library_dir, encoder, notes())
    return lambda method: load_pipeline(settings, method=method)


def untimed(subtopics):
    printed = subtopics.to_dict()
    del printed["timings_ms"]
    return printed


def shape_of(subtopics):
    return {
        group.id: (group.name, [member.passage.id for member in group.passages])
        for group in subtopics.subtopics
    }


@pytest.mark.parametrize("method", ["centred-cosine", "centred-qs3m", "tfidf"])
def test_more_groups_split_one_and_the_others_keep_id_and_name(load, method):
    pipeline = load(method)
    ranking = pipeline.retrieve(ASKED)
    answers = {k: pipeline.group(ranking, n_clusters=k) for k in range(2, 9)}
    others = {one: shape_of(answer).get(OTHER_PASSAGES) for one, answer in answers.items()}
    assert len({str(one) for one in others.values()}) == 1
    for k in range(2, 8):
        fewer, more = shape_of(answers[k]), shape_of(answers[k + 1])
        gone = [one for one in fewer if one not in more or set(more[one][1]) != set(fewer[one][1])]
        new = [one for one in more if one not in fewer or set(more[one][1]) != set(fewer[one][1])]
        assert len(gone) == 1
        assert len(new) == 2
        assert set(sum((more[one][1] for one in new), [])) == set(fewer[gone[0]][1])
        assert all(more[one][0] == fewer[one][0] for one in more if one not in new)
        assert gone[0] in new
        assert len({name.casefold() for name, _ in more.values()}) == len(more)


@pytest.mark.parametrize("method", ["centred-cosine", "centred-qs3m"])
def test_a_tree_cut_anew_is_the_answer_of_the_pipeline(load, method):
    pipeline = load(method)
    ranking = pipeline.retrieve(ASKED)
    automatic = pipeline.group(ranking)
    for n_clusters in [5, "auto", 2, 9]:
        again = recut(automatic, n_clusters, pipeline.namer_for(ranking))
        asked = pipeline.group(ranking, n_clusters=n_clusters)
        assert untimed(again) == untimed(asked)
    assert "total" in again.timings_ms
    assert recut(pipeline.group(ranking, n_clusters=4), "auto", pipeline.namer) == automatic


def test_a_method_without_a_tree_is_not_cut_anew(load):
    answer = load("kmeans").run(ASKED)
    assert answer.grounds is not None and answer.grounds.tree is None
    assert recut(answer, 3, HeadingNamer()) is None


def test_the_stages_can_be_called_one_by_one(load):
    pipeline = load("centred-cosine")
    ranking = pipeline.retrieve(ASKED, top_k=9)
    assert len(ranking.hits) == 9
    embeddings, query = pipeline.encode(ranking, ASKED)
    assert embeddings.shape == (9, 32)
    assert query.embedding is None
    assert untimed(pipeline.group(ranking)) == untimed(pipeline.run(ASKED, top_k=9))


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
