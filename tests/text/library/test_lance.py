"""LanceDB without the client of its REST catalogues."""

import subprocess
import sys

import pytest

CLIENT = "lance_namespace_urllib3_client"

USED = f"""
import sys, tempfile
from subclust.text.library.lance import lancedb

found = lancedb()
assert lancedb() is found is sys.modules["lancedb"]
assert not [name for name in sys.modules if name.startswith({CLIENT!r})]
database = found.connect(tempfile.mkdtemp())
rows = [{{"id": "a", "vector": [1.0, 0.0]}}, {{"id": "b", "vector": [0.0, 1.0]}}]
table = database.create_table("t", rows)
assert [row["id"] for row in table.search([0.9, 0.1]).limit(1).to_list()] == ["a"]
assert database.table_names() == ["t"]
assert not [name for name in sys.modules if name.startswith({CLIENT!r})]
"""

WANTED = f"""
from subclust.text.library.lance import lancedb
lancedb()
import lance_namespace
made = lance_namespace.ListTablesResponse(tables=["a"])
import {CLIENT}
assert type(made) is {CLIENT}.ListTablesResponse and made.tables == ["a"]
"""

OTHER = """
import sys
from subclust.text.library import lance
from contextlib import contextmanager
@contextmanager
def broken():
    raise TypeError
    yield
lance._without_client = broken
assert lance.lancedb() is sys.modules["lancedb"]
"""

# Pages import what they need while the server imports LanceDB.
BESIDE = """
import sys, threading
from subclust.text.library.lance import _without_client
sys.setswitchinterval(1e-6)
done = threading.Event()
def import_others():
    while not done.is_set():
        for number in range(500):
            sys.modules[f"other_{number}"] = sys
        for number in range(500):
            del sys.modules[f"other_{number}"]
other = threading.Thread(target=import_others)
other.start()
try:
    for _ in range(100):
        with _without_client():
            pass
finally:
    done.set()
"""

# What is compiled can be loaded once in a process.
AFTER_ALL = """
import sys
from subclust.text.library import lance
from contextlib import contextmanager
@contextmanager
def broken():
    yield
    raise TypeError
lance._without_client = broken
assert lance.lancedb() is sys.modules["lancedb"]
"""

PROGRAMS = {
    "used": USED,
    "wanted": WANTED,
    "other version": OTHER,
    "beside other imports": BESIDE,
    "failed after all": AFTER_ALL,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_it_is_imported_without_its_client(program):
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
