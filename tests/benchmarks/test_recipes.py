"""Every recipe of the papers on collections and subsets, loaded by the methods it is for."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_bert import make_tiny_bert

import benchmarks
from benchmarks.published import PUBLISHED_DIR, read_paper
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import train_method
from subclust.methods.aecl.objective import BALANCE_WEIGHTS
from subclust.methods.cactus.variants import VARIANTS
from subclust.text.encoders import CachedEncoder, SentenceEncoder
from subclust.training.augmentation import wordings
from subclust.training.recipe import Recipe
from subclust.training.training_run import TrainingRun

pytestmark = pytest.mark.usefixtures("one_thread")

ROOMS = Path(benchmarks.__file__).parent / "recipes"
OVER_WORDS = ("word-emb", "word-emb-context")
IMBALANCE = {
    **dict.fromkeys(("stackoverflow", "agnews"), "balanced"),
    "searchsnippets": "slight",
    **dict.fromkeys(("tweet", "googlenews_t", "googlenews_ts"), "heavy"),
}
LONG = ("newsgroups20", "reuters_r8")


def methods_of(path):
    """Say which methods a recipe is for, by its name."""
    room, stem = path.parent.name, path.stem
    if room == "aecl":
        return [next(name for name in ("aecl", "rstc", "sccl", "self-train") if name in stem)]
    if room == "scl":
        if stem.startswith("supervised"):
            return ["few-shot-supervised"]
        return ["scl"] if stem.startswith("scl") else ["fcl", "few-shot-supervised"]
    if stem.startswith("word-emb"):
        return list(OVER_WORDS)
    if "query" in stem or stem == "cactus-over":
        return ["cactus", "cactus-query", *(["cactus-nia"] if stem == "cactus-query" else [])]
    return [name for name in VARIANTS if name not in OVER_WORDS]


def recipe_for(method, task, suffix):
    """Give the file of the recipe that trains a checkpoint of the published tables."""
    if method in VARIANTS:
        size = "gifts" if "gifts" in task else "entities"
        if method in OVER_WORDS:
            return "cactus/word-emb" + ("-gifts" if size == "gifts" else "")
        if task == "wikipedia":
            return "cactus/cactus-over" if method == "cactus-query" else "cactus/cactus-query"
        taught = suffix.removesuffix("-from-pretrained").removesuffix("-from-products")
        taught = taught.removesuffix("-500")
        return f"cactus/cactus-{size}{taught}"
    if method in ("aecl", "self-train", "sccl", "rstc"):
        kind = f"-{IMBALANCE[task]}" if method in ("aecl", "rstc") else ""
        small = "-small" if task == "tweet" and method in ("sccl", "rstc") else ""
        return f"aecl/{method}{kind}{small}{suffix}"
    lstm, rest = ("-lstm", suffix.removeprefix("-lstm")) if "lstm" in suffix else ("", suffix)
    if method == "scl":
        long = "-long" if task in LONG else "" if lstm else "-short"
        return f"scl/scl{lstm}{long}{rest}"
    long = "-long" if task in LONG and (lstm or "uda" in rest) else ""
    return f"scl/supervised{lstm}-100{long}" if rest == "-100" else f"scl/fcl{lstm}{rest}{long}"


def published():
    """List the checkpoints that the papers' tables look for: method, task and what is behind it."""
    found = set()
    for paper in (read_paper(PUBLISHED_DIR / f"{n}.toml") for n in ("aecl", "scl", "cactus")):
        for table in paper.tables:
            for name in {name for row in table.rows for name in row.methods if name}:
                method, at, checkpoint = name.partition("@")
                if at:
                    task, dash, suffix = checkpoint.partition("-")
                    found.add((method, task, dash + suffix))
    return sorted(found)


FILES = sorted(path for room in ("aecl", "scl", "cactus") for path in (ROOMS / room).glob("*.toml"))


@pytest.mark.parametrize(("method", "task", "suffix"), published())
def test_every_checkpoint_of_the_tables_has_a_recipe(method, task, suffix):
    path = ROOMS / f"{recipe_for(method, task, suffix)}.toml"
    assert path in FILES and method in methods_of(path)


def test_no_two_recipes_are_the_same_run_but_for_the_method():
    written = {path: repr(Recipe.read(path)) for path in FILES}
    assert len(set(written.values())) == len(written)
    stated = {
        path: "\n".join(line for line in path.read_text("utf-8").splitlines() if line[:1] == "#")
        for path in FILES
    }
    assert all(re.search(r"table|appendix|appendices|RSTC|SCCL|CACTUS", t) for t in stated.values())


@pytest.mark.parametrize("suffix", ["no-ic", "no-stage-1", "no-stage-2", "no-pg", "no-rc"])
@pytest.mark.parametrize("kind", ["balanced", "slight"])
def test_an_ablation_differs_from_the_whole_in_one_value(kind, suffix):
    whole = Recipe.read(ROOMS / "aecl" / f"aecl-{kind}.toml")
    part = Recipe.read(ROOMS / "aecl" / f"aecl-{kind}-{suffix}.toml")
    assert replace(part, objective={}) == replace(whole, objective={})
    changed = {
        "no-ic": {"guided": False},
        "no-stage-1": {"first_stage": 0},
        "no-stage-2": {"second_stage": 0},
        "no-pg": {"pseudo_label_weight": 0.0},
        "no-rc": {"entropy_weight": 0.0},
    }[suffix]
    assert part.objective == {**whole.objective, **changed}


@pytest.mark.parametrize(
    ("name", "n"),
    [
        *((f"{one}-{kind}", 2) for one in ("aecl", "rstc") for kind in BALANCE_WEIGHTS),
        *((name, 2) for name in ("rstc-heavy-small", "sccl", "sccl-small")),
        ("aecl-slight", 4),
    ],
)
def test_where_layers_learn_nothing_else_differs(name, n):
    none = Recipe.read(ROOMS / "aecl" / f"{name}.toml")
    some = Recipe.read(ROOMS / "aecl" / f"{name}-{n}.toml")
    assert replace(some, objective={}) == replace(none, objective={})
    assert some.objective == {**none.objective, "tuned_layers": n, "cached_states": True}


@pytest.mark.parametrize("layers", ["", "-2"])
@pytest.mark.parametrize("kind", ["balanced", "slight", "heavy"])
def test_pseudo_labels_over_neighbours_differ_from_the_paper_in_nothing_else(kind, layers):
    plain = Recipe.read(ROOMS / "aecl" / f"aecl-{kind}{layers}.toml")
    near = Recipe.read(ROOMS / "aecl" / f"aecl-{kind}{layers}-near.toml")
    assert plain.objective["n_steps"] == 0
    assert replace(near, objective={}) == replace(plain, objective={})
    assert near.objective == {**plain.objective, "n_neighbors": 15, "n_steps": 4}


@pytest.mark.parametrize("loss", ["triplet", "structural", "cross-entropy"])
def test_a_loss_of_table_4_differs_in_nothing_else(loss):
    own = Recipe.read(ROOMS / "cactus" / "cactus-entities.toml")
    other = Recipe.read(ROOMS / "cactus" / f"cactus-entities-{loss}.toml")
    assert replace(other, objective={}) == replace(own, objective={})
    assert other.objective == {**own.objective, "loss": loss}


@pytest.mark.parametrize("name", ["cactus-entities", "pretraining"])
def test_the_neutral_similarity_can_reach_its_place_in_a_tenth_of_the_steps(name):
    recipe = Recipe.read(ROOMS / "cactus" / f"{name}.toml")
    assert recipe.training.queries_per_file == 0
    # It begins at 0 and belongs at .3 to .4; these recipes have at least 350 steps.
    assert recipe.training.learning_rate * recipe.objective["neutral_rate"] * 35 >= 0.35


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    folder = make_tiny_bert(tmp_path_factory.mktemp("six-layers"), n_layers=6)
    inner = SentenceEncoder(str(folder), max_seq_length=16, precision="float32")
    return CachedEncoder(inner, tmp_path_factory.mktemp("cache"))


WORDS = "taxes army crown ant claw snout shelf map page".split()


def collection(n_texts=200):
    """Make texts of three words under three labels."""
    drawn = np.random.default_rng(0)
    passages = tuple(
        Passage(f"p{i}", " ".join(drawn.permutation(WORDS[i % 3 :: 3])), label=f"{i % 3}")
        for i in range(n_texts)
    )
    return ClusteringInstance(Query("themes"), passages)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_recipe_is_taken_by_its_methods(path, encoder, tmp_path, monkeypatch):
    # All but the steps themselves: the objective is checked, networks and encoder are opened,
    # wordings and labels are drawn, and a checkpoint comes of it.
    monkeypatch.setattr(wordings, "find_back_translator", lambda language: None)
    recipe = Recipe.read(path).with_settings(["epochs=0"])
    if "label_share" in recipe.objective:  # a hundredth of so few texts would be none
        recipe = recipe.with_settings(["objective.label_share=0.1"])
    if path.stem == "cactus-over":  # stands over a model of another room; its own values alone
        recipe = replace(recipe, model={**recipe.model, "hidden_dim": 8})
    whole = path.parent.name != "cactus"
    sets = [collection()] if whole else [collection(12)], [] if whole else [collection(9)]
    methods = methods_of(path)
    # A recipe that extends another one is for the same methods, and goes through the first of them.
    for method in methods[:1] if "extends" in tomllib.loads(path.read_text("utf-8")) else methods:
        made = train_method(TrainingRun(method, "tiny", recipe, *sets, encoder, tmp_path / method))
        assert made.method == method and made.card["training"]["steps"] == 0
        assert made.tensors


@pytest.mark.parametrize("kind", ["balanced", "heavy", "slight"])
def test_a_text_is_placed_by_its_own_vector_where_the_recipe_says_so(kind):
    plain, alone = (
        Recipe.read(ROOMS / "aecl" / f"aecl-{kind}{behind}.toml") for behind in ("", "-alone")
    )
    assert alone == replace(plain, model={**plain.model, "n_neighbors": 0})
