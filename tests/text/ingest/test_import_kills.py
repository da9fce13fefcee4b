"""``kill -9`` while documents are imported: what was committed is there once, and whole."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from import_to_kill import BATCH_SIZE

from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source

pytestmark = pytest.mark.app  # waits for processes

WORDS = "maps books catalogues readers shelves borders readings libraries archives letters".split()


def write_ris(path, n_records):
    chance = random.Random(0)
    with path.open("w") as stream:
        for number in range(n_records):
            words = " ".join(chance.choices(WORDS, k=30))
            stream.write(
                f"TY  - JOUR\nID  - {number}\nTI  - Record {number}\nAB  - {words}.\nER  - \n"
            )


def start(path: Path, folder: Path) -> subprocess.Popen[str]:
    script = Path(__file__).with_name("import_to_kill.py")
    child = subprocess.Popen(
        [sys.executable, str(script), str(path), str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "begins\n"
    return child


def check(folder, expected, encoder):
    """Hold what is in the library to what an import that was not killed has made."""
    if "killed" not in PassageLibrary.names(folder):
        return 0
    found = PassageLibrary.open(folder, "killed").passages()
    ids = [passage.id for passage in found.passages]
    assert len(ids) == len(set(ids)), "a passage is there twice"
    assert all(expected[passage.id] == passage for passage in found.passages)
    texts = [f"{passage.title}. {passage.text}" for passage in found.passages]
    np.testing.assert_allclose(found.embeddings, encoder.encode(texts), atol=1e-6)
    assert len(ids) % BATCH_SIZE == 0 or len(ids) == len(expected), "half a batch is there"
    return len(ids)


def wait(child, n_batches, seconds):
    """Wait until so many batches are told, and a moment more, however fast the machine is."""
    for _ in range(n_batches):
        if not child.stdout.readline():
            return
    time.sleep(seconds)


def kill_import(tmp_path, n_kills, n_records, most_batches):
    chance, encoder = random.Random(n_kills), HashingEncoder(16)
    path, folder, whole = tmp_path / "records.ris", tmp_path / "library", tmp_path / "whole"
    write_ris(path, n_records)
    ingest(open_source(path), encoder, whole, "whole")
    passages = PassageLibrary.open(whole, "whole").passages().passages
    expected = {passage.id: passage for passage in passages}
    assert len(expected) == n_records
    n_killed = before = 0
    counts = []
    while n_killed < n_kills:
        child = start(path, folder)
        wait(child, chance.randrange(most_batches), chance.uniform(0, 0.1))
        child.kill()
        child.communicate()
        n_there = check(folder, expected, encoder)
        assert n_there >= before, "something that was committed is gone"
        if child.returncode == -signal.SIGKILL:
            n_killed += 1
        before = n_there
        counts.append(n_there)
        if n_there == n_records:  # begin anew, so that kills fall into all of an import
            shutil.rmtree(folder)
            before = 0
    child = start(path, folder)
    out, _ = child.communicate(timeout=300)
    assert child.returncode == 0 and f"{n_records:,} records read" in out
    assert check(folder, expected, encoder) == n_records
    assert f"{before:,} already there" in out or before == 0, "it did not go on where it was"
    library, other = PassageLibrary.open(folder, "killed"), PassageLibrary.open(whole, "whole")
    assert library.revision() == other.revision()
    assert len(library.search_text("maps", n_records)) == len(other.search_text("maps", n_records))
    return counts


def test_an_import_killed_three_times_goes_on(tmp_path):
    assert len(set(kill_import(tmp_path, 3, 800, 12))) > 1


@pytest.mark.slow
def test_an_import_killed_fifty_times_goes_on(tmp_path):
    counts = kill_import(tmp_path, 50, 2000, 25)
    print(f"\npassages committed at each kill: {counts}")
    assert len(set(counts)) > 10
