"""How what tells hits about a question from the others is trained and measured."""

import numpy as np
import pytest

from benchmarks.asking import Asked, Question, ask, record_questions, training_questions
from benchmarks.relevance import N_HITS, measure, train
from benchmarks.shelves import Shelf, question_on
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder

SUBJECTS = ("Herring", "Granite", "Opera", "Barley", "Comets", "Pottery")


def article(subject):
    passages = tuple(
        Passage(f"{subject}{n}", f"{subject} note {n} on {subject.lower()}s", label=f"Part {n % 2}")
        for n in range(12)
    )
    return ClusteringInstance(Query(subject, f"{subject} is a subject of notes. More."), passages)


@pytest.fixture
def articles():
    return [article(subject) for subject in SUBJECTS]


@pytest.fixture
def encoder():
    return HashingEncoder(64)


@pytest.fixture
def embeddings(articles, encoder):
    return [encoder.encode([one.text for one in a.passages]) for a in articles]


@pytest.mark.parametrize(
    ("form", "question"),
    [
        ("title", "Opera"),
        ("reversed", "opera part 0"),
        ("part", "Part 0 of Opera"),
        ("lead", "Opera is a subject of notes"),
    ],
)
def test_questions_are_written_of_title_headings_and_lead(form, question):
    class First:
        def integers(self, n):
            return 0

    assert question_on(article("Opera"), form, First()) == question


def test_hits_of_an_article_that_is_left_out_are_not_found(articles, embeddings, encoder):
    shelf = Shelf(articles, embeddings)
    vector = encoder.encode(["Opera"])[0]
    found = shelf.article[shelf.see("Opera", vector, 20).rows]
    assert (found[:12] == 2).all()
    without = shelf.see("Opera", vector, 20, without=2)
    assert 2 not in shelf.article[without.rows]
    assert without.features.shape == (len(without.rows), 47)


def test_what_was_learnt_tells_the_article_from_the_others(articles, embeddings, encoder):
    random = np.random.default_rng(0)
    leads = np.eye(len(articles), dtype=np.float32)
    questions = [
        one for _ in range(20) for one in training_questions(articles, embeddings, leads, random, 0)
    ]
    asked = ask(questions, encoder, lambda done, total: None)
    assert isinstance(asked, Asked) and asked.sizes.sum() == len(asked.right)
    model = train(asked, encoder.revision)
    shelf = Shelf(articles, embeddings)
    titles = [Question(shelf, n, n, subject, N_HITS) for n, subject in enumerate(SUBJECTS)]
    titled = ask(titles, encoder, lambda done, total: None)
    n_right = int(titled.right.sum())
    told = measure(model, titled, n_right // 2)
    assert told["auc"] > 0.9
    assert told["cuts"]["all"] == {"precision": told["share_right"], "recall": 1.0}
    assert told["cuts"]["stricter"]["precision"] >= told["cuts"]["looser"]["precision"]
    assert sum(one["n_hits"] for one in told["reliability"]) == told["n_hits"]
    # Of half as many right hits as there are, the same share is found with fewer, surer ones.
    assert told["share_right_by_ranks"] == round(n_right // 2 / told["n_hits"], 4)
    by_ranks = told["precision_at_recall_by_ranks"]
    assert by_ranks["0.95"] >= told["precision_at_recall"]["0.7"]
    assert measure(model, titled, 2 * n_right)["precision_at_recall_by_ranks"] == {}


def test_rank_fusion_is_of_both_ranks_over_all_passages(articles, embeddings, encoder):
    shelf = Shelf(articles, embeddings)
    vector = encoder.encode(["opera note 3"])[0]
    cosine = shelf.embeddings @ vector
    words = shelf.bm25(dict.fromkeys(shelf.columns("opera note 3"), 1.0))

    def rank(scores, row):
        ahead = [o for o in range(len(scores)) if (scores[o], -o) > (scores[row], -row)]
        return 1 + len(ahead)

    fused = [
        1 / (60 + rank(cosine, row)) + 1 / (60 + (rank(words, row) if words[row] > 0 else 1000))
        for row in range(len(words))
    ]
    expected = sorted(range(len(fused)), key=lambda row: (-fused[row], row))[:20]
    assert shelf.by_ranks("opera note 3", vector, 20).tolist() == expected


def test_records_are_a_few_passages_with_the_title_beside_their_like(articles, encoder):
    many = [article(f"{subject} {n}") for n in range(8) for subject in SUBJECTS]
    leads = np.ones((len(many), 2), dtype=np.float32) * 0.5
    random = np.random.default_rng(0)
    questions = [*record_questions(many, leads, encoder, random, 7, n_times=1)]
    assert [one.name for one in questions] == list(range(7, 7 + len(many)))
    shelf = questions[0].shelf
    sizes = np.bincount(shelf.article)
    assert sizes.min() >= 1 and 1 < sizes.mean() < 8
    assert all(
        passage.text.startswith(one.query.text)
        for one in shelf.instances
        for passage in one.passages
    )
    assert shelf.embeddings.shape == (sizes.sum(), 64)
