"""Records of one work: which are found, how sure that is, and what is made of them."""

import json

import pytest

from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of, merge_duplicates, put_back
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest.duplicates import duplicates, groups_of
from subclust.text.ingest.local import ingest
from subclust.text.ingest.same_work import compare
from subclust.text.ingest.survey import survey
from subclust.text.ingest.work import Work
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source

ARTICLE = {
    "title": "Lighthouses and the coastal trade: evidence from ledgers",
    "authors": "Marlowe, Ines; Okafor, Ben; Strand, Liv",
    "year": "2004",
    "venue": "Journal of Maritime Economics",
    "volume": "12",
    "issue": "3",
    "pages": "123-139",
    "doi": "10.1000/jme.2004.7",
    "type": "article-journal",
}
BOOK = {
    "title": "A history of harbour law",
    "authors": "Marlowe, Ines",
    "year": "1998",
    "publisher": "Quay Press",
    "isbn": "0-306-40615-2",
    "type": "book",
}
LETTERS = {k: v for k, v in ARTICLE.items() if k not in ("doi", "volume", "pages", "issue")}


def work(fields, id_="a"):
    return Work(id_, fields["title"], {k: v for k, v in fields.items() if v and k != "title"})


def certainty(one, changes):
    found = compare(work(one), work(one | changes, "b"))
    return found and found.certainty


@pytest.mark.parametrize(
    ("one", "changes"),
    [
        (ARTICLE, {"doi": "", "title": "LIGHTHOUSES AND THE COASTAL TRADE"}),
        (ARTICLE, {"doi": "", "venue": "J Marit Econ", "authors": "Marlowe, I.; Okafor, B."}),
        (ARTICLE, {"doi": "", "pages": "123-39", "issue": ""}),
        (ARTICLE, {"doi": "", "pages": "123", "authors": "Ines Marlowe; Ben Okafor; Liv Strand"}),
        (ARTICLE, {"doi": "", "title": "Lighthouses and the coastal trade; evidence from legders"}),
        (ARTICLE, {"doi": "", "year": "2003"}),
        (ARTICLE, {"doi": "10.48550/arxiv.1", "venue": "arXiv", "year": "2003", "volume": "",
                   "issue": "", "pages": "", "type": "manuscript"}),
        (LETTERS, {"venue": ""}),
        (BOOK, {"isbn": "978-0-306-40615-7", "publisher": "", "edition": "1st ed."}),
        (ARTICLE, {"doi": "", "edition": "2004/03/18"}),  # PubMed by way of EndNote
        (LETTERS | {"type": ""}, {"edition": "2004/03/18"}),
        (ARTICLE, {"doi": "", "volume": "Vol. 12(3)", "issue": ""}),
        (ARTICLE | {"issue": "S3"}, {"doi": "", "volume": "12 (Supplement 3)", "issue": ""}),
        (ARTICLE | {"issue": "S3"}, {"doi": "", "pages": "", "issue": "3 Suppl."}),
        (ARTICLE, {"doi": "", "issue": "1117"}),  # the number of the record
        (ARTICLE, {"doi": "", "venue": "Zeitschrift der Seefahrt"}),
        (ARTICLE, {"doi": "", "pages": "123‐139"}),
        (ARTICLE, {"doi": "", "pages": "123-193"}),
        (ARTICLE | {"pages": "11-19"}, {"doi": "", "pages": "Nov-19"}),
        (ARTICLE | {"pages": "1-6"}, {"pages": "01-Jun"}),
        (ARTICLE | {"pages": "e0137960"}, {"pages": "137960"}),
        (ARTICLE, {"doi": "", "volume": "1)"}),
        (ARTICLE, {"doi": "", "authors": "Marlowe Jr, I.; Okafor, B.; Strand Mda, L."}),
        (ARTICLE, {"doi": "", "title": ARTICLE["title"] + ".[Erratum appears in Coast. 2005]"}),
        (ARTICLE | {"title": "Les phares côtiers et l'économie française: étude"},
         {"title": "Les phares c?tiers et l'?conomie fran\ufffdaise: ?tude", "doi": ""}),
        (ARTICLE, {"doi": "", "title": f"[{ARTICLE['title']}]. [Japanese]"}),
        (LETTERS | {"volume": "9"},
         {"venue": "Journal of Maritime Economics. Conference: Meeting of the Board, Ulm"}),
    ],
)  # fmt: skip
def test_records_of_one_work_are_the_same(one, changes):
    assert certainty(one, changes) == certainty(one | changes, one) == "same"


@pytest.mark.parametrize(
    ("one", "changes"),
    [
        (LETTERS | {"title": "Ledgers of the coast: part I"}, {"title": "Ledgers of the coast"}),
        (LETTERS | {"title": "Ledgers of the coast. I"}, {"title": "Ledgers of the coast. II"}),
        (BOOK, {"edition": "2nd ed.", "year": "2006", "isbn": ""}),
        (BOOK | {"edition": "2. Aufl."}, {"edition": "3. Aufl.", "isbn": ""}),
        (ARTICLE, {"title": "Erratum: " + ARTICLE["title"], "pages": "400", "doi": ""}),
        (ARTICLE, {"title": ARTICLE["title"] + " (erratum)", "doi": ""}),
        (ARTICLE, {"title": ARTICLE["title"] + ": a reply", "authors": "Vance, Odd", "doi": ""}),
        (BOOK, {"authors": "Vance, Odd", "venue": "Coast Review", "type": "article-journal"}),
        (BOOK, {"venue": "Coast Review", "volume": "3", "type": "article-journal", "isbn": ""}),
        (LETTERS | {"title": "Editorial"}, {"year": "2005"}),
        (LETTERS | {"title": "Editorial"}, {"authors": "Vance, Odd"}),
        (LETTERS | {"title": "Annual report of the harbour board"}, {"year": "2005"}),
        (LETTERS | {"title": "Annual report of the harbour board"}, {"year": ""}),
        (ARTICLE, {"year": "1994", "doi": "", "volume": "2", "pages": "1-9"}),
        (LETTERS, {"authors": "Marlowe, Karl; Okafor, Ben; Strand, Liv"}),
        (ARTICLE, {"doi": "", "venue": "Proceedings of the Quay Conference", "pages": "9-12",
                   "volume": "", "type": "paper-conference"}),
        (ARTICLE, {"doi": "10.1000/jme.2004.8"}),
        (ARTICLE, {"pages": "52", "authors": "Marlowe, Ines"}),  # of a supplement with one DOI
        (ARTICLE | {"pages": "1-9"}, {"pages": "1-12", "doi": ""}),
    ],
)  # fmt: skip
def test_what_may_be_two_works_is_never_the_same(one, changes):
    assert certainty(one, changes) != "same" != certainty(one | changes, one)


@pytest.mark.parametrize(
    "changes", [{"doi": "", "authors": "Vance, Odd"}, {"pages": "52", "volume": "13"}]
)
def test_what_contradicts_the_rest_is_probable(changes):
    assert certainty(ARTICLE, changes) == "probable"


def test_evidence_names_what_agrees_and_what_differs():
    found = compare(work(ARTICLE), work(ARTICLE | {"doi": "", "pages": "4"}, "b"))
    assert found.certainty == "probable"
    assert found.differ == ("pages",)
    assert found.agree == ("authors", "issue", "title", "type", "venue", "volume", "year")


COLUMN = {"title": "Distinguished ledger profiles", "authors": "Marlowe, Ines; Okafor, Ben",
          "venue": "Harbour Record"}  # fmt: skip


@pytest.mark.parametrize(("years", "n_groups"), [((2001, 2002, 2003), 0), ((2003, 2003, 2004), 2)])
def test_a_column_of_a_journal_is_many_works(years, n_groups):
    records = [COLUMN | {"year": str(year)} for year in (*years, years[0])]
    works = [work(fields, f"r{number}") for number, fields in enumerate(records)]
    assert len(groups_of(lambda: works)) == n_groups
    placed = [work(COLUMN | {"volume": "1", "pages": "7", "year": "2001"}, id_) for id_ in "ab"]
    (group,) = (one for one in groups_of(lambda: works + placed) if one.ids[0] in "ab")
    assert (group.ids, group.certainty) == (("a", "b"), "same")


@pytest.mark.parametrize(
    "lesser",
    [
        {"doi": "", "language": "en", "keywords": "ledgers"},
        {"doi": "10.48550/arxiv.1", "venue": "arXiv", "volume": "", "issue": "", "pages": "",
         "type": "manuscript"},
        {"issue": ""},
    ],
)  # fmt: skip
def test_the_published_record_with_a_doi_and_most_fields_keeps_its_id(lesser):
    for order in (("a", "b"), ("b", "a")):
        works = [work(ARTICLE, order[0]), work(ARTICLE | lesser, order[1])]
        (group,) = groups_of(lambda works=works: works)
        assert group.ids == order


def test_of_a_chain_whose_ends_differ_nothing_is_surely_the_same():
    middle = {k: v for k, v in ARTICLE.items() if k != "doi"}
    records = [ARTICLE, middle, ARTICLE | {"doi": "10.1000/other", "issue": ""}]
    works = [work(fields, f"r{number}") for number, fields in enumerate(records)]
    (group,) = groups_of(lambda: works)
    assert (sorted(group.ids), group.certainty) == (["r0", "r1", "r2"], "probable")
    assert "doi" in group.evidence.differ


RIS = """TY  - JOUR
TI  - {title}
AU  - Marlowe, Ines
AU  - Okafor, Ben
PY  - 2004
JO  - Journal of Maritime Economics
VL  - 12
{more}
ER  -

"""


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, models_dir=tmp_path / "models")


def imported(settings, name, title, more):
    file = settings.data_dir / name
    file.write_text(RIS.format(title=title, more=more))
    return ingest(open_source(file), HashingEncoder(16), settings.library_dir, "mine")


def test_a_merge_has_all_fields_is_known_again_and_can_be_undone(settings):
    whole = "DO  - 10.1000/jme.7\nSP  - 123\nEP  - 139"
    brief = "SP  - 123\nAB  - Ledgers of eleven ports.\nKW  - ports"
    imported(settings, "one.ris", "Lighthouses and the coastal trade", whole)
    imported(settings, "two.ris", "Lighthouses and the coastal trade: eleven ledgers", brief)
    library = PassageLibrary.open(settings.library_dir, "mine")
    before = library.passages()
    (group,) = duplicates(library)
    assert group.certainty == "same"
    version = library.table.version
    assert merge_duplicates(settings, "mine", [group], HashingEncoder(16)) == 1
    library = PassageLibrary.open(settings.library_dir, "mine")
    assert library.table.version == version + 1
    (record,) = library.passages().passages
    assert record.id == group.ids[0]
    assert record.title == "Lighthouses and the coastal trade: eleven ledgers"
    assert record.text == "Ledgers of eleven ports."
    fields = record.metadata
    assert (fields["doi"], fields["keywords"]) == ("10.1000/jme.7", "ports")
    assert fields["also"] == group.ids[1]
    assert duplicates(library) == []
    assert imported(settings, "one.ris", "Lighthouses and the coastal trade", whole).n_imported == 0

    (entry,) = bin_of(settings).entries("passages")
    put_back(settings, entry.id)
    after = PassageLibrary.open(settings.library_dir, "mine").passages()
    assert after.passages == before.passages
    assert (after.embeddings == before.embeddings).all()


WHOLE = "DO  - 10.1000/jme.7\nSP  - 123\nEP  - 139"
BRIEF = "SP  - 123\nAB  - Ledgers of eleven ports."
SHORT, LONG = "Lighthouses and the coastal trade", "Lighthouses and the coastal trade: ledgers"


def counts(report):
    return report.n_imported, report.n_changed, report.n_unchanged, report.n_merged


def the_record(settings):
    (record,) = PassageLibrary.open(settings.library_dir, "mine").passages().passages
    return record


@pytest.fixture
def merged_library(settings):
    imported(settings, "one.ris", SHORT, WHOLE)
    imported(settings, "two.ris", LONG, BRIEF)
    library = PassageLibrary.open(settings.library_dir, "mine")
    merge_duplicates(settings, "mine", duplicates(library), HashingEncoder(16))
    return settings


def test_a_record_that_was_merged_into_another_one_does_not_come_back(merged_library):
    settings, before = merged_library, the_record(merged_library)
    assert counts(imported(settings, "two.ris", LONG, BRIEF)) == (0, 0, 1, 0)
    assert survey([settings.data_dir / "two.ris"], settings.library_dir, "mine").gone == ()
    assert the_record(settings) == before
    changed = f"{BRIEF}\nKW  - ports"
    assert counts(imported(settings, "two.ris", LONG, changed)) == (1, 1, 0, 0)
    after = the_record(settings)
    assert after.metadata["keywords"] == "ports"
    assert (after.id, after.collection) == (before.id, before.collection)
    assert after.metadata.keys() >= before.metadata.keys()
    for name, title, more in (("two.ris", LONG, changed), ("one.ris", SHORT, WHOLE)):
        assert counts(imported(settings, name, title, more)) == (0, 0, 1, 0)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("changed", "told"), [("", (0, 0, 1, 1)), ("\nKW  - ports", (1, 1, 0, 1))])
def test_both_of_a_merged_record_in_one_file(settings, order, changed, told):
    file = settings.data_dir / "both.ris"
    records = [{"title": SHORT, "more": WHOLE}, {"title": LONG, "more": BRIEF}]

    def taken():
        file.write_text("".join(RIS.format(**one) for one in records[::order]))
        return ingest(open_source(file), HashingEncoder(16), settings.library_dir, "mine")

    assert counts(taken()) == (2, 0, 0, 0)
    library = PassageLibrary.open(settings.library_dir, "mine")
    merge_duplicates(settings, "mine", duplicates(library), HashingEncoder(16))
    records[1]["more"] += changed
    assert counts(taken()) == told
    assert the_record(settings).metadata.get("keywords", "") == changed[-5:]
    assert counts(taken()) == (0, 0, 1, 1)


def test_another_record_of_an_id_that_was_merged_is_one_of_its_own(merged_library):
    settings, other = merged_library, "Harbour law and its commentators"
    file = settings.data_dir / "two.jsonl"
    id_ = the_record(settings).metadata["also"].partition(":")[2]
    file.write_text(json.dumps({"id": id_, "title": other}))
    report = ingest(open_source(file), HashingEncoder(16), settings.library_dir, "mine")
    assert counts(report) == (1, 0, 0, 0)
    there = PassageLibrary.open(settings.library_dir, "mine").passages().passages
    assert sorted(one.title for one in there) == [other, LONG]
