"""Nothing comes into a library twice, whatever its file is called; the preview promises no more."""

import json

import pytest

from subclust.cli import main
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.ingest.committing import ingest_shared
from subclust.text.ingest.preview import _preview_file
from subclust.text.ingest.shares import BlockWriter, ImportedFile, read_shares
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source

RIS = "TY  - JOUR\nTI  - {0}\nAB  - About {0}, with a word of its own.\n{1}ER  - \n\n"
TITLES = ["Boats", "Bridges", "Canals", "Dykes", "Locks"]
TEXT = "Canals were dug by hand.\n\nLocks came later, and with them the steam pump.\n"
HASHING = HashingEncoder(16)


def ris(path, titles, with_ids=False):
    path.write_text("".join(RIS.format(t, f"ID  - {t[:3]}\n" if with_ids else "") for t in titles))
    return path


def taken(folder, path, collection=None):
    report = ingest(open_source(path, "auto", collection), HASHING, folder, "mine")
    parts = report.n_imported, report.n_unchanged, report.n_merged, report.n_refused
    assert report.n_read == sum(parts)
    return report.n_imported, report.n_unchanged


@pytest.mark.parametrize("with_ids", [False, True])
def test_a_monthly_export_brings_only_what_is_new(tmp_path, with_ids):
    ris(tmp_path / "export-01.ris", TITLES[:4], with_ids)
    ris(tmp_path / "export-02.ris", TITLES, with_ids)
    ris(tmp_path / "export-03.ris", TITLES, with_ids)
    assert taken(tmp_path, tmp_path / "export-01.ris") == (4, 0)
    assert taken(tmp_path, tmp_path / "export-02.ris") == (1, 4)
    assert taken(tmp_path, tmp_path / "export-03.ris", "march") == (0, 5)
    assert PassageLibrary.open(tmp_path, "mine").count() == 5


def test_a_text_under_another_name_is_the_same(tmp_path):
    for name in ("canals.txt", "canals (1).txt"):
        (tmp_path / name).write_text(TEXT)
    assert taken(tmp_path, tmp_path / "canals.txt", "papers") == (1, 0)
    assert taken(tmp_path, tmp_path / "canals (1).txt", "papers") == (0, 1)
    assert taken(tmp_path, tmp_path / "canals (1).txt") == (0, 1)
    (tmp_path / "canals (1).txt").write_text(TEXT.replace("hand", "machine"))
    assert taken(tmp_path, tmp_path / "canals (1).txt") == (1, 0)


def test_a_record_that_differs_in_a_word_is_another(tmp_path):
    ris(tmp_path / "a.ris", TITLES, with_ids=True)
    path = tmp_path / "b.ris"
    path.write_text((tmp_path / "a.ris").read_text().replace("Boats, with", "Boats, without"))
    taken(tmp_path, tmp_path / "a.ris")
    assert taken(tmp_path, path) == (1, 4)


def test_many_workers_find_the_same(tmp_path):
    files = tuple(
        ImportedFile(ris(tmp_path / f"export-0{month}.ris", TITLES[: 3 + month]))
        for month in (1, 2)
    )

    def engine(work):
        writer = BlockWriter(work, lambda: HASHING)
        for number in range(len(work.files)):
            yield from map(writer.write, read_shares(work, number))

    for n_imported, n_unchanged in [([4, 1], [0, 4]), ([0, 0], [4, 5])]:
        reports = ingest_shared(files, HASHING, tmp_path, "mine", engine)
        assert [one.n_imported for one in reports] == n_imported
        assert [one.n_unchanged for one in reports] == n_unchanged


def test_the_preview_promises_what_the_import_does(tmp_path):
    ris(tmp_path / "old.ris", TITLES[:2])
    taken(tmp_path, tmp_path / "old.ris")
    path = tmp_path / "new.csv"
    rows = ["id,title,abstract", "1,Ships,About ships.", "1,Ships,About ships.", "2,,", "1,Other,x"]
    path.write_text("\n".join(rows) + "\n")
    seen = _preview_file(path, library=(tmp_path, "mine"))
    assert (seen.n_documents, seen.n_there, len(seen.refusals)) == (2, 0, 1)
    report = ingest(open_source(path), HASHING, tmp_path, "mine")
    assert (report.n_imported, report.refusals) == (2, seen.refusals)

    again = _preview_file(path, collection="other", library=(tmp_path, "mine"))
    assert (again.n_documents, again.n_there) == (0, 2)
    later = _preview_file(ris(tmp_path / "later.ris", TITLES), library=(tmp_path, "mine"))
    assert (later.n_documents, later.n_there) == (3, 2)
    assert _preview_file(path, library=(tmp_path, "none")).n_documents == 2


def test_an_import_of_which_all_is_refused_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    path = tmp_path / "empty.csv"
    path.write_text("id,title\n1,\n2,\n")
    assert main(["import", str(path), "--library", "mine", "--json"]) == 0
    out, err = capsys.readouterr()
    (told,) = json.loads(out)["files"]
    assert (told["n_read"], told["n_refused"], len(told["refusals"])) == (2, 2, 2)
    assert "row 2" in err and "mine" in err
