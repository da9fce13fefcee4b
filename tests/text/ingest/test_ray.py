"""An import on a real Ray cluster, one of this machine."""

import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from threading import Thread

import psutil
import pytest
from raising import raises
from shared_files import alone, make_files, record, same, told, write

from subclust.core.exceptions import ClusterError, InputError, LibraryError, SettingsError
from subclust.text.encoders import load_encoder
from subclust.text.ingest.ray import Workers, ingest_on_ray
from subclust.text.ingest.shares import ImportedFile
from subclust.text.library import PassageLibrary

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra [ray]")

# Ray and what it brings say so of themselves.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@needs_ray
def test_two_workers_make_the_library_of_one_process(tmp_path, settings):
    encoder, files = load_encoder(settings), make_files(tmp_path)
    expected = alone(files, encoder, settings.library_dir)
    reports = ingest_on_ray(files, settings, "shared", Workers(count=2), batch_size=7)
    assert told(reports) == told(expected)
    same(settings.library_dir)


@needs_ray
@pytest.mark.slow
def test_what_a_killed_worker_had_is_done_again(tmp_path, settings):
    n_passages = 1000
    encoder = load_encoder(settings)
    # Words of their own, so that the encoder has something to do.
    rows = [record(n, " ".join(f"w{n}x{word}" for word in range(300))) for n in range(n_passages)]
    files = (ImportedFile(write(tmp_path / "many.jsonl", rows)),)
    expected = alone(files, encoder, settings.library_dir, batch_size=500)
    killed: list[int] = []
    killer = Thread(target=kill_two_writers, args=(settings.library_dir, killed), daemon=True)
    killer.start()
    reports = ingest_on_ray(files, settings, "shared", Workers(count=2), batch_size=16)
    assert len(set(killed)) == 2
    assert told(reports) == told(expected)
    same(settings.library_dir)
    ids = PassageLibrary.open(settings.library_dir, "shared").table.to_arrow().column("id")
    assert len(ids) == len(set(ids.to_pylist())) == n_passages


def kill_two_writers(folder, killed):
    """Kill the process of an encoder actor as a lack of memory does, and later that of another."""
    for n_blocks in (5, 20):
        while len(list(folder.glob(".shared.blocks/*.arrow"))) < n_blocks:
            time.sleep(0.05)
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                name = " ".join(process.cmdline())
                if "ray::MapWorker" in name and process.pid not in killed:
                    process.kill()
                    killed.append(process.pid)
                    break


@needs_ray
@pytest.mark.slow
def test_one_import_at_a_time_into_a_library(tmp_path, settings):
    import ray

    from subclust.text.ingest.ray import _alone

    ray.init(num_cpus=2, namespace="subclust", log_to_driver=False)
    try:
        files = make_files(tmp_path)
        with _alone(ray, settings.library_dir, "shared"):
            with raises(LibraryError, library="shared"):
                ingest_on_ray(files, settings, "shared", Workers())
        with raises(ClusterError, most=1):
            ingest_on_ray(files, settings, "shared", Workers(count=7))
        missing = ImportedFile(tmp_path / "none.jsonl")
        with raises(InputError, file="none.jsonl"):
            ingest_on_ray((missing,), settings, "shared", Workers(count=1))
        assert ingest_on_ray(files[:1], settings, "shared", Workers(count=1))[0].n_imported == 37
    finally:
        ray.shutdown()


def test_without_ray_a_sentence_tells_what_to_install(tmp_path, settings, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with raises(SettingsError):
        ingest_on_ray(make_files(tmp_path), settings, "shared", Workers())


def test_there_is_at_least_one_worker(tmp_path, settings):
    with raises(InputError, count=0):
        ingest_on_ray(make_files(tmp_path), settings, "shared", Workers(count=0))
