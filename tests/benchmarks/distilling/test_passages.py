import numpy as np
import pytest
import torch

from benchmarks.distilling.passages import EVEN, Passages, PassageSet, Steps


@pytest.fixture
def passages():
    lengths = np.random.default_rng(0).integers(1, 30, 40)
    return Passages(np.arange(lengths.sum()) + 5, lengths, 1, "cpu")


def test_texts_are_padded_to_what_is_asked_for(passages):
    starts = np.concatenate([[0], np.cumsum(passages.lengths)])
    ids, mask = passages.padded(torch.tensor([39, 3]), 32)
    for row, text in enumerate((39, 3)):
        n = passages.lengths[text]
        assert mask[row].sum() == n and mask[row, :n].all()
        np.testing.assert_array_equal(ids[row, :n], 5 + np.arange(starts[text], starts[text] + n))
        assert (ids[row, n:] == passages.pad).all()


def test_chunks_cover_all_rows_and_hold_no_more_than_is_allowed(passages):
    rows = np.argsort(passages.lengths, kind="stable")
    covered = []
    for chunk, n_tokens in passages.chunks(rows, 100):
        inside = rows[chunk]
        assert n_tokens % EVEN == 0 and passages.lengths[inside].max() <= n_tokens
        assert len(inside) == 1 or len(inside) * n_tokens <= 100
        covered = [*inside, *covered]
    assert covered == rows.tolist()


@pytest.fixture
def steps(passages):
    kinds = {
        "a": [PassageSet(np.arange(4) + 4 * n, np.asarray([0, 0, 1, 1]), n % 2) for n in range(5)],
        "b": [PassageSet(np.arange(20, 40), np.full(20, -1))],
    }
    return Steps(kinds, {"a": 0.5, "b": 0.5}, passages.lengths, n_passages=16, most=8, seed=3)


def test_a_number_gives_the_same_step_and_an_epoch_all_sets(steps, passages):
    assert steps.n_sets == {"a": 2, "b": 1}
    assert steps.per_epoch == 2.5
    seen = []
    for number in range(5):
        step, again = steps.step(number), steps.step(number)
        np.testing.assert_array_equal(step.rows, again.rows)
        assert (np.diff(passages.lengths[step.rows]) >= 0).all()
        assert len(step.rows) == 2 * 4 + 8  # of the large set a sample
        seen += [int(step.rows[step.sets == one].min()) // 4 for one in (0, 1)]
        assert step.folds[2] == -1 and (step.labels[step.sets == 2] == -1).all()
        for one in (0, 1):
            own = step.rows[step.sets == one]
            np.testing.assert_array_equal(step.labels[step.sets == one], own % 4 // 2)
            assert step.folds[one] == own.min() // 4 % 2
    assert sorted(seen[:5]) == sorted(seen[5:]) == [0, 1, 2, 3, 4]
    assert seen[:5] != seen[5:]
