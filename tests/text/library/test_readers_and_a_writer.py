"""One writer and four readers at once, in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from one_writes import BATCH_SIZE

pytestmark = pytest.mark.app  # waits for processes

N_READERS = 4


def side_by_side(library, tmp_path, seconds):
    script = Path(__file__).with_name("one_writes.py")
    given = [str(library.folder), str(tmp_path / "acknowledged.json")]
    calls = [["write", *given, "0"], *(["read", *given, str(n)] for n in range(N_READERS))]
    running = [
        subprocess.Popen(
            [sys.executable, str(script), *call],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for call in calls
    ]
    for process in running:  # they need a while to begin
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write(f"{seconds}\n")
        process.stdin.flush()
    said = []
    for process in running:
        out, errors = process.communicate(timeout=seconds + 120)
        assert process.returncode == 0, errors
        said.append(json.loads(out))
    wrote, *read = said
    assert library.count() == BATCH_SIZE * wrote["n_batches"]
    assert wrote["n_writes"] > wrote["n_batches"] > 1, "batches were added and written anew"
    for one in read:
        assert set(one["n_reads"]) == {"batch", "text", "vector", "count", "get", "open"}
        assert one["n_rewritten"] > 0, "it has seen batches that were written anew"
    return wrote, read


def test_no_error_and_nothing_stale_or_torn_for_four_seconds(empty, tmp_path):
    side_by_side(empty, tmp_path, 4)


@pytest.mark.slow
def test_no_error_and_nothing_stale_or_torn_for_five_minutes(empty, tmp_path):
    wrote, read = side_by_side(empty, tmp_path, 300)
    n_reads = sum(sum(one["n_reads"].values()) for one in read)
    print(f"\n{wrote['n_writes']} writes beside {n_reads} reads of {N_READERS} readers")
