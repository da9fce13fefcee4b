"""Files shaped like the exports that librarians bring, each with the same two records."""

import io
from pathlib import Path

import pymarc
import pytest

from subclust.text.sources import Document, Refusal
from subclust.text.sources.opening import format_of, open_source

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sources"
TITLES = ["Maps as arguments: a café history", "Catalogues of catalogues"]
TEXT = (
    "Maps persuade. In the cafés of Zürich, cartographers argued about borders; 50% of them were "
    "naïve, and one map cost $5."
)
FORMATS = {
    "zotero.ris": "ris",
    "endnote.ris": "ris",
    "ovid.ris": "ris",
    "embase.ris": "ris",
    "scopus.ris": "ris",
    "scopus.csv": "csv",
    "embase.csv": "csv",
    "zotero.csv": "csv",
    "pubmed.nbib": "nbib",
    "wos.txt": "wos",
    "ovid_tagged.txt": "ovid",
    "ovid_citation.txt": "ovid",
    "endnote.enw": "endnote",
    "zotero.bib": "bibtex",
    "csl.json": "csl-json",
    "zotero_api.json": "zotero",
    "better_bibtex.json": "zotero",
    "endnote.xml": "endnote-xml",
    "pubmed.xml": "pubmed",
    "jats.xml": "jats",
    "oai_dc.xml": "dublin-core",
    "marc.xml": "marcxml",
}


def documents(path, **named):
    return [item for item in open_source(path, **named) if isinstance(item, Document)]


def check_two(found):
    assert [one.title.rstrip(".") for one in found] == TITLES
    first, second = found
    assert first.passages[0].text == TEXT
    assert "A catalogue of catalogues describes itself." in second.passages[0].text
    about = first.metadata
    assert about["year"] == "2019" and second.metadata["year"] == "2021"
    assert about["doi"] == "10.1234/jmh.2019.001"
    assert second.metadata["doi"] == "10.1234/ll.2021.7"
    assert about["venue"].casefold() == "journal of map history"
    assert "Müller, A" in about["authors"] and "; O'Neill, B" in about["authors"]
    assert "Weiß, C" in second.metadata["authors"]
    assert len({one.passages[0].id for one in found}) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_the_two_records_of_every_export_are_the_same(name):
    check_two(documents(FIXTURES / name))


@pytest.mark.parametrize("name", FORMATS)
def test_the_format_is_told_by_what_the_file_holds(tmp_path, name):
    assert format_of(FIXTURES / name) == FORMATS[name]
    path = tmp_path / "export.dat"
    path.write_bytes((FIXTURES / name).read_bytes())
    assert format_of(path) == FORMATS[name]


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.endswith((".xml", ".json"))])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\r\n", "\r", "mixed"])
def test_encodings_and_line_ends(tmp_path, name, encoding, end):
    lines = (FIXTURES / name).read_text("utf-8-sig").split("\n")
    ends = ["\n", "\r\n", "\r"]
    text = "".join(
        line + (ends[number % 3] if end == "mixed" else end) for number, line in enumerate(lines)
    )
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    check_two(documents(path))


def test_details_that_only_some_formats_have():
    maps, _ = documents(FIXTURES / "zotero.ris")
    assert maps.metadata["date"] == "2019-03-14"
    assert maps.metadata["keywords"] == "maps; history"
    assert (maps.metadata["volume"], maps.metadata["pages"]) == ("12", "101-120")
    ovid = documents(FIXTURES / "ovid.ris")[0]
    assert (ovid.id, ovid.metadata["number"]) == ("doi:10.1234/jmh.2019.001", "30000001")
    numbers = {"embase.ris": "L600000001", "zotero.bib": "muller_maps_2019"}
    for name, number in numbers.items():
        assert documents(FIXTURES / name)[0].metadata["number"] == number
    assert documents(FIXTURES / "wos.txt")[0].metadata["ut"] == "WOS:000111111100001"
    assert documents(FIXTURES / "marc.xml")[0].metadata["number"] == "990001"
    assert documents(FIXTURES / "marc.xml")[0].metadata["date"] == "2019-03-14"
    assert documents(FIXTURES / "scopus.csv")[0].metadata["eid"] == "2-s2.0-001"
    pubmed = documents(FIXTURES / "pubmed.xml")
    assert pubmed[0].metadata["url"] == "https://pubmed.ncbi.nlm.nih.gov/30000001/"
    assert pubmed[1].passages[0].text.startswith("BACKGROUND: Catalogues describe books.\nRESULTS:")
    assert pubmed[0].metadata["date"] == "2019-03-14"


def test_what_is_no_record_is_told():
    items = list(open_source(FIXTURES / "zotero_api.json"))
    assert isinstance(items[2], Refusal) and "attachment" in items[2].reason
    items = list(open_source(FIXTURES / "oai_dc.xml"))
    assert isinstance(items[1], Refusal) and "deleted" in items[1].reason
    assert items[1].place.startswith("record 2 (line ")


def test_the_whole_text_of_an_article_is_cut_by_its_sections():
    article = documents(FIXTURES / "jats.xml")[1]
    assert [(p.label, p.path, p.text) for p in article.passages] == [
        ("Abstract", "Abstract", article.description),
        ("Shelves", "Shelves", "Books stand on shelves."),
        ("Shelves", "Shelves / Order", "Their order is that of the catalogue, or was."),
        ("Ends", "Ends", "Nothing ends here."),
    ]
    assert [p.id.rpartition("#")[2] for p in article.passages] == ["1", "2", "3", "4"]
    assert article.passages[2].metadata["position"] == "3"


@pytest.fixture
def marc_records():
    with (FIXTURES / "marc.xml").open("rb") as stream:
        records = pymarc.parse_xml_to_array(stream)
    for record in records:
        record.leader = pymarc.Leader(str(record.leader)[:9] + "a" + str(record.leader)[10:])
    return records


def test_binary_marc(tmp_path, marc_records):
    path = tmp_path / "catalogue.mrc"
    path.write_bytes(b"".join(record.as_marc() for record in marc_records))
    assert format_of(path) == "marc"
    found = documents(path)
    check_two(found)
    assert all(not one.mended for one in found)
    assert [one.metadata for one in found] == [
        one.metadata for one in documents(FIXTURES / "marc.xml")
    ]


def spoilt(data, kind):
    match kind:
        case "length":
            return b"99999" + data[5:]
        case "base":
            return data[:12] + b"00011" + data[17:]
        case "not-utf-8":
            return data[:9] + b" " + data[10:]
        case "directory":
            return data[:27] + b"0001" + data[31:]
        case "latin-1":
            return data.decode("utf-8").encode("latin-1")
        case "blank":
            return b" " * 24 + data[24:]
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["length", "base", "not-utf-8", "directory", "latin-1", "blank"])
def test_marc_with_a_wrong_leader_is_read_and_told(tmp_path, marc_records, kind):
    path = tmp_path / "catalogue.mrc"
    path.write_bytes(b"".join(spoilt(record.as_marc(), kind) for record in marc_records))
    found = documents(path, format="marc")
    check_two(found)
    assert found[0].mended and found[0].mended[0].endswith(".")


def test_marc_8(tmp_path):
    record = pymarc.Record()
    record.add_field(
        pymarc.Field(
            tag="245",
            indicators=pymarc.Indicators("0", "0"),
            subfields=[pymarc.Subfield("a", "X")],
        )
    )
    data = record.as_marc().replace(b"\x1fX", b"\x1fX")
    data = data.replace(b"\x1faX", b"\x1faCaf\xe2e M\xe8uller")
    path = tmp_path / "old.mrc"
    path.write_bytes(data[:9] + b" " + data[10:])
    (found,) = documents(path, format="marc")
    assert found.title == "Café Müller"


def test_two_sources_of_one_record_have_the_same_words(tmp_path):
    texts = {
        name: [one.passages[0].text for one in documents(FIXTURES / name)]
        for name in ("zotero.ris", "zotero.bib", "csl.json", "marc.xml", "scopus.csv")
    }
    assert len({tuple(one) for one in texts.values()}) == 1


def test_our_own_ris_is_read_as_rispy_reads_it(tmp_path):
    import rispy

    text = (FIXTURES / "zotero.ris").read_text()
    theirs = rispy.loads(text)
    ours = documents(FIXTURES / "zotero.ris")
    assert [one["title"] for one in theirs] == [one.title for one in ours]
    assert [one["abstract"] for one in theirs] == [one.passages[0].text for one in ours]
    stream = io.StringIO(rispy.dumps(theirs))
    path = tmp_path / "again.ris"
    path.write_text(stream.getvalue())
    check_two(documents(path))


def test_exports_that_were_joined_in_two_encodings(tmp_path):
    path = tmp_path / "joined.ris"
    records = (FIXTURES / "zotero.ris").read_text().replace("mine", "")
    windows = "TY  - JOUR\nTI  - Café – naïve\nAB  - Über Bücher.\nER  - \n"
    path.write_bytes(records.encode() * 2 + windows.encode("cp1252"))
    *_, last = documents(path)
    assert (last.title, last.passages[0].text) == ("Café – naïve", "Über Bücher.")
    check_two(documents(path)[:2])
