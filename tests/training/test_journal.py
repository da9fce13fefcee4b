import json

import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.training.search.trials import open_study


def lines_of(folder):
    return (folder / "journal.log").read_bytes().splitlines(keepends=True)


@pytest.fixture
def journal(tmp_path):
    with open_study(tmp_path, "s") as study:
        for x in (0.1, 0.2):
            study.enqueue_trial({"x": x})
            trial = study.ask()
            study.tell(trial, trial.suggest_float("x", 0, 1))
    return tmp_path


def values(folder):
    with open_study(folder, "s") as study:
        return [trial.value for trial in study.trials]


def test_a_journal_is_read_again_and_says_nothing(journal, capfd):
    assert values(journal) == [0.1, 0.2]
    assert capfd.readouterr() == ("", "")


def test_a_line_that_was_cut_short_is_dropped_and_the_next_is_whole(journal):
    *kept, last = lines_of(journal)
    (journal / "journal.log").write_bytes(b"".join(kept) + last[:-3])
    with open_study(journal, "s") as study:
        assert [trial.state.name for trial in study.trials] == ["COMPLETE", "RUNNING"]
        study.tell(1, 0.7)
    assert values(journal) == [0.1, 0.7]
    assert all(json.loads(line) for line in lines_of(journal))


def test_an_empty_journal_is_a_new_one(tmp_path):
    (tmp_path / "journal.log").write_bytes(b'{"op_co')
    assert values(tmp_path) == []


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda lines: [*lines[:3], b"\x00\xff\x00\n", *lines[4:]], {"line": 4}),
        (lambda lines: [*lines[:2], lines[2][:9] + b"\n", *lines[3:]], {"line": 3}),
        (lambda lines: [b"[1, 2]\n", *lines], {}),
        (lambda lines: [b'{"op_code": 77}\n', *lines], {}),
    ],
)
def test_a_damaged_journal_is_one_sentence(journal, damage, told):
    (journal / "journal.log").write_bytes(b"".join(damage(lines_of(journal))))
    with raises(TrainingError, **told) as caught:
        values(journal)
    assert "remove its folder" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_second_process_is_refused_and_a_dead_one_is_not_waited_for(journal):
    with open_study(journal, "s"):
        with raises(TrainingError, folder=journal.name):
            values(journal)
    # What a process leaves that is killed while it writes.
    (journal / "journal.log.lock").touch()
    assert values(journal) == [0.1, 0.2]


def test_what_goes_wrong_inside_is_not_called_damage(journal):
    with pytest.raises(ZeroDivisionError):
        with open_study(journal, "s"):
            raise ZeroDivisionError
    assert values(journal) == [0.1, 0.2]
