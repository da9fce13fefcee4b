"""Which of given passages are about a question, learnt and measured."""

import numpy as np

from benchmarks import given
from benchmarks.relevance import train
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.methods import load_method
from subclust.text.encoders import HashingEncoder, load_encoder
from subclust.text.retrieval.relevance import given_model
from subclust.training.mixing import ABOUT_SOMETHING_ELSE

SUBJECTS = ("herring", "granite", "opera", "barley", "comets", "pottery")


def article(subject):
    parts = {"Causes": "why there is {0}, reason {1}", "Trade": "{0} bought and sold in town {1}"}
    passages = [
        Passage(f"{subject}-{label}-{n}", text.format(subject, n), label=label)
        for label, text in parts.items()
        for n in range(6)
    ]
    return ClusteringInstance(Query(subject), tuple(passages))


ARTICLES = [article(subject) for subject in SUBJECTS]


def test_sets_are_whole_mixed_and_among_neighbours():
    sets = given.sets_of(ARTICLES, HashingEncoder(64), seed=0)
    strangers = {
        kind: [sum(label == ABOUT_SOMETHING_ELSE for label in one.gold()) for one in some]
        for kind, some in sets.items()
    }
    assert strangers["whole"] == [0] * 6 and min(strangers["mixed"]) > 0
    assert strangers["neighbours"] == [12] * 6


def test_sets_that_are_learnt_from_are_no_larger_with_strangers_than_without():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        whole, *others = given.training_sets(ARTICLES, HashingEncoder(64), rng)
        assert whole == ARTICLES
        for one in (one for some in others for one in some):
            strangers = sum(label == ABOUT_SOMETHING_ELSE for label in one.gold())
            assert 1 <= strangers <= 9 and len(one.passages) <= 12


def test_the_order_that_is_given_tells_nothing():
    encoder = HashingEncoder(64)
    (mixed,) = given.sets_of(ARTICLES, encoder, seed=0)["mixed"][:1]
    turned = ClusteringInstance(mixed.query, mixed.passages[::-1])
    seen, again = (given.look([one], ["herring"], encoder) for one in (mixed, turned))
    np.testing.assert_array_equal(seen.features, again.features)
    np.testing.assert_array_equal(seen.right, again.right)
    assert 0 < seen.right.sum() < len(seen.right)


def test_what_is_learnt_tells_own_passages_from_strangers():
    encoder = HashingEncoder(64)
    parts = [
        given.look(sets, [one.query.text for one in ARTICLES], encoder)
        for seed in range(12)
        for sets in given.sets_of(ARTICLES, encoder, seed=seed).values()
    ]
    asked = given.together(parts)
    assert len(asked.sizes) == 12 * 3 * 6
    model = train(asked, encoder.revision)
    first = model.alone.probabilities(asked.features)
    found = model.together.probabilities(asked.with_around(first))
    assert found[asked.right].mean() > found[~asked.right].mean() + 0.3


READ = {
    "acid rain": {
        "Causes": (
            "Sulphur dioxide from coal makes rain acid.",
            "Nitrogen oxides of engines turn to acid in clouds, and fall as acid rain.",
            "Smelters without filters brought acid rain to whole regions.",
        ),
        "Effects": (
            "Acid rain kills trees in the forests of Bohemia.",
            "Lakes in Sweden lost their fish to acid rain.",
            "Acid rain harms spruce by washing magnesium out of the soil.",
        ),
    },
    "parliament": {
        "Elections": (
            "Members of parliament are elected every four years.",
            "A party needs five per cent of the votes to enter parliament.",
            "Elections were held in March, and turnout fell.",
        ),
        "Sessions": (
            "The parliament met on Monday to debate the budget.",
            "The speaker opens each session of parliament with a bell.",
            "Debates of the parliament are printed and sold.",
        ),
    },
}


def test_setting_strangers_aside_is_measured(monkeypatch, tmp_path):
    read = [
        ClusteringInstance(
            Query(title),
            tuple(
                Passage(text, text, label=label) for label, some in parts.items() for text in some
            ),
        )
        for title, parts in READ.items()
    ]
    monkeypatch.setattr(given, "load_task", lambda task, _: (task, read))
    settings = Settings(data_dir=tmp_path, device="cpu")
    store = CheckpointStore(PROJECT_ROOT / "models")
    method = load_method("centred-qs3m", store, load_encoder(settings))
    found = given.measure(given_model(), method, settings)
    assert set(found["auc"]) == {"mixed", "neighbours"} and min(found["auc"].values()) > 0.9
    assert set(found["per_query"]["mixed"]) == {"all", "gate", *map(str, given.BOUNDS)}
    assert found["ari"]["neighbours"]["0.2"] > found["ari"]["neighbours"]["all"]
    assert found["ari"]["whole"]["0.2"] == found["ari"]["whole"]["all"]
    assert found["chosen"] in given.BOUNDS
    assert method.clusterer.max_other == 0.0  # what was given is left as it was
