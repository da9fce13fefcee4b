import json

import pytest
from small_sets import labelled

from benchmarks.commands import convergence
from benchmarks.convergence import compare_convergence, curve_of
from subclust.api import runs
from subclust.checkpoints import CheckpointStore
from subclust.training.loop.state import STATE_FOLDER

pytestmark = pytest.mark.research

RUNS = ["qss", "qs3m"]


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(convergence, "RESULTS_DIR", tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture
def words(settings, results, tmp_path):
    """Give a command that trains two methods for four steps each."""
    recipe = tmp_path / "small.toml"
    recipe.write_text(
        "[training]\nepochs = 2\nbatch_passages = 18\nevaluate_every = 1\nsave_every = 1\n"
    )
    data = labelled(tmp_path / "train.jsonl")
    # The first two queries of the training set are held out, too.
    held = labelled(tmp_path / "held.jsonl", n_queries=2)
    runs = [word for method in RUNS for word in ("--run", f"{method}={recipe}")]
    return ["convergence", data, "--validation", held, *runs, "--name", "race"]


@pytest.fixture
def trained(monkeypatch):
    """List the methods as they are trained."""
    methods = []

    def noted(job, *rest, **options):
        methods.append(job.card.name)
        return runs.train_checkpoint(job, *rest, **options)

    monkeypatch.setattr(convergence, "train_checkpoint", noted)
    return methods


def interrupt(monkeypatch, method, step):
    """Have the process end, as if it was killed, once a method is at a step."""
    show, now = runs._show, []

    def ending(line, tell):
        show(line, tell)
        if now[-1] == method and line["step"] == step:
            raise KeyboardInterrupt

    def noted(job, *rest, **options):
        now.append(job.card.name)
        return runs.train_checkpoint(job, *rest, **options)

    monkeypatch.setattr(runs, "_show", ending)
    monkeypatch.setattr(convergence, "train_checkpoint", noted)


def test_the_promised_object_is_printed_and_saved(run, words, settings, results):
    status, out, err = run(*words, "--save", "--json", "--set", "qss.seed=4")
    assert status == 0, err
    told = json.loads(out)
    assert told == json.loads((results / "convergence" / "race.json").read_text())
    assert list(told) == [
        "name", "training", "validation", "metric", "story", "runs", "comparison",
    ]  # fmt: skip
    assert (told["name"], told["metric"]) == ("race", "ari")
    assert [fact["name"] for fact in told["training"]] == ["train.jsonl"]
    assert told["validation"]["name"] == "held.jsonl" and told["validation"]["sha256"]
    assert {"commit", "versions", "device", "processor", "precision", "threads"} <= set(
        told["story"]
    )
    assert [one["method"] for one in told["runs"]] == RUNS
    store = CheckpointStore(settings.models_dir)
    for one, seed in zip(told["runs"], (4, 0), strict=True):
        assert one["seed"] == one["recipe"]["training"]["seed"] == seed
        assert (one["steps"], one["steps_per_epoch"], one["stopped"]) == (4, 2, "finished")
        # What leaks is left out for all.
        assert (one["n_training_queries"], one["n_training_passages"]) == (4, 36)
        assert one["objective"]["loss"] == "bce" and "steps" not in one["objective"]
        assert [point["step"] for point in one["curve"]] == [0, 1, 2, 3, 4]
        assert [point["epoch"] for point in one["curve"]] == [0, 0.5, 1, 1.5, 2]
        seconds = [point["training_seconds"] for point in one["curve"]]
        assert seconds == sorted(seconds) and seconds[0] == 0 < seconds[-1]
        assert one["seconds_per_step"] == pytest.approx(seconds[-1] / 4, abs=1e-6)
        assert one["seconds_per_epoch"] == pytest.approx(seconds[-1] / 2, abs=2e-6)
        card = store.load(one["method"], "race").card
        assert card["training_data"][0]["name"] == "train.jsonl"
        assert {"versions", "encoder"} <= set(card)
    comparison = told["comparison"]
    assert comparison == compare_convergence(told["runs"], "qs3m")
    assert [other["method"] for other in comparison["others"]] == ["qss"]
    assert "2 training questions" in err


def test_in_words_it_is_a_table_against_the_reference(run, words, results):
    status, out, _ = run(*words, "--reference", "qss")
    assert status == 0 and not results.exists()
    header, *rows = out.splitlines()
    assert header.split()[:3] == ["method", "s/step", "steps/epoch"] and "reaches " in header
    assert [row.split()[0] for row in rows] == RUNS


def test_what_was_killed_goes_on_and_what_was_finished_is_not_trained_again(
    run, words, settings, monkeypatch
):
    with monkeypatch.context() as killing:
        interrupt(killing, "qs3m", step=2)
        assert run(*words)[0] == 130
    store = CheckpointStore(settings.models_dir)
    first = store.load("qss", "race").card
    assert store.names("qs3m") == []
    assert (settings.jobs_dir / "qs3m-race" / STATE_FOLDER).exists()

    steps = []
    show = runs._show
    monkeypatch.setattr(
        runs, "_show", lambda line, tell: (show(line, tell), steps.append(line["step"]))
    )
    status, out, err = run(*words, "--resume", "--json")
    assert status == 0, err
    assert "qss is finished already" in err
    assert min(steps) == 2  # the interrupted step was not saved yet, and is done again
    assert store.load("qss", "race").card == first
    told = json.loads(out)
    assert [one["steps"] for one in told["runs"]] == [4, 4]
    assert told["runs"][0]["curve"] == curve_of(store.load("qss", "race"))


def test_a_run_killed_after_its_checkpoint_was_saved_goes_on_too(run, words, monkeypatch):
    def killed(path, value):
        raise KeyboardInterrupt

    with monkeypatch.context() as killing:
        killing.setattr(convergence, "write_whole", killed)
        assert run(*words)[0] == 130
    status, _, err = run(*words, "--resume")
    assert status == 0, err


def test_without_resume_everything_is_trained_anew(run, words, trained):
    assert run(*words)[0] == 0
    run.refused(*words, card="qss", job="race")
    assert run(*words, "--resume")[0] == 0
    assert trained == RUNS
    assert run(*words, "--replace")[0] == 0
    assert trained == RUNS * 2


def test_a_finished_run_of_another_recipe_is_refused(run, words, trained):
    assert run(*words)[0] == 0
    status, _, err = run(*words, "--resume", "--set", "qss.seed=9")
    assert status == 1 and "another recipe" in err


def test_a_run_may_start_from_a_checkpoint(run, words, settings):
    assert run(*words)[0] == 0
    status, _, err = run(*words[:-1], "second", "--base", "qs3m=race")
    assert status == 0, err
    store = CheckpointStore(settings.models_dir)
    assert store.load("qs3m", "second").config["base"] == "race"
    assert "base" not in store.load("qss", "second").config


@pytest.mark.parametrize(
    ("more", "values"),
    [
        (["--set", "epochs=3"], {"next": "qss"}),
        (["--set", "lda.epochs=3"], {"next": "qss"}),
        (["--set", "qss.epochs=0"], {"card": "qss"}),
        (["--set", "qss.objective.cached_states=true"], {"card": "qss"}),
        (["--set", "qss.queries_per_file=3"], {}),
        (["--reference", "lda"], {"reference": "lda"}),
        (["--base", "lda=x"], {"method": "lda"}),
        (["--run", "qss=again.toml"], {}),
        (["--run", "lda=absent.toml"], {"path": "absent.toml"}),
        (["--run", "tfidf=absent.toml"], {"card": "tfidf"}),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(run, words, trained, more, values):
    run.refused(*words, *more, **values)
    assert trained == []


def test_several_processes_are_refused(run, words, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    status, _, err = run(*words)
    assert status == 1 and "torchrun" in err


def test_a_run_is_a_method_and_a_recipe(run, words):
    assert run(*words, "--run", "qss")[0] == 2
