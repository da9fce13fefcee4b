"""The recipes of AECL, SCL and FCL hold the values that their papers print."""

import inspect

import pytest

from subclust.benchmarks.shipped_recipes import RECIPES_DIR, find_recipe
from subclust.methods.aecl.models import BATCH, AeclNetwork
from subclust.methods.aecl.objective import AeclObjective
from subclust.methods.scl.lstm import LstmSpace
from subclust.methods.scl.models import LatentSpace
from subclust.methods.scl.objective import SclObjective
from subclust.methods.scl.training import LSTM_DIM
from subclust.training.arguments import Recipe, checked

LAMBDA_4 = {"balanced": 10.0, "slight": 0.18, "heavy": 0.09}
AECL = sorted(path.name for path in (RECIPES_DIR / "aecl").glob("aecl-*.toml"))
SCL = sorted(path.name for path in (RECIPES_DIR / "scl").glob("*.toml"))


def default(function, name):
    return inspect.signature(function).parameters[name].default


@pytest.mark.parametrize("name", AECL)
def test_aecl_learns_as_its_sections_4_2_and_4_9_say(name):
    recipe = Recipe.read(find_recipe(name))
    objective = checked(AeclObjective, recipe.objective, "")
    training = recipe.training
    assert (training.epochs, training.batch_passages, training.learning_rate) == (70, 400, 5e-6)
    assert training.learning_rate * objective.head_rate == pytest.approx(5e-4)
    assert (objective.instance_temperature, objective.cluster_temperature) == (1.0, 0.5)
    assert objective.threshold == 0.95
    assert objective.imbalance == name.removesuffix(".toml").split("-")[1]
    without = name.removesuffix(".toml").partition("-no-")[2]
    weights = [objective.instance_weight, objective.pseudo_label_weight, objective.entropy_weight]
    assert weights == [10.0, 0.0 if without == "pg" else 5.0, 0.0 if without == "rc" else 0.01]
    assert objective.lambda_4 == LAMBDA_4[objective.imbalance]
    assert objective.guided == (without != "ic") and objective.itself
    assert (objective.first_stage == 0) == (without == "stage-1")
    assert (objective.second_stage == 0) == (without == "stage-2")
    assert default(AeclNetwork, "latent_dim") == 128 and BATCH == 400


@pytest.mark.parametrize("name", SCL)
def test_scl_and_fcl_learn_as_section_4_b_says(name):
    recipe = Recipe.read(find_recipe(name))
    objective = checked(SclObjective, recipe.objective, "")
    parts = name.removesuffix(".toml").split("-")
    assert objective.temperature == 0.5
    masks = parts[0] == "scl" or "uda" in parts
    assert not masks or objective.masked_share == (0.15 if "long" in parts else 0.3)
    if parts[0] == "scl":
        # 2m texts; FCL has as many whatever their length, since few of them are labelled.
        assert recipe.training.batch_passages == (40 if "long" in parts else 160)
    else:
        share = next(int(part) for part in parts if part.isdigit()) / 100
        assert objective.label_share == share
    assert objective.encoder == ("lstm" if "lstm" in parts else "transformer")
    assert objective.consistency == ("uda" in parts)
    translates = "bt" in parts or (parts[0] == "fcl" and "uda" in parts)
    assert (objective.augmentation == "back-translation") == translates
    if objective.encoder == "transformer":
        assert recipe.training.learning_rate == 2e-5
    assert default(LatentSpace, "latent_dim") == 20 == default(LstmSpace, "latent_dim")
    # Which state stands for a text is not printed.
    mean = objective.encoder == "lstm" and (parts[0] == "scl" or "long" in parts)
    assert recipe.model == ({"pooling": "mean"} if mean else {})
    assert LSTM_DIM == 300 and default(LstmSpace, "dropout") == 0.2
