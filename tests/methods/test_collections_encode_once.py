"""One cache of embeddings and wordings for all methods of whole collections."""

import pytest
from counting_encoder import Counting
from themed_texts import themed

from subclust.methods import train_method
from subclust.text.encoders import CachedEncoder
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

pytestmark = pytest.mark.usefixtures("one_thread")

ARGUMENTS = TrainingArguments(epochs=2, learning_rate=1e-3, warmup=0.0, batch_passages=40)
OBJECTIVES = {"aecl": {"first_stage": 1, "second_stage": 1}, "scl": {}, "sccl": {}, "fcl": {}}


def train(method, encoder, folder):
    recipe = Recipe(ARGUMENTS, {}, OBJECTIVES[method])
    return train_method(TrainingRun(method, "x", recipe, [themed()], [], encoder, folder))


def test_a_second_run_encodes_nothing_and_a_second_method_only_wordings(tmp_path):
    inner = Counting(32)
    encoder = CachedEncoder(inner, tmp_path / "cache")
    texts = {passage.text for passage in themed().passages}
    train("aecl", encoder, tmp_path / "aecl")
    assert texts <= set(inner.seen) and len(inner.seen) == len(set(inner.seen))
    for method, own in (("aecl", False), ("scl", True), ("scl", False), ("fcl", False)):
        inner.seen.clear()
        train(method, encoder, tmp_path / f"{method}-again")
        assert bool(inner.seen) is own, method
        assert texts.isdisjoint(inner.seen)
