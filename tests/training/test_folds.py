import json
import statistics
from dataclasses import dataclass, field

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import InputError, TrainingError
from subclust.core.records import ClusteringInstance, Query
from subclust.jobs import PROGRESS_FILE, STOP_FILE
from subclust.training.folds import _chosen_epochs, _fold_queries, suggested_folds, train_folds
from subclust.training.recipe import Recipe, TrainingArguments


def named(*texts):
    return [ClusteringInstance(Query(text), ()) for text in texts]


def texts(instances):
    return {instance.query.text for instance in instances}


class Killed(Exception):
    pass


@dataclass
class Trains:
    """Stands for a method: it is at its best after as many passes as it was called before."""

    calls: list = field(default_factory=list)
    kill_at: int | None = None
    stopped_in: list = field(default_factory=list)
    shares: dict = field(default_factory=dict)

    def __call__(self, recipe, training, validation, folder, *, resume, progress):
        number = len(self.calls) + 1
        self.calls.append((recipe, texts(training), texts(validation), folder, resume))
        folder.mkdir(parents=True, exist_ok=True)
        for step in range(1, 5):
            metrics = {"metrics": {"ari": step / 10}} if step % 2 == 0 else {}
            progress({"step": step, "total": 4, "loss": 1.0, "seconds": step, "eta": 4 - step}
                     | metrics)  # fmt: skip
            if (folder / STOP_FILE).exists():
                self.stopped_in.append((folder.name, step))
            if self.kill_at == number and step == 2:
                raise Killed
        history = [{"step": step, "epoch": step / 2} for step in range(5)]
        card = {
            "training": {"best_step": min(number, 4), "steps": 4, "epochs": recipe.training.epochs},
            "history": history,
            "scores": {"validation_ari": number / 10},
        }
        weights = {"w": np.array([float(number)])}
        config = {"threshold": number / 10, **self.shares.get(number, {})}
        return Checkpoint("qs3m", "mine", config, weights, card)


@pytest.fixture
def recipe():
    return Recipe(TrainingArguments(epochs=8, patience=3, evaluate_every=2, seed=1))


QUERIES = named(*"abcdefghijklm", "a")


def test_folds_share_the_queries_out_evenly_whatever_their_order():
    folds = _fold_queries(QUERIES, 5, 0)
    assert sorted(len(texts(fold)) for fold in folds) == [2, 2, 3, 3, 3]
    assert set.union(*map(texts, folds)) == texts(QUERIES)
    assert sum(len(fold) for fold in folds) == len(QUERIES)
    assert [texts(fold) for fold in _fold_queries(QUERIES[::-1], 5, 0)] == [*map(texts, folds)]
    assert [texts(fold) for fold in _fold_queries(QUERIES, 5, 1)] != [*map(texts, folds)]


@pytest.mark.parametrize(("n", "folds"), [(4, 0), (5, 5), (24, 5), (25, 0), (400, 0)])
def test_folds_are_suggested_for_few_queries(n, folds):
    assert suggested_folds(n) == folds


def test_no_fold_is_judged_by_a_model_that_saw_it_and_the_last_one_sees_all(tmp_path, recipe):
    trains = Trains()
    result = train_folds(trains, recipe, QUERIES, 4, tmp_path)
    assert len(trains.calls) == 5 and len(result.parts) == 4
    judged = []
    for (_, training, validation, _, _), (model, members) in zip(
        trains.calls, result.parts, strict=False
    ):
        parts = [training, validation, texts(members)]
        assert set.union(*parts) == texts(QUERIES)
        assert sum(map(len, parts)) == len(texts(QUERIES)) and all(parts)
        assert model.method == "qs3m"
        judged += [instance.query.text for instance in members]
    assert sorted(judged) == sorted(instance.query.text for instance in QUERIES)
    last, training, _, _, _ = trains.calls[-1]
    assert training == texts(QUERIES)
    assert last.training.epochs == statistics.median([0.5, 1.0, 1.5, 2.0]) == 1.25
    assert last.training.patience == 0
    assert trains.calls[0][0] == recipe
    assert [model.tensors["w"][0] for model, _ in result.parts] == [1, 2, 3, 4]


def test_thresholds_beside_different_means_are_not_mixed(tmp_path, recipe):
    shares = {
        number: {"threshold_mean_share": 0.5 if number in (2, 5) else 1.0} for number in range(1, 6)
    }
    trains = Trains(shares=shares)
    checkpoint = train_folds(trains, recipe, QUERIES, 4, tmp_path).checkpoint
    assert checkpoint.config["threshold_mean_share"] == 1.0
    assert checkpoint.config["threshold"] == pytest.approx(0.3)  # of 0.1, 0.3 and 0.4


def test_the_kept_model_cuts_where_the_folds_do_and_claims_no_score(tmp_path, recipe):
    checkpoint = train_folds(Trains(), recipe, QUERIES, 4, tmp_path).checkpoint
    assert checkpoint.tensors["w"][0] == 5
    assert checkpoint.config["threshold"] == pytest.approx(0.25)
    assert checkpoint.card["scores"] == {}
    assert checkpoint.card["training"]["patience"] == 3
    assert checkpoint.card["training"]["evaluate_every"] == 2
    assert checkpoint.card["folds"] == {
        "n_folds": 4,
        "best_steps": [1, 2, 3, 4],
        "validation_ari": [0.1, 0.2, 0.3, 0.4],
        "epochs": 1.25,
    }


@pytest.mark.parametrize("kill_at", [1, 2, 4, 5])
def test_a_run_killed_between_or_in_folds_goes_on_and_ends_alike(tmp_path, recipe, kill_at):
    whole = train_folds(Trains(), recipe, QUERIES, 4, tmp_path / "whole")
    folder = tmp_path / "killed"
    with pytest.raises(Killed):
        train_folds(Trains(kill_at=kill_at), recipe, QUERIES, 4, folder)
    trains = Trains([None] * (kill_at - 1))  # as if it had been called by the first run
    result = train_folds(trains, recipe, QUERIES, 4, folder, resume=True)
    again = trains.calls[kill_at - 1 :]
    assert len(again) == 5 - (kill_at - 1) and all(call[4] for call in again)
    assert result.checkpoint == whole.checkpoint
    assert result.checkpoint.card == whole.checkpoint.card
    for mine, theirs in zip(result.parts, whole.parts, strict=True):
        assert mine[1] == theirs[1] and mine[0].tensors["w"] == theirs[0].tensors["w"]
    steps = [line["step"] for line in lines(folder)]
    assert steps == list(range(1, 21)) == [line["step"] for line in lines(tmp_path / "whole")]


def lines(folder):
    return [json.loads(line) for line in (folder / PROGRESS_FILE).read_text().splitlines()]


def test_progress_counts_all_models_and_shows_no_score_on_what_was_trained_on(tmp_path, recipe):
    train_folds(Trains(), recipe, QUERIES, 3, tmp_path)
    told = lines(tmp_path)
    assert [line["fold"] for line in told] == [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4
    assert {line["total"] for line in told} == {16}
    assert told[0]["eta"] == 3 + 3 * 4 and told[-1]["eta"] == 0
    assert ["metrics" in line for line in told].count(True) == 6
    assert not any("metrics" in line for line in told[12:])


def test_a_stop_reaches_the_fold_that_is_being_trained(tmp_path, recipe):
    class Stops(Trains):
        def __call__(self, *args, progress, **options):
            def watched(line):
                if len(self.calls) == 2 and line["step"] == 3:
                    (tmp_path / STOP_FILE).touch()
                return progress(line)

            return super().__call__(*args, progress=watched, **options)

    trains = Stops()
    train_folds(trains, recipe, QUERIES, 3, tmp_path)
    assert trains.stopped_in[0] == ("fold-2", 3)


def test_mistakes_are_told(tmp_path, recipe):
    with raises(InputError, n_folds=5, count=2):
        train_folds(Trains(), recipe, named("a", "b"), 5, tmp_path)
    with pytest.raises(Killed):
        train_folds(Trains(kill_at=2), recipe, QUERIES, 4, tmp_path)
    with raises(TrainingError, before=4, n_folds=3):
        train_folds(Trains(), recipe, QUERIES, 3, tmp_path, resume=True)
    # Without it the folds of before are forgotten.
    trains = Trains()
    train_folds(trains, recipe, QUERIES, 3, tmp_path)
    assert len(trains.calls) == 4


def test_training_that_does_not_help_keeps_a_base_and_else_takes_the_recipe(recipe):
    card = {"training": {"best_step": 0}, "history": [{"step": 0, "epoch": 0.0}]}
    models = [Checkpoint("qs3m", "mine", {}, {}, card)] * 3
    assert _chosen_epochs(models, recipe) == 8
    based = [Checkpoint("qs3m", "mine", {"base": "wikipedia"}, {}, card)] * 3
    assert _chosen_epochs(based, recipe) == 0
    assert _chosen_epochs([Checkpoint("lda", "mine", {}, {}, {})], recipe) == 8
