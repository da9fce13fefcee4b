import gzip
import io
import os
import time
from types import SimpleNamespace

import pytest
from passing_days import a_day_passes  # noqa: F401 - a fixture
from raising import raises

from subclust.core.exceptions import FileFormatError, InputError
from subclust.jobs import Job, JobStore
from subclust.text.ingest.files import MARKS, check_names, guess_records
from subclust.text.ingest.preview import _preview_file
from subclust.text.ingest.uploads import (
    MOST_BYTES,
    forget_uploads,
    receive_file,
    sweep_uploads,
)
from subclust.text.sources import SOURCES
from subclust.text.sources.base import name_on_disk

RIS = "TY  - JOUR\r\nTI  - Maps {0}\r\nAB  - About maps and shelves, number {0}.\r\nER  - \r\n\r\n"


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress])
def test_records_are_counted_over_the_borders_of_pieces(tmp_path, monkeypatch, pack):
    monkeypatch.setattr("subclust.text.ingest.files._CHUNK", 7)
    path = tmp_path / "maps.ris"
    path.write_bytes(pack("".join(RIS.format(n) for n in range(25)).encode()))
    assert guess_records(path) == 25


def test_nothing_is_counted_where_nothing_can_be(tmp_path):
    (tmp_path / "a.txt").write_text("Plain text.")
    (tmp_path / "b.ris").write_text("nothing of the kind")
    assert guess_records(tmp_path / "a.txt") is None
    assert guess_records(tmp_path / "b.ris", "ris") is None
    assert set(MARKS) <= set(SOURCES)


def test_a_preview_shows_records_and_what_is_refused(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("id,text\n" + "".join(f"{n},{'word ' * (n % 4)}\n" for n in range(40)))
    seen = _preview_file(path)
    assert (seen.n_looked_at, seen.is_whole, seen.n_guessed) == (40, True, 40)
    assert len(seen.documents) == 3
    assert seen.n_documents + len(seen.refusals) == 40
    assert seen.refusals[0].place == "row 2"
    part = _preview_file(path, most=10)
    assert (part.n_looked_at, part.is_whole, part.n_guessed) == (10, False, 40)
    late = _preview_file(path, seconds=0.0)
    assert (late.n_looked_at, late.is_whole) == (3, False)


def test_a_preview_of_what_is_not_read_is_one_sentence(tmp_path):
    path = tmp_path / "page.csv"
    path.write_text("<!doctype html><html>")
    with raises(FileFormatError, file="page.csv"):
        _preview_file(path)


def test_an_upload_goes_to_disk_piece_by_piece_under_its_own_name(tmp_path):
    sizes = []

    class Stream(io.BytesIO):
        def read(self, size=-1):
            sizes.append(size)
            return super().read(size)

    kept = receive_file(tmp_path / "up", Stream(b"x" * 3_000_000), "Übersicht: 2024.ris")
    assert kept.path.name == "Übersicht_ 2024.ris"
    assert kept.path.stat().st_size == kept.n_bytes == 3_000_000
    assert max(sizes) == 1 << 20
    forget_uploads(tmp_path / "up", [kept.path])
    assert not kept.path.parent.exists()
    own = tmp_path / "own.ris"
    own.write_text("mine")
    forget_uploads(tmp_path / "up", [own])
    assert own.exists()


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("a.tar.gz", "a.tar.gz"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("-rf.ris", "rf.ris"),
        (".ris", "ris"),
        ("..", "upload"),
        ("x" * 300 + ".ris", "x" * 120 + ".ris"),
        ("\x00\n.csv", "__.csv"),
        ("", "upload"),
        ("Krieg & Frieden – „1812“, O'Neill.pdf", "Krieg & Frieden – „1812“, O'Neill.pdf"),
        ("Gro\u0308\u00dfe.txt", "Größe.txt"),
    ],
)
def test_a_name_is_one_that_every_disk_takes(given, wanted):
    assert name_on_disk(given) == wanted


def test_an_upload_that_is_refused_leaves_nothing(tmp_path):
    with raises(FileFormatError, file="a.csv", size=200):
        receive_file(tmp_path, io.BytesIO(b"x"), "a.csv", n_bytes=MOST_BYTES + 1)
    with raises(FileFormatError, file="a.csv"):
        receive_file(tmp_path, io.BytesIO(b""), "folder\\a.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_spares_what_jobs_may_still_read(tmp_path, a_day_passes):  # noqa: F811
    folder, jobs = tmp_path / "up", JobStore(tmp_path / "jobs")
    old, wanted, new = (
        receive_file(folder, io.BytesIO(b"x"), f"{name}.ris") for name in ("old", "wanted", "new")
    )
    for kept in (old, wanted):
        os.utime(kept.path.parent, (time.time() - 90_000,) * 2)
    words = ("import", str(wanted.path), "--library", "mine")
    jobs.save(Job("one", words, kind="import", outcome="cancelled", paused=True))
    sweep_uploads(folder, jobs)
    assert old.path.exists()
    a_day_passes()
    sweep_uploads(folder, jobs)
    there = SimpleNamespace(old=old, wanted=wanted, new=new)
    assert [name for name, kept in vars(there).items() if kept.path.exists()] == ["wanted", "new"]


def test_texts_of_one_name_do_not_replace_each_other(tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.txt").write_text(f"On tides, {folder}.")
        (tmp_path / folder / "export.ris").write_text(RIS.format(folder))
    one, other = (tmp_path / folder / "notes.txt" for folder in "ab")
    check_names([one, one, tmp_path / "none", tmp_path / "a/export.ris", tmp_path / "b/export.ris"])
    with raises(InputError, file=str(one), other=str(other)):
        check_names([one, other])
