"""What stands for the default method where a library has vectors of another encoder."""

import pytest
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import CheckpointError
from subclust.core.settings import Settings
from subclust.methods import UNTRAINED, load_method
from subclust.pipeline.served import served_model, shared_method
from subclust.text.encoders import HashingEncoder

SMALL, LARGE, OTHER = HashingEncoder(16), HashingEncoder(32), HashingEncoder(64)


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, models_dir=tmp_path / "models")


@pytest.fixture
def store(settings, random_checkpoint):
    """A default for one encoder, and models of the same method for two."""
    store = CheckpointStore.of(settings)
    for name, encoder in {"a": SMALL, "b": LARGE}.items():
        config = {"model": {"embedding_dim": encoder.embedding_dim}, "threshold": 0.0}
        config["encoder_revision"] = encoder.revision
        store.save(random_checkpoint("qs3m", name, **config))
    store.promote("qs3m", "a", as_default=True)
    return store


def chosen(method):
    return method.card.name, method.checkpoint and method.checkpoint.name


@pytest.mark.parametrize(
    ("own", "found"),
    [(SMALL, ("qs3m", "a")), (LARGE, (UNTRAINED, None)), (OTHER, (UNTRAINED, None))],
)
def test_the_default_or_a_method_that_needs_no_training(settings, store, own, found):
    assert chosen(load_method("default", store, own)) == found
    served = served_model(settings, "default")
    assert served.checkpoint == "a"
    assert chosen(shared_method(served, store, own)) == found


def test_a_model_that_was_named_has_to_fit(settings, store):
    with raises(CheckpointError, method="qs3m", checkpoint="a"):
        load_method("qs3m", store, LARGE)
    with raises(CheckpointError, method="qs3m", checkpoint="a"):
        load_method("default", store, LARGE, "a")
    with raises(CheckpointError, checkpoint="a"):
        shared_method(served_model(settings, "qs3m"), store, OTHER)
