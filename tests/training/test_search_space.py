import tomllib

import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.training.recipe import Recipe
from subclust.training.space import Choices, Range, SearchSpace

TEXT = """
trials = 20
startup_trials = 5
"objective.interpolation" = {low = 1, high = 200.0, log = true}
"objective.some_int" = {low = 1, high = 8}
"training.learning_rate" = {choices = [1e-4, 3e-4, 1e-3]}
"model.use_query" = {choices = [true, false]}
"""


def read(text):
    return SearchSpace.from_table(tomllib.loads(text), "The recipe")


def test_a_space_is_read():
    space = read(TEXT)
    assert (space.trials, space.startup_trials) == (20, 5)
    assert space.parameters == {
        "objective.interpolation": Range(1.0, 200.0, log=True),
        "objective.some_int": Range(1, 8),
        "training.learning_rate": Choices((1e-4, 3e-4, 1e-3)),
        "model.use_query": Choices((True, False)),
    }
    ends = {key: [type(end) for end in p.ends] for key, p in space.parameters.items()}
    assert ends["objective.interpolation"] == [float, float]  # one end was no whole number
    assert ends["objective.some_int"] == [int, int]
    assert SearchSpace.from_table(space.to_dict(), "The same") == space


def test_the_quotation_marks_may_be_left_out():
    assert read(TEXT.replace('"', "")) == read(TEXT)


def test_the_ends_hold_every_end_and_every_choice():
    ends = read(TEXT).ends()
    assert len(ends) == 3
    assert {values["training.learning_rate"] for values in ends} == {1e-4, 3e-4, 1e-3}
    assert {values["objective.interpolation"] for values in ends} == {1.0, 200.0}
    assert {values["model.use_query"] for values in ends} == {True, False}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {"where": "The recipe"}),
        ("trials = 3", {"where": "The recipe"}),
        ("trials = 2.5", {"key": "trials", "value": 2.5}),
        ("trials = true", {"key": "trials", "value": True}),
        ("trials = 0\n'model.a' = {low = 1, high = 2}", {"name": "trials", "value": 0}),
        (
            "startup_trials = 0\n'model.a' = {low = 1, high = 2}",
            {"name": "startup_trials", "value": 0},
        ),
        ("'learning_rate' = {low = 1, high = 2}", {"key": "learning_rate"}),
        ("'search.a' = {low = 1, high = 2}", {"key": "search.a"}),
        ("'model.' = {low = 1, high = 2}", {"key": "model."}),
        ("'model.a.b' = {low = 1, high = 2}", {"key": "model.a.b"}),
        ("model.a.b = {low = 1, high = 2}", {"value": "{'b': {'low': 1, 'high': 2}}"}),
        ("model = 3", {"key": "model"}),
        (
            "'training.validation_share' = {low = 0.1, high = 0.2}",
            {"key": "training.validation_share"},
        ),
        ("'training.queries_per_file' = {low = 1, high = 2}", {"key": "training.queries_per_file"}),
        ("'model.a' = 3", {"value": 3}),
        ("'model.a' = {low = 3}", {"value": "{'low': 3}"}),
        ("'model.a' = {low = 1, high = 2, step = 1}", {}),
        ("'model.a' = {low = 1, high = 2, choices = [1, 2]}", {}),
        ("'model.a' = {low = 1, high = 2, log = 1}", {"log": 1}),
        ("'model.a' = {low = '1', high = 2}", {"end": "1"}),
        ("'model.a' = {low = false, high = true}", {"end": False}),
        ("'model.a' = {low = 1, high = inf}", {}),
        ("'model.a' = {low = nan, high = 2.0}", {}),
        ("'model.a' = {low = 2, high = 2}", {"low": 2, "high": 2}),
        ("'model.a' = {low = 3.0, high = 2.0}", {"low": 3.0, "high": 2.0}),
        ("'model.a' = {low = 0.0, high = 2.0, log = true}", {"low": 0.0}),
        ("'model.a' = {low = -1, high = 2, log = true}", {"low": -1}),
        ("'model.a' = {choices = 3}", {"values": 3}),
        ("'model.a' = {choices = [[1], [2]]}", {}),
        ("'model.a' = {choices = [1.0, nan]}", {}),
        ("'model.a' = {choices = [1]}", {"values": "[1]"}),
        ("'model.a' = {choices = ['x', 'y', 'x']}", {"values": "['x', 'y', 'x']"}),
    ],
)
def test_a_wrong_space_is_refused_with_one_sentence(text, values):
    with raises(TrainingError, **values) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_a_recipe_carries_its_space_through_settings_and_keeps_it_out_of_cards(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(f"[training]\nepochs = 2\n[search]{TEXT}", encoding="utf-8")
    recipe = Recipe.read(path)
    assert recipe.search == read(TEXT)
    changed = recipe.with_settings(["epochs=3", "model.use_query=true"])
    assert (changed.search, changed.training.epochs) == (recipe.search, 3)
    assert set(changed.to_dict()) == {"training", "model", "objective"}
    path.write_text("[search]\n'model.a' = 3", encoding="utf-8")
    with raises(TrainingError, value=3):
        Recipe.read(path)


def test_values_of_a_trial_replace_those_of_the_recipe():
    recipe = Recipe.from_tables({"objective": {"pairs": "all", "r": 1}}, "The recipe")
    values = {"objective.r": 0.5, "training.learning_rate": 0.25, "model.use_query": False}
    changed = recipe.with_values(values, "Here")
    assert (changed.objective, changed.model) == ({"pairs": "all", "r": 0.5}, {"use_query": False})
    assert changed.training.learning_rate == 0.25
    assert recipe.objective["r"] == 1
    with raises(TrainingError, where="Here", key="rate"):
        recipe.with_values({"training.rate": 1}, "Here")
