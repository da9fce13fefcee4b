import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from counting_encoder import Counting

from subclust.text.encoders import CachedEncoder, HashingEncoder, cache_folder, reading
from subclust.text.encoders.wrapping import KnownEncoder


def test_nothing_is_encoded_twice_not_even_within_one_call(tmp_path):
    encoder = Counting()
    cached = CachedEncoder(encoder, tmp_path)
    first = cached.encode(["one cat", "two dogs", "one cat"])
    assert sorted(encoder.seen) == ["one cat", "two dogs"]
    assert (first[0] == first[2]).all() and (first[0] != first[1]).any()
    again = CachedEncoder(encoder, tmp_path).encode(["two dogs", "a bird", "one cat"])
    assert len(encoder.seen) == 3
    np.testing.assert_array_equal(again[[2, 0]], first[[0, 1]])


def test_same_vectors_as_without_cache(tmp_path):
    texts = [f"text number {i} " * (i % 7 + 1) for i in range(300)]
    np.testing.assert_allclose(
        CachedEncoder(HashingEncoder(), tmp_path).encode(texts),
        HashingEncoder().encode(texts),
        atol=1e-6,
    )


def test_another_revision_has_its_own_vectors(tmp_path):
    CachedEncoder(HashingEncoder(16), tmp_path).encode(["a text"])
    assert CachedEncoder(HashingEncoder(32), tmp_path).encode(["a text"]).shape == (1, 32)


def test_progress_reaches_the_total_and_never_goes_back(tmp_path):
    steps = []
    cached = CachedEncoder(HashingEncoder(16), tmp_path)
    cached.encode(["known"])
    texts = ["known"] + [f"new {i}" for i in range(400)]
    cached.encode(texts, progress=lambda done, total: steps.append((done, total)))
    assert steps[0] == (1, 401) and steps[-1] == (401, 401)
    assert steps == sorted(steps) and len(steps) > 3


def test_what_somebody_asks_is_encoded_once_and_never_kept_on_disk(tmp_path):
    encoder = Counting()
    cached = CachedEncoder(encoder, tmp_path)
    cached.encode(["one cat"])
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    first, again = cached.encode_asked("two dogs"), cached.encode_asked("two dogs")
    assert encoder.seen == ["one cat", "two dogs"]
    np.testing.assert_array_equal(first, HashingEncoder(16).encode(["two dogs"])[0])
    first[:] = 0
    np.testing.assert_array_equal(again, cached.encode_asked("two dogs"))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert cached.known(["one cat", "two dogs"]) == {"one cat"}


def test_no_more_than_the_last_questions_are_held(tmp_path):
    encoder = Counting()
    cached = CachedEncoder(encoder, tmp_path)
    for number in range(100):
        cached.encode_asked(f"question {number}")
    cached.encode_asked("question 99")
    assert len(encoder.seen) == 100
    cached.encode_asked("question 0")
    assert len(encoder.seen) == 101


def test_what_is_known_is_read_beside_a_writer_and_without_writing(tmp_path):
    cached = CachedEncoder(HashingEncoder(16), tmp_path)
    cached.encode(["one cat", "two dogs"])
    with closing(sqlite3.connect(cached.file)) as writer, writer:
        writer.execute("BEGIN EXCLUSIVE")
        assert cached.encode(["two dogs"]).shape == (1, 16)
        assert cached.known(["one cat", "a bird"]) == {"one cat"}


def test_a_file_whose_maker_was_killed_is_as_good_as_none(tmp_path):
    cached = CachedEncoder(HashingEncoder(16), tmp_path)
    cached.file.touch()
    assert cached.known(["one cat"]) == set()
    assert cached.encode(["one cat"]).shape == (1, 16)
    assert cached.known(["one cat"]) == {"one cat"}


def cut(file):
    os.truncate(file, file.stat().st_size // 2)


def zero(file):
    file.write_bytes(bytes(file.stat().st_size))


def zero_the_end(file):
    content = file.read_bytes()
    file.write_bytes(content[:4096] + bytes(len(content) - 4096))


def other_version(file):
    file.unlink()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE embeddings (id TEXT, vector TEXT, more TEXT)")
        connection.execute("INSERT INTO embeddings VALUES ('a', 'b', 'c')")


def text_for_vectors(file):
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE embeddings SET vector = 'no vector'")


def folder_of_that_name(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    "harm",
    [cut, zero, zero_the_end, other_version, text_for_vectors, folder_of_that_name],
    ids=lambda harm: harm.__name__,
)
def test_a_damaged_cache_mends_itself(tmp_path, caplog, harm):
    texts = [f"text number {n}" for n in range(300)]
    encoder = Counting()
    cached = CachedEncoder(encoder, tmp_path)
    expected = cached.encode(texts)
    harm(cached.file)
    np.testing.assert_array_equal(cached.encode(texts), expected)
    assert [r.levelno for r in caplog.records] == [logging.WARNING]
    assert cached.file.with_name(f"{cached.file.name}.damaged").exists()
    assert cached.known(texts) == set(texts)
    encoder.seen.clear()
    np.testing.assert_array_equal(CachedEncoder(encoder, tmp_path).encode(texts), expected)
    assert not encoder.seen


def test_vectors_that_the_disk_lost_are_computed_anew(tmp_path):
    cached = CachedEncoder(HashingEncoder(16), tmp_path)
    expected = cached.encode(["one cat", "two dogs"])
    with closing(sqlite3.connect(cached.file)) as connection, connection:
        connection.execute("UPDATE embeddings SET vector = zeroblob(length(vector))")
    assert cached.known(["one cat", "two dogs"]) == set()
    np.testing.assert_array_equal(cached.encode(["one cat", "two dogs"]), expected)
    assert cached.known(["one cat", "two dogs"]) == {"one cat", "two dogs"}


def test_a_cache_that_cannot_be_written_is_done_without_and_that_is_told_once(tmp_path, caplog):
    cached = CachedEncoder(HashingEncoder(16), tmp_path / "a file" / "deep")
    (tmp_path / "a file").touch()
    expected = HashingEncoder(16).encode(["one cat", "two dogs"])
    for _ in range(3):
        np.testing.assert_allclose(cached.encode(["one cat", "two dogs"]), expected, atol=1e-6)
    assert len(caplog.records) == 1


def test_a_full_disk_takes_no_vector_and_gives_back_those_it_has(tmp_path, caplog):
    cached = CachedEncoder(HashingEncoder(16), tmp_path)
    cached.encode(["one cat"])
    with closing(sqlite3.connect(cached.file)) as connection:
        n_pages = connection.execute("PRAGMA page_count").fetchone()[0]

    class Full(sqlite3.Connection):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.execute(f"PRAGMA max_page_count={n_pages}")

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", partial(connect, factory=Full))
        texts = [f"text number {n}" for n in range(300)]
        expected = HashingEncoder(16).encode(texts)
        np.testing.assert_allclose(cached.encode(texts), expected, atol=1e-6)
    assert len(caplog.records) == 1 and "full" in caplog.text
    assert cached.known(["one cat", *texts]) == {"one cat"}
    assert not list(tmp_path.glob("*.damaged"))


def test_kill_loses_at_most_one_chunk(tmp_path: Path):
    program = f"""
import time
from contextlib import closing
from pathlib import Path
from subclust.text.encoders import CachedEncoder, HashingEncoder

class Slow(HashingEncoder):
    def _encode(self, texts, query, progress):
        time.sleep(0.05)
        return super()._encode(texts, query, progress)

def report(done, total):
    print(done, flush=True)

texts = [f"text {{i}}" for i in range(5000)]
CachedEncoder(Slow(16), Path({str(tmp_path)!r})).encode(texts, progress=report)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        saved = 0
        while saved < 300:
            saved = int(process.stdout.readline())
        time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
    saved = max([saved, *map(int, rest)])
    assert saved < 5000
    encoder = Counting(16)
    CachedEncoder(encoder, tmp_path).encode([f"text {i}" for i in range(5000)])
    assert len(encoder.seen) <= 5000 - saved


def test_what_is_made_of_texts_is_kept_where_they_are_everybodys_or_in_a_folder_of_its_own(
    tmp_path,
):
    cached, plain = CachedEncoder(HashingEncoder(16), tmp_path), HashingEncoder(16)
    assert cache_folder(cached) == tmp_path
    assert cache_folder(plain) is None and cache_folder(reading(cached)) is None
    for folder in (None, tmp_path / "own"):
        knowing = KnownEncoder(cached, ["a"], cached.encode(["a"]), folder)
        assert cache_folder(knowing) == folder
