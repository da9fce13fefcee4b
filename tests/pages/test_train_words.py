from dataclasses import fields
from typing import get_args

import pytest
from raising import numbers
from train_runs_made import make_job

from subclust.core.settings import Settings
from subclust.jobs.record import JobState, Stage
from subclust.labelled.reading.labelled import COLUMNS
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.ui.jobs import STATES
from subclust.ui.train.check import COLUMN_WORDS
from subclust.ui.train.choose import SETTING_WORDS, _changed_settings, in_words, settings_problem
from subclust.ui.train.runs import STAGES
from subclust.ui.train.start import free_name, name_problem, taken_names
from subclust.ui.train.walk import STEPS, steps_html


def test_everything_that_a_visitor_sees_has_words():
    assert set(SETTING_WORDS) == {field.name for field in fields(TrainingArguments)}
    assert set(COLUMN_WORDS) == set(COLUMNS)
    assert set(STAGES) == set(get_args(Stage)) - {"preparing"}  # which an import does
    assert set(STATES) == set(get_args(JobState))


def test_labels_of_settings_are_told_apart():
    labels = [label for label, _ in SETTING_WORDS.values()]
    assert len(set(labels)) == len(labels)


def test_only_what_differs_is_set_and_an_emptied_field_is_no_change():
    suggested = {"epochs": 3.0, "learning_rate": 1e-3, "seed": 0, "schedule": "cosine"}
    given = {"epochs": 3.0, "learning_rate": 3e-4, "seed": None, "schedule": "linear"}
    changed = _changed_settings(suggested, given)
    assert changed == ["learning_rate=0.0003", "schedule=linear"]
    training = Recipe().with_settings(changed).training
    assert (training.learning_rate, training.schedule) == (3e-4, "linear")


def test_a_setting_that_cannot_work_is_said_by_its_label():
    assert settings_problem(Recipe(), ["epochs=2"]) is None
    sentence = settings_problem(Recipe(), ["batch_passages=1"])
    assert sentence.startswith(f"{SETTING_WORDS['batch_passages'][0]} must")
    assert numbers(sentence) == ["2", "1"]
    assert in_words("A full disk.") == "A full disk."
    label, _ = SETTING_WORDS["max_passages"]
    assert in_words("Take max_passages, or (seed) less.") == f"Take “{label}”, or (seed) less."


@pytest.mark.parametrize(
    ("wanted", "taken", "name"),
    [
        ("mine", [], "mine"),
        ("mine", ["mine"], "mine-2"),
        ("mine", ["mine", "mine-2", "other"], "mine-3"),
        ("Börse (neu)", [], "B-rse-neu"),
        ("...", [], "mine"),
    ],
)
def test_a_new_model_gets_a_name_that_is_free(wanted, taken, name):
    assert free_name(wanted, taken) == name
    assert name_problem(name, taken) is None


@pytest.mark.parametrize(
    ("state", "taken"),
    [
        ({"pid": None}, True),
        ({"outcome": "cancelled"}, True),
        ({"outcome": "failed"}, True),
        ({"outcome": "finished"}, False),
        ({"outcome": "cancelled", "method": "qss"}, False),
    ],
)
def test_a_training_that_can_still_end_in_a_model_has_its_name(tmp_path, state, taken):
    make_job(tmp_path, "mine", **state)
    assert taken_names(Settings(data_dir=tmp_path), "qs3m") == ["mine"] * taken


def test_a_name_that_cannot_be_is_a_sentence():
    assert "../etc" in name_problem("../etc", [])
    assert "mine" in name_problem("mine ", ["mine"])


def test_the_present_step_is_marked_for_everybody():
    shown = steps_html(2)
    assert shown.count("aria-current='step'") == 1
    assert f"aria-current='step'>{STEPS[2]}" in shown
    assert shown.count("sc-done") == 2
