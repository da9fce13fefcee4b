import pytest

from subclust.core.exceptions import TrainingError
from subclust.training.arguments import Recipe, TrainingArguments


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
    ("text", "told"),
    [
        ('extends = "none.toml"', "no recipe .*none.toml, which one.toml extends; check its name"),
        ('extends = "one.toml"', "one.toml extends one.toml, which extends it in turn"),
        ('extends = "two.toml"', "two.toml extends one.toml, which extends it in turn"),
        ('extends = "../one.toml"', "must be the name of another recipe in the same folder"),
        ('extends = "base"', "must be the name of another recipe in the same folder"),
        ('extends = ""', "must be the name of another recipe"),
        ("extends = 3", "must be the name of another recipe in the same folder, but is 3"),
        ('extends = "a\\u0000.toml"', "cannot be read"),
        ('extends = "broken.toml"', "broken.toml, which one.toml extends, cannot be read"),
        ('[training]\nextends = "base.toml"', "unknown key 'extends'"),
        ('extends = "base.toml"\ntraining = 3', "unknown part 'training'.*above them extends"),
        ('extends = "base.toml"\n[training]\nepoch = 3', "one.toml has an unknown key 'epoch'"),
    ],
)
def test_what_cannot_be_extended_is_told_in_a_sentence(tmp_path, text, told):
    path = written(
        tmp_path, base=BASE, one=text, two='extends = "one.toml"', broken="[training\nepochs = 1"
    )
    with pytest.raises(TrainingError, match=told):
        Recipe.read(path)
