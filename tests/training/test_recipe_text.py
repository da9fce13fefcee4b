import math

import pytest
from test_arguments import RECIPES

from subclust.training.recipe import Recipe, TrainingArguments, recipe_text


def again(recipe, folder):
    path = folder / "recipe.toml"
    path.write_text(recipe_text(recipe), encoding="utf-8")
    return Recipe.read(path)


def test_every_recipe_of_the_project_is_written_as_it_is_read(tmp_path):
    for path in RECIPES:
        recipe = Recipe.read(path)
        assert again(recipe, tmp_path).to_dict() == recipe.to_dict(), path


def test_values_of_all_kinds(tmp_path):
    recipe = Recipe(
        TrainingArguments(learning_rate=1.2345678901234567e-05, precision="bfloat16", seed=3),
        {"use": True, "not": False, "n": -3, "x": 1e300, "list": [1, 2.5, ["a"]], "empty": []},
        {"text": 'quo"te \\ tab\t é 😀 \x7f', "a key": "b", "deep": {"a": 1}, "inf": math.inf},
    )
    assert again(recipe, tmp_path) == recipe


def test_defaults_and_empty_tables_are_left_out():
    assert recipe_text(Recipe()) == ""
    recipe = Recipe(TrainingArguments(epochs=5), {}, {"loss": "mse"})
    assert recipe_text(recipe) == '[training]\nepochs = 5\n\n[objective]\nloss = "mse"\n'


def test_what_toml_cannot_hold_is_a_bug():
    with pytest.raises(TypeError, match="None"):
        recipe_text(Recipe(objective={"a": None}))
