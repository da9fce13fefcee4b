"""Which records of one id are one, and that none overwrites another."""

import json

import pytest
from one_process import shares_here

from subclust.cli import main
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.ingest.committing import ingest_shared
from subclust.text.ingest.identity import same_record, titles_alike
from subclust.text.ingest.preview import _preview_file
from subclust.text.ingest.shares import ImportedFile
from subclust.text.library import PassageLibrary
from subclust.text.library.imports import read_imports
from subclust.text.sources.base import Document
from subclust.text.sources.opening import open_source

HASHING = HashingEncoder(16)


def jsonl(path, *records):
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def record(id_, title, text="", **fields):
    return {"id": id_, "title": title, "text": text or f"{title} at length.", **fields}


def taken(folder, path, collection="all"):
    report = ingest(open_source(path, "auto", collection), HASHING, folder, "mine")
    counts = report.n_imported, report.n_unchanged, report.n_merged, report.n_refused
    assert sum(counts) == report.n_read
    return counts[:3]


def titles(folder):
    return sorted(one.title for one in PassageLibrary.open(folder, "mine").passages().passages)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Boats and bridges", "Boats and  Bridges.", True),
        ("Boats adn bridges of Ely", "Boats and bridges of Ely", True),
        ("Heat stores in houses", "Heat storage in houses", True),
        ("Café culture", "Cafe culture", True),
        ("Boats and bridges", "Boats and bridges: a survey", True),
        ("Boats of the north", "Ports of the north", False),
        ("Introduction", "Introduction: what boats are", False),
        ("Boats, part I", "Boats, part II", False),
        ("Annual report 2019", "Annual report 2020", False),
        ("Boats", "", False),
    ],
)
def test_titles(one, other, alike):
    assert titles_alike(one, other) is titles_alike(other, one) is alike


@pytest.mark.parametrize(
    ("id_", "one", "other", "same"),
    [
        ("7", {}, {"year": "2001"}, True),
        ("7", {"year": "2001"}, {"year": "2002"}, True),
        ("7", {"year": "1", "authors": "Falk, A"}, {"year": "2", "authors": "Okoro, B"}, False),
        ("7", {"venue": "Journal of Boats"}, {"venue": "J. Boats"}, True),
        ("doi:10.1/x", {"year": "1", "authors": "A, B"}, {"year": "2", "authors": "C, D"}, True),
        ("sha256-0", {"number": "1"}, {"number": "2"}, False),
        ("sha256-0", {"number": "1", "authors": "A", "year": "1"}, {"number": "2"}, True),
    ],
)
def test_records_of_one_title(id_, one, other, same):
    pair = [Passage(f"c:{id_}", "x", title="Boats in ice", metadata=m) for m in (one, other)]
    assert same_record(*pair) is same


def test_an_editorial_of_another_year_is_another(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", record(1, "Editorial", year="2001"),
                 record(1, "Editorial", "x", year="2002"))  # fmt: skip
    assert taken(tmp_path, path) == (2, 0, 0)
    assert taken(tmp_path, path) == (0, 2, 0)


@pytest.mark.parametrize("is_shared", [False, True])
def test_other_titles_of_one_id_live_side_by_side(tmp_path, is_shared):
    files = [
        jsonl(tmp_path / "a.jsonl", record(1, "Boats"), record(2, "Locks"), record(1, "Dykes")),
        jsonl(tmp_path / "b.jsonl", record(2, "Dams"), record(1, "Dykes"), record(3, "Piers")),
    ]
    for n_round in range(2):
        if is_shared:
            given = tuple(ImportedFile(path, collection="all") for path in files)
            reports = ingest_shared(
                given, HASHING, tmp_path, "mine", lambda work: shares_here(work, lambda: HASHING)
            )
            counts = [(one.n_imported, one.n_unchanged, one.n_merged) for one in reports]
        else:
            counts = [taken(tmp_path, path) for path in files]
        assert counts == ([(3, 0, 0), (2, 1, 0)] if not n_round else [(0, 3, 0), (0, 3, 0)])
        assert titles(tmp_path) == ["Boats", "Dams", "Dykes", "Locks", "Piers"]


def test_a_corrected_title_updates_its_record(tmp_path):
    taken(tmp_path, jsonl(tmp_path / "a.jsonl", record(1, "Boats adn bridges of Ely")))
    path = jsonl(tmp_path / "b.jsonl", record(1, "Boats and bridges of Ely"))
    assert taken(tmp_path, path) == (1, 0, 0)
    assert titles(tmp_path) == ["Boats and bridges of Ely"]


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("n_between", [0, 600])
def test_one_record_twice_is_kept_with_the_fields_of_both(tmp_path, n_between, is_shared):
    between = [record(f"x{n}", f"Boats, part {n}") for n in range(n_between)]
    path = jsonl(
        tmp_path / "a.jsonl",
        record(1, "Boats in ice", "Boats freeze.", year="2001", keywords="ice"),
        *between,
        record(1, "Boats in ice", "Boats freeze in winter.", year="2002", venue="Ice"),
        record(1, "Boats in ice", "Boats freeze.", year="2001", keywords="ice"),
    )
    for n_round in range(2):
        if is_shared:
            (report,) = ingest_shared(
                (ImportedFile(path, collection="all"),), HASHING, tmp_path, "mine",
                lambda work: shares_here(work, lambda: HASHING),
            )  # fmt: skip
            counts = report.n_imported, report.n_unchanged, report.n_merged
        else:
            counts = taken(tmp_path, path)
        assert counts == ((0, 1 + n_between, 2) if n_round else (1 + n_between, 0, 2))
        library = PassageLibrary.open(tmp_path, "mine")
        assert library.count() == 1 + n_between
        (one,) = library.get(["all:1"]).passages
        assert one.text == "Boats freeze in winter."
        assert {
            "year": "2001",
            "other year": "2002",
            "keywords": "ice",
            "venue": "Ice",
        }.items() <= (one.metadata.items())


def test_what_a_merged_record_had_stays_when_a_part_of_it_changes(tmp_path):
    first = record(1, "Boats in ice", "Boats freeze.", keywords="ice")
    taken(tmp_path, jsonl(tmp_path / "a.jsonl", first, record(1, "Boats in ice", venue="Ice")))
    changed = first | {"keywords": "ice; snow"}
    assert taken(tmp_path, jsonl(tmp_path / "b.jsonl", changed)) == (1, 0, 0)
    (one,) = PassageLibrary.open(tmp_path, "mine").get(["all:1"]).passages
    assert (one.metadata["venue"], one.metadata["keywords"]) == ("Ice", "ice; snow")
    assert taken(tmp_path, jsonl(tmp_path / "c.jsonl", changed)) == (0, 1, 0)


def test_a_record_keeps_the_id_that_an_earlier_version_gave_it(tmp_path):
    old = jsonl(tmp_path / "old.jsonl", record("7", "Boats"), record("8", "Dykes"))
    taken(tmp_path, old)

    def named(id_, title, former):
        passage = Passage(f"all:{id_}", f"{title} at length.", title=title, collection="all")
        return Document(id_, title, (passage,), former_ids=(former,))

    new = [named("doi:10.1/b", "Boats", "7"), named("doi:10.1/p", "Piers", "8")]
    for n_imported in (1, 0):
        report = ingest(new, HASHING, tmp_path, "mine")
        assert report.n_imported == n_imported
    ids = {one.id for one in PassageLibrary.open(tmp_path, "mine").passages().passages}
    assert ids == {"all:7", "all:8", "all:doi:10.1/p"}


def test_passages_of_labelled_sets_that_share_an_id(tmp_path):
    path = tmp_path / "set.jsonl"
    rows = [("ice", "Boats freeze."), ("ice", "Boats thaw."), ("sun", "Boats freeze.")]
    path.write_text(
        "".join(
            json.dumps({"query": query, "passages": [{"id": "1", "text": text}]}) + "\n"
            for query, text in rows
        )
    )
    assert sum(taken(tmp_path, path)[::2]) == 3
    texts = {(one.title, one.text) for one in
             PassageLibrary.open(tmp_path, "mine").passages().passages}  # fmt: skip
    assert {title for title, _ in texts} == {"ice", "sun"}
    assert "Boats thaw." in " ".join(text for _, text in texts)


def test_a_record_that_is_cut_otherwise_leaves_nothing_behind(tmp_path):
    long = "\n\n".join(f"Boats number {n} freeze in winter. " * 10 for n in range(30))
    for text, ids in ((long, None), ("Boats freeze.", ["all:1"]), (long, None)):
        taken(tmp_path, jsonl(tmp_path / "a.jsonl", record(1, "Boats in ice", text)))
        there = [one.id for one in PassageLibrary.open(tmp_path, "mine").passages().passages]
        assert there == ids if ids else "all:1" not in there and len(there) > 5


def test_only_the_words_cost_an_encoding(tmp_path):
    class Counting(HashingEncoder):
        n_encoded = 0

        def _encode(self, texts, query, progress):
            self.n_encoded += len(texts)
            return super()._encode(texts, query, progress)

    encoder = Counting(16)
    records = [record(n, f"Boats {n}") for n in range(9)]
    ingest(open_source(jsonl(tmp_path / "a.jsonl", *records)), encoder, tmp_path, "mine")
    before = PassageLibrary.open(tmp_path, "mine").passages().embeddings.tolist()
    changed = [one | {"year": "2001"} for one in records]
    report = ingest(open_source(jsonl(tmp_path / "a.jsonl", *changed)), encoder, tmp_path, "mine")
    assert (report.n_imported, report.n_changed, encoder.n_encoded) == (9, 9, 9)
    found = PassageLibrary.open(tmp_path, "mine").passages()
    assert found.embeddings.tolist() == before
    assert {one.metadata["year"] for one in found.passages} == {"2001"}


def test_a_dry_run_and_what_is_gone(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")

    def run(*words):
        assert main(["import", *map(str, words), "--library", "mine", "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    path = jsonl(tmp_path / "a.jsonl", *(record(n, f"Boats {n}") for n in range(4)))
    told = run(path, "--dry-run")
    assert (told["n_new"], told["n_gone"]) == (4, 0)
    folder = Settings.from_environment().library_dir
    assert PassageLibrary.names(folder) == []
    run(path)
    rows = [record(0, "Boats 0"), record(1, "Boats 1", year="2001"), record(9, "Ice")]
    jsonl(path, *rows)
    told = run(path, "--dry-run")
    names = ("n_new", "n_changed", "n_unchanged", "gone")
    assert [told[name] for name in names] == [1, 1, 1, ["a:2", "a:3"]]
    seen = _preview_file(path, library=(folder, "mine"))
    assert (seen.n_documents, seen.n_changed, seen.n_there, seen.n_gone) == (2, 1, 1, 2)
    part = _preview_file(path, library=(folder, "mine"), most=2)
    assert (part.is_whole, part.n_gone) == (False, 0)
    run(path)
    assert PassageLibrary.open(folder, "mine").count() == 5
    with path.open("a") as stream:
        stream.write("{broken\n")
    assert main(["import", str(path), "--library", "mine", "--remove-gone"]) == 1
    assert PassageLibrary.open(folder, "mine").count() == 5  # what was refused may be among them
    jsonl(path, *rows, {"id": "8"}, {"id": "3"})
    assert run(path, "--dry-run")["gone"] == ["a:2"]
    jsonl(path, *rows)
    run(path, "--remove-gone")
    newest, *others = read_imports(folder, "mine")
    assert (newest.n_removed, newest.n_brought, [one.n_removed for one in others]) == (2, 0, [0, 0])
    there = PassageLibrary.open(folder, "mine").passages().passages
    assert [one.id for one in there] == ["a:0", "a:1", "a:9"]
