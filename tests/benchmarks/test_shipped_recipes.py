"""Recipes by their names alone, as the READMEs write them."""

import re
from pathlib import Path

import pytest

import subclust
from subclust.benchmarks.shipped_recipes import RECIPES_DIR, find_recipe, shipped_recipes
from subclust.cli import main

METHODS = Path(subclust.__file__).parent / "methods"
READMES = sorted(METHODS.glob("*/README.md"))


def test_no_two_recipes_share_a_name():
    files = [path for path in RECIPES_DIR.glob("*/*.toml") if path.parent.name != "own"]
    assert len(shipped_recipes()) == len(files) > 50


def test_a_name_alone_is_a_shipped_recipe():
    assert find_recipe("fcl-10.toml") == RECIPES_DIR / "scl" / "fcl-10.toml"


def test_a_file_of_that_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fcl-10.toml").write_text("", encoding="utf-8")
    assert find_recipe("fcl-10.toml") == Path("fcl-10.toml")


def test_a_folder_is_taken_at_its_word():
    assert find_recipe("recipes/fcl-10.toml") == Path("recipes/fcl-10.toml")


def test_an_unknown_name_is_told_as_it_was_typed(capsys):
    status = main(["train", "fcl", "--data", "x.jsonl", "--name", "n", "--recipe", "none.toml"])
    assert status == 1
    assert capsys.readouterr().err == "There is no recipe none.toml; check its name.\n"


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.parent.name)
def test_recipes_that_a_readme_trains_with_are_there(readme):
    named = re.findall(r"--recipe\s+([\w.-]+\.toml)", readme.read_text(encoding="utf-8"))
    assert set(named) <= set(shipped_recipes())
    assert named or readme.parent.name not in ("aecl", "scl", "cactus")
