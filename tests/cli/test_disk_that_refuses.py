"""A data folder that takes nothing, read-only or full: an answer or a sentence, no traceback."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import small_library

MOUNT = """
mount --bind read-only read-only && mount -o remount,ro,bind read-only
mkdir small && mount -t tmpfs -o size=4m tmpfs small && cp -r full/. small
mount --move small full && (cat /dev/zero > full/filler || true)
exec "$@"
"""
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
import json, os, sys, traceback
from subclust.cli import main
for folder, *words in json.loads(sys.argv[1]):
    os.environ["SUBCLUST_DATA_DIR"] = os.path.abspath(folder)
    try:
        code = main(words)
    except SystemExit as left:
        code = left.code
    except BaseException:
        traceback.print_exc()
        code = -1
    print("code", folder, code, *words, file=sys.stderr, flush=True)
"""


def run(folder, commands):
    words = ["unshare", "--mount", "bash", "-ec", MOUNT, "bash"]
    done = subprocess.run(
        [*words, sys.executable, "-c", RUN, json.dumps(commands)],
        cwd=folder,
        env={
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(folder),
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "SUBCLUST_ENCODER": "hashing",
            "OMP_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    codes = [line.split()[1:3] for line in done.stderr.splitlines() if line.startswith("code ")]
    assert len(codes) == len(commands)
    return [(data, int(code)) for data, code in codes], done.stderr


@pytest.fixture
def folder(tmp_path):
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    small_library.build(tmp_path / "full", "old")
    for name in ("jobs", "sets", "uploads"):
        (tmp_path / "full" / name).mkdir()
    shutil.copytree(tmp_path / "full", tmp_path / "read-only")
    ris = "TY  - JOUR\nTI  - Maps\nAB  - Shelves and maps of libraries.\nER  - \n"
    (tmp_path / "a.ris").write_text(ris)
    (tmp_path / "s.csv").write_text("query,text,label\na,one,x\na,two,y\nb,three,x\nb,four,y\n")
    return tmp_path


@pytest.mark.app
def test_a_disk_that_takes_nothing_is_searched_and_refuses_in_sentences(folder):
    # A full disk has room for what a removal makes it lighter by.
    changes = {"read-only": [*CHANGES, REMOVAL], "full": CHANGES}
    expected = [
        (data, words, code)
        for data, refused in changes.items()
        for asked, code in ((SEARCHES, 0), (refused, 1), (SEARCHES[:1], 0))
        for words in asked
    ]
    codes, told = run(folder, [[data, *words] for data, words, _ in expected])
    assert codes == [(data, code) for data, _, code in expected], told
