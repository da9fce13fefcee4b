import importlib
import zipfile
from contextlib import suppress
from unittest.mock import ANY

import pytest
from bombs import Memory
from raising import raises

from subclust.core.exceptions import FileFormatError, InputError
from subclust.text.sources import SOURCES, Source
from subclust.text.sources.opening import format_of, open_source


def test_every_card_has_its_key_and_endings():
    assert all(name == card.name for name, card in SOURCES.items())
    endings = [ending for card in SOURCES.values() for ending in card.extensions]
    assert all(ending == ending.lower() and ending.startswith(".") for ending in endings)


@pytest.mark.parametrize("name", SOURCES)
def test_every_loader_gives_a_source_that_refuses_an_empty_file(tmp_path, name):
    module, _, attribute = SOURCES[name].loader.partition(":")
    assert issubclass(getattr(importlib.import_module(module), attribute), Source)
    path = tmp_path / f"empty{SOURCES[name].extensions[0]}"
    path.touch()
    source = open_source(path, name)
    assert isinstance(source, Source)
    assert source.label
    with pytest.raises(FileFormatError):
        list(source)


@pytest.mark.parametrize(
    ("name", "collection"),
    [("a.b.JSONL", "a.b"), ("a.jsonl.gz", "a"), ("a.csv.GZ", "a"), ("d.xml.bz2", "d")],
)
def test_the_ending_chooses_and_the_name_becomes_the_collection(tmp_path, name, collection):
    path = tmp_path / name
    path.touch()
    assert open_source(path).collection == collection
    assert open_source(path, collection="other").collection == "other"


def test_a_format_can_be_named(tmp_path):
    path = tmp_path / "export.dat"
    path.write_text('{"text": "a"}')
    assert len(list(open_source(path, "jsonl"))) == len(list(open_source(path))) == 1
    path.write_text("words")
    with raises(FileFormatError, file="export.dat"):
        open_source(path)
    with raises(InputError, name="word"):
        open_source(path, "word")
    with raises(FileFormatError, file=ANY):
        open_source(tmp_path / "none.csv")


REFUSED = {
    "rdf.rdf": '<rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A</dc:title></rdf:RDF>',
    "tei.xml": '<?xml version="1.0"?>\n<!-- a -->\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><text/></TEI>',
    "feed.xml": "<rss><channel><title>A</title></channel></rss>",
    "unknown.xml": "<shelves><shelf>A</shelf></shelves>",
    "xml.txt": "<shelves><shelf>A</shelf></shelves>",
    "turtle.txt": "@prefix dc: <http://purl.org/dc/elements/1.1/> .\n<a> dc:title 'A' .\n",
    "abstracts.txt": "1. Quay. 2020;8(6):1-9.\n\nOn harbours.\n\nFalk A.\n\nTides.\n\nPMID: 7\n",
    "numbers.txt": "30000001\n30000002\n30000003\n30000004\n",
    "cochrane.txt": "Record #1 of 2\nID: CD1\nAU: Falk A\nTI: On harbours\nSO: Quay\nYR: 2001\n",
    "marc.txt": "=LDR  00000nam\n=245  10$aOn harbours\n",
    "aleph.txt": "000000001 LDR   L 00000nam\n000000001 24510 L $$aOn harbours\n",
    "noteexpress.txt": "{Reference Type}: Journal Article\n{Title}: On harbours\n{Author}: Falk\n",
    "endnote.txt": "Reference Type:  Journal Article\nRecord Number: 1\nTitle: On harbours\n",
    "references.yaml": "references:\n- id: a\n  title: On harbours\n",
    "mail.txt": "Received: from a\nSubject: On harbours\n\nTides move.\n",
    "dump.txt": "CREATE TABLE a (b text);\nINSERT INTO a VALUES ('On harbours');\n",
    "unknown.txt": "AN: 1\nHD: On harbours\nBY: Falk\nPD: 3 May 2001\nTD: Tides.\n\nAN: 2\nHD: B\n",
    "colons.txt": "Title: A\nAuthor: B\nYear: 2001\nJournal: Quay\nAbstract: Tides move.\n",
    "json.txt": '{\n  "hits": 3,\n  "sort": "A"\n}\n',
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_source_reads_is_told_and_never_taken_for_plain_text(tmp_path, name):
    path = tmp_path / name
    path.write_text(REFUSED[name])
    with raises(FileFormatError, file=name) as told:
        list(open_source(path))
    content = told.value.sentence.values["content"]
    assert content.values["format"] and content.values["instead"]


READ = {
    "ris.txt": ("T1  - A\nER  - \n", "ris"),
    "lower.txt": ("ty  - JOUR\nti  - A\ner  - \n", "ris"),
    "eric.txt": ("OWN - ERIC\nTI  - A\n", "nbib"),
    "authors.txt": ("TI  - A\nFAU - Falk, Ada\nJT  - Quay\n", "nbib"),
    "ovid.txt": ("\n<1. >\nTI  - A\n", "ovid"),
    "refworks.txt": ("RT Book, Whole\nSR Print(0)\nID 1\nA1 Falk,Ada\nT1 A\n", "refworks"),
    "summary.txt": ("1: Falk A. On harbours. Quay.\n2020 Jan;8:1. PMID: 7.\n", "pubmed-summary"),
    "columns.txt": ("Kennung\tName\n1\tA\n2\tB\n", "tsv"),
    "prose.txt": ("Tides move harbours.\n\nThe US - a state - has ports.\n", "text"),
    "verse.txt": ("Q: Who?\nA: Me.\nQ: When?\nA: Now.\nQ: Why?\nA: So.\n", "text"),
    "notes.md": ("# Title: A\n\n- one\n- two\n\n[a]: http://a\n", "text"),
    "letter.txt": (
        "Dear Ada,\n\nPS: I saw tides.\nOn: the quay.\n{sic} [so] it was.\n",
        "text",
    ),
}


@pytest.mark.parametrize("name", READ)
def test_text_files_are_what_they_hold(tmp_path, name):
    text, format = READ[name]
    path = tmp_path / name
    path.write_text(text)
    assert format_of(path) == format


def test_summaries_of_pubmed(tmp_path):
    path = tmp_path / "summary.txt"
    path.write_text(
        "1: Falk A, Okoro B 2nd; Harbour Group. On harbours: what moves? Quay (Oxf). 2020 Jan\n"
        "3;8(6):1-9. doi: 10.1234/a.b. Epub 2019 Dec 3. PMID: 7; PMCID: PMC8.\n\n"
        "2: The tides of 12: a study. Quay. 2021;9:e1. PMID: 9.\n\n"
        "3: Lind C. Looms [in Danish]. Loom Notes. 2022. PMID: 10\n"
    )
    one, two, three = open_source(path)
    assert (one.id, one.title) == ("doi:10.1234/a.b", "On harbours: what moves?")
    held = {name: one.metadata[name] for name in ("authors", "venue", "volume", "issue", "pages")}
    assert held == {
        "authors": "Falk A; Okoro B 2nd; Harbour Group",
        "venue": "Quay (Oxf)", "volume": "8", "issue": "6", "pages": "1-9",
    }  # fmt: skip
    assert (one.metadata["date"], one.metadata["pmcid"]) == ("2020-01-03", "PMC8")
    assert (two.title, two.id) == ("The tides of 12: a study.", "pmid:9")
    assert "authors" not in two.metadata and two.metadata["pages"] == "e1"
    assert (three.metadata["authors"], three.metadata["year"]) == ("Lind C", "2022")


def test_a_part_that_unpacks_to_very_much_is_not_read_to_tell_what_a_file_is(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("mimetype", "w") as stream:
            for _ in range(200):
                stream.write(bytes(1 << 20))
    with Memory() as memory, suppress(FileFormatError):
        open_source(path, "auto", None, None, {})
    assert memory.most - memory.before < 50 << 20
