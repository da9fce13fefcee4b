import logging
import os
import signal

import numpy as np
import pytest
import torch

from subclust.text.encoders import lower_states
from subclust.text.encoders.lower_states import LowerStates

DIM = 4


def rows(n_tokens, seed=0, dtype=torch.float32):
    return torch.randn(n_tokens, DIM, generator=torch.Generator().manual_seed(seed)).to(dtype)


def store(folder, dtype=torch.float32, **options):
    return LowerStates(folder / "deep" / "tiny", DIM, dtype, **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_what_was_added_is_found_bit_for_bit_by_a_new_reader(tmp_path, dtype):
    kept = {f"text {n}": rows(n, n, dtype) for n in (1, 5, 2)} | {"": rows(2, 9, dtype)}
    first = store(tmp_path, dtype)
    first.add(dict(list(kept.items())[:2]))
    first.add(dict(list(kept.items())[2:]))
    for states in (first, store(tmp_path, dtype)):
        assert len(states) == 4
        found = states.get([*kept, "other", "text 5"])
        assert list(found) == list(kept)
        for text, expected in kept.items():
            assert found[text].dtype == dtype
            assert torch.equal(found[text], expected)


def test_a_text_is_kept_once_and_as_it_was_first(tmp_path):
    one, two = store(tmp_path), store(tmp_path)
    one.add({"a": rows(3, 1)})
    # Another process that has not seen the first's line yet.
    two.add({"a": rows(3, 2), "b": rows(2, 3)})
    assert torch.equal(two.get(["a"])["a"], rows(3, 1))
    one.add({"c": rows(1, 4)})
    assert set(one.get(["a", "b", "c"])) == {"a", "b", "c"}
    assert one.states_file.stat().st_size == 6 * DIM * 4


@pytest.mark.parametrize("cut", [1, 17, 40])
def test_what_a_kill_cut_short_is_passed_over(tmp_path, cut):
    states = store(tmp_path)
    states.add({"a": rows(3, 1)})
    whole = [file.stat().st_size for file in (states.states_file, states.index_file)]
    states.add({"b": rows(2, 2)})
    # Killed while it wrote the line of "b", or while it wrote the states, before the line.
    os.truncate(states.index_file, whole[1] + cut)
    os.truncate(states.states_file, whole[0] + min(cut, 31))
    again = store(tmp_path)
    assert list(again.get(["a", "b"])) == ["a"]
    again.add({"b": rows(2, 5), "c": rows(4, 6)})
    fresh = store(tmp_path)
    for text, expected in {"a": rows(3, 1), "b": rows(2, 5), "c": rows(4, 6)}.items():
        assert torch.equal(fresh.get([text])[text], expected)


def test_writers_that_are_killed_leave_only_whole_texts(tmp_path):
    for turn in range(4):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            states = store(tmp_path)
            for n in range(10_000):
                states.add({f"{turn} {n}": rows(3, 100 * turn + n)})
                os.write(writing, b".")
        os.read(reading, 7)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
    states = store(tmp_path)
    assert len(states) >= 4
    for turn in range(4):
        texts = [f"{turn} {n}" for n in range(10_000)]
        found = states.get(texts)
        assert list(found) == texts[: len(found)] and found
        for n, kept in enumerate(found.values()):
            assert torch.equal(kept, rows(3, 100 * turn + n))


def test_a_full_file_says_so_once_and_grows_no_more(tmp_path, caplog):
    states = store(tmp_path, max_gigabytes=100e-9)
    states.add({"a": rows(6, 1)})
    with caplog.at_level(logging.WARNING):
        states.add({"b": rows(6, 2)})
        states.add({"c": rows(6, 3)})
    assert caplog.text.count("1e-07 GB") == 1
    assert list(states.get(["a", "b", "c"])) == ["a"]
    assert states.states_file.stat().st_size == 6 * DIM * 4


def test_a_full_disk_is_left_alone(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(lower_states, "FREE_GIGABYTES", 1e9)
    states = store(tmp_path)
    states.add({"a": rows(6, 1)})
    assert len(states) == 0 and "1e+09 GB" in caplog.text


def shorten(states):
    os.truncate(states.states_file, 4)


def zero(states):
    states.states_file.write_bytes(bytes(states.states_file.stat().st_size))


def nonsense_in_the_index(states):
    lines = np.fromfile(states.index_file, lower_states._INDEX)
    lines["start"] = -7
    lines.tofile(states.index_file)


def without_states(states):
    states.states_file.unlink()


@pytest.mark.parametrize("harm", [shorten, zero, nonsense_in_the_index, without_states])
def test_damaged_states_are_made_anew(tmp_path, caplog, harm):
    states, beside = store(tmp_path), store(tmp_path)
    states.add({"a": rows(3), "b": rows(2, 5)})
    harm(states)
    again = store(tmp_path)
    assert again.get(["a", "b"]) == {} and len(caplog.records) == 1
    again.add({"c": rows(4, 6)})
    assert torch.equal(store(tmp_path).get(["a", "c"])["c"], rows(4, 6))
    # Another process, which knows the files of before.
    beside.add({"a": rows(3)})
    assert torch.equal(beside.get(["c"])["c"], rows(4, 6))
    assert torch.equal(store(tmp_path).get(["a"])["a"], rows(3))


def test_states_that_cannot_be_kept_are_done_without(tmp_path, caplog):
    (tmp_path / "deep").touch()
    for _ in range(2):
        states = store(tmp_path)
        states.add({"a": rows(3)})
        assert states.get(["a"]) == {}
    assert len(caplog.records) == 1
