import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.rounding import EXPONENT, packed, rounded, unpacked
from subclust.core.exceptions import CheckpointError

WEIGHT = "encoder.layer.0.weight"


@pytest.fixture
def matrix():
    values = np.random.default_rng(0).normal(0, 0.05, (40, 64)).astype(np.float32)
    values[3] = 0
    values[5] *= 1e-3
    values[7, 0], values[8, 0] = 127 / 256, 64 / 256  # a largest weight at either end
    return values


def slowly(row):
    """Round one row by trying powers of two from the smallest."""
    power = next(p for p in range(-40, 40) if np.abs(row).max() <= 127 * 2.0**p)
    return [round(value / 2.0**power) * 2.0**power for value in row.tolist()]


def test_rows_are_whole_numbers_times_a_power_of_two(matrix):
    result = rounded(matrix)
    assert result.dtype == np.float16
    for row, before in zip(result, matrix, strict=True):
        if before.any():
            np.testing.assert_array_equal(row, slowly(before))
            assert np.abs(row - before).max() <= np.abs(before).max() / 127
        else:
            assert not row.any()


def test_rounding_again_changes_nothing_also_in_bfloat16(matrix):
    torch = pytest.importorskip("torch")
    once = rounded(matrix)
    np.testing.assert_array_equal(rounded(once), once)
    half = torch.from_numpy(once.astype(np.float32)).to(torch.bfloat16).float().numpy()
    np.testing.assert_array_equal(half, once)


def test_only_what_loses_nothing_is_packed(matrix):
    tensors = {
        WEIGHT: rounded(matrix),
        "encoder.layer.1.weight": matrix.astype(np.float16),
        "encoder.layer.0.bias": matrix[0].astype(np.float16),
        "head.a.weight": rounded(matrix),
    }
    stored = packed(tensors)
    assert {name for name, tensor in stored.items() if tensor.dtype == np.int8} == {
        WEIGHT,
        WEIGHT + EXPONENT,
    }
    back = unpacked(stored)
    assert back.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert back[name].dtype == tensor.dtype
        np.testing.assert_array_equal(back[name], tensor)


def test_a_checkpoint_is_the_same_when_read_and_takes_half_the_room(tmp_path, matrix):
    store = CheckpointStore(tmp_path)
    wide = np.tile(rounded(matrix), 40)
    checkpoint = Checkpoint("qs3m", "small", {}, {WEIGHT: wide})
    place = store.save(checkpoint)
    read = store.load("qs3m", "small")
    assert read.weights_digest == checkpoint.weights_digest
    assert (place / "weights.safetensors").stat().st_size < 0.6 * wide.nbytes
    again = CheckpointStore(tmp_path / "copy").save(read)
    assert (again / "weights.safetensors").read_bytes() == (
        place / "weights.safetensors"
    ).read_bytes()


def test_rows_without_their_powers_are_damage(tmp_path, matrix):
    store = CheckpointStore(tmp_path)
    file = store.save(Checkpoint("qs3m", "small", {}, {WEIGHT: rounded(matrix)}))
    file = file / "weights.safetensors"
    stored = load_file(file)
    stored[WEIGHT + EXPONENT] = stored[WEIGHT + EXPONENT][1:]
    save_file(stored, file)
    with pytest.raises(CheckpointError):
        store.load("qs3m", "small")
