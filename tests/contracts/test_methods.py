"""What every method of the registry must do, whatever it is."""

import inspect
import subprocess
import sys
from copy import copy
from dataclasses import replace
from functools import cache
from itertools import product
from unittest.mock import ANY

import numpy as np
import pytest
from raising import raises
from sklearn.base import clone, is_clusterer

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore, checked
from subclust.core.exceptions import CheckpointError, CheckpointNotFoundError, InputError
from subclust.core.records import OTHER_PASSAGES, Query
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.methods import METHODS, find_method, load_method, resolve
from subclust.text.encoders import with_embedding
from subclust.text.encoders.base import HashingEncoder

PASSAGES = [
    f"{beginning} {subject}"
    for subject in (
        "taxes on tea and paper angered the colonies before the war",
        "aardvarks dig burrows at night and eat ants and termites",
        "the catalogue lists maps and books by author and subject",
    )
    for beginning in ("It is said that", "Later on, as before,", "Many", "In that year")
]
SUBJECTS = np.repeat([0, 1, 2], 4)
ASKED = "taxes and the war"

every_method = pytest.mark.parametrize("name", METHODS)


@pytest.fixture
def fit(read_only_store, encoder):
    load = cache(lambda name: load_method(name, read_only_store, encoder))

    def run(name, passages=PASSAGES, text=ASKED, **parameters) -> SubtopicClusterer:
        method = load(name)
        clusterer = copy(method.clusterer)
        for key, value in parameters.items():
            assert hasattr(clusterer, key)
            setattr(clusterer, key, value)
        embeddings = method.encoder.encode(passages)
        query = with_embedding(Query(text), method.encoder, embeddings)
        return clusterer.fit(passages, query=query, embeddings=embeddings)

    return run


def check(fitted, n_passages):
    """Check everything that `SubtopicClusterer` promises of the arrays it leaves."""
    assert fitted.labels_.shape == (n_passages,)
    assert fitted.labels_.dtype == np.int64
    assert fitted.strengths_.shape == (n_passages,)
    assert np.isfinite(fitted.strengths_).all()
    assert np.abs(fitted.strengths_).max() <= 1
    assert fitted.scores_.shape == (n_passages, n_passages)
    assert np.isfinite(fitted.scores_).all()
    np.testing.assert_array_equal(fitted.scores_, fitted.scores_.T)
    groups, sizes = np.unique(fitted.labels_[fitted.labels_ != OTHER_PASSAGES], return_counts=True)
    assert groups.tolist() == list(range(fitted.n_clusters_))
    assert sizes.tolist() == sorted(sizes, reverse=True)


@every_method
def test_twelve_passages(fit, name):
    fitted = fit(name)
    check(fitted, 12)
    assert 1 <= fitted.n_clusters_ <= 12
    assert fitted.n_clusters_source_ not in ("", "user")
    assert (fitted.labels_ >= 0).all()


@every_method
def test_few_passages(fit, name):
    for n_passages, n_clusters in product([1, 2, 3], ["auto", 1, 5]):
        fitted = fit(name, PASSAGES[::4][:n_passages], n_clusters=n_clusters, max_other=0.1)
        check(fitted, n_passages)
        assert 1 <= fitted.n_clusters_ <= n_passages
        if n_clusters != "auto":
            assert fitted.n_clusters_ == min(n_clusters, n_passages)


@every_method
def test_the_same_text_ten_times(fit, name):
    for n_clusters in ("auto", 3):
        fitted = fit(name, ["The very same words."] * 10, n_clusters=n_clusters, max_other=0.2)
        check(fitted, 10)
    assert fitted.n_clusters_ == 3


@every_method
def test_copies_score_alike(fit, name):
    passages = [PASSAGES[0]] * 3 + [PASSAGES[4]] * 3 + [PASSAGES[8]] * 3
    fitted = fit(name, passages, n_clusters=3)
    check(fitted, 9)
    rows = fitted.scores_.reshape(3, 3, 3, 3)
    off_diagonal = ~np.eye(3, dtype=bool)
    for one in range(3):
        for other in range(3):
            block = rows[one, :, other, :]
            assert np.ptp(block[off_diagonal] if one == other else block) < 1e-5
    # An untrained QS3M may score a passage low against its own copy; nothing else may.
    if not METHODS[name].needs_checkpoint:
        assert fitted.labels_.reshape(3, 3).std(axis=1).max() == 0


@every_method
def test_any_query_text(fit, name):
    for text in ("", "   ", "?!", "😀", "word " * 3000):
        check(fit(name, text=text, n_clusters=3), 12)


@every_method
def test_empty_passages_among_others(fit, name):
    check(fit(name, [*PASSAGES[:6], "", " ", "", "…"], n_clusters=3), 10)


@every_method
def test_the_number_of_groups_is_exact(fit, name):
    for n_clusters in (1, 3, 12, np.int64(4), 50):
        fitted = fit(name, n_clusters=n_clusters, max_other=0.3)
        check(fitted, 12)
        assert fitted.n_clusters_ == min(n_clusters, 12)
        assert fitted.n_clusters_source_ == "user"


@every_method
def test_the_same_seed_gives_the_same_answer(fit, name):
    first, second = (fit(name, n_clusters=4, random_state=3) for _ in range(2))
    np.testing.assert_array_equal(first.labels_, second.labels_)
    np.testing.assert_array_equal(first.strengths_, second.strengths_)
    np.testing.assert_array_equal(first.scores_, second.scores_)


@every_method
def test_the_estimator_is_one_of_scikit_learn(read_only_store, encoder, fit, name):
    fitted = fit(name, n_clusters=3, random_state=2)
    assert is_clusterer(fitted)
    parameters = fitted.get_params(deep=False)
    constructor = inspect.signature(type(fitted).__init__).parameters.keys() - {"self"}
    assert parameters.keys() == constructor >= {"n_clusters", "max_other", "random_state"}
    assert all(getattr(fitted, key) is value for key, value in parameters.items())
    other = clone(fitted)
    assert not hasattr(other, "labels_")
    embeddings = encoder.encode(PASSAGES)
    query = with_embedding(Query(ASKED), encoder, embeddings)
    labels = other.fit_predict(PASSAGES, query=query, embeddings=embeddings)
    np.testing.assert_array_equal(labels, fitted.labels_)
    assert clone(fitted).set_params(n_clusters=2).n_clusters == 2
    assert fitted.n_clusters == 3
    assert type(fitted).__name__ in repr(fitted)


@every_method
def test_vectors_of_another_dimension_are_refused(read_only_store, encoder, name):
    method = load_method(name, read_only_store, encoder)
    narrow = np.eye(12, 7, dtype=np.float32)
    asked = Query(ASKED, embedding=narrow[0])
    trained = method.card.needs_checkpoint and name != "lda"  # which reads words
    assert method.clusterer.embedding_dim == (encoder.embedding_dim if trained else None)
    if not trained:
        method.clusterer.fit(PASSAGES, query=asked, embeddings=narrow)
        return
    for embeddings, query in ((narrow, asked), (encoder.encode(PASSAGES), asked)):
        with pytest.raises(InputError) as error:
            method.clusterer.fit(PASSAGES, query=query, embeddings=embeddings)
        assert error.value.sentence.values == {"expected": encoder.embedding_dim, "found": 7}


@every_method
def test_fitting_again_forgets_what_was_before(read_only_store, encoder, fit, name):
    clusterer = load_method(name, read_only_store, encoder).clusterer
    clusterer.n_clusters = 3
    for passages in (PASSAGES[:5], PASSAGES):
        embeddings = encoder.encode(passages)
        query = with_embedding(Query(ASKED), encoder, embeddings)
        assert clusterer.fit(passages, query=query, embeddings=embeddings) is clusterer
    np.testing.assert_array_equal(clusterer.labels_, fit(name, n_clusters=3).labels_)


@every_method
@pytest.mark.parametrize("n_clusters", ["auto", 4])
def test_the_order_of_the_passages_does_not_matter(fit, name, n_clusters):
    parameters = {"n_clusters": n_clusters, "max_other": 0.2}
    # Two alike, and several that tie: order must not decide even there.
    passages = [*PASSAGES, PASSAGES[0], "alone", "quite alone", "also alone"]
    straight = fit(name, passages, **parameters)
    generator = np.random.default_rng(1)
    for _ in range(2):
        order = generator.permutation(len(passages))
        shuffled = fit(name, [passages[row] for row in order], **parameters)
        labels, strengths = np.empty_like(straight.labels_), np.empty_like(straight.strengths_)
        labels[order], strengths[order] = shuffled.labels_, shuffled.strengths_
        # Copies have no order of their own: which of them got which label cannot be told apart.
        copies = [0, len(PASSAGES)]
        for rows in ([row] for row in range(len(passages)) if row not in copies):
            np.testing.assert_array_equal(labels[rows], straight.labels_[rows])
            np.testing.assert_allclose(strengths[rows], straight.strengths_[rows], atol=1e-5)
        assert sorted(labels[copies]) == sorted(straight.labels_[copies])


@every_method
def test_no_more_other_passages_than_allowed(fit, name):
    passages = [*PASSAGES, "zebra", "quasar", "xylophone", "yurt"]
    for n_clusters, max_other in product(["auto", 3], [0.0, 0.05, 0.25]):
        fitted = fit(name, passages, n_clusters=n_clusters, max_other=max_other)
        check(fitted, 16)
        # What a relevance gate finds to be about something else is not counted.
        beside = getattr(fitted, "n_beside_", 0)
        assert (fitted.labels_ == OTHER_PASSAGES).sum() - beside <= max_other * 16
        assert max_other > 0 or beside == 0
        if n_clusters != "auto":
            assert fitted.n_clusters_ == n_clusters


@every_method
def test_wrong_numbers_of_groups_and_shares_of_other_passages_are_refused(fit, name):
    for n_clusters in (0, -1, 2.5, True, "many", None):
        with raises(InputError, count=n_clusters):
            fit(name, n_clusters=n_clusters)
    for max_other in (-0.1, 1.5, float("nan")):
        with raises(InputError, max_other=ANY):
            fit(name, max_other=max_other)


@every_method
def test_no_passages_and_wrong_embeddings_are_refused(read_only_store, encoder, name):
    clusterer = load_method(name, read_only_store, encoder).clusterer
    query = Query(ASKED, embedding=encoder.encode([ASKED])[0])
    with pytest.raises(InputError):
        clusterer.fit([], query=query, embeddings=encoder.encode([]))
    with raises(InputError, n_passages=12, shape="(3, 32)"):
        clusterer.fit(PASSAGES, query=query, embeddings=encoder.encode(PASSAGES[:3]))


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if not card.needs_checkpoint])
def test_untrained_methods_find_three_plain_subjects(fit, name):
    labels = fit(name, n_clusters=3).labels_
    assert [len(set(labels[SUBJECTS == subject])) for subject in range(3)] == [1, 1, 1]
    assert len(set(labels)) == 3


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if card.query_specific])
def test_the_query_changes_the_scores_of_query_specific_methods(fit, name):
    one, other = fit(name, text="taxes and the war"), fit(name, text="ants at night")
    assert np.abs(one.scores_ - other.scores_).max() > 1e-3
    # Not by a constant only: the order of the pairs must be able to change.
    assert np.ptp(one.scores_ - other.scores_) > 1e-3


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if not card.query_specific])
def test_the_query_changes_nothing_elsewhere(fit, name):
    one, other = fit(name, text="taxes and the war"), fit(name, text="ants at night")
    np.testing.assert_array_equal(one.scores_, other.scores_)


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if card.query_specific])
def test_a_query_without_its_embedding_is_refused(read_only_store, encoder, name):
    clusterer = load_method(name, read_only_store, encoder).clusterer
    with raises(InputError):
        clusterer.fit(PASSAGES, query=Query(ASKED), embeddings=encoder.encode(PASSAGES))


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if card.needs_checkpoint])
def test_a_learnt_threshold_chooses_the_number(settings, encoder, random_checkpoint, name):
    store = CheckpointStore(settings.models_dir)
    counts = {}
    for threshold in (-1e6, 1e6):
        store.save(random_checkpoint(name, f"t{threshold > 0:d}", threshold=threshold))
        clusterer = load_method(name, store, encoder, f"t{threshold > 0:d}").clusterer
        embeddings = encoder.encode(PASSAGES)
        query = with_embedding(Query(ASKED), encoder, embeddings)
        clusterer.fit(PASSAGES, query=query, embeddings=embeddings)
        assert clusterer.n_clusters_source_ == "threshold"
        counts[threshold] = clusterer.n_clusters_
    assert counts == {-1e6: 1, 1e6: 12}


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if card.needs_checkpoint])
def test_a_checkpoint_that_does_not_fit_is_refused(settings, encoder, random_checkpoint, name):
    store = CheckpointStore(settings.models_dir)
    with raises(CheckpointNotFoundError, method=name):
        load_method(name, store, encoder)
    store.save(random_checkpoint(name, encoder_revision="another-encoder"))
    with raises(
        CheckpointError, expected="another-encoder", revision="hashing-32", checkpoint="tiny"
    ):
        load_method(name, store, encoder)
    other_config = {"model": {"width": 3}, "encoder_revision": encoder.revision}
    store.save(replace(random_checkpoint(name, "other-config"), config=other_config))
    with raises(CheckpointError):
        load_method(name, store, encoder, "other-config")
    wrong = random_checkpoint(name, "other-weights")
    cut = {key: tensor[..., :-1] for key, tensor in wrong.tensors.items() if tensor.ndim}
    store.save(replace(wrong, tensors=cut))
    with raises(CheckpointError, checkpoint="other-weights"):
        load_method(name, store, encoder, "other-weights")
    with raises(CheckpointNotFoundError, name="none"):
        load_method(name, store, encoder, "none")


@pytest.mark.parametrize("name", [n for n, card in METHODS.items() if not card.needs_checkpoint])
def test_an_untrained_method_takes_no_checkpoint(read_only_store, encoder, name):
    with raises(InputError, checkpoint="tiny"):
        load_method(name, read_only_store, encoder, "tiny")


def test_an_unknown_method_is_refused_with_the_known_ones(read_only_store, encoder):
    with raises(InputError, resolved="qs4m"):
        load_method("qs4m", read_only_store, encoder)


def test_default_is_what_was_promoted(store, encoder):
    with raises(CheckpointNotFoundError, path=ANY):
        load_method(DEFAULT_METHOD, store, encoder)
    store.promote("qss", "tiny", as_default=True)
    assert load_method(DEFAULT_METHOD, store, encoder).card is METHODS["qss"]
    store.promote("tfidf", as_default=True)
    assert find_method(DEFAULT_METHOD, store) is METHODS["tfidf"]


def test_names_are_unique_and_can_name_files():
    for name, card in METHODS.items():
        assert name == card.name == checked(name)
        assert name == name.lower()
        assert name != DEFAULT_METHOD
        assert card.label.strip() and card.summary.rstrip().endswith(".")
    for field in ("label", "summary"):
        values = [getattr(card, field) for card in METHODS.values()]
        assert len(set(values)) == len(values)


def test_no_card_replaces_another_of_the_same_name():
    from subclust.methods.baselines.card import CARDS as BASELINES
    from subclust.methods.qs3m.card import CARDS as QS3M

    names = [card.name for card in (*BASELINES, *QS3M)]
    assert len(set(names)) == len(names)
    assert set(names) <= set(METHODS)


@every_method
def test_what_a_card_names_is_there(name):
    card = METHODS[name]
    assert callable(resolve(card.loader))
    assert card.needs_checkpoint <= (card.trainer is not None)
    if card.trainer is not None:
        assert callable(resolve(card.trainer))


def test_listing_methods_and_help_import_no_torch():
    # Each of these is on the way to the first word that somebody sees.
    code = """
import contextlib, io, sys
heavy = {"torch", "sentence_transformers", "transformers", "streamlit", "sklearn", "umap", "pandas"}
import subclust.methods
assert subclust.methods.METHODS
assert not heavy & set(sys.modules), ("methods", heavy & set(sys.modules))
import subclust.cli
for argv in (["--help"], ["--version"], []):
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()), \\
         contextlib.redirect_stderr(io.StringIO()):
        subclust.cli.main(argv)
    assert not heavy & set(sys.modules), (argv, heavy & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_another_encoder_dimension_is_another_encoder(read_only_store):
    # The revision tells them apart before any shape does.
    with raises(CheckpointError, method="qs3m", checkpoint="tiny", expected="hashing-32"):
        load_method("qs3m", read_only_store, HashingEncoder(16))
