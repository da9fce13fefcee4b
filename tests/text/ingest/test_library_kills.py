"""``kill -9`` while a library is embedded anew, put back, backed up or restored."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from anew import encoder_of

from subclust.core.exceptions import LibraryError
from subclust.core.records import Passage
from subclust.text.ingest import local
from subclust.text.ingest.reembed import reembed
from subclust.text.library import PassageLibrary
from subclust.text.library import folder as places
from subclust.text.library.backup import back_up, read_manifest, restore
from subclust.text.library.versions import forget, versions
from subclust.text.sources.base import Document

pytestmark = pytest.mark.app  # waits for processes

N_PASSAGES = 2600
OLD, NEW = 16, 24


@pytest.fixture
def folder(tmp_path):
    documents = [
        Document(f"d{n}", "", (Passage(f"p{n}", f"text number {n} of the library"),))
        for n in range(N_PASSAGES)
    ]
    local.ingest(documents, encoder_of(OLD), tmp_path / "l", "books", find_near_duplicates=False)
    return tmp_path / "l"


def start(what: str, folder: Path, given: object) -> subprocess.Popen[str]:
    script = Path(__file__).with_name("anew.py")
    child = subprocess.Popen(
        [sys.executable, str(script), what, str(folder), str(given)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "begins\n"
    return child


def killed(child: subprocess.Popen[str], chance: random.Random, most_told: int) -> bool:
    """Kill it somewhere; False where it had ended."""
    for _ in range(chance.randrange(most_told)):
        if not child.stdout.readline():
            break
    time.sleep(chance.uniform(0, 0.15))
    child.kill()
    _, errors = child.communicate()
    if child.returncode == -signal.SIGKILL:
        return True
    assert child.returncode == 0, errors
    return False


def check(folder, dims):
    """Hold the library to being whole under one of the encoders; give its dimension."""
    library = PassageLibrary.open(folder, "books")
    assert library.embedding_dim in dims
    found = library.passages()
    assert len({one.id for one in found.passages}) == N_PASSAGES == len(found)
    vectors = encoder_of(library.embedding_dim).encode([one.text for one in found.passages])
    np.testing.assert_allclose(found.embeddings, vectors, atol=1e-6)
    assert len(library.search_text("number", 10)) == 10
    return library.embedding_dim


def reembed_killed(folder, n_kills):
    """Embed to and fro, killed at random moments; count where each kill has left the library."""
    chance = random.Random(n_kills)
    wanted, n_killed, left = NEW, 0, []
    while n_killed < n_kills:
        was_killed = killed(start("reembed", folder, wanted), chance, 7)
        n_killed += was_killed
        dim = check(folder, (OLD, NEW))
        if not was_killed:
            assert dim == wanted
        states = [one.state for one in versions(folder, "books")]
        assert states.count("in use") == 1
        left.append((dim == wanted, "being built" in states))
        if dim == wanted:  # the other way, and from the beginning
            for one in versions(folder, "books"):
                if one.state == "previous":
                    forget(folder, "books", one.number)
            wanted = OLD if wanted == NEW else NEW
    reembed(folder, "books", encoder_of(wanted))
    assert check(folder, (wanted,)) == wanted
    return left


def test_embedding_anew_killed_twice_goes_on(folder):
    assert len(reembed_killed(folder, 2)) >= 2


@pytest.mark.slow
def test_embedding_anew_killed_fifty_times_goes_on(folder):
    left = reembed_killed(folder, 50)
    counts = {kind: left.count(kind) for kind in sorted(set(left))}
    print(f"\nkills and ends by (in use is the new one, one is being built): {counts}")
    assert len(counts) > 1


def restore_killed(folder, tmp_path, n_kills):
    chance = random.Random(n_kills)
    file, elsewhere = tmp_path / "books.zip", tmp_path / "elsewhere"
    back_up(folder, "books", file)
    n_killed, n_whole = 0, 0
    while n_killed < n_kills:
        n_killed += killed(start("restore", elsewhere, file), chance, 3)
        if PassageLibrary.names(elsewhere):
            n_whole += 1
            assert check(elsewhere, (OLD,)) == OLD
            shutil.rmtree(elsewhere)
    if not PassageLibrary.names(elsewhere):
        restore(elsewhere, file)
    assert check(elsewhere, (OLD,)) == OLD
    left = [path.name for path in elsewhere.iterdir() if not path.name.endswith(".lock")]
    assert left == ["books.lance"], "what killed ones left behind is taken away"
    return n_whole


def test_restoring_killed_twice_leaves_nothing_half(folder, tmp_path):
    restore_killed(folder, tmp_path, 2)


@pytest.mark.slow
def test_restoring_killed_fifty_times_leaves_nothing_half(folder, tmp_path):
    print(f"\nkilled or ended with a whole library: {restore_killed(folder, tmp_path, 50)} times")


def back_up_killed(folder, tmp_path, n_kills):
    chance = random.Random(n_kills)
    file = tmp_path / "b" / "books.zip"
    file.parent.mkdir()
    n_killed = 0
    while n_killed < n_kills:
        n_killed += killed(start("backup", folder, file), chance, 2)
        if file.exists():
            assert read_manifest(file).n_passages == N_PASSAGES
        else:
            with pytest.raises(LibraryError, match="There is no file"):
                read_manifest(file)
    back_up(folder, "books", file)
    assert [path.name for path in file.parent.iterdir()] == ["books.zip"]
    restore(tmp_path / "elsewhere", file)
    check(tmp_path / "elsewhere", (OLD,))


def test_a_backup_killed_twice_is_whole_or_not_there(folder, tmp_path):
    back_up_killed(folder, tmp_path, 2)


@pytest.mark.slow
def test_a_backup_killed_fifty_times_is_whole_or_not_there(folder, tmp_path):
    back_up_killed(folder, tmp_path, 50)


def test_a_removal_killed_between_its_steps_leaves_the_library_or_nothing(folder, monkeypatch):
    reembed(folder, "books", encoder_of(NEW))

    class Killed(BaseException):
        pass

    real, n_left = Path.rename, 1

    def rename(self, target):
        nonlocal n_left
        if not n_left:
            raise Killed
        n_left -= 1
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(Killed):
        places.clear(folder, "books")
    monkeypatch.undo()
    assert (folder / "books.lance").exists(), "the version before is still there"
    assert PassageLibrary.names(folder) == [], "and does not come to life again"
    PassageLibrary.create(
        folder, "books", embedding_dim=OLD, encoder_name="hashing", encoder_revision="hashing-16"
    )
    assert PassageLibrary.open(folder, "books").count() == 0
