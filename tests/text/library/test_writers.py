"""Writers that are killed, and writers side by side, in processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from one_writes import BATCH_SIZE

from subclust.core.records import Passage
from subclust.text.library import PassageLibrary

pytestmark = pytest.mark.app  # waits for processes

WRITER = """
import sys
from pathlib import Path
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.core.records import Passage

folder, prefix, n_batches, batch_size = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:5])
library = PassageLibrary.open(folder, "books")
encoder = HashingEncoder(16)
for batch in range(n_batches):
    ids = [f"{prefix}{batch}-{n}" for n in range(batch_size)]
    passages = [Passage(id=i, text=f"words of {i}") for i in ids]
    library.add(passages, encoder.encode([p.text for p in passages]))
    print(batch, flush=True)
    if batch % 3 == 2:
        library.optimize()
"""


def start(folder: Path, prefix: str, n_batches: int, batch_size: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), prefix, str(n_batches), str(batch_size)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.11])
def test_a_killed_writer_loses_nothing_that_was_acknowledged(empty, delay):
    writer = start(empty.folder, "k", 10_000, 20)
    assert writer.stdout is not None
    acknowledged = [int(writer.stdout.readline())]
    while acknowledged[-1] < 2:
        acknowledged.append(int(writer.stdout.readline()))
    time.sleep(delay)
    os.kill(writer.pid, signal.SIGKILL)
    rest, _ = writer.communicate(timeout=30)
    acknowledged += [int(line) for line in rest.split()]
    assert writer.returncode == -signal.SIGKILL

    library = PassageLibrary.open(empty.folder, "books")
    ids = [passage.id for passage in library.passages().passages]
    assert len(ids) == len(set(ids)) == library.count()
    assert {f"k{b}-{n}" for b in acknowledged for n in range(20)} <= set(ids)
    assert len(ids) % 20 == 0, "a batch is there wholly or not at all"

    # The lock fell with the process: the next writer goes on at once, from the beginning.
    again = start(empty.folder, "k", len(acknowledged) + 1, 20)
    _, errors = again.communicate(timeout=60)
    assert again.returncode == 0, errors
    assert library.count() == max(len(ids), (len(acknowledged) + 1) * 20)
    assert len(library.search_text("words", 10_000)) == library.count()


def test_two_writers_and_a_reader_side_by_side(empty):
    writers = [start(empty.folder, prefix, 6, 15) for prefix in "ab"]
    reader = PassageLibrary.open(empty.folder, "books")
    counts = []
    while any(writer.poll() is None for writer in writers):
        counts.append(len(reader.search_text("words", 1000)))
        time.sleep(0.02)
    for writer in writers:
        _, errors = writer.communicate()
        assert writer.returncode == 0, errors
    assert counts == sorted(counts)
    assert all(count % 15 == 0 for count in counts)
    ids = {passage.id for passage in reader.passages().passages}
    assert ids == {f"{w}{b}-{n}" for w in "ab" for b in range(6) for n in range(15)}
    assert reader.count() == 180


def test_threads_may_share_a_library_while_one_of_them_adds(library, embed):
    vector = embed([Passage(id="q", text="war taxes")])[0]

    def look(_: int) -> int:
        assert len(library.search_text("taxes", 50)) >= 2
        return len(library.search_vector(vector, 50))

    def add(number: int) -> None:
        passage = Passage(id=f"t{number}", text=f"taxes number {number}")
        library.add([passage], embed([passage]))

    with ThreadPoolExecutor(6) as pool:
        added = [pool.submit(add, number) for number in range(8)]
        counts = list(pool.map(look, range(40)))
        for future in added:
            future.result()
    assert all(6 <= count <= 14 for count in counts)
    assert look(0) == 14


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
