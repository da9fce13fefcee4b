import csv
import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
import themed_library
from raising import raises

from subclust.cli import main
from subclust.core.exceptions import InputError, LibraryNotFoundError
from subclust.core.settings import Settings
from subclust.evaluation.metrics import accuracy
from subclust.exports.records import facts
from subclust.methods.aecl import objective as aecl_objective
from subclust.methods.aecl.models import AeclNetwork
from subclust.methods.aecl.objective import AeclObjective
from subclust.pipeline.placing import place_on_map
from subclust.text.encoders import HashingEncoder
from subclust.themes import (
    ThemesRequest,
    ThemeStore,
    find,
    find_themes,
    plan_themes,
    recipes,
    themes_report,
)
from subclust.themes.recipes import LABELS, recipe_for, suggested_number
from subclust.training.recipe import Recipe, TrainingArguments

ASKED = ThemesRequest("themed", "kmeans", 3, projection="pca")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    themed_library.build(folder, labelled=range(0, 24))
    return Settings(
        data_dir=folder,
        models_dir=folder / "models",
        encoder="hashing",
        device="cpu",
        names="words",
    )


def found(request, place, tmp_path, **options):
    encoder = HashingEncoder()
    plan = plan_themes(request, place, encoder)
    return plan, find_themes(plan, at(place, tmp_path), encoder, tmp_path / "run", **options)


def at(place, folder):
    return replace(place, data_dir=folder)


def set_environment(place, monkeypatch):
    for name, value in (
        ("DATA_DIR", place.data_dir), ("MODELS_DIR", place.models_dir), ("ENCODER", "hashing"),
        ("DEVICE", "cpu"), ("NAMES", "words"),
    ):  # fmt: skip
        monkeypatch.setenv(f"SUBCLUST_{name}", str(value))


@pytest.mark.parametrize(
    "method", [pytest.param("aecl", marks=pytest.mark.slow), "scl", "fcl", "kmeans", "tfidf-kmeans"]
)
def test_every_method_finds_plain_themes_and_names_and_keeps_them(place, tmp_path, method):
    stages, steps = [], []
    asked = replace(ASKED, method=method)
    plan, themes = found(asked, place, tmp_path, stage=stages.append, progress=steps.append)
    gold = [int(id_[1:]) % 3 for id_ in themes.ids]
    assert accuracy(gold, themes.labels) > 0.9
    assert themes.n_themes == 3 and len(set(themes.names.values())) == 3
    assert themes.coordinates.shape == (240, 2) and np.isfinite(themes.coordinates).all()
    learns = method in ("aecl", "scl", "fcl")
    assert stages[0] == "encoding" and stages[-1] == "saving" and ("training" in stages) == learns
    assert bool(steps) == learns
    kept = ThemeStore(tmp_path / "themes").load(plan.key)
    assert kept.names == themes.names and kept.ids_of(0) == themes.ids_of(0)
    np.testing.assert_array_equal(kept.labels, themes.labels)
    groups = kept.as_map(plan.found.passages).subtopics
    assert [group.size for group in groups] == list(themes.sizes().values())


def test_the_same_is_found_once_and_another_request_anew(place, tmp_path):
    plan, first = found(ASKED, place, tmp_path)
    encoder, settings = HashingEncoder(), at(place, tmp_path)
    again = find_themes(plan, settings, encoder, tmp_path, stage=pytest.fail)
    assert again.seconds == first.seconds
    keys = {
        plan_themes(replace(ASKED, **change), place, encoder).key
        for change in ({}, {"n_themes": 4}, {"method": "scl"}, {"seed": 1}, {"projection": "umap"})
    }
    assert len(keys) == 5 and plan.key in keys
    # A filter that leaves all texts in asks for the same; a damaged file counts as none.
    assert plan_themes(replace(ASKED, filters=("title~title",)), place, encoder).key == plan.key
    (tmp_path / "themes" / plan.key / "arrays.npz").write_bytes(b"gone")
    assert ThemeStore(tmp_path / "themes").find(plan.key) is None
    assert ThemeStore(tmp_path / "themes").find("../../etc/passwd") is None
    assert find_themes(plan, settings, encoder, tmp_path).names == first.names


def test_themes_are_saved_with_their_names_before_their_map_is_made(place, tmp_path, monkeypatch):
    store, named = ThemeStore(tmp_path / "themes"), []

    def stopped(points, projection, seed):
        if projection == "umap":
            raise KeyboardInterrupt
        return place_on_map(points, projection, seed)

    monkeypatch.setattr(find, "place_on_map", stopped)
    asked = replace(ASKED, projection="umap")
    with pytest.raises(KeyboardInterrupt):
        found(asked, place, tmp_path, named=named.append)
    (first,) = named
    kept = store.load(first.key)
    assert kept.names == first.names and not kept.has_map and kept.projection == "pca"
    assert np.ptp(kept.coordinates, axis=0).min() > 0
    assert store.find(first.key, named_by="words") is None, "they are not whole yet"

    monkeypatch.setattr(find, "place_on_map", lambda points, *_: np.zeros((len(points), 2)))
    _, whole = found(asked, place, tmp_path)
    assert whole.has_map and whole.names == first.names and not whole.coordinates.any()
    kept = store.find(first.key, named_by="words")
    assert kept.projection == "umap" and kept.seconds == whole.seconds


@dataclass(frozen=True)
class OtherObjective(AeclObjective):
    n_neighbors: int = 7


def other_network(self, embedding_dim, n_clusters, latent_dim=128, dropout=0.5, n_neighbors=6):
    """Take the place of a constructor with another default."""


def test_another_namer_names_the_same_themes_anew(place, tmp_path):
    plan, first = found(replace(ASKED, method="scl"), place, tmp_path)
    settings = replace(at(place, tmp_path), names="headings")
    store = ThemeStore(settings.themes_dir)
    assert store.find(plan.key, named_by="words").names == first.names
    assert store.find(plan.key, named_by="headings") is None
    stages = []
    again = find_themes(plan, settings, HashingEncoder(), tmp_path, stage=stages.append)
    assert stages == ["saving"]  # nothing is learnt again
    np.testing.assert_array_equal(again.labels, first.labels)
    assert again.names != first.names and len(set(again.names.values())) == 3
    assert store.find(plan.key, named_by="headings").names == again.names


@pytest.mark.parametrize(
    ("where", "name", "other"),
    [
        (recipes, "LONG_WORDS", 1),
        (recipes, "recipe_for", lambda *asked, **_: Recipe(TrainingArguments(epochs=9))),
        (aecl_objective, "AeclObjective", OtherObjective),
        (AeclNetwork, "__init__", other_network),
    ],
)
def test_themes_of_another_recipe_or_default_are_found_anew(place, monkeypatch, where, name, other):
    encoder = HashingEncoder()
    asked = [replace(ASKED, method=method) for method in ("aecl", "scl", "kmeans")]
    before = [plan_themes(one, place, encoder).key for one in asked]
    assert [plan_themes(one, place, encoder).key for one in asked] == before
    monkeypatch.setattr(where, name, other)
    after = [plan_themes(one, place, encoder).key for one in asked]
    changed = [one != other for one, other in zip(before, after, strict=True)]
    assert changed == [name != "LONG_WORDS", where is recipes, False]


def test_where_labels_teach_there_are_as_many_themes_as_labels(place, tmp_path):
    _, themes = found(replace(ASKED, method="fcl", n_themes="auto"), place, tmp_path)
    assert (themes.n_themes, themes.n_themes_source) == (3, LABELS)


@pytest.mark.parametrize(
    ("change", "values"),
    [
        ({"filters": ("collection=even",)}, {"most": 200, "count": 120}),
        ({"filters": ("year=1900-1925", "title~9")}, {"most": 200, "count": 10}),
        ({"filters": ("collection=none",)}, {"library": "themed", "text": "collection=none"}),
        ({"filters": ("colour=red",)}, {"field": "colour"}),
        ({"filters": ("red",)}, {"text": "red"}),
        ({"n_themes": 1}, {"n_themes": 1}),
        ({"n_themes": 500}, {"count": 500, "size": 240, "most": 120}),
        ({"method": "qs3m"}, {"name": "qs3m"}),
        ({"method": "scl", "pairs": "some.jsonl"}, {"label": "SCL"}),
        ({"method": "fcl", "pairs": "absent.jsonl"}, {"path": "absent.jsonl"}),
    ],
)
def test_what_cannot_be_is_one_sentence(place, change, values):
    with raises(InputError, **values) as refused:
        plan_themes(replace(ASKED, **change), place, HashingEncoder())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("labelled", "values"),
    [
        ((), {"method": "FCL", "count": 0, "most": 4}),
        ((0, 3, 6, 9), {"text": "war", "method": "FCL"}),
    ],
)
def test_fcl_is_refused_without_labels_that_differ(tmp_path, labelled, values):
    themed_library.build(tmp_path, labelled=labelled)
    with raises(InputError, **values):
        plan_themes(replace(ASKED, method="fcl"), Settings(data_dir=tmp_path), HashingEncoder())
    with pytest.raises(LibraryNotFoundError):
        plan_themes(replace(ASKED, library="no"), Settings(data_dir=tmp_path), HashingEncoder())


def test_no_step_of_aecl_is_without_bounds():
    arguments = recipe_for("aecl", ["few words"], 3).training
    assert 0 < arguments.gradient_clip < 100


def test_themes_of_aecl_begin_from_averaged_vectors():
    objective = AeclObjective(**recipe_for("aecl", ["few words"], 3).objective)
    assert (objective.n_neighbors, objective.n_steps) == (15, 4)


def test_the_suggested_number_is_one_that_can_be_taken_in():
    generator = np.random.default_rng(0)
    centres = generator.normal(size=(12, 16))
    points = centres[np.arange(1200) % 12] + 0.05 * generator.normal(size=(1200, 16))
    assert suggested_number(points.astype(np.float32), 0) == 12
    assert suggested_number(points[:30].astype(np.float32), 0) == 5


def test_the_command_prints_one_object_and_lists_what_it_found(place, monkeypatch, capsys):
    set_environment(place, monkeypatch)
    words = ["themes", "--library", "themed", "--method", "scl", "--n-themes", "3"]
    words += ["--projection", "pca"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["n_themes"], told["n_texts"], told["found_before"]) == (3, 240, False)
    assert sum(len(theme["texts"]) for theme in told["themes"]) == 240
    assert told["themes"][0]["texts"][0].keys() == {"id", "title", "strength", "x", "y"}
    assert main(words) == 0
    assert "3 themes of 240" in capsys.readouterr().out
    assert main(["themes", "--list"]) == 0
    assert told["key"] in capsys.readouterr().out
    assert main(["themes", "--list", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["themes"]
    assert row == ThemeStore(Settings.from_environment().themes_dir).load(told["key"]).summary()
    assert (row["key"], row["n_texts"], row["found"]) == (told["key"], 240, 3)
    assert main([*words, "--queue"]) == 1
    assert "were found before" in capsys.readouterr().err
    assert main(["themes", "--remove", told["key"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"removed": told["key"]}
    assert main(["themes", "--remove", told["key"]]) == 1
    assert f"no saved themes '{told['key']}'" in capsys.readouterr().err
    assert main(["themes", "--library", "themed", "--filter", "year=1900-1901"]) == 1
    assert "200" in capsys.readouterr().err


def test_themes_are_on_the_disk_before_they_are_said_to_be_kept(place, tmp_path, monkeypatch):
    _, themes = found(ASKED, place, tmp_path)
    store, flushed = ThemeStore(tmp_path / "kept"), []
    monkeypatch.setattr(
        "subclust.themes.kept.flush_files", lambda folder: flushed.append(folder.name)
    )
    monkeypatch.setattr("subclust.themes.kept.flush_names", lambda _: flushed.append("names"))
    store.save(themes)
    assert len(flushed) == 2 and flushed[0].endswith(".partial") and flushed[1] == "names"
    assert [path.name for path in store.folder.iterdir()] == [themes.key]


def test_a_full_disk_is_one_sentence_and_keeps_what_was_there(place, tmp_path, monkeypatch):
    _, themes = found(ASKED, place, tmp_path)
    store = ThemeStore(tmp_path / "themes")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("subclust.themes.kept.np.savez_compressed", full)
    with raises(InputError):
        store.save(replace(themes, names={0: "other", 1: "others", 2: "more"}))
    assert store.load(themes.key).names == themes.names
    assert [path.name for path in store.folder.iterdir()] == [themes.key]


def test_themes_are_exported_by_the_command(place, tmp_path, monkeypatch, capsys):
    set_environment(place, monkeypatch)
    words = ["themes", "--library", "themed", "--method", "kmeans", "--n-themes", "3"]
    words += ["--projection", "pca", "--filter", "year=1900-1947"]
    table, references = tmp_path / "themes.csv", tmp_path / "themes.ris"
    assert main([*words, "--export", str(table), "--export", str(references)]) == 0
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    with table.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    told = {text["id"]: theme["name"] for theme in found["themes"] for text in theme["texts"]}
    assert {row["id"]: row["group_name"] for row in rows} == told
    content = references.read_text()
    assert content.count("TY  - ") == len(told) and "Hit" not in content
    for wrong in (["--export", str(tmp_path / "map.svg")], ["--queue", "--export", str(table)]):
        assert main([*words, *wrong]) == 1
    assert not (tmp_path / "map.svg").exists()


def test_a_workbook_of_themes_says_how_they_came_about(place, tmp_path):
    plan, themes = found(replace(ASKED, filters=("year=1900-1947",)), place, tmp_path)
    report = themes_report(themes, themes.as_map(plan.found.passages), address="http://here/")
    told = dict(facts(report))
    assert "year=1900-1947" in told["How it works"] and "http://here/" in told.values()
    assert "Groups follow" not in told  # there is no question
