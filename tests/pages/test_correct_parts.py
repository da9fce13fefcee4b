"""What stands behind the bar for corrections, without a page."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from raising import raises, values_of
from small_library import passages

from subclust.core.exceptions import InputError
from subclust.core.records import Hit, Query, Ranking
from subclust.core.settings import Settings
from subclust.grouping.clustering.strength import passage_strengths
from subclust.grouping.similarity.cosine import CosineSimilarity
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import (
    Basis,
    History,
    SavedCorrections,
    contradictions,
    kept_groups,
    replay,
    training_set,
)
from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.sets import LabelledSetStore
from subclust.methods import load_method
from subclust.pipeline.assemble import group_ranking
from subclust.text.encoders import HashingEncoder
from subclust.ui.components.words import judged
from subclust.ui.explore.correct.desk import _done, _measure_of
from subclust.ui.explore.correct.saved import _keep_set


@pytest.fixture(scope="module")
def ranking():
    found = passages()
    embeddings = HashingEncoder().encode([one.text for one in found])
    hits = tuple(Hit(one, rank, 1.0) for rank, one in enumerate(found, start=1))
    return Ranking(Query("the American war"), hits, embeddings, "demo")


@pytest.fixture(scope="module")
def subtopics(ranking):
    method = load_method("sbert-cosine", None, HashingEncoder())
    return group_ranking(method, ranking, ranking.embeddings, ranking.query, n_clusters=4)


@pytest.fixture
def settings_at(tmp_path):
    return Settings(data_dir=tmp_path, encoder="hashing", device="cpu")


def saved_as(name, subtopics, query="the American war"):
    basis = Basis(query, "demo", "hashing", "", "tfidf", None, "", 0, 4, "0.1.0")
    return SavedCorrections(name, 1, 1.0, basis, History(), kept_groups(replay(subtopics, ())))


def test_an_edit_is_told_in_one_sentence(subtopics):
    ids = [member.passage.id for member in subtopics.subtopics[0].passages]
    names = {group.id: group.name for group in subtopics.subtopics}
    told = {
        _done(curation.move(subtopics, ids[:1], 1)): ["1", f"“{names[1]}”"],
        _done(curation.move(subtopics, ids[:2], -1)): ["2"],
        _done(curation.merge(subtopics, [0, 2], 1)): [f"“{names[n]}”" for n in (0, 2, 1)],
        _done(curation.rename(subtopics, 0, "New")): [f"“{names[0]}”", "“New”"],
        _done(curation.judge(subtopics, ids, "accepted")): [str(len(ids))],
    }
    for sentence, named in told.items():
        assert re.findall("“[^”]*”|\\d+", sentence) == named
    assert judged(None) == ""


def test_a_placed_passage_is_measured_in_its_new_group(subtopics, ranking):
    found = SimpleNamespace(
        ranking=ranking,
        subtopics=subtopics,
        pipeline=SimpleNamespace(
            encode=lambda hits, query: (hits.embeddings, query),
            method=SimpleNamespace(clusterer=object()),
        ),
    )
    moved = subtopics.subtopics[0].passages[0]
    edits = [curation.move(subtopics, [moved.passage.id], 1)]
    corrected = replay(subtopics, edits, measure=_measure_of(found)).subtopics
    there = {
        member.passage.id: (group.id, member.strength)
        for group in corrected.subtopics
        for member in group.passages
    }
    texts = [one.text for one in ranking.passages]
    scores = CosineSimilarity().score_matrix(ranking.query, texts, ranking.embeddings)
    labels = np.array([there[one.id][0] for one in ranking.passages])
    expected = passage_strengths(scores, labels)
    row = [one.id for one in ranking.passages].index(moved.passage.id)
    assert there[moved.passage.id] == (1, pytest.approx(float(expected[row])))
    assert there[moved.passage.id][1] < 0 < moved.strength
    assert corrected.subtopics[1].passages[-1].passage.id == moved.passage.id


def test_corrections_of_two_questions_are_kept_as_a_set_that_can_be_trained_on(
    subtopics, settings_at
):
    made = training_set([saved_as("one", subtopics), saved_as("two", subtopics, "the peace")])
    kept = _keep_set(settings_at, made)
    assert kept.label == "my-corrections@1"
    assert (kept.n_queries, kept.n_passages, kept.n_labels) == (2, 96, 8)
    assert check_labelled_set(kept.path).errors == ()
    assert not _keep_set(settings_at, made).is_new
    assert [one.label for one in LabelledSetStore(settings_at.sets_dir).sets()] == [kept.label]


def test_corrections_of_one_question_are_too_few(subtopics, settings_at):
    with raises(InputError):
        _keep_set(settings_at, training_set([saved_as("one", subtopics)]))


def test_a_sentence_is_told_with_its_values(subtopics):
    twice = [saved_as("one", subtopics), saved_as("one", subtopics)]
    assert contradictions(twice) == []
    made = training_set(twice)
    assert values_of(made.told[0]) == {"name": "one", "newer": "one"}
