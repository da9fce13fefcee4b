"""What records of MARC 21, UNIMARC, PICA+ and MODS say, however they are written down."""

import json
import re
from pathlib import Path

import pytest
from pymarc import Field, Indicators, Leader, Record, Subfield
from raising import values_of

from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.host_parts import parts_of_host
from subclust.text.sources.marc import END_OF_RECORD, MOST_BYTES
from subclust.text.sources.marcxml import fields_of_marc
from subclust.text.sources.opening import format_of, open_source
from subclust.text.sources.record import document

BOOK, ARTICLE = "00000nam a2200000 a 4500", "00000naa a2200000 a 4500"


def field(line: str) -> Field:
    """Read a field as "24510 $a Looms : $b a history"."""
    head, *parts = re.split(r"\s*\$(?=\S\s)", line)
    tag, marks = head[:3], head[3:5].ljust(2)
    if not parts:
        return Field(tag=tag, data=line[4:])
    subfields = [Subfield(one[0], one[2:].strip()) for one in parts]
    return Field(tag=tag, indicators=Indicators(*marks), subfields=subfields)


def record_of(lines: str, leader: str = BOOK) -> Record:
    record = Record()
    record.leader = Leader(leader)
    record.fields = [field(one.strip()) for one in lines.strip().split("\n")]
    return record


def read(lines: str, leader: str = BOOK) -> dict[str, str]:
    """Return what a record becomes: title, text, id and metadata."""
    made = document(fields_of_marc(record_of(lines, leader)), "record 1", "c")
    assert isinstance(made, Document), made
    text = "\n".join(one.text for one in made.passages)
    return {"title": made.title, "text": text, "id": made.id, **made.metadata}


TITLE = "24510 $a Looms"


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ("24510 $a Looms : $b a history / $c by B. Alm.", "Looms : a history"),
        ("24510 $a Looms $b a history", "Looms : a history"),
        ("24510 $a Looms $h [microform] : $b a history /", "Looms : a history"),
        ("24510 $a Looms. $n Part 2, $p Wool /", "Looms. Part 2, Wool"),
        ("24510 $a Looms $n 2 $p Wool", "Looms. 2. Wool"),
        ("24510 $k Letters, $f 1901-1932.", "Letters, 1901-1932"),
        (
            "24510 $a Alm family $k letters, $f 1901-1932 $g (bulk 1920)",
            "Alm family, letters, 1901-1932 (bulk 1920)",
        ),
        ("1300 $a Book of looms. $l English", "Book of looms. English"),
        ("24010 $a Looms of old", "Looms of old"),
        ("24510 $6 880-01 $a Arigim /\n88010 $6 245-01/(2/r $a אריגים /", "Arigim = אריגים"),
        ("88010 $6 245-00/(2/r $a אריגים /", "אריגים"),
    ],
)
def test_titles(lines: str, title: str) -> None:
    assert read(lines)["title"] == title


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("1001 $a Alm, Berta, $d 1901-1980.", "Alm, Berta"),
        ("1000 $a Karla $b II, $c Queen of Looms, $d 1500-1560", "Karla II, Queen of Looms"),
        ("1000 $a Karla $b II $c Queen of Looms", "Karla II, Queen of Looms"),
        ("1001 $a Alm, B. $q (Berta), $e author.", "Alm, B. (Berta)"),
        ("1001 $a Alm, B., $c Jr.", "Alm, B., Jr."),
        ("1102 $a Weavers. $b Wool Office.", "Weavers. Wool Office"),
        ("1102 $a Weavers $b Wool Office", "Weavers. Wool Office"),
        (
            "1112 $a Day of Looms $n (2nd : $d 1999 : $c Tolm)",
            "Day of Looms (2nd : 1999 : Tolm)",
        ),
        ("1112 $a Day of Looms $d 1999 $c Tolm", "Day of Looms (1999 : Tolm)"),
        (
            "1102 $a Weavers. $b Day of Looms $n (2nd : $d 1999 : $c Tolm)",
            "Weavers. Day of Looms (2nd : 1999 : Tolm)",
        ),
    ],
)
def test_names(line: str, name: str) -> None:
    assert read(f"{line}\n{TITLE}")["authors"] == name


def test_names_by_what_they_did() -> None:
    said = read(
        f"""{TITLE}
        7001 $a Alm, Berta, $e author.
        7001 $a Cole, Ed, $4 edt
        7001 $a Dorn, Eva $e Herausgeber
        7001 $a Falk, Tor $e translator.
        70012 $a Gunn, Ida. $t Book of wool"""
    )
    assert said["authors"] == "Alm, Berta"
    assert said["editors"] == "Cole, Ed; Dorn, Eva"
    assert said["other contributors"] == "Falk, Tor"
    assert said["related works"] == "Gunn, Ida. Book of wool"


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("650 0 $a Looms $z Tolm $x History $y 19th century.",
         "Looms -- Tolm -- History -- 19th century"),
        ("60000 $a Karla $b II, $c Queen, $d 1500-1560. $t Book of wool $x Criticism.",
         "Karla II, Queen, 1500-1560. Book of wool -- Criticism"),
        ("60010 $a Alm, Berta, $d 1901-1980 $v Letters.", "Alm, Berta, 1901-1980 -- Letters"),
        ("61020 $a Weavers. $b Wool Office.", "Weavers. Wool Office"),
        ("61020 $a Weavers. $t Rules of the loom.", "Weavers. Rules of the loom"),
        ("61120 $a Day of Looms $n (2nd : $d 1999 : $c Tolm) $v Papers.",
         "Day of Looms (2nd : 1999 : Tolm) -- Papers"),
        ("63000 $a Book of looms. $p Wool. $l English.", "Book of looms. Wool. English"),
        ("651 0 $a Tolm $x Trade.", "Tolm -- Trade"),
        ("653   $a wool $a linen", "wool; linen"),
        ("655 7 $a Catalogues. $2 gnd", "Catalogues"),
        ("650 0 $6 880-02 $a Arigim\n650 0 $a Looms\n880 0 $6 650-02 $a אריגים",
         "Arigim; Looms; אריגים"),
    ],
)  # fmt: skip
def test_subjects(line: str, subject: str) -> None:
    assert read(f"{TITLE}\n{line}")["keywords"] == subject


HOST = "773 0 $t Weaving letters. $x 1234-5679"


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (f"{HOST} $g Vol. 9, no. 38 (2018), p. 245-260",
         {"volume": "9", "issue": "38", "pages": "245-260", "venue": "Weaving letters",
          "issn": "1234-5679", "type": "article-journal"}),
        (f"{HOST} $g volume:9 $g number:38 $g year:2018 $g pages:245-260",
         {"volume": "9", "issue": "38", "pages": "245-260", "year": "2018"}),
        (f"{HOST} $g volume:2019/2", {"volume": "2019/2", "year": None}),
        (f"{HOST} $q 9:38<245", {"volume": "9", "issue": "38", "pages": "245"}),
        (f"{HOST} $g Beilage", {"notes": "Beilage"}),
        (f"300   $a S. 245-260\n{HOST} $g 9 (2018), 38",
         {"volume": "9", "issue": "38", "pages": "245-260"}),
        ("773 0 $t Book of looms $z 9783161484100", {"type": "chapter", "isbn": "9783161484100"}),
        ("264 1 $a Tolm ; $a Varn : $b Wool Press, $c [2018]",
         {"place": "Tolm; Varn", "publisher": "Wool Press", "year": "2018"}),
        ("264 4 $c ©2019\n264 1 $a [Tolm] : $b [publisher not identified], $c 2018",
         {"place": "Tolm", "year": "2018"}),
        ("260   $a Tolm : $b Wool Press, $c c2018.", {"publisher": "Wool Press", "year": "2018"}),
        ("250   $a 2nd ed. /", {"edition": "2nd ed."}),
        ("4901  $a Loom studies ; $v v. 3\n830 0 $a Loom studies (Tolm) ; $v 3.",
         {"series": "Loom studies", "volume": "3"}),
        ("830 0 $a Loom studies ; $v Bd. 3", {"series": "Loom studies", "volume": "3"}),
        ("020   $a 9783161484100 (pbk.) : $c 12 EUR", {"isbn": "9783161484100"}),
        ("0220  $a 1234-5679", {"issn": "1234-5679"}),
        ("0410  $a engfreger", {"language": "eng; fre; ger"}),
        ("0411  $a eng $a fre $h ger", {"language": "eng; fre"}),
        ("300   $a xii, 311 p. : $b ill.", {"pages": "xii, 311 p."}),
        ("500   $a Printed on linen.", {"notes": "Printed on linen."}),
        ("502   $b Ph. D. $c Tolm University $d 2018",
         {"type": "thesis", "publisher": "Tolm University", "year": "2018"}),
        ("035   $a (OCoLC)ocm00012345", {"id": "control:OCoLC:12345"}),
        ("001 0012\n003 DE-1", {"id": "control:DE-1:0012", "number": "0012"}),
        ("001 ocn712345\n003 OCoLC", {"id": "control:OCoLC:712345"}),
        ("0247  $a 10.1234/ab.c $2 doi", {"id": "doi:10.1234/ab.c"}),
        ("85642 $u https://tolm.example/cover\n85640 $u https://tolm.example/whole",
         {"url": "https://tolm.example/whole"}),
        ("520   $a Wool.\n5050  $a 1. Sheep -- 2. Looms", {"text": "Wool.",
                                                         "notes": "1. Sheep -- 2. Looms"}),
        ("5050  $a 1. Sheep -- 2. Looms", {"text": "1. Sheep -- 2. Looms"}),
    ],
)  # fmt: skip
def test_fields(lines: str, fields: dict[str, str | None]) -> None:
    said = read(f"{TITLE}\n{lines}", ARTICLE if "773" in lines else BOOK)
    assert {name: said.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    ("letters", "kind"),
    [("am", "book"), ("as", "periodical"), ("ab", "article-journal"), ("em", "map"),
     ("jm", "song"), ("cm", "song"), ("tm", "manuscript"), ("gm", "motion_picture"),
     ("km", "graphic"), ("mm", "software"), ("pc", "document"), ("ai", "webpage")],
)  # fmt: skip
def test_kinds_by_the_leader(letters: str, kind: str) -> None:
    assert read(TITLE, f"00000n{letters} a2200000 a 4500")["type"] == kind


def test_names_in_their_own_script_are_kept() -> None:
    said = read(f"1001 $6 880-02 $a Oreg, Beni\n{TITLE}\n8801 $6 100-02 $a אורג, בני")
    assert (said["authors"], said["original script"]) == ("Oreg, Beni", "אורג, בני")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Bd. 9 (2018), Heft 38, S. 245-260", ("9", "38", "245-260")),
        ("9(2018)38, S. 245-260", ("9", "38", "245-260")),
        ("9.2018, 38, S. 245-260", ("9", "38", "245-260")),
        ("9:38 (2018), 245-260", ("9", "38", "245-260")),
        ("9(38):245-260", ("9", "38", "245-260")),
        ("9 (2018), 245–260", ("9", None, "245-260")),
        ("t. 9, n° 38, p. 245", ("9", "38", "245")),
        ("Jahrgang IX (2018), Nr. 38", ("IX", "38", None)),
        ("(2018), Nr. 38", (None, "38", None)),
        ("Jan. 2018", (None, None, None)),
        ("2018, p. 245", (None, None, "245")),
    ],
)
def test_parts_in_one_line(line: str, parts: tuple[str | None, ...]) -> None:
    found = parts_of_host(line)
    assert tuple(found.get(name) for name in ("volume", "issue", "pages")) == parts


UNIMARC = """
001 u7
100   $a 20190101d2019    m  y0frey50      ba
101   $a fre $a eng
010   $a 978-3-16-148410-0
2001  $a Métiers à tisser $e une histoire $d Looms $f Berta Alm
210   $a Tolm $c Presses de laine $d 2018
215   $a 311 p. $c ill.
225   $a Études $v 3
300   $a Imprimé sur lin
330   $a La laine et le lin.
600   $a Alm $b Berta $f 1901-1980
606   $a Laine $x Histoire $y Tolm
610   $a lin $a soie
700 1 $a Alm $b Berta $4 070
702 1 $a Cole $b Ed $4 340
702 1 $a Falk $b Tor $4 730
71012 $a Journée des métiers $d 2 $f 1999 $e Tolm
801 3 $a FR $b TOLM
"""


def test_unimarc() -> None:
    assert read(UNIMARC) == {
        "title": "Métiers à tisser : une histoire = Looms",
        "text": "La laine et le lin.",
        "id": "isbn:9783161484100",
        "number": "u7",
        "authors": "Alm, Berta; Journée des métiers (2 : 1999 : Tolm)",
        "editors": "Cole, Ed",
        "other contributors": "Falk, Tor",
        "year": "2018",
        "type": "book",
        "isbn": "978-3-16-148410-0",
        "publisher": "Presses de laine",
        "place": "Tolm",
        "pages": "311 p.",
        "series": "Études",
        "volume": "3",
        "language": "fre; eng",
        "keywords": "Alm, Berta, 1901-1980; Laine -- Histoire -- Tolm; lin; soie",
        "notes": "Imprimé sur lin",
    }


def test_bytes_are_counted_past_records_that_are_too_long(tmp_path: Path) -> None:
    records = [record_of("24510 $a Looms").as_marc()]
    for n_bytes in (4 * MOST_BYTES + 7, 3, MOST_BYTES - 1, 2 * MOST_BYTES, 5, 3 * MOST_BYTES):
        records.append(b"x" * n_bytes + END_OF_RECORD)
    starts = [sum(map(len, records[:number])) for number in range(len(records))]
    path = tmp_path / "a.mrc"
    path.write_bytes(b"".join(records)[:-1])
    refused = [one for one in open_source(path) if isinstance(one, Refusal)]
    assert [values_of(one.place)["byte"] for one in refused] == [one + 1 for one in starts[1:]]


@pytest.mark.parametrize(
    "hosts",
    [
        "461 0 $t Lettres $x 1234-5679 $v 9\n463 0 $v 38\n215   $a P. 245-260",
        "461 0 $t Lettres $x 1234-5679\n463 0 $v Vol. 9, no 38\n215   $a p. 245-260",
        "461 1 $1 001x7 $1 011   $a 1234-5679 $1 2001  $a Lettres $v 9\n"
        "463 1 $1 2001  $v No 38, p. 245-260",
    ],
)
def test_articles_in_unimarc(hosts: str) -> None:
    said = read(f"2001  $a Laine\n{hosts}", ARTICLE)
    names = ("venue", "issn", "volume", "issue", "pages", "type")
    assert [said.get(name) for name in names] == [
        "Lettres", "1234-5679", "9", "38", "245-260", "article-journal",
    ]  # fmt: skip


IN_JSON = {
    "leader": BOOK,
    "fields": [
        {"001": "j7"},
        {"100": {"ind1": "1", "ind2": " ", "subfields": [{"a": "Alm, Berta,"}, {"d": "1901-"}]}},
        {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "Looms :"}, {"b": "a history"}]}},
    ],
}
IN_HASH = {
    "leader": BOOK,
    "controlfield": [{"tag": "001", "data": "j7"}],
    "datafield": [
        {"tag": "100", "ind": "1 ", "subfield": [{"code": "a", "data": "Alm, Berta,"}]},
        {"tag": "245", "ind": "10", "subfield": [{"code": "a", "data": "Looms :"},
                                                 {"code": "b", "data": "a history"}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize("record", [IN_JSON, IN_HASH])
@pytest.mark.parametrize(
    "written",
    [
        lambda one: json.dumps(one),
        lambda one: json.dumps(one, indent=2),
        lambda one: json.dumps([one, one]),
        lambda one: f"{json.dumps(one)}\n{json.dumps(one)}\n",
        lambda one: json.dumps({"records": [one, one]}, indent=1),
    ],
)
def test_marc_in_json(tmp_path: Path, record: dict, written) -> None:
    path = tmp_path / "export.json"
    path.write_text(written(record), "utf-8")
    assert format_of(path) == "marc-json"
    for made in open_source(path):
        assert isinstance(made, Document), made
        assert made.title == "Looms : a history"
        assert (made.metadata["authors"], made.metadata["number"]) == ("Alm, Berta", "j7")
