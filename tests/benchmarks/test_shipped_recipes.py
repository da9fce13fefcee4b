"""Recipes by their names alone, as the READMEs write them."""

from pathlib import Path

from benchmarks.recipes import FOLDER
from subclust.cli import main
from subclust.judging.own_sets import OWN_RECIPES_DIR, find_recipe


def test_no_two_recipes_share_a_name():
    files = list(FOLDER.glob("*/*.toml"))
    assert len({path.name for path in files}) == len(files) > 50


def test_a_name_alone_is_a_shipped_recipe():
    assert find_recipe("fcl-10.toml") == FOLDER / "scl" / "fcl-10.toml"


def test_a_file_of_that_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("fcl-10.toml").write_text("", encoding="utf-8")
    assert find_recipe("fcl-10.toml") == Path("fcl-10.toml")


def test_a_folder_is_taken_at_its_word():
    assert find_recipe("recipes/fcl-10.toml") == Path("recipes/fcl-10.toml")


def test_jobs_of_a_version_that_kept_recipes_elsewhere_find_theirs():
    before = Path("/app/subclust/benchmarks/recipes")
    assert find_recipe(str(before / "own" / "qs3m.toml")) == OWN_RECIPES_DIR / "qs3m.toml"
    assert find_recipe(str(before / "scl" / "fcl-10.toml")) == FOLDER / "scl" / "fcl-10.toml"


def test_an_unknown_name_is_told_as_it_was_typed(capsys):
    status = main(["train", "fcl", "--data", "x.jsonl", "--name", "n", "--recipe", "none.toml"])
    assert status == 1
    assert " none.toml;" in capsys.readouterr().err
