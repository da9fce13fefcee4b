"""The topic model baseline: its vocabulary, its batches, its checkpoint."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from raising import raises
from small_sets import SUBJECTS
from small_sets import instances as labelled_instances

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import CheckpointError, TrainingError, TrainingStopped
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import load_method, train_method
from subclust.methods.baselines.topic_model import TopicModelShape, similarity_of, to_tensors
from subclust.methods.baselines.training import (
    TopicModelArguments,
    _batches,
    _count,
    _word_loss,
    steps,
)
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

instances = partial(labelled_instances, n_each=4)


def recipe(model=None, objective=None, **training):
    model = {"n_topics": 3, **(model or {})}
    return Recipe(
        TrainingArguments(epochs=6, batch_passages=24, **training), model, objective or {}
    )


@pytest.fixture
def train(tmp_path, encoder):
    def run(wanted=None, folder="run", **options):
        return train_method(
            TrainingRun(
                "lda",
                "tiny",
                wanted or recipe(),
                instances(range(20)),
                instances([30, 31]),
                encoder,
                tmp_path / folder,
                **options,
            )
        )

    return run


def test_topics_are_found_without_labels(train, tmp_path, encoder):
    seen = []
    checkpoint = train(progress=seen.append)
    assert seen[-1]["step"] == seen[-1]["total"] == checkpoint.card["training"]["steps"] == 60
    losses = [line["loss"] for line in checkpoint.card["history"]]
    assert losses[-1] < losses[0] - 0.2
    assert checkpoint.card["scores"] == {"validation_ari": 1.0, "validation_queries": 2.0}
    assert checkpoint.tensors["topic_word"].dtype == np.float16

    store = CheckpointStore(tmp_path / "models")
    store.save(checkpoint)
    loaded = load_method("lda", store, encoder)
    assert loaded.encoder is encoder
    held_out = instances([40])[0]
    texts = [passage.text for passage in held_out.passages]
    fitted = loaded.clusterer.fit(texts, query=held_out.query, embeddings=encoder.encode(texts))
    assert fitted.n_clusters_source_ == "threshold" and fitted.n_clusters_ == 3
    groups = set(zip(fitted.labels_.tolist(), held_out.gold(), strict=True))
    assert len(groups) == 3
    lines = (tmp_path / "run" / "progress.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == list(range(1, 61))
    json.dumps([checkpoint.config, checkpoint.card])
    assert "## Scores" in (tmp_path / "models/lda/tiny/README.md").read_text()


def test_the_same_seed_gives_the_same_checkpoint(train):
    one, two, other = (
        train(recipe(seed=seed), folder) for seed, folder in ((1, "a"), (1, "b"), (2, "c"))
    )
    np.testing.assert_array_equal(one.tensors["topic_word"], two.tensors["topic_word"])
    assert one.config == two.config
    assert not np.array_equal(one.tensors["topic_word"], other.tensors["topic_word"])


def test_any_encoder_will_do(train, tmp_path):
    from subclust.text.encoders import HashingEncoder

    store = CheckpointStore(tmp_path / "models")
    store.save(train())
    for dimension in (8, 16):
        encoder = HashingEncoder(dimension)
        assert load_method("lda", store, encoder).encoder is encoder


def test_a_run_stops_when_asked(train, tmp_path):
    def stop(line):
        if line["step"] == 5:
            (tmp_path / "run" / "stop").touch()

    with raises(TrainingStopped, step=5):
        train(progress=stop)
    seen = []
    train(resume=True, progress=seen.append)
    assert seen[0]["step"] == 1


@pytest.mark.parametrize(
    ("wanted", "options", "values"),
    [
        (recipe({"n_topics": 1}), {}, {"name": "n_topics", "least": 2, "value": 1}),
        (recipe({"n_words": 0}), {}, {"name": "n_words", "least": 2, "value": 0}),
        (recipe({"max_share": 1.5}), {}, {"max_share": 1.5}),
        (recipe({"width": 1}), {}, {"key": "width"}),
        (recipe({"n_topics": 2.5}), {}, {"key": "n_topics", "value": 2.5}),
        (recipe({"min_passages": 10_000}), {}, {}),
        (recipe(objective={"loss": "mse"}), {}, {"method": "lda"}),
        (replace(recipe(), training=TrainingArguments(epochs=0)), {}, {"method": "lda"}),
        (recipe(), {"base": "any"}, {"method": "lda"}),
    ],
)
def test_what_cannot_be_trained_is_one_sentence(train, wanted, options, values):
    with raises(TrainingError, **values):
        train(wanted, **options)


def test_the_vocabulary_is_the_most_frequent_words_within_bounds():
    texts = ["cats cats cats dogs", "cats dogs birds", "cats fish the a1 zz", "cats fish", "of"]
    texts += texts[:2]
    record = ClusteringInstance(
        Query("q"), tuple(Passage(str(row), text, label="a") for row, text in enumerate(texts))
    )
    counts, words = _count([record], TopicModelArguments(n_words=9))
    assert words == ["birds", "cats", "dogs", "fish"]
    # Copies count once, and passages without a word not at all.
    np.testing.assert_array_equal(
        counts.toarray(), [[0, 3, 1, 0], [1, 1, 1, 0], [0, 1, 0, 1], [0, 1, 0, 1]]
    )
    assert _count([record], TopicModelArguments(n_words=9, min_passages=2))[1] == [
        "cats",
        "dogs",
        "fish",
    ]
    assert _count([record], TopicModelArguments(max_share=0.5))[1] == ["birds", "dogs", "fish"]
    assert _count([record], TopicModelArguments(n_words=2))[1] == ["cats", "dogs"]


def test_an_epoch_has_every_passage_once():
    arguments = TrainingArguments(epochs=2, batch_passages=8, seed=3)
    drawn = list(_batches(21, arguments))
    assert [len(rows) for rows in drawn] == [8, 8, 5] * 2
    assert steps(21, arguments) == 6
    for epoch in (drawn[:3], drawn[3:]):
        assert sorted(np.concatenate(epoch)) == list(range(21))
    assert not np.array_equal(drawn[0], drawn[3])
    assert all(np.array_equal(a, b) for a, b in zip(drawn, _batches(21, arguments), strict=True))
    assert steps(21, replace(arguments, epochs=0.1)) == 1


def test_the_loss_is_lower_for_the_topics_that_made_the_words():
    counts, words = _count(instances(range(5)), TopicModelArguments(max_share=0.5))
    right = np.full((3, len(words)), 0.1)
    for topic, subject in enumerate(SUBJECTS.values()):
        right[topic, [words.index(word) for word in subject.split()]] = 10
    wrong = np.full((3, len(words)), 5.0)
    losses = [_word_loss(counts, table, 0.3) for table in (right, wrong)]
    # Eight words of one subject against 24 of all.
    assert losses[1] == pytest.approx(np.log(24), rel=1e-6)
    assert np.log(8) < losses[0] < np.log(10)


def test_a_table_too_large_for_half_precision_is_kept_whole(random_checkpoint):
    table = np.array([[1.0, 70_000.0], [2.0, 3.0]])
    tensors = to_tensors(table, ["one", "two"])
    assert tensors["topic_word"].dtype == np.float32
    config = {"model": {"n_topics": 2, "n_words": 2, "prior": 0.5}}
    similarity = similarity_of(replace(random_checkpoint("lda"), config=config, tensors=tensors))
    np.testing.assert_array_equal(similarity.topic_word, table)
    assert similarity.vocabulary == ["one", "two"]


def test_words_of_all_letters_survive(random_checkpoint):
    words = ["straße", "éclair", "βιβλίο"]
    shape = TopicModelShape(2, 3, 0.5)
    checkpoint = replace(
        random_checkpoint("lda"),
        config={"model": vars(shape)},
        tensors=to_tensors(np.ones((2, 3)), words),
    )
    assert similarity_of(checkpoint).vocabulary == words


@pytest.mark.parametrize(
    "damage",
    [
        lambda tensors: {"topic_word": tensors["topic_word"]},
        lambda tensors: {"vocabulary": tensors["vocabulary"]},
        lambda tensors: {**tensors, "vocabulary": tensors["vocabulary"][:5]},
        lambda tensors: {**tensors, "vocabulary": np.array([255], dtype=np.uint8)},
        lambda tensors: {**tensors, "topic_word": tensors["topic_word"].T},
    ],
)
def test_damaged_tensors_are_refused(random_checkpoint, damage):
    checkpoint = random_checkpoint("lda")
    with raises(CheckpointError, method="lda", checkpoint="tiny"):
        similarity_of(replace(checkpoint, tensors=damage(checkpoint.tensors)))
