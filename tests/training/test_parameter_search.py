import copy
import json
import os
import signal
import subprocess
import sys
from collections import Counter

import pytest
import tiny_search
from raising import raises
from tiny_search import TABLES, Training, make, told

from subclust.core.exceptions import EncoderError, TrainingError, TrainingStopped
from subclust.training.search.trials import TrialResult, open_study


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Give an undisturbed search: its folder, its training and its trials."""
    folder = tmp_path_factory.mktemp("searches") / "whole"
    training = Training()
    trials = make(folder, training).run()
    return folder, training, trials


def with_search(**values):
    tables = copy.deepcopy(TABLES)
    tables["search"] |= values
    return tables


def scripted(scores, **search):
    """Give tables and a training whose validations give what is written for each trial."""

    def train(name, recipe, folder, *, resume, brief, tell):
        for step, ari in enumerate([0.0] if brief else scores[int(name.split("-")[1])], start=1):
            if isinstance(ari, Exception):
                raise ari
            total = len(scores[0])
            tell({"step": step, "total": total, "seconds": float(step), "metrics": {"ari": ari}})
        return {}

    return train, with_search(**search)


def test_a_search_tries_what_the_space_allows_and_gives_the_best(whole):
    folder, training, trials = whole
    assert [trial.number for trial in trials] == [0, 1, 2, 3]
    assert len({tuple(trial.values.items()) for trial in trials}) == 4
    for trial in trials:
        assert 1e-4 <= trial.values["training.learning_rate"] <= 0.1
        assert trial.values["model.dropout"] in (0.0, 0.2)
        assert trial.values["model.n_features"] in (3, 4, 5)
        assert [step for step, _ in trial.intermediate] == [4, 8, 12, 16][: len(trial.intermediate)]
        assert trial.ari == max(ari for _, ari in trial.intermediate)
        assert trial.seconds > 0 and trial.error is None
    search = make(folder)
    best = search.best(trials)
    assert best.ari == max(trial.ari for trial in trials if trial.state == "complete")
    assert (
        search.with_values(best.values).training.learning_rate
        == best.values["training.learning_rate"]
    )


def test_what_ended_leaves_no_state_behind(whole):
    folder, _, _ = whole
    there = sorted(path.name for path in folder.iterdir())
    assert there == ["journal.log", "search.lock", *(f"trial-{n}" for n in range(4))]
    for number in range(4):
        assert [p.name for p in (folder / f"trial-{number}").iterdir()] == ["progress.jsonl"]


def test_the_ends_of_all_ranges_are_rehearsed_before_the_first_trial(whole):
    _, training, _ = whole
    assert [recipe.training.learning_rate for recipe in training.rehearsed] == [1e-4, 0.1]
    assert [dict(recipe.model) for recipe in training.rehearsed] == [
        {"dropout": 0.0, "n_features": 3},
        {"dropout": 0.2, "n_features": 5},
    ]


def test_the_same_seed_gives_the_same_trials_and_another_gives_others(whole, tmp_path):
    assert told(make(tmp_path / "again").run()) == told(whole[2])
    tables = copy.deepcopy(TABLES)
    tables["training"]["seed"] = 1
    other = make(tmp_path / "other", tables=tables).run(2)
    assert all(a.values != b.values for a, b in zip(other, whole[2], strict=False))


@pytest.mark.app
def test_a_search_that_was_killed_loses_nothing_and_does_nothing_twice(tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, tiny_search.__file__, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["killed"] == result["whole"]
    assert result["n_kills"] == 4
    # Each step is done once, but for those since the last state, at most `save_every`, of trials
    # that were killed; trial 0 was not.
    times = Counter(tuple(step) for step in result["steps"])
    assert {n for (trial, _), n in times.items() if trial == "0"} == {1}
    assert {n for (trial, step), n in times.items() if int(step) <= 9 and trial == "1"} == {1}
    assert max(times.values()) == 2


def stopped_and_resumed(folder):
    """Stop a search in its second trial, and let it go on to the end."""

    def tell(line):
        if (folder / "trial-1").exists() and line["step"] == 6:
            (folder / "stop").touch()

    with pytest.raises(TrainingStopped):
        make(folder).run(tell=tell)
    make(folder).run()
    return folder


@pytest.mark.app
@pytest.mark.parametrize(
    ("before", "every"),
    [
        ("undisturbed", 7),
        pytest.param("undisturbed", 1, marks=pytest.mark.slow),
        pytest.param("stopped and resumed", 1, marks=pytest.mark.slow),
    ],
)
def test_wherever_the_journal_breaks_off_the_search_goes_on_to_the_same_end(
    whole, tmp_path, before, every
):
    folder = whole[0] if before == "undisturbed" else stopped_and_resumed(tmp_path / "whole")
    lines = (folder / "journal.log").read_bytes().splitlines(keepends=True)
    assert len(lines) > 40
    for n in range(0, len(lines), every):
        folder = tmp_path / f"cut-{n}" / "whole"
        folder.mkdir(parents=True)
        (folder / "journal.log").write_bytes(b"".join(lines[:n]) + lines[n][: len(lines[n]) // 2])
        assert told(make(folder).run()) == told(whole[2]), lines[n]


def test_a_search_goes_on_for_more_trials_and_not_for_fewer(whole, tmp_path):
    first = make(tmp_path / "run").run(2)
    assert told(first) == told(whole[2][:2])
    training = Training()
    assert told(make(tmp_path / "run", training).run()) == told(whole[2])
    assert [name for name, _ in training.steps] == ["trial-2", "trial-3"]
    assert len(make(tmp_path / "run").run(3)) == 4


def test_poor_trials_are_pruned_at_once(tmp_path):
    good = [0.1, 0.5, 0.9, 0.9]
    scores = [good, good, [0.2, 0.3, 0.9, 0.9], [0.05, 0.9, 0.9, 0.9], [0.1, 0.5, 0.9, 0.1]]
    train, tables = scripted(scores, trials=5)
    search = make(tmp_path / "run", train, tables)
    trials = search.run()
    assert [trial.state for trial in trials] == [
        "complete", "complete", "pruned", "pruned", "complete",
    ]  # fmt: skip
    assert [trial.ari for trial in trials] == [0.9, 0.9, 0.3, 0.05, 0.9]
    assert trials[2].intermediate == [(1, 0.2), (2, 0.3)]
    assert [trial.seconds for trial in trials] == [4, 4, 2, 1, 4]
    assert search.best(trials).number == 0


def test_no_trial_is_pruned_at_its_last_step_or_before_the_start_is_over(tmp_path):
    scores = [[0.5, 0.9], [0.1, 0.9], [0.4, 0.5], [0.4, 0.5]]
    train, tables = scripted(scores, startup_trials=2)
    assert [trial.state for trial in make(tmp_path / "run", train, tables).run()] == [
        "complete"
    ] * 4


def test_a_pruned_run_ends_without_a_state_and_the_next_begins_anew(tmp_path):
    # Real training: with one startup trial most later ones are below its median somewhere.
    training = Training()
    search = make(tmp_path / "run", training, with_search(startup_trials=1, trials=12))
    before = signal.getsignal(signal.SIGTERM)
    trials = search.run()
    pruned = [trial for trial in trials if trial.state == "pruned"]
    assert 2 <= len(pruned) <= 10
    for trial in pruned:
        name, steps = training.steps[trial.number]
        assert (name, steps[-1]) == (f"trial-{trial.number}", trial.intermediate[-1][0])
        assert steps[-1] < 16
        assert not (tmp_path / "run" / name / "state").exists()
    assert all(steps[0] == 1 for _, steps in training.steps)
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("how", ["file", "sigterm"])
def test_a_search_that_is_stopped_ends_after_the_step_and_goes_on(whole, tmp_path, how):
    folder = tmp_path / "whole"
    seen = []

    def tell(line):
        seen.append(line["step"])
        if len(seen) == 16 + 6:
            if how == "file":
                (folder / "stop").touch()
            else:
                signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with raises(TrainingStopped, count=1, wanted=4):
        make(folder).run(tell=tell)
    assert seen[-1] == 6
    assert signal.getsignal(signal.SIGTERM) is before
    training = Training()
    assert told(make(folder, training).run()) == told(whole[2])
    assert training.steps[0] == ("trial-1", list(range(7, 17)))


def test_a_search_that_is_stopped_again_and_again_comes_to_the_same_end(whole, tmp_path):
    folder = tmp_path / "whole"

    def tell(line):
        if line["step"] % 5 == 0:
            (folder / "stop").touch()

    for _ in range(40):
        try:
            trials = make(folder).run(tell=tell)
            break
        except TrainingStopped:
            continue
    assert told(trials) == told(whole[2])


def test_a_stop_at_the_last_step_of_a_trial_ends_the_search_after_it(whole, tmp_path):
    folder = tmp_path / "whole"

    def tell(line):
        if line["step"] == line["total"]:
            (folder / "stop").touch()

    with raises(TrainingStopped, count=1, wanted=4):
        make(folder).run(tell=tell)
    assert told(make(folder).run(1)) == told(whole[2][:1])


def test_an_interrupt_keeps_the_trial(whole, tmp_path):
    def tell(line):
        if line["step"] == 10:
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            make(tmp_path / "whole").run(tell=tell)
    assert told(make(tmp_path / "whole").run()) == told(whole[2])


class Crash(BaseException):
    """Ends a process as a kill does: nobody catches it."""


def test_a_trial_in_which_the_process_dies_twice_is_given_up(whole, tmp_path):
    def tell(line):
        if line["step"] == 10:
            raise Crash

    deaths = 0
    for _ in range(2):
        with pytest.raises(Crash):
            make(tmp_path / "whole").run(1, tell=tell)
        deaths += 1
    trials = make(tmp_path / "whole").run(2)
    assert [trial.state for trial in trials] == ["failed", "complete"]
    assert "begun once more" in trials[0].error
    assert trials[0].values == whole[2][0].values != trials[1].values


def test_a_trial_that_cannot_go_on_fails_and_the_search_goes_on(tmp_path):
    broken = TrainingError("The loss is no longer finite at step 2.")
    train, tables = scripted([[0.1, broken], [0.5, 0.6], [broken], [0.2, 0.7]])
    search = make(tmp_path / "run", train, tables)
    trials = search.run()
    assert [trial.state for trial in trials] == ["failed", "complete", "failed", "complete"]
    assert [trial.ari for trial in trials] == [0.1, 0.6, None, 0.7]
    assert trials[0].to_dict()["error"] == str(broken)
    assert search.best(trials).number == 3


def test_where_every_trial_fails_the_last_reason_is_told(tmp_path):
    train, tables = scripted([[TrainingError("No luck.")]] * 4)
    search = make(tmp_path / "run", train, tables)
    trials = search.run()
    with raises(TrainingError, reason="No luck."):
        search.best(trials)


def test_what_is_wrong_with_the_machine_ends_the_search_and_keeps_the_trial(tmp_path):
    scores = [[0.1, 0.2], [0.1, EncoderError("The disk is full.")], [0.3, 0.3], [0.3, 0.3]]
    train, tables = scripted(scores)
    for _ in range(3):
        with pytest.raises(EncoderError, match="disk is full"):
            make(tmp_path / "run", train, tables).run()
    scores[1] = [0.1, 0.8]
    trials = make(tmp_path / "run", train, tables).run()
    assert [trial.ari for trial in trials] == [0.2, 0.8, 0.3, 0.3]


def test_a_method_that_validates_only_at_the_end_is_compared_by_that(tmp_path):
    def train(name, recipe, folder, *, resume, brief, tell):
        tell({"step": 1, "total": 1, "seconds": 2.0, "loss": 1.0})
        return {"validation_ari": recipe.training.learning_rate}

    trials = make(tmp_path / "run", train).run()
    assert [trial.ari for trial in trials] == [t.values["training.learning_rate"] for t in trials]
    assert {tuple(trial.intermediate) for trial in trials} == {()}
    assert {(trial.state, trial.seconds) for trial in trials} == {("complete", 2.0)}

    def silent(name, recipe, folder, *, resume, brief, tell):
        return {"loss": 1.0}

    with raises(TrainingError):
        make(tmp_path / "silent", silent).run()


@pytest.mark.parametrize(
    ("search", "values"),
    [
        ({"training.learning_rat": {"low": 1, "high": 2}}, {"key": "learning_rat"}),
        ({"training.learning_rate": {"low": 0, "high": 1}}, {"name": "learning_rate"}),
        ({"training.batch_passages": {"low": 2.0, "high": 9.0}}, {"value": 2.0}),
        ({"training.schedule": {"choices": ["linear", "steps"]}}, {"value": "steps"}),
    ],
)
def test_values_that_no_recipe_may_have_are_refused_before_anything(tmp_path, search, values):
    training = Training()
    with raises(TrainingError, **values):
        make(tmp_path / "run", training, with_search(**search)).run()
    assert not training.rehearsed and not (tmp_path / "run").exists()


def test_what_the_method_refuses_is_refused_before_the_first_trial_and_may_be_mended(tmp_path):
    def picky(name, recipe, folder, *, resume, brief, tell):
        if recipe.objective.get("r", 0) > 5:
            raise TrainingError("r must be at most 5.")
        tell({"step": 1, "total": 1, "seconds": 0.0, "metrics": {"ari": 0.5}})
        return {}

    tables = {"search": {"trials": 2, "objective.r": {"low": 1, "high": 9}}}
    with raises(TrainingError):
        make(tmp_path / "run", picky, tables).run()
    tables["search"]["objective.r"]["high"] = 5
    assert len(make(tmp_path / "run", picky, tables).run()) == 2


def test_a_search_is_not_resumed_with_another_recipe_or_other_data(whole):
    folder = whole[0]
    shared = copy.deepcopy(TABLES)
    shared["training"]["epochs"] = 3
    narrower = with_search(**{"model.n_features": {"low": 3, "high": 4}})
    for other in (
        make(folder, tables=shared),
        make(folder, tables=narrower),
        make(folder, **{"training data": ["b"]}),
        make(folder, method="another"),
    ):
        with raises(TrainingError, folder="whole"):
            other.run()
    # What is tried does not count, nor the number of trials.
    tables = with_search(trials=2)
    tables["training"]["learning_rate"] = 0.5
    assert told(make(folder, tables=tables).run()) == told(whole[2])


def test_one_process_at_a_time(whole):
    with open_study(whole[0], "whole"), raises(TrainingError, folder="whole"):
        make(whole[0]).run()


def test_a_recipe_without_a_search_space_is_refused(tmp_path):
    with pytest.raises(TrainingError):
        make(tmp_path, tables={"training": {"epochs": 1}})


def test_the_shared_values_are_those_that_are_not_tried(whole):
    fixed = make(whole[0]).fixed()
    assert "learning_rate" not in fixed["training"] and fixed["training"]["epochs"] == 2
    assert fixed["model"] == {}


def test_the_first_of_equal_trials_is_the_best(whole):
    trials = [
        TrialResult(0, {}, "pruned", 0.9, 1.0, []),
        TrialResult(1, {}, "complete", -0.1, 1.0, []),
        TrialResult(2, {}, "complete", -0.1, 1.0, []),
        TrialResult(3, {}, "complete", -0.2, 1.0, []),
    ]
    assert make(whole[0]).best(trials).number == 1
