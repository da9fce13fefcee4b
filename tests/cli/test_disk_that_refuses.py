"""A data folder that takes nothing, read-only or full: an answer or a sentence, no traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import small_library

READ_ONLY = "mount --bind {data} {data} && mount -o remount,ro,bind {data}"
FULL = (
    "mkdir {data}.small && mount -t tmpfs -o size=4m tmpfs {data}.small && cp -r {data}/. "
    "{data}.small && mount --move {data}.small {data} && (cat /dev/zero > {data}/filler || true)"
)
SEARCHES = [
    ["search", "tax on paper", "--library", "old", "--method", "tfidf", "--json"],
    ["library", "list"],
    ["jobs", "list"],
]
CHANGES = [
    ["import", "a.ris", "--library", "new"],
    ["import", "a.ris", "--library", "old"],
    ["import", "a.ris", "--library", "old", "--queue"],
    ["library", "rename", "old", "Olde"],
    ["library", "compact", "old"],
    ["sets", "add", "s.csv", "--name", "ants"],
]
REMOVAL = ["library", "remove", "old", "--yes"]
RUN = """
import json, sys, traceback
from subclust.cli import main
for words in json.loads(sys.argv[1]):
    try:
        code = main(words)
    except SystemExit as left:
        code = left.code
    except BaseException:
        traceback.print_exc()
        code = -1
    print("code", code, *words, file=sys.stderr, flush=True)
"""


def run(folder, mount, commands):
    data = folder / "data"
    words = ["unshare", "--mount", "bash", "-ec", f'{mount.format(data=data)}; exec "$@"', "bash"]
    done = subprocess.run(
        [*words, sys.executable, "-c", RUN, json.dumps(commands)],
        cwd=folder,
        env={
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(folder),
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "SUBCLUST_DATA_DIR": str(data),
            "SUBCLUST_ENCODER": "hashing",
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    codes = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("code ")]
    assert len(codes) == len(commands)
    return codes, done.stderr


@pytest.fixture
def folder(tmp_path):
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    small_library.build(tmp_path / "data", "old")
    for name in ("jobs", "sets", "uploads"):
        (tmp_path / "data" / name).mkdir()
    ris = "TY  - JOUR\nTI  - Maps\nAB  - Shelves and maps of libraries.\nER  - \n"
    (tmp_path / "a.ris").write_text(ris)
    (tmp_path / "s.csv").write_text("query,text,label\na,one,x\na,two,y\nb,three,x\nb,four,y\n")
    return tmp_path


@pytest.mark.parametrize("mount", [READ_ONLY, FULL])
def test_a_disk_that_takes_nothing_is_searched_and_refuses_in_sentences(folder, mount):
    # A full disk has room for what a removal makes it lighter by.
    changes = [*CHANGES, REMOVAL] if mount == READ_ONLY else CHANGES
    codes, told = run(folder, mount, [*SEARCHES, *changes, SEARCHES[0]])
    assert codes == [*["0"] * len(SEARCHES), *["1"] * len(changes), "0"], told
