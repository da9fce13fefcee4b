"""How much memory a large upload takes; measured in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from subclust.core.settings import PROJECT_ROOT

pytestmark = pytest.mark.app  # waits for processes

CODE = """
import json, resource, sys, time
from pathlib import Path
from subclust.labelled.sets import LabelledSetStore
import subclust.labelled.reading.checker, subclust.labelled.reading.tables

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

class Rows:
    def __init__(self, n_bytes):
        self.left, self.row, self.tail = n_bytes, 0, b"query,text,label\\r\\n"
    def read(self, size=-1):
        while len(self.tail) < size and self.left > 0:
            n = self.row
            text = " ".join(f"word{(n * 31 + i) % 9973}" for i in range(60))
            line = f"query {n // 40},{text} {n},part {n % 5}\\r\\n".encode()
            self.tail += line
            self.left -= len(line)
            self.row += 1
        given, self.tail = self.tail[:size], self.tail[size:]
        return given

store, told, began = LabelledSetStore(Path(sys.argv[1])), {}, peak()
def note(step, start):
    told[step] = {"extra_mb": round(peak() - began), "seconds": round(time.time() - start, 1)}
start = time.time()
upload = store.receive(Rows(int(sys.argv[2]) << 20), "set.csv")
note("receive", start)
start = time.time()
assert len(store.preview(upload).rows) == 10
note("preview", start)
start = time.time()
report = store.check(upload)
assert not report.errors
note("check", start)
start = time.time()
kept = store.keep(upload, "set", report=report)
note("keep", start)
told["passages"] = kept.n_passages
print(json.dumps(told))
"""


def measured(folder, megabytes):
    run = subprocess.run(
        [sys.executable, "-c", CODE, str(folder), str(megabytes)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)},
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.slow
def test_a_file_of_150_mb(tmp_path):
    told = measured(tmp_path / "sets", 150)
    print(told)
    assert told["preview"]["extra_mb"] < 40
    # The texts are in memory once while they are checked, each passage with its own place.
    assert told["keep"]["extra_mb"] < 600
