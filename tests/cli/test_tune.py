import json
import os
import signal
import subprocess
import sys
import tomllib

import pytest
from test_commands import labelled

from subclust.api import tuning
from subclust.checkpoints import CheckpointStore
from subclust.cli.training import train
from subclust.core.settings import PROJECT_ROOT
from subclust.training.recipe import Recipe

pytestmark = pytest.mark.app  # waits for processes

RECIPE = """
[training]
epochs = 3
batch_passages = 20
evaluate_every = 2
save_every = 1
seed = 2
[objective]
pairs = "all"
[search]
trials = 3
startup_trials = 2
"training.learning_rate" = {low = 1e-4, high = 1e-1, log = true}
"objective.loss" = {choices = ["bce", "mse"]}
"""


@pytest.fixture
def words(settings, tmp_path):
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE, encoding="utf-8")
    data = labelled(tmp_path / "set.jsonl", n_queries=8)
    return ["tune", "qs3m", "--data", data, "--recipe", recipe, "--name", "s"]


def edit(tmp_path, old, new):
    path = tmp_path / "recipe.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_tune_prints_the_promised_object_and_a_recipe_that_trains(run, words, settings, tmp_path):
    status, out, err = run(*words, "--json")
    assert status == 0, err
    result = json.loads(out)
    assert set(result) == {
        "method", "name", "story", "base", "training", "validation", "recipe", "space", "best",
        "trials",
    }  # fmt: skip
    assert (result["method"], result["name"], result["base"]) == ("qs3m", "s", None)
    assert result["story"]["versions"]["optuna"]
    assert {"commit", "device", "processor", "precision", "seed"} <= set(result["story"])
    (source,) = result["training"]
    assert source["name"] == "set.jsonl" and len(source["sha256"]) == 64
    assert source["n_queries"] == 8
    assert result["validation"] == {"share": 0.2, "seed": 2, "n_queries": 2, "n_passages": 18}
    assert result["recipe"]["objective"] == {"pairs": "all"}
    assert "learning_rate" not in result["recipe"]["training"]
    assert result["space"]["objective.loss"] == {"choices": ["bce", "mse"]}
    assert [trial["number"] for trial in result["trials"]] == [0, 1, 2]
    for trial in result["trials"]:
        assert set(trial) == {"number", "values", "state", "ari", "seconds", "intermediate"}
        assert trial["state"] in ("complete", "pruned")
        assert trial["ari"] == max(ari for _, ari in trial["intermediate"])
    best = result["trials"][result["best"]["trial"]]
    assert (best["values"], best["ari"]) == (result["best"]["values"], result["best"]["ari"])
    assert "trial 2 (3 of 3): training.learning_rate" in err and "Traceback" not in err

    # Nothing is trained again, and nothing went into models/.
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    assert out.startswith("# Best of 3 trials (")
    pasted = tmp_path / "best.toml"
    pasted.write_text(out, encoding="utf-8")
    recipe = Recipe.read(pasted)
    assert recipe.training.learning_rate == best["values"]["training.learning_rate"]
    assert recipe.objective == {"pairs": "all", "loss": best["values"]["objective.loss"]}
    assert CheckpointStore(settings.models_dir).names("qs3m") == []
    train = ["train", "qs3m", "--data", words[3], "--name", "n", "--recipe", pasted]
    assert run(*train)[0] == 0
    history = CheckpointStore(settings.models_dir).load("qs3m", "n").card["history"]
    assert [[line["step"], line["metrics"]["ari"]] for line in history[1:]] == best["intermediate"]


def test_save_writes_the_same_to_a_file(run, words, tmp_path):
    saved = tmp_path / "results" / "qs3m-s.json"
    status, out, _ = run(*words, "--trials", "1", "--json", "--save", saved)
    assert status == 0
    assert json.loads(saved.read_text(encoding="utf-8")) == json.loads(out)
    assert len(json.loads(out)["trials"]) == 1


def test_held_out_queries_a_base_and_settings(run, words, tmp_path, settings):
    held = labelled(tmp_path / "held.jsonl", n_queries=2)
    train = ["train", "qs3m", "--data", words[3], "--name", "first", "--set", "epochs=1"]
    assert run(*train)[0] == 0
    words += ["--validation", held, "--base", "first", "--set", "epochs=1", "--trials", "1"]
    status, out, err = run(*words, "--json")
    assert status == 0, err
    result = json.loads(out)
    assert "2 training" in err
    assert result["base"] == "first" and result["recipe"]["training"]["epochs"] == 1
    assert (result["validation"]["name"], result["validation"]["n_queries"]) == ("held.jsonl", 2)


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (["--set", "epochs=2"], "recipe"),
        (["--set", "objective.pairs=triplets"], "recipe"),
        (["--set", "seed=1"], "validation data"),
        (["--validation", "OTHER"], "validation data"),
        (["--data", "OTHER"], "training data"),
        (["--base", "absent"], "'absent'"),
    ],
)
def test_a_search_goes_on_with_the_same_alone(run, words, tmp_path, change, differs):
    assert run(*words, "--trials", "1")[0] == 0
    other = labelled(tmp_path / "other.jsonl", n_queries=3)
    split = (tmp_path / "data/jobs/tune-qs3m-s/split.json").read_bytes()
    status, out, err = run(*words, *[other if word == "OTHER" else word for word in change])
    assert status == 1 and out == ""
    assert differs in err and err.count("\n") == 1
    assert (tmp_path / "data/jobs/tune-qs3m-s/split.json").read_bytes() == split


def test_data_are_the_same_by_what_is_in_them_and_by_their_task(run, words, tmp_path):
    task = {"name": "newsgroups20_sets_train", "sha256": "a", "licence": "free", "files": {}}
    other = task | {"name": "newsgroups20_sets_validation"}
    assert tuning.identity(task) != tuning.identity(other)  # made of one file
    assert tuning.identity(task) != tuning.identity(task | {"sha256": "b"})
    assert tuning.identity(task) == tuning.identity(task | {"licence": "not stated"})
    assert tuning.identity({"share": 0.2, "seed": 1}) != tuning.identity({"share": 0.2, "seed": 2})
    # A file may be moved.
    assert run(*words, "--trials", "1")[0] == 0
    moved = (tmp_path / "set.jsonl").rename(tmp_path / "moved.jsonl")
    assert run(*[moved if word == words[3] else word for word in words], "--trials", "1")[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        ("[search]", "[searching]", {"name": "searching"}),
        ("low = 1e-4", "low = 1.0", {"low": 1.0, "high": 0.1}),
        ('"objective.loss"', '"objective.los"', {"key": "los"}),
        ('"mse"]', '"none"]', {"key": "loss", "value": "none"}),
        ('"objective.loss"', '"model.unheard_of"', {"name": "qs3m"}),
        ("learning_rate", "learning_rat", {"key": "learning_rat"}),
    ],
)
def test_a_recipe_that_cannot_be_tried_is_one_sentence(run, words, tmp_path, old, new, values):
    edit(tmp_path, old, new)
    run.refused(*words, **values)


def test_what_cannot_be_tuned_is_one_sentence(run, words, settings, tmp_path, monkeypatch):
    assert "needs no training" in run("tune", "tfidf", *words[2:])[2]
    assert "'../s'" in run(*words[:-1], "../s")[2]
    assert run(*words, "--trials", "0")[0] == 2
    edit(tmp_path, RECIPE[RECIPE.index("[search]") :], "")
    assert "no table [search]" in run(*words)[2]
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert "torchrun" in run(*words)[2]


def test_train_checks_the_search_and_lets_it_be(run, words, settings, tmp_path):
    train = ["train", *map(str, words[1:-1]), "n"]
    assert run(*train)[0] == 0
    card = CheckpointStore(settings.models_dir).load("qs3m", "n").card
    assert "search" not in card["training"]
    edit(tmp_path, "low = 1e-4", "low = -1.0")
    run.refused(*train, "--replace", low=-1.0)


@pytest.mark.slow  # the same is tested of the search itself
def test_a_killed_search_goes_on_where_it_was(run, words, settings, tmp_path):
    whole = json.loads(run(*words[:-1], "whole", "--json")[1])
    folder = settings.jobs_dir / "tune-qs3m-s"
    process = subprocess.Popen(
        [sys.executable, "-m", "subclust", *map(str, words)],
        cwd=PROJECT_ROOT,
        env=dict(os.environ),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        # In the middle of the second trial, after a validation of it.
        if line.startswith("trial 1"):
            process.stderr.readline()
            process.send_signal(signal.SIGKILL)
            break
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    jobs = json.loads(run("jobs", "list", "--json")[1])["jobs"]
    (job,) = [job for job in jobs if job["id"] == "tune-qs3m-s"]
    assert (job["state"], job["progress"]["step"], job["progress"]["total"]) == ("lost", 1, 3)
    assert run("jobs", "resume", "tune-qs3m-s", "--here")[0] == 0
    result = json.loads(run(*words, "--json")[1])

    def told(result):
        return [{k: v for k, v in t.items() if k != "seconds"} for t in result["trials"]]

    assert told(result) == told(whole)
    assert json.loads(run("jobs", "show", "tune-qs3m-s", "--json")[1])["state"] == "finished"
    assert not list(folder.glob("trial-*/state"))


def test_a_search_that_is_cancelled_or_terminated_is_kept(run, words, settings, monkeypatch):
    folder = settings.jobs_dir / "tune-qs3m-s"
    shown = []

    def cancel(sentence):
        shown.append(sentence)
        if sentence.startswith("  step 2/"):
            if len(shown) > 3:
                signal.raise_signal(signal.SIGTERM)
            else:
                assert run("jobs", "cancel", "tune-qs3m-s")[0] == 0

    monkeypatch.setattr(train, "tell", cancel)
    for n in range(2):
        status, out, err = run(*words)
        assert status == 1 and out == "", (n, err)
        assert "stopped after" in err and err.values["wanted"] == 3
    assert json.loads((folder / "job.json").read_text())["outcome"] == "cancelled"
    assert (folder / "trial-1" / "state").is_dir()


def test_a_second_process_is_refused_and_leaves_the_record_alone(run, words, settings):
    from subclust.training.search.trials import open_study

    assert run(*words, "--trials", "1")[0] == 0
    folder = settings.jobs_dir / "tune-qs3m-s"
    before = (folder / "job.json").read_bytes()
    with open_study(folder, folder.name):
        run.refused(*words, folder="tune-qs3m-s")
    assert (folder / "job.json").read_bytes() == before


def test_no_other_command_waits_for_optuna(settings):
    code = (
        "import sys, subclust.cli.training.train, subclust.training.search.search\n"
        "assert not {'optuna', 'sqlalchemy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT_ROOT, check=True)


def test_the_pasted_recipe_is_toml(run, words):
    out = run(*words, "--trials", "1")[1]
    assert set(tomllib.loads(out)) == {"training", "objective"}
    assert "# objective.loss = " in out
