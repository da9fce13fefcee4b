"""What people are told of a failure."""

import errno
import os
import sqlite3

import pytest

from subclust.core.exceptions import TrainingError
from subclust.jobs import Job, JobStore
from subclust.jobs.failure import failure_of
from subclust.jobs.launch import _why_lost


class OutOfMemoryError(RuntimeError):
    """As torch names its own."""


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"),
        RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
    ],
)
def test_where_memory_ran_out_half_the_batch_is_offered(error):
    failure = failure_of(error, batch_passages=64)
    assert failure.changes == {"batch_passages": 32} and "32 passages" in failure.way_out
    assert failure_of(error, batch_passages=8).changes == {"batch_passages": 4}
    small = failure_of(error, batch_passages=7)
    assert small.changes == {} and "max_passages" in small.way_out
    assert failure_of(error).changes == {}


def test_the_graphics_card_is_named_where_it_was_the_card():
    assert failure_of(OutOfMemoryError("CUDA")).sentence.startswith("The graphics card")
    assert failure_of(MemoryError()).sentence.startswith("The computer")


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        sqlite3.OperationalError("database or disk is full"),
        Exception(f"I/O error: {os.strerror(errno.ENOSPC)} (os error 28)"),
    ],
)
def test_a_full_disk_is_told_wherever_it_shows(error):
    plain = failure_of(error)
    assert "disk" in plain.sentence
    wrapped = TrainingError("No.")
    wrapped.__cause__ = error
    assert failure_of(wrapped) == plain


def test_a_sentence_for_the_user_stays_and_its_advice_is_the_way_out():
    failure = failure_of(TrainingError("It broke; mend it."))
    assert (failure.sentence, failure.way_out) == ("It broke; mend it.", "Mend it.")
    assert failure_of(TrainingError("No.")).way_out


def test_a_fault_of_the_program_is_named_on_one_line():
    failure = failure_of(ValueError("shapes\n(3, 4) and (5,)" + " x" * 500))
    assert "ValueError: shapes (3, 4)" in failure.sentence
    assert "\n" not in failure.sentence and len(failure.sentence) < 300
    assert "log" in failure.way_out


@pytest.mark.parametrize(
    ("before", "now", "word"),
    [(3, 4, "memory ran out"), (3, 3, "killed"), (None, 4, "killed"), (3, None, "killed")],
)
def test_why_a_job_was_lost(before, now, word):
    failure = _why_lost(Job("a", (), memory_kills=before), now)
    assert word in failure.sentence and "esume" in failure.way_out
    if word == "memory ran out":
        smaller = _why_lost(Job("a", (), memory_kills=before, batch_passages=128), now)
        assert smaller.changes == {"batch_passages": 64}
        assert smaller.sentence == failure.sentence


def test_what_a_job_failed_of_is_read_back_with_its_template(tmp_path):
    store = JobStore(tmp_path)
    error = TrainingError("{file} has {count:,} rows; split it.", file="a.csv", count=1234)
    failure = failure_of(error)
    store.save(Job("one", ("train",), kind="train", title="x", device="cpu", created=0.0))
    store.end(store.load("one"), "failed", failure.sentence, way_out=failure.way_out)
    kept = store.load("one").error
    assert kept == str(error)
    assert (kept.template, kept.values) == (
        error.sentence.template,
        {"file": "a.csv", "count": 1234},
    )
