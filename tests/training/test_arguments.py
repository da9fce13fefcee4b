import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal
from unittest.mock import ANY

import pytest
from raising import raises

import benchmarks
from subclust.core.exceptions import TrainingError
from subclust.core.translation import translated
from subclust.training.recipe import Recipe, TrainingArguments, checked

RECIPES = sorted((Path(benchmarks.__file__).parent / "recipes").rglob("*.toml"))


def write(folder, text):
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_recipe_is_read_over_the_defaults(tmp_path):
    recipe = Recipe.read(
        write(
            tmp_path,
            """
            [training]
            epochs = 2          # a whole number where a number is meant
            learning_rate = 5e-4
            schedule = "linear"
            seed = 7
            [model]
            hidden_dim = 16
            [objective]
            loss = "mse"
            """,
        )
    )
    assert recipe.training == TrainingArguments(
        epochs=2.0, learning_rate=5e-4, schedule="linear", seed=7
    )
    assert isinstance(recipe.training.epochs, float)
    assert (recipe.model, recipe.objective) == ({"hidden_dim": 16}, {"loss": "mse"})
    assert recipe.to_dict()["training"] == asdict(recipe.training)


def test_an_empty_recipe_is_the_defaults(tmp_path):
    assert Recipe.read(write(tmp_path, "")) == Recipe()


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_recipe_in_the_project_can_be_read(path):
    recipe = Recipe.read(path)
    assert recipe != Recipe()
    assert path.read_text(encoding="utf-8").startswith("#"), "say what it reproduces and costs"
    if path.parent.name == "qs3m":
        from subclust.methods.qs3m.clusterer import build
        from subclust.methods.qs3m.objective import Objective

        assert checked(Objective, recipe.objective, path.name)
        # The stages of one method are numbered, "centred-qs3m-2", or named by data or part.
        method = re.sub(r"-(\d|arxiv|crossed|words)$", "", path.stem)
        assert build(method, {"model": {"embedding_dim": 8, **recipe.model}})


def test_there_are_recipes():
    assert {path.stem for path in RECIPES} >= {"qs3m", "qss", "centred-qs3m"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[training]\nepoch = 2", {"key": "epoch"}),
        ("[trainings]\nepochs = 2", {"name": "trainings"}),
        ("epochs = 2", {"name": "epochs"}),
        ("training = 2", {"name": "training"}),
        ("[training]\nepochs = 'many'", {"key": "epochs", "value": "many"}),
        ("[training]\nepochs = true", {"key": "epochs", "value": True}),
        ("[training]\nseed = 1.5", {"key": "seed", "value": 1.5}),
        ("[training]\nschedule = 'steps'", {"key": "schedule", "value": "steps"}),
        ("[training]\nschedule = ['linear']", {"key": "schedule", "value": "['linear']"}),
        ("[training]\nepochs = -0.5", {"name": "epochs", "value": -0.5}),
        ("[training]\nepochs = nan", {"name": "epochs"}),
        ("[training]\nepochs = inf", {"name": "epochs"}),
        (
            "[training]\nlearning_rate = -1e-3",
            {"name": "learning_rate", "value": -0.001},
        ),
        ("[training]\nlearning_rate = inf", {"name": "learning_rate"}),
        ("[training]\nweight_decay = -1", {"name": "weight_decay", "value": -1.0}),
        ("[training]\nwarmup = 1.5", {"name": "warmup", "value": 1.5}),
        ("[training]\nbatch_passages = 1", {"name": "batch_passages", "value": 1}),
        ("[training]\nmax_passages = 2", {"name": "max_passages", "value": 2}),
        ("[training]\ngradient_clip = -1", {"name": "gradient_clip", "value": -1.0}),
        ("[training]\naccumulate = 0", {"name": "accumulate", "value": 0}),
        ("[training]\nevaluate_every = -1", {"name": "evaluate_every", "value": -1}),
        ("[training]\npatience = -1", {"name": "patience", "value": -1}),
        ("[training]\nsave_every = 0", {"name": "save_every", "value": 0}),
        ("[training]\nvalidation_share = 1", {"name": "validation_share", "value": 1.0}),
        (
            "[training]\ntest_share = 0.8",
            {"name": "test_share", "value": 0.8},
        ),
        ("[training]\nseed = -1", {"name": "seed", "value": -1}),
        ("[training", {}),
        ("[training]\nepochs = 1\nepochs = 2", {}),
    ],
)
def test_a_wrong_recipe_is_refused(tmp_path, text, values):
    with raises(TrainingError, **values):
        Recipe.read(write(tmp_path, text))


@pytest.mark.parametrize(
    ("setting", "part"),
    [("learning_rate=-1", "allowed"), ("precision=x", "words"), ("seed='a'", "words")],
)
def test_what_is_allowed_is_said_in_the_language_of_the_reader(setting, part):
    with raises(TrainingError) as caught:
        Recipe().with_settings([setting])
    allowed = caught.value.sentence.values[part]
    assert translated(allowed, "de") != str(allowed)


def test_a_missing_or_unreadable_recipe_is_refused(tmp_path):
    with raises(TrainingError, path=ANY):
        Recipe.read(tmp_path / "none.toml")
    with raises(TrainingError, path=ANY):
        Recipe.read(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes("[objective]\nloss = 'é'".encode("latin-1"))
    with raises(TrainingError, path=ANY):
        Recipe.read(path)


def test_every_argument_can_be_wrong_and_says_so():
    # A new argument needs a line in the table above or cannot be wrong.
    harmless = {"schedule", "precision"}
    for field in fields(TrainingArguments):
        if field.name in harmless:
            continue
        with raises(TrainingError, name=field.name, value=-1):
            TrainingArguments(**{field.name: -1})


@pytest.mark.parametrize(
    ("setting", "table", "value"),
    [
        ("epochs=2", "training", {"epochs": 2.0}),
        ("training.epochs=0.5", "training", {"epochs": 0.5}),
        ("schedule=constant", "training", {"schedule": "constant"}),
        ('schedule="constant"', "training", {"schedule": "constant"}),
        (" seed =4", "training", {"seed": 4}),
        ("learning_rate=1e-4", "training", {"learning_rate": 1e-4}),
        ("objective.loss=mse", "objective", {"loss": "mse", "pairs": "all"}),
        ("objective.tuned_layers=2", "objective", {"tuned_layers": 2, "pairs": "all"}),
        ("model.use_query=false", "model", {"use_query": False}),
        ("model.name=a=b", "model", {"name": "a=b"}),
    ],
)
def test_single_values_are_replaced(setting, table, value):
    before = Recipe(TrainingArguments(epochs=9), {}, {"pairs": "all"})
    changed = before.with_settings([setting])
    if table == "training":
        assert asdict(changed.training) == {**asdict(before.training), **value}
    else:
        assert getattr(changed, table) == value
        assert changed.training == before.training
    assert before.training.epochs == 9


def test_the_last_of_two_settings_counts_and_none_changes_nothing():
    assert Recipe().with_settings(["seed=1", "seed=2"]).training.seed == 2
    assert Recipe().with_settings([]) == Recipe()


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("epochs", {"setting": "epochs"}),
        ("epoch=2", {"where": "--set", "key": "epoch"}),
        ("=2", {"where": "--set"}),
        ("recipe.epochs=2", {"setting": "recipe.epochs=2", "table": "recipe"}),
        ("a.b.c=2", {"setting": "a.b.c=2", "table": "a.b"}),
        ("epochs=many", {"where": "--set", "key": "epochs", "value": "many"}),
        ("epochs=", {"where": "--set", "key": "epochs"}),
        ("seed=1.5", {"where": "--set", "key": "seed", "value": 1.5}),
        ("seed=-1", {"name": "seed", "value": -1}),
        ("precision=float16", {"where": "--set", "key": "precision", "value": "float16"}),
    ],
)
def test_a_wrong_setting_is_refused(setting, values):
    with raises(TrainingError, **values):
        Recipe().with_settings([setting])


def test_checked_knows_the_kinds_of_values():
    @dataclass(frozen=True)
    class Kinds:
        flag: bool = False
        number: float = 0.0
        maybe: int | None = None
        word: str = ""
        one: Literal["a", "b"] = "a"

    good = {"flag": True, "number": 3, "maybe": None, "word": "x", "one": "b"}
    assert checked(Kinds, good, "Here") == Kinds(True, 3.0, None, "x", "b")
    for key, value in {"flag": 1, "number": "1", "maybe": 1.5, "word": 3, "one": "c"}.items():
        with raises(TrainingError, where="Here", key=key, value=value):
            checked(Kinds, {key: value}, "Here")


def test_a_run_of_before_there_was_a_test_part_has_the_same_arguments():
    # Runs know their arguments again by how they are written.
    assert "test_share" not in repr(TrainingArguments(test_share=0.2))
    assert repr(TrainingArguments(seed=1)) != repr(TrainingArguments(seed=2))
