import math

import pytest
from raising import raises
from test_arguments import RECIPES

from subclust.core.exceptions import TrainingError
from subclust.training.recipe import Recipe, TrainingArguments, recipe_text


def written(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder / "one.toml"


BASE = """
[training]
epochs = 2
seed = 7
[model]
hidden_dim = 16
[objective]
guided = true
margin = 0.3
"""


def test_a_recipe_says_only_where_it_differs(tmp_path):
    above = 'extends = "base.toml"\n[training]\nseed = 1\n[objective]\nguided = false\n'
    path = written(tmp_path, base=BASE, one=above)
    recipe = Recipe.read(path)
    assert recipe.training == TrainingArguments(epochs=2, seed=1)
    assert recipe.model == {"hidden_dim": 16}
    assert recipe.objective == {"guided": False, "margin": 0.3}
    assert Recipe.read(tmp_path / "base.toml").objective["guided"] is True


def test_a_recipe_that_is_extended_may_extend_another(tmp_path):
    middle = 'extends = "base.toml"\n[training]\nepochs = 3\n[objective]\nmargin = 1.0\n'
    path = written(
        tmp_path, base=BASE, middle=middle, one='extends = "middle.toml"\n[training]\nseed = 2\n'
    )
    recipe = Recipe.read(path)
    assert recipe.training == TrainingArguments(epochs=3, seed=2)
    assert recipe.objective == {"guided": True, "margin": 1.0}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('extends = "none.toml"', {"place": ", which one.toml extends"}),
        ('extends = "one.toml"', {"file": "one.toml", "other": "one.toml"}),
        ('extends = "two.toml"', {"file": "two.toml", "other": "one.toml"}),
        ('extends = "../one.toml"', {"file": "one.toml", "extends": "extends"}),
        ('extends = "base"', {"file": "one.toml", "extends": "extends"}),
        ('extends = ""', {"file": "one.toml", "extends": "extends"}),
        ("extends = 3", {"file": "one.toml", "extends": "extends", "other": 3}),
        (
            'extends = "a\\u0000.toml"',
            {"by": ", which one.toml extends,", "error": "embedded null byte"},
        ),
        ('extends = "broken.toml"', {"by": ", which one.toml extends,"}),
        ('[training]\nextends = "base.toml"', {"key": "extends"}),
        ('extends = "base.toml"\ntraining = 3', {"name": "training"}),
        ('extends = "base.toml"\n[training]\nepoch = 3', {"key": "epoch"}),
    ],
)
def test_what_cannot_be_extended_is_told_in_a_sentence(tmp_path, text, values):
    path = written(
        tmp_path, base=BASE, one=text, two='extends = "one.toml"', broken="[training\nepochs = 1"
    )
    with raises(TrainingError, **values):
        Recipe.read(path)


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
