import tomllib

import pytest

from subclust.core.exceptions import TrainingError
from subclust.training.arguments import Recipe
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
    ("text", "sentence"),
    [
        ("", "tries nothing"),
        ("trials = 3", "tries nothing"),
        ("trials = 2.5", "trials of \\[search\\] must be a whole number, but is 2.5"),
        ("trials = true", "trials of \\[search\\] must be a whole number, but is True"),
        ("trials = 0\n'model.a' = {low = 1, high = 2}", "trials must be at least 1, but is 0"),
        ("startup_trials = 0\n'model.a' = {low = 1, high = 2}", "startup_trials must be at least"),
        ("'learning_rate' = {low = 1, high = 2}", "unknown key 'learning_rate'.*begin with train"),
        ("'search.a' = {low = 1, high = 2}", "unknown key 'search.a'"),
        ("'model.' = {low = 1, high = 2}", "unknown key 'model.'"),
        ("'model.a.b' = {low = 1, high = 2}", "unknown key 'model.a.b'"),
        ("model.a.b = {low = 1, high = 2}", "model.a of \\[search\\] must be {low"),
        ("model = 3", "unknown key 'model'"),
        ("'training.validation_share' = {low = 0.1, high = 0.2}", "cannot try training.validation"),
        ("'training.queries_per_file' = {low = 1, high = 2}", "cannot try training.queries_per"),
        ("'model.a' = 3", "must be {low = ..., high = ...}.*but is 3"),
        ("'model.a' = {low = 3}", "must be {low = ..., high = ...}"),
        ("'model.a' = {low = 1, high = 2, step = 1}", "must be {low"),
        ("'model.a' = {low = 1, high = 2, choices = [1, 2]}", "must be {low"),
        ("'model.a' = {low = 1, high = 2, log = 1}", "log must be true or false, but is 1"),
        ("'model.a' = {low = '1', high = 2}", "must be numbers, but one is '1'"),
        ("'model.a' = {low = false, high = true}", "must be numbers, but one is False"),
        ("'model.a' = {low = 1, high = inf}", "must be numbers, but one is inf"),
        ("'model.a' = {low = nan, high = 2.0}", "must be numbers, but one is nan"),
        ("'model.a' = {low = 2, high = 2}", "low must be below high, but 2 is not below 2"),
        ("'model.a' = {low = 3.0, high = 2.0}", "low must be below high"),
        ("'model.a' = {low = 0.0, high = 2.0, log = true}", "above 0 where log is true, but is 0"),
        ("'model.a' = {low = -1, high = 2, log = true}", "above 0 where log is true, but is -1"),
        ("'model.a' = {choices = 3}", "must be a list of texts, numbers, or true and false"),
        ("'model.a' = {choices = [[1], [2]]}", "must be a list of texts"),
        ("'model.a' = {choices = [1.0, nan]}", "must be a list of texts"),
        ("'model.a' = {choices = [1]}", "at least two, each once, but is \\[1\\]"),
        ("'model.a' = {choices = ['x', 'y', 'x']}", "at least two, each once"),
    ],
)
def test_a_wrong_space_is_refused_with_one_sentence(text, sentence):
    with pytest.raises(TrainingError, match=sentence) as caught:
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
    with pytest.raises(TrainingError, match="^The recipe recipe.toml: model.a of "):
        Recipe.read(path)


def test_values_of_a_trial_replace_those_of_the_recipe():
    recipe = Recipe.from_tables({"objective": {"pairs": "all", "r": 1}}, "The recipe")
    values = {"objective.r": 0.5, "training.learning_rate": 0.25, "model.use_query": False}
    changed = recipe.with_values(values, "Here")
    assert (changed.objective, changed.model) == ({"pairs": "all", "r": 0.5}, {"use_query": False})
    assert changed.training.learning_rate == 0.25
    assert recipe.objective["r"] == 1
    with pytest.raises(TrainingError, match="^Here has an unknown key 'rate'"):
        recipe.with_values({"training.rate": 1}, "Here")
