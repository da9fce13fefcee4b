"""How probable it is that a hit is about the question."""

from collections import Counter
from math import log

import numpy as np
import pytest
from raising import raises
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.grown_trees import trees_of
from subclust.core.exceptions import InputError
from subclust.core.records import Hit, Passage, Query, Ranking
from subclust.core.settings import Settings
from subclust.text.encoders import HashingEncoder, load_encoder
from subclust.text.retrieval.fusion import standardised
from subclust.text.retrieval.hit_features import (
    ABSENT,
    N_NEAREST,
    Likeness,
    hit_features,
    likenesses_of,
    spread_features,
    with_both,
)
from subclust.text.retrieval.hit_words import counted_words, word_vectors
from subclust.text.retrieval.relevance import (
    ALL_ABOUT,
    STRICTNESSES,
    RelevanceModel,
    cut_of,
    given_model,
    nearest_cosine,
    settled,
    shipped_model,
    sure_hits,
    with_relevance,
)

TEXTS = [
    "Acid rain kills trees in forests.",
    "Forests of spruce suffer from acid soil.",
    "The parliament met on Monday.",
    "Trees grow, and trees die.",
]


def unit(*shape, seed=0):
    vectors = np.random.default_rng(seed).normal(size=shape) + 0.4
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def to_weighted_mean(vectors, weights):
    mean = sum(weight * vector for weight, vector in zip(weights, vectors, strict=True))
    return np.array([vector @ mean for vector in vectors]) / np.linalg.norm(mean)


def test_words_weigh_by_how_few_hits_hold_them():
    vectors, coverage = word_vectors("acid rain", TEXTS)
    holding = Counter(word for text in TEXTS for word in set(counted_words(text)))
    weight = {word: log(5 / (1 + n)) + 1 for word, n in holding.items()}
    rows = []
    columns = sorted(weight)
    for text in [*TEXTS, "acid rain"]:
        counts = Counter(counted_words(text))
        row = [(1 + log(counts[w])) * weight[w] if counts[w] else 0.0 for w in columns]
        rows.append(np.array(row) / np.linalg.norm(row))
    expected = np.array(rows)
    between = (vectors @ vectors.T).toarray()
    np.testing.assert_allclose(between, expected @ expected.T, atol=1e-9)
    both = weight["acid"] + weight["rain"]
    np.testing.assert_allclose(coverage, [1, weight["acid"] / both, 0, 0], atol=1e-9)


def test_features_are_cosines_with_what_stands_for_the_question():
    vectors, asked = unit(30, 8), unit(8, seed=1)
    words, coverage = word_vectors("q1 q2", [f"q{n % 3} w{n % 7} v{n}" for n in range(30)])
    by_words = np.arange(1, 31)
    by_meaning = np.full(30, ABSENT)
    scores = np.random.default_rng(7).random(30)
    likenesses = with_both(likenesses_of(vectors, asked, words))
    features = hit_features(likenesses, coverage, (by_words, by_meaning), scores)
    assert features.shape == (30, 47)
    cosine = vectors @ asked
    order = np.argsort(-cosine)
    first = [1.0 if row < 5 else 0.0 for row in range(30)]
    nearest = [1.0 if row in order[:N_NEAREST] else 0.0 for row in range(30)]
    np.testing.assert_allclose(features[:, 0], to_weighted_mean(vectors, first), atol=1e-5)
    np.testing.assert_allclose(features[:, 2], to_weighted_mean(vectors, nearest), atol=1e-5)
    best = [max(vectors[row] @ vectors[one] for one in order[:5]) for row in range(30)]
    np.testing.assert_allclose(features[:, 5], best, atol=1e-5)
    np.testing.assert_allclose(features[:, 8], cosine, atol=1e-6)
    np.testing.assert_allclose(features[:, 22], coverage)
    np.testing.assert_allclose(features[:, 24], np.log(by_words))
    np.testing.assert_allclose(features[:, 25], log(ABSENT))
    best_scores = np.argsort(-scores)[:5]
    best = [1.0 if row in best_scores else 0.0 for row in range(30)]
    np.testing.assert_allclose(features[:, 30], to_weighted_mean(vectors, best), atol=1e-5)


def test_a_value_is_foretold_by_all_other_hits():
    between = np.corrcoef(np.random.default_rng(1).normal(size=(12, 5)))
    values = np.random.default_rng(2).random(12)
    middle = np.eye(12) - 1 / 12
    kernel = middle @ between @ middle
    kernel /= np.trace(kernel) / 12
    others_mean = values.mean()
    foretold = Likeness(between, values).foretold(values)
    for row in range(12):
        others = [n for n in range(12) if n != row]
        ridge = kernel[np.ix_(others, others)] + np.eye(11)
        weights = np.linalg.solve(ridge, (values - others_mean)[others])
        expected = others_mean + kernel[row, others] @ weights
        assert foretold[row] == pytest.approx(expected)
    assert np.ptp(foretold) > 0.05


def test_neighbours_count_by_their_likeness():
    between = np.corrcoef(np.random.default_rng(3).normal(size=(15, 4)))
    values = np.random.default_rng(4).random(15)
    around = Likeness(between, values).around(values)
    for row in range(15):
        near = sorted((n for n in range(15) if n != row), key=lambda n: -between[row, n])[:10]
        weights = [max(between[row, n], 1e-6) ** 3 for n in near]
        assert around[row] == pytest.approx(np.average(values[near], weights=weights))


def test_the_second_model_sees_what_the_first_thinks_of_the_hits_around():
    vectors = unit(20, 8).astype(np.float64)
    probability = np.random.default_rng(2).random(20)
    between = vectors @ vectors.T
    one = Likeness(between, between[0])
    features = spread_features(with_both([one, one]), probability)
    assert features.shape == (20, 31)
    about = to_weighted_mean(vectors, probability)
    np.testing.assert_allclose(features[:, 0], about)
    np.testing.assert_allclose(features[:, 2], about - to_weighted_mean(vectors, 1 - probability))
    for row in range(20):
        others = sorted((n for n in range(20) if n != row), key=lambda n: -between[row, n])
        close = [probability[n] for n in others[:8]]
        assert features[row, 3] == pytest.approx(np.mean(close))
        assert features[row, 4] == pytest.approx(max(close))
    np.testing.assert_allclose(features[:, 10], probability)


def test_trees_say_what_those_of_scikit_learn_say():
    random = np.random.default_rng(0)
    rows = random.normal(size=(600, 5)).astype(np.float32)
    right = rows[:, 0] + rows[:, 1] * rows[:, 2] > 0.3
    fitted = HistGradientBoostingClassifier(max_iter=20, max_depth=4).fit(rows, right)
    trees = trees_of(fitted)
    model = RelevanceModel.from_bytes(RelevanceModel("some-encoder", trees, trees).to_bytes())
    assert model.encoder_revision == "some-encoder"
    expected = fitted.predict_proba(rows)[:, 1]
    np.testing.assert_allclose(model.together.probabilities(rows), expected, atol=1e-5)


@pytest.mark.parametrize("n_hits", [0, 1, 2, 9, 60])
def test_any_number_of_hits_has_probabilities(n_hits):
    texts = [f"{TEXTS[n % 4]} {n}" for n in range(n_hits)]
    ranks = np.arange(1, n_hits + 1)
    vectors = unit(n_hits, 384)
    model, asked = shipped_model(), unit(384, seed=3)
    found = model.estimate("acid rain", asked, texts, vectors, (ranks, ranks), -ranks / 50)
    assert found.shape == (n_hits,)
    assert ((found >= 0) & (found <= 1)).all()


def test_what_is_near_to_the_question_is_more_probable_than_what_is_far():
    asked = unit(384, seed=5)
    near = asked + 0.5 * unit(20, 384, seed=6) - 0.1
    far = unit(60, 384, seed=7) - 2 * asked
    vectors = np.concatenate([near, far])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = ["acid rain kills trees"] * 20 + ["the parliament met"] * 60
    ranks = np.arange(1, 81)
    scores = standardised(vectors @ asked)
    model = shipped_model()
    found = model.estimate("acid rain", asked, texts, vectors, (ranks, ranks), scores)
    assert found[:20].min() > found[20:].max()


@pytest.mark.parametrize(
    ("probabilities", "nearest", "answers"),
    [
        ([0.1, 0.9], 0.6, True),
        ([0.1, 0.2], 0.45, False),
        ([0.1, 0.2], 0.6, True),  # broad, and near to much
        ([0.1, 0.9], 0.2, False),
        ([0.1, 0.9], None, False),
        ([], 0.6, False),
    ],
)
def test_hits_answer_that_are_likely_and_near(probabilities, nearest, answers):
    assert RelevanceModel.answers(np.array(probabilities), nearest) is answers


@pytest.mark.parametrize(
    ("question", "title", "text", "cosine", "is_sure"),
    [
        ("harbour", "Tides and harbours", "On the sea.", 0.3, True),
        ("harbour", "Tides and harbours", "On the sea.", 0.1, False),
        ("the harbour of Emden", "Tides and harbours", "Emden and the sea.", 0.5, True),
        ("the harbour of Emden", "Tides and harbours", "Emden and the sea.", 0.3, False),
        ("the harbour of Emden", "Tides and harbours", "On the sea.", 0.5, False),
        ("quays", "Tides and harbours", "On the sea.", 0.6, True),
        ("who is it", "Who it is", "It is.", 0.5, False),  # no word that means something
    ],
)
def test_a_hit_alone_answers_by_its_words_or_by_its_likeness(
    question, title, text, cosine, is_sure
):
    assert sure_hits(question, [title], [text], np.array([cosine])).tolist() == [is_sure]


def ranking_of(*relevance):
    hits = tuple(
        Hit(Passage(f"p{row}", "text"), row + 1, 1.0, value) for row, value in enumerate(relevance)
    )
    return Ranking(Query("q"), hits, np.eye(len(hits), dtype=np.float32))


FILLERS = "lake trees fish cloud smoke chimney storm winter forest river soil metal rain".split()


def test_the_order_in_which_hits_are_given_changes_nothing():
    random = np.random.default_rng(5)
    vectors = random.normal(size=(30, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # No two of them are equally like a third.
    texts = [" ".join([f"acid w{n}", *random.choice(FILLERS, 40 + n)]) for n in range(30)]
    ranks = (random.permutation(30) + 1, random.permutation(30) + 1)
    model, shuffled = shipped_model(), random.permutation(30)
    scores = random.normal(size=30)
    found = model.estimate("acid rain", vectors[0], texts, vectors, ranks, scores)
    again = model.estimate(
        "acid rain",
        vectors[0],
        [texts[n] for n in shuffled],
        vectors[shuffled],
        (ranks[0][shuffled], ranks[1][shuffled]),
        scores[shuffled],
    )
    np.testing.assert_allclose(again, found[shuffled], atol=1e-6)
    assert np.ptp(found) > 0.01


def test_hits_below_the_cut_are_set_aside_with_their_ranks():
    cut = ranking_of(0.9, 0.1, None, 0.5).about(0.5)
    assert [hit.rank for hit in cut.hits] == [1, 3, 4]
    assert [hit.rank for hit in cut.set_aside] == [2]
    np.testing.assert_array_equal(cut.embeddings, np.eye(4, dtype=np.float32)[[0, 2, 3]])


def test_where_no_hit_passes_all_stay():
    ranking = ranking_of(0.2, 0.1)
    assert ranking.about(0.5) is ranking
    assert ranking.about(0.0) is ranking


@pytest.mark.parametrize("strictness", ["looser", "usual", "stricter"])
def test_the_cut_has_the_highest_expected_f_measure(strictness):
    probabilities = np.random.default_rng(4).random(40) ** 2
    weight = STRICTNESSES[strictness] ** 2
    expected = {}
    for cut in probabilities:
        kept = [p for p in probabilities if p >= cut]
        expected[cut] = sum(kept) / (len(kept) + weight * sum(probabilities))
    assert cut_of(probabilities, strictness) == max(expected, key=expected.__getitem__)


def test_the_stricter_the_fewer_hits_pass():
    probabilities = np.linspace(0.02, 0.98, 60)
    passed = [(probabilities >= cut_of(probabilities, one)).sum() for one in STRICTNESSES]
    assert passed == sorted(passed, reverse=True) and passed[0] == 60 and passed[-1] > 0
    assert cut_of(np.zeros(0)) == 0.0


def test_an_unknown_strictness_is_named():
    with raises(InputError, strictness="severe"):
        cut_of(np.ones(3), "severe")


@pytest.mark.parametrize("n_passages", [1, N_NEAREST - 1, N_NEAREST, 40])
def test_the_cosine_is_the_mean_of_the_nearest(n_passages):
    vectors = unit(n_passages + 1, 8)
    cosines = sorted((float(vectors[0] @ one) for one in vectors[1:]), reverse=True)
    expected = sum(cosines[:N_NEAREST]) / min(N_NEAREST, n_passages)
    assert nearest_cosine(vectors[0], vectors[1:]) == pytest.approx(expected, abs=1e-6)


def test_without_hits_there_is_no_cosine():
    assert nearest_cosine(unit(4), np.zeros((0, 4), np.float32)) is None


@pytest.fixture
def learnt():
    """An encoder that the shipped models seem to have learnt from."""
    encoder = HashingEncoder(64)
    encoder.revision = shipped_model().encoder_revision
    return encoder


def test_of_passages_that_no_search_ranked_those_about_the_question_are_likelier():
    about = [
        "Acid rain kills trees in the forests of Bohemia.",
        "Acid rain harms spruce by washing magnesium out of the soil.",
        "Lakes in Sweden lost their fish to acid rain.",
        "Sulphur dioxide from coal makes rain acid.",
        "Limestone is spread on lakes to make them less acid.",
    ]
    strangers = [
        "The parliament met on Monday to debate the budget.",
        "The prime minister resigned after the vote.",
        "Elections were held in March.",
        "The court struck down the law.",
        "A coalition of three parties formed a government.",
    ]
    encoder, query = load_encoder(Settings(device="cpu")), Query("acid rain")
    texts = [f"Background: {about[0]}", *about[1:], *strangers]
    vectors = encoder.encode(texts)
    found = with_relevance(query, encoder, texts, 3 * vectors).relevance
    assert set(found) == {*about, *strangers}
    assert min(map(found.get, about)) > max(map(found.get, strangers))
    turned = with_relevance(query, encoder, texts[::-1], vectors[::-1]).relevance
    assert turned == pytest.approx(found)
    alone = with_relevance(query, encoder, about, vectors[:5]).relevance
    assert set(alone.values()) == {1.0}


def test_where_hardly_any_seem_to_be_strangers_all_are_about_the_question():
    few = np.array([ALL_ABOUT / 2] + [0.9] * 11)  # one of twelve is the least tenth
    np.testing.assert_array_equal(settled(few), few)
    np.testing.assert_array_equal(settled(few, ALL_ABOUT / 2), np.ones(12))
    sure = np.full(25, 0.6)
    sure[:2] = 0.0, ALL_ABOUT * 2
    np.testing.assert_array_equal(settled(sure), np.ones(25))
    sure[1] = ALL_ABOUT
    np.testing.assert_array_equal(settled(sure), sure)
    assert not len(settled(np.zeros(0)))


def test_of_other_encoders_and_without_a_question_nothing_is_estimated(learnt):
    vectors = HashingEncoder(64).encode(TEXTS)
    assert with_relevance(Query("acid"), HashingEncoder(64), TEXTS, vectors).relevance is None
    assert with_relevance(Query(" "), learnt, TEXTS, vectors).relevance is None
    assert not len(given_model().estimate_unranked("acid", vectors[0], [], vectors[:0]))
