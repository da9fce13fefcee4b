"""Command lines of clones."""

from unittest.mock import ANY

import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.jobs.store import _title_of, option, with_settings

ARGV = (
    "train", "qs3m", "--data", "a b.csv", "--name", "one", "--set", "epochs=3",
    "--set=objective.loss=mse", "--resume", "--replace", "--base=wikipedia",
)  # fmt: skip


def test_a_clone_has_another_name_and_other_settings():
    assert with_settings(ARGV, {"epochs": "5", "seed": "2"}, "two") == (
        "train", "qs3m", "--data", "a b.csv", "--set", "objective.loss=mse", "--base=wikipedia",
        "--name", "two", "--set", "epochs=5", "--set", "seed=2",
    )  # fmt: skip


def test_a_key_with_its_table_is_the_same_key():
    words = with_settings(ARGV, {"training.epochs": "5", "objective.loss": "bce"}, "two")
    assert [word for word in words if "epochs" in word or "loss" in word] == [
        "training.epochs=5",
        "objective.loss=bce",
    ]


def test_a_clone_without_changes_keeps_all_settings():
    words = with_settings(ARGV, {}, "two")
    assert "epochs=3" in words and "objective.loss=mse" in words


@pytest.mark.parametrize(
    "argv", [(), ("methods",), ("bench-convergence", "--name", "x"), ("train",)]
)
def test_what_has_no_name_and_settings_is_refused(argv):
    with raises(InputError, command=ANY):
        with_settings(argv, {}, "two")


def test_the_title_is_that_of_the_checkpoint():
    assert _title_of(ARGV) == "qs3m/one"
    assert _title_of(("train", "qs3m")) is None and _title_of(()) is None
    assert _title_of(("bench-convergence", "task", "--name", "x")) is None


def test_the_last_value_of_an_option_counts():
    assert option(ARGV, "--name") == "one" and option(ARGV, "--base") == "wikipedia"
    assert option(("x", "--name", "a", "--name=b"), "--name") == "b"
    assert option(("x", "--name"), "--name") is None
