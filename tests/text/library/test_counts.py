import os

import pytest
from many import add_records

from subclust.core import access
from subclust.text.library import PassageLibrary, catalogue
from subclust.text.library.catalogue import count_once, describe
from subclust.text.library.counts import COUNTS_FILE, read_counts


@pytest.fixture
def mixed(empty):
    return add_records(empty)


@pytest.fixture
def opened(monkeypatch):
    """Names of the libraries whose passages were looked at."""
    names = []
    whole = PassageLibrary.open
    monkeypatch.setattr(
        PassageLibrary, "open", lambda folder, name: names.append(name) or whole(folder, name)
    )
    return names


def counts_file(library):
    return library.folder / "books.lance" / COUNTS_FILE


def test_what_was_counted_is_not_counted_again(mixed, opened):
    (first,) = catalogue.catalogue(mixed.folder)
    assert opened == ["books"]
    assert catalogue.catalogue(mixed.folder, (first.encoder_name, "other"))[0].is_current is False
    assert catalogue.catalogue(mixed.folder) == (first,) and opened == ["books"]
    assert describe(mixed.folder, "books") == first and opened == ["books"] * 2
    assert list(first.years) == ["1998", "2001", "unknown"]


@pytest.mark.parametrize("change", ["removed", "added", "harmed", "cut", "gone", "touched"])
def test_a_library_that_changed_is_counted_again(mixed, opened, change):
    (first,) = catalogue.catalogue(mixed.folder)
    match change:
        case "removed":
            mixed.discard(["a:1"])
        case "added":
            add_records(mixed)
        case "harmed":
            counts_file(mixed).write_bytes(b"[]")
        case "cut":
            counts_file(mixed).write_bytes(counts_file(mixed).read_bytes()[:-9])
        case "gone":
            counts_file(mixed).unlink()
        case "touched":
            for manifest in (mixed.folder / "books.lance" / "_versions").iterdir():
                os.utime(manifest, ns=(1, 1))
    opened.clear()
    (again,) = catalogue.catalogue(mixed.folder)
    assert opened == ["books"] and again.n_passages == first.n_passages - (change == "removed")


def test_a_table_that_lost_a_file_is_damaged_though_it_was_counted(mixed):
    catalogue.catalogue(mixed.folder)
    next((mixed.folder / "books.lance" / "data").iterdir()).unlink()
    assert catalogue.catalogue(mixed.folder)[0].problem


def test_counts_of_a_table_that_changes_meanwhile_are_not_kept(mixed, monkeypatch):
    whole = catalogue.scan

    def written_meanwhile(table, columns):
        yield from whole(table, columns)
        mixed.discard(["a:1"])

    monkeypatch.setattr(catalogue, "scan", written_meanwhile)
    describe(mixed.folder, "books")
    assert read_counts(mixed.folder, "books") is None and not counts_file(mixed).exists()


def test_where_nothing_may_be_written_they_are_counted_each_time(mixed, opened, monkeypatch):
    monkeypatch.setattr(access, "_forbidden", True)
    for _ in range(2):
        assert catalogue.catalogue(mixed.folder)[0].n_passages
    assert opened == ["books"] * 2 and not counts_file(mixed).exists()


def test_an_import_leaves_a_library_counted(mixed, opened):
    count_once(mixed.folder, "books")
    count_once(mixed.folder, "books")
    assert opened == ["books"] and read_counts(mixed.folder, "books") is not None
