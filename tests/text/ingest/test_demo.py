import errno
import os
import signal
import subprocess
import sys
from itertools import islice

import pytest

from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import DEMO_LIBRARY, build_demo
from subclust.text.library import PassageLibrary
from subclust.text.retrieval import Retriever
from subclust.text.sources.wikidump import DEMO_PASSAGES, demo_dump

BUILDER = """
import sys
from itertools import islice
from pathlib import Path
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import demo
from subclust.core.settings import Settings

whole = demo.demo_dump
demo.demo_dump = lambda: islice(whole(), 12)
settings = Settings(data_dir=Path(sys.argv[1]))
demo.build_demo(settings, HashingEncoder(16), lambda done, total: print(done, flush=True))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A demo (of its first 12 articles) whose first building was killed in the middle."""
    patch = pytest.MonkeyPatch()
    patch.setattr("subclust.text.ingest.demo.demo_dump", lambda: islice(demo_dump(), 12))
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"))
    builder = subprocess.Popen(
        [sys.executable, "-c", BUILDER, str(settings.data_dir)], stdout=subprocess.PIPE, text=True
    )
    assert builder.stdout is not None
    done = [int(builder.stdout.readline()) for _ in range(2)]
    os.kill(builder.pid, signal.SIGKILL)
    builder.communicate()
    names = PassageLibrary.names(settings.library_dir)
    told = []
    report = build_demo(settings, HashingEncoder(16), lambda *a: told.append(a))
    yield settings, done, names, report, told
    patch.undo()


def test_a_killed_build_shows_no_half_demo_and_goes_on(built):
    settings, done, names, report, told = built
    assert names == []
    assert report.n_passages - report.n_passages_imported >= done[-1] > 0
    assert report.n_imported + report.n_unchanged == report.n_read == report.n_documents > 0
    assert report.n_imported > 0
    assert report.n_refused == 0
    assert told[0] == (0, DEMO_PASSAGES), "said before the first batch, which takes longest"
    assert told[-1] == (report.n_passages, report.n_passages)
    assert PassageLibrary.names(settings.library_dir) == [DEMO_LIBRARY]
    assert PassageLibrary.open(settings.library_dir, DEMO_LIBRARY).count() == report.n_passages


def test_building_again_does_nothing(built):
    settings, *_ = built
    table = settings.library_dir / "demo.lance"
    before = sorted(path.name for path in table.rglob("*"))
    report = build_demo(settings, HashingEncoder(16))
    assert (report.n_imported, report.n_refused) == (0, 0)
    assert report.n_unchanged == report.n_read == built[3].n_read
    assert sorted(path.name for path in table.rglob("*")) == before


def test_a_disk_that_cannot_be_written_to_does_not_hinder_one_that_is_there(built, monkeypatch):
    def full(*words, **more):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("subclust.text.ingest.demo.FileLock", full)
    settings, *_ = built
    assert build_demo(settings, HashingEncoder(16)).n_imported == 0


def test_its_passages_are_found_and_carry_what_must_be_shown(built):
    settings, *_ = built
    library = PassageLibrary.open(settings.library_dir, DEMO_LIBRARY)
    query = Query("Lincoln and the civil war")
    ranking = Retriever(library, HashingEncoder(16)).search(query, 50)
    assert len(ranking.hits) == 50
    for passage in ranking.passages:
        assert passage.title
        assert passage.label
        assert passage.metadata["licence"] == "CC BY-SA 3.0"
        assert passage.metadata["url"].startswith("https://en.wikipedia.org/wiki/")
    assert "Abraham Lincoln" in {passage.title for passage in ranking.passages[:5]}


def test_one_made_with_another_encoder_is_replaced(built):
    settings, *_, report, _ = built
    again = build_demo(settings, HashingEncoder(8))
    assert again.n_imported == report.n_read
    library = PassageLibrary.open(settings.library_dir, DEMO_LIBRARY)
    assert (library.embedding_dim, library.count()) == (8, report.n_passages)
