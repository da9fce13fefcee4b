import json
import os
import sys
import threading
import time
from pathlib import Path

import pytest
from raising import numbers, raises
from small_sets import labelled

from subclust.core.exceptions import TrainingError
from subclust.core.storage.damaged import typed
from subclust.core.translation import translated
from subclust.training.estimates.estimate import RunEstimate, _trial_words, estimate_run

pytestmark = pytest.mark.app  # waits for processes


@pytest.fixture
def data(tmp_path):
    return labelled(tmp_path / "set.jsonl", n_queries=12)


def files_below(*folders):
    return sorted(str(path) for folder in folders for path in folder.rglob("*"))


def test_an_estimate_counts_the_steps_of_the_run_and_leaves_nothing(
    run, settings, data, tmp_path, monkeypatch
):
    work = tmp_path / "temporary"
    work.mkdir()
    monkeypatch.setenv("TMPDIR", str(work))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = files_below(tmp_path)
    sets = ["--set", "epochs=40", "--set", "batch_passages=20", "--set", "test_share=0.25"]
    held = b"x" * 1_500_000_000  # by who starts the trial, of whose memory it is no part
    status, out, err = run("estimate", "qs3m", "--data", data, *sets, "--json")
    assert status == 0, err
    value = json.loads(out)
    assert value["peak_memory_mb"] < len(held) / 1e6
    estimate = typed(RunEstimate, value)
    assert (estimate.n_training, estimate.n_validation, estimate.n_test) == (7, 2, 3)
    assert estimate.n_steps == 10 and estimate.device == "cpu"
    assert 0 < estimate.seconds_per_step < 5 and 50 < estimate.peak_memory_mb
    parts = (
        estimate.setup_seconds
        + estimate.encoding_seconds
        + estimate.step_seconds
        + estimate.validation_seconds
        + estimate.judging_seconds
    )
    assert estimate.judging_seconds > 0
    assert estimate.total_seconds == pytest.approx(parts, abs=0.05)
    assert estimate.step_seconds == pytest.approx(
        estimate.steps * estimate.seconds_per_step, abs=0.05
    )
    assert estimate.texts_to_encode == 12 * 9 + 12 - 3 * 10
    assert files_below(tmp_path) == before

    name = ["--name", "mine"]
    status, _, err = run("train", "qs3m", "--data", data, *sets, *name)
    assert status == 0, err
    progress = (settings.jobs_dir / "qs3m-mine" / "progress.jsonl").read_text().splitlines()
    assert json.loads(progress[-1])["total"] == estimate.steps


def test_what_training_would_refuse_the_estimate_refuses_in_the_same_words(run, data):
    words = ["qs3m", "--data", data, "--base", "none"]
    status, out, err = run("estimate", *words)
    expected = run("train", *words, "--name", "x")
    assert (status, out) == (1, "")
    assert err == expected[2] and "Traceback" not in err


def test_why_a_trial_was_refused_can_be_said_in_german(data, settings):
    with raises(TrainingError, name="none") as caught:
        estimate_run(["qs3m", "--data", str(data), "--base", "none"], settings)
    assert translated(caught.value.sentence, "de") != str(caught.value.sentence)


def test_a_trial_that_takes_too_long_is_ended_with_a_sentence(run, data, settings):
    run.refused("estimate", "qs3m", "--data", data, "--limit", "0.2", limit=0.2)


STUCK = """
from subclust.training.loop.run import Run
one_step = Run._one_step
def stuck(run, total):
    if run.step == 5:
        import time
        time.sleep(600)
    one_step(run, total)
Run._one_step = stuck
"""


def test_a_trial_that_was_cut_tells_what_it_had_measured(data, settings, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(STUCK)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))

    def until_stuck(process, deadline, stop):
        told = Path(process.args[process.args.index("--trial") + 1]) / "trial.json"
        while not told.is_file() or json.loads(told.read_text())["n_steps"] < 5:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)

    monkeypatch.setattr("subclust.training.estimates.estimate._said", until_stuck)
    words = ["qs3m", "--data", str(data), "--set", "epochs=40", "--set", "batch_passages=20"]
    estimate = estimate_run(words, settings)
    assert estimate.n_steps == 5 and estimate.was_cut
    assert estimate.steps > 10 and 0 < estimate.seconds_per_step < 5
    assert estimate.texts_to_encode == 120 and estimate.n_training == 10
    assert estimate.validation_seconds > 0
    assert {"5", "10"} <= set(numbers(estimate.sentence))


def test_a_trial_that_nobody_wants_any_more_ends(data, settings):
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    with pytest.raises(TrainingError):
        estimate_run(["qs3m", "--data", str(data)], settings, stop=stop)
    assert time.monotonic() - started < 1.5


def test_a_cross_validation_is_all_of_its_trainings(run, data):
    status, out, err = run("estimate", "qs3m", "--data", data, "--folds", "3", "--json")
    assert status == 0, err
    value = json.loads(out)
    assert value["n_trainings"] == 4 and value["steps"] % 4 == 0
    assert {f"{value['steps']:,}", "4"} <= set(numbers(value["sentence"]))
    once = sum(value[f"{part}_seconds"] for part in ("setup", "encoding", "judging"))
    assert value["total_seconds"] == pytest.approx(
        once + value["step_seconds"] + value["validation_seconds"], abs=0.05
    )
    single = typed(RunEstimate, value)
    assert single.step_seconds == pytest.approx(
        single.steps * single.seconds_per_step, rel=0.02, abs=0.05
    )


def test_the_words_of_a_training_are_those_of_its_trial():
    words = ["qs3m", "--data", "a b.csv", "--name", "x", "--set", "seed=1", "--queue", "--judge"]
    assert _trial_words([*words, "--job=3", "--replace", "--json"]) == [
        "qs3m", "--data", "a b.csv", "--set", "seed=1",
    ]  # fmt: skip
