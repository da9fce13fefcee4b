"""The last two steps: method, settings, how the queries are divided, start."""

import argparse
import re
import shlex

import pytest
from kept_fruit import QUERIES, keep, open_set
from page_texts import texts

from subclust.checkpoints import CheckpointStore
from subclust.cli.training.train import add_train
from subclust.jobs import JobStore
from subclust.judging.own_sets import own_recipe, trainable_methods
from subclust.labelled.sets import LabelledSetStore
from subclust.training.recipe import TrainingArguments
from subclust.ui.train.choose import SETTING_WORDS, _divided, _split_html


@pytest.fixture
def data_dir(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def models(tmp_path, random_checkpoint):
    store = CheckpointStore(tmp_path / "models")
    for method in ("qs3m", "qss"):
        store.save(random_checkpoint(method))
    store.save(random_checkpoint("qs3m", "fruit"))
    store.promote("qs3m", "tiny", as_default=True)
    return store


@pytest.fixture
def page(data_dir, launcher, models):
    """Give the page with a kept set of thirty queries chosen."""
    store = LabelledSetStore(data_dir / "sets")
    keep(store, data_dir, "fruit", QUERIES)
    return open_set("fruit@1")


def decide(page):
    """Go on from the method to the start."""
    page.button(key="train-decide").click().run()
    assert not page.exception
    return page


def started(data_dir):
    return JobStore(data_dir / "jobs").jobs()


def test_every_method_that_learns_is_offered_the_recommended_first(page):
    radio = page.radio(key="train-method")
    assert radio.value == "qs3m"
    assert radio.options[0] == "QS3M (recommended)"
    assert len(radio.options) == len(trainable_methods())


def test_the_suggested_training_starts_from_the_model_in_use(page, data_dir, launcher):
    assert page.selectbox(key="train-base-qs3m").value == "tiny"
    decide(page)
    assert page.text_input(key="train-model-qs3m-fruit@1").value == "fruit-2"
    page.button(key="train-start").click().run()
    assert not page.exception
    (job,) = started(data_dir)
    path, _ = own_recipe("qs3m")
    assert shlex.join(job.argv) == (
        f"train qs3m --data set:fruit@1 --name fruit-2 --base tiny --recipe {path} --judge"
    )
    assert (job.title, job.data) == ("qs3m/fruit-2", {"set": "fruit", "version": 1})
    assert launcher.started == [job.id]
    assert page.query_params["job"] == job.id
    assert "fruit-2 (QS3M)" in texts(page)


def test_changed_settings_go_along_and_the_command_takes_them(page, data_dir):
    page.number_input(key="setting-qs3m-epochs").set_value(2.0).run()
    page.selectbox(key="train-base-qs3m").set_value("")  # and at once
    decide(page)
    page.button(key="train-start").click().run()
    (job,) = started(data_dir)
    assert "--base" not in job.argv and job.argv[-3:] == ("--set", "epochs=2", "--judge")
    parser = argparse.ArgumentParser()
    add_train(parser)
    assert parser.parse_args(job.argv[1:]).set == ["epochs=2"]


def test_a_setting_that_cannot_work_is_one_sentence_and_holds_the_start_back(page):
    page.number_input(key="setting-qs3m-learning_rate").set_value(0.0).run()
    assert not page.exception
    assert "Learning rate" in page.error[0].value
    assert page.button(key="train-decide").disabled
    page.button(key="settings-reset-qs3m").click().run()
    assert not page.error
    assert not page.button(key="train-decide").disabled
    _, recipe = own_recipe("qs3m")
    rates = [field.value for field in page.number_input if field.label == "Learning rate"]
    assert rates == [recipe.training.learning_rate]


def test_the_settings_come_in_their_order_by_rows(page):
    words = [element.label for element in page.expander[0].number_input]
    assert words[:4] == ["Epochs", "Learning rate", "Weight decay", "Warm-up"]


def test_the_way_back_from_the_start_keeps_the_method_and_its_settings(page):
    page.radio(key="train-method").set_value("qss").run()
    page.number_input(key="setting-qss-epochs").set_value(2.0).run()
    decide(page)
    page.button(key="train-other-method").click().run()
    assert not page.exception
    assert page.radio(key="train-method").value == "qss"
    assert page.number_input(key="setting-qss-epochs").value == 2.0


def test_a_taken_name_is_refused_before_the_start(page):
    decide(page)
    page.text_input(key="train-model-qs3m-fruit@1").set_value("tiny").run()
    assert "tiny" in page.warning[0].value
    assert page.button(key="train-start").disabled


def test_two_of_one_name_are_a_sentence_and_not_two_trainings(page, data_dir):
    decide(page)
    page.button(key="train-start").click().run()
    page.segmented_control(key="show").set_value("new").run()
    page.text_input(key="train-model-qs3m-fruit@1").set_value("fruit-2").run()
    assert "fruit-2" in page.warning[0].value.replace("\\", "")
    assert page.button(key="train-start").disabled
    assert len(started(data_dir)) == 1


def test_another_method_has_its_own_settings_and_models(page):
    page.radio(key="train-method").set_value("qss").run()
    assert page.selectbox(key="train-base-qss").value == "tiny"
    _, recipe = own_recipe("qss")
    rate = page.number_input(key="setting-qss-learning_rate").value
    assert rate == recipe.training.learning_rate


def test_the_queries_are_divided_as_the_training_does(page):
    _, recipe = own_recipe("qs3m")
    parts = _divided(QUERIES, recipe.training)
    decide(page)
    for name, texts_there in parts.items():
        assert f"{len(texts_there)} questions" in texts(page), name
    assert sorted(query for part in parts.values() for query in part) == sorted(QUERIES)
    for query in QUERIES:
        assert re.search(rf"- {query}\b", texts(page))


def test_parts_that_are_empty_are_not_shown_and_the_bar_has_their_sizes():
    parts = _divided(QUERIES, TrainingArguments(validation_share=0.25))
    assert {name: len(part) for name, part in parts.items()} == {"train": 22, "validation": 8}
    shown = _split_html({"train": 15, "validation": 5})
    assert "flex:0.7500" in shown and "flex:0.2500" in shown


def test_of_two_questions_none_is_held_out_for_a_test_unless_the_visitor_wants_it(page, data_dir):
    keep(LabelledSetStore(data_dir / "sets"), data_dir, "two", QUERIES[:2])
    page = decide(open_set("two@1"))
    assert not page.warning
    page.button(key="train-start").click().run()
    assert started(data_dir)[0].argv[-3:] == ("--set", "test_share=0", "--judge")
    page = open_set("two@1")
    page.number_input(key="setting-qs3m-test_share").set_value(0.5).run()
    page = decide(page)
    assert SETTING_WORDS["test_share"][0] in page.warning[0].value


def test_few_queries_are_compared_in_parts_unless_the_visitor_does_not_want_it(page, data_dir):
    keep(LabelledSetStore(data_dir / "sets"), data_dir, "few", QUERIES[:10])
    page = decide(open_set("few@1"))
    assert page.radio(key="train-folds").value == 5
    assert "trains 6 times" in texts(page)
    page.button(key="train-start").click().run()
    assert not page.exception
    assert started(data_dir)[0].argv[-3:] == ("--folds", "5", "--judge")
    page = decide(open_set("few@1"))
    page.radio(key="train-folds").set_value(0).run()
    assert "Test: " in texts(page)
    page.text_input(key="train-model-qs3m-few@1").set_value("single").run()
    page.button(key="train-start").click().run()
    assert "--folds" not in started(data_dir)[-1].argv
