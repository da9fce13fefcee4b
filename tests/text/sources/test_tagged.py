"""Borders, looseness and values of records in tagged lines, in files written here."""

import pytest

from subclust.text.sources import Document, Refusal
from subclust.text.sources.opening import open_source

MUCH = {
    # name: (format, text, titles of the records in order)
    "begin mark not first": (
        "ris",
        "ID  - 1\nTY  - JOUR\nTI  - A\nER  -\n\nID  - 2\nTY  - BOOK\nTI  - B\nER  -\n",
        "A B",
    ),
    "begin mark not first, no empty line": (
        "ris",
        "ID  - 1\nTY  - JOUR\nTI  - A\nER  -\nID  - 2\nTY  - BOOK\nTI  - B\nER  -\n",
        "A B",
    ),
    "begin mark not first, no end mark": (
        "ris",
        "ID  - 1\nTY  - JOUR\nTI  - A\n\nID  - 2\nTY  - BOOK\nTI  - B\n",
        "A B",
    ),
    "begin mark in the middle": (
        "ris",
        "TI  - A\nTY  - JOUR\nPY  - 2001\nER  -\nTI  - B\nTY  - BOOK\nPY  - 2002\nER  -\n",
        "A B",
    ),
    "begin mark last, no end mark": (
        "ris",
        "TI  - A\nPY  - 2001\nTY  - JOUR\n\nTI  - B\nPY  - 2002\nTY  - BOOK\n",
        "A B",
    ),
    "no begin mark": ("ris", "TI  - A\nER  -\n\nAU  - X\n\nTI  - B\nER  -\n", "A B"),
    "no marks at all": ("ris", "AU  - X\nTI  - A\n\nAU  - Y\nTI  - B\n", "A B"),
    "no end mark": ("ris", "TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\n", "A B"),
    "no end mark between, an end mark last": (
        "ris",
        "TY  - JOUR\nTI  - A\n\nAU  - X\nTY  - JOUR\nTI  - B\nER  - \n",
        "A B",
    ),
    "empty lines everywhere": (
        "ris",
        "TY  - JOUR\n\nTI  - A\n\nAU  - X\n\nER  - \n\nTY  - JOUR\n\nTI  - B\n\nER  - \n\n",
        "A B",
    ),
    "lines behind the end": (
        "ris",
        "1.\nTY  - JOUR\nTI  - A\nER  -\nNL  - J\n\nLink to the Ovid Full Text or citation: http://x"
        "\n\n2.\nTY  - JOUR\nTI  - B\nER  -\nNL  - K\n\nExported today\n",
        "A B",
    ),
    "one line behind the last end": ("ris", "TY  - JOUR\nTI  - A\nER  -\nNL  - J\n", "A"),
    "numbers between, no end marks": (
        "ris",
        "1.\nTY  - JOUR\nTI  - A\n\n2.\nTY  - JOUR\nTI  - B\n",
        "A B",
    ),
    "end mark with words": (
        "ris",
        "TY  - JOUR\nTI  - A\nER  - end\n\nTY  - JOUR\nTI  - B\n",
        "A B",
    ),
    "end mark that is text": (
        "ris",
        "TY  - JOUR\nTI  - A\nAB  - We saw\nER  - visits in spring.\nPY  - 2001\nER  -\n",
        "A",
    ),
    "files joined with marks of byte order": (
        "ris",
        "\ufeffTY  - JOUR\nTI  - A\nER  - \n\ufeffTY  - JOUR\nTI  - B\nER  - \ufeffTY  - JOUR\n"
        "TI  - C\n",
        "A B C",
    ),
    "files joined without line end": (
        "ris",
        "TY  - JOUR\nTI  - A\nER  - TY  - JOUR\nTI  - B\nER  - ",
        "A B",
    ),
    "ended by DOS": (
        "ris",
        "TY  - JOUR\nTI  - A\nER  - \n\x1aTY  - JOUR\nTI  - B\nER  - \n\x1a",
        "A B",
    ),
    "lower case": ("ris", "ty  - JOUR\nti  - A\ner  - \nty  - JOUR\nti  - B\ner  - \n", "A B"),
    "tabulators": ("ris", "TY  -\tJOUR\nTI  -\tA\nER  -\nTY\t-\tJOUR\nTI\t-\tB\nER\t-\n", "A B"),
    "one blank": ("ris", "TY - JOUR\nTI - A\nER -\nTY - JOUR\nTI - B\nER -\n", "A B"),
    "no blank behind": ("ris", "TY  -JOUR\nTI  -A\nER  -\n", "A"),
    "a dash": ("ris", "TY – JOUR\nTI – A\nER –\n", "A"),
    "without the first tag": (
        "nbib",
        "\nOWN - ERIC\nTI  - A\nDP  - 2001\n\nOWN - ERIC\nTI  - B\nDP  - 2002\n",
        "A B",
    ),
    "without the first tag or empty lines": ("nbib", "OWN - X\nTI  - A\nOWN - X\nTI  - B\n", "A B"),
    "first tag second": (
        "nbib",
        "OWN - NLM\nPMID- 1\nTI  - A\n\nOWN - NLM\nPMID- 2\nTI  - B\n",
        "A B",
    ),
    "two services in one file": (
        "nbib",
        "PMID- 1\nOWN - NLM\nTI  - A\n\nTI  - B\nOWN - ERIC\n\nPMID- 2\nTI  - C\n",
        "A B C",
    ),
    "numbers with a point": ("ovid", "<1. >\nTI  - A\n\n<2. >\nTI  - B\n", "A B"),
    "of several days": (
        "wos",
        "FN Clarivate\nVR 1.0\nPT J\nTI A\nER\nEF\nFN Clarivate\nVR 1.0\nPT J\nTI B\nER\n\nEF\n",
        "A B",
    ),
    "without type": ("endnote", "%A X\n%T A\n\n%T B\n%A Y\n", "A B"),
    "type not first": ("endnote", "%T A\n%0 Book\n\n%T B\n%0 Book\n", "A B"),
    "glued by marks of byte order": ("endnote", "\ufeff%0 Book\n%T A\ufeff%0 Book\n%T B\n", "A B"),
    "RefWorks": ("refworks", "RT Book\nID 1\nT1 A\n\nRT Book\nID 2\nT1 B\n", "A B"),
    "RefWorks, type not first": ("refworks", "ID 1\nRT Book\nT1 A\n\nID 2\nRT Book\nT1 B\n", "A B"),
}


def read(tmp_path, format, text, encoding="utf-8"):
    path = tmp_path / "export.dat"
    path.write_bytes(text.encode(encoding))
    return list(open_source(path, format))


@pytest.mark.parametrize("name", MUCH)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_record_is_one(tmp_path, name, end):
    format, text, titles = MUCH[name]
    items = read(tmp_path, format, text.replace("\n", end))
    assert [one.title for one in items if isinstance(one, Document)] == titles.split(), items
    assert not [one for one in items if isinstance(one, Refusal)]


def test_records_do_not_take_values_of_each_other(tmp_path):
    text = "ID  - 1\nTY  - JOUR\nTI  - A\nUR  - http://a\n\nID  - 2\nTY  - JOUR\nTI  - B\nAU  - Y\n"
    first, second = read(tmp_path, "ris", text)
    assert (first.metadata["number"], second.metadata["number"]) == ("1", "2")
    assert "url" not in second.metadata and "authors" not in first.metadata


def test_what_was_assumed_is_told(tmp_path):
    whole = "TY  - JOUR\nTI  - A\nER  -\n"
    assert [one.mended for one in read(tmp_path, "ris", whole)] == [()]
    behind = read(tmp_path, "ris", whole + "NL  - J\n\n2.\n" + whole)
    assert [len(one.mended) for one in behind] == [1, 0]
    (left,) = read(tmp_path, "ris", whole + "Exported today.\n")
    assert len(left.mended) == 1 and left.mended != behind[0].mended
    (begun,) = read(tmp_path, "ris", "TI  - A\nER  -\n")
    assert begun.mended[0].values["tag"] == "TI"


def test_lines_of_an_abstract_that_look_like_tags(tmp_path):
    text = (
        "TY  - JOUR\nTI  - Wards\nAB  - ED - emergency department;\nCT - a picture\n"
        "METHODS - We saw.\n\nER - visits fell.\nAU  - Falk, Ada\nER  - \n"
    )
    (found,) = read(tmp_path, "ris", text)
    assert found.passages[0].text == (
        "ED - emergency department; CT - a picture METHODS - We saw. ER - visits fell."
    )
    assert found.metadata["authors"] == "Falk, Ada"


VALUES = {
    "keywords on lines of their own": (
        "ris",
        "TY  - JOUR\nTI  - A\nKW  - salt\npepper\nlong\n  keyword\nER  -\n",
        {"keywords": "salt; pepper; long keyword"},
    ),
    "no pages": ("ris", "TY  - JOUR\nTI  - A\nSP  - No\nEP  - Specified\nER  -\n", {"pages": None}),
    "pages in one field": ("ris", "TY  - JOUR\nTI  - A\nSP  - 1-9\nEP  - 9\n", {"pages": "1-9"}),
    "one page": ("ris", "TY  - JOUR\nTI  - A\nSP  - 7\nEP  - 7\nER  -\n", {"pages": "7"}),
    "keywords of EndNote": (
        "endnote",
        "%0 Book\n%T A\n%K salt\npepper\n%K vinegar\n",
        {"keywords": "salt; pepper; vinegar"},
    ),
    "a body's name": (
        "endnote",
        "%0 Book\n%T A\n%A Harbour Office,\n%A Falk, Ada\n",
        {"authors": "Harbour Office; Falk, Ada"},
    ),
    "a group and translated titles": (
        "nbib",
        "PMID- 7\nTI  - [Not Available].\nTT  - Ports du nord.\nFAU - Lind, Cora\nAU  - Lind C\n"
        "CN  - Harbour Group\nMH  - Tides/*physiology\nOT  - *moon\n",
        {
            "title": "Ports du nord.",
            "authors": "Lind, Cora; Harbour Group",
            "keywords": "Tides/physiology; moon",
            "url": "https://pubmed.ncbi.nlm.nih.gov/7/",
        },
    ),
    "ERIC": (
        "nbib",
        "OWN - ERIC\nTI  - A\nAU  - Falk, Ada\nDP  - 2001\nAID - http://example.org/1\n",
        {"source": "ERIC", "url": "http://example.org/1", "year": "2001"},
    ),
    "RefWorks": (
        "refworks",
        "RT Journal Article\nSR Electronic(1)\nID 7\nA1 Falk,Ada\nA1 Okoro,Ben\nT1 On\nharbours\n"
        "JF Quay\nYR 2002\nVO 3\nIS 4\nSP 5\nOP 9\nK1 salt\nK1 tide; foam\nAB We saw.\nUS ports.\n"
        "SN 1234-5678\nDO 10.1234/x\nLA English\n",
        {
            "title": "On harbours", "authors": "Falk, Ada; Okoro, Ben", "venue": "Quay",
            "year": "2002", "volume": "3", "issue": "4", "pages": "5-9", "number": "7",
            "keywords": "salt; tide; foam", "text": "We saw. US ports.", "issn": "1234-5678",
            "doi": "10.1234/x", "type": "article-journal",
        },
    ),
    "Ovid with names": (
        "ovid",
        "<1>\nAccession Number\n  0900.\nAuthor\n  Falk, Ada MD, PhD 1,2;  Okoro, Ben *\nTitle\n"
        "  On harbours.[Review]\nSource\n  Quay.  8(6):1048-64, 2015 Jun.\nLanguage\n  English.\n"
        "ISSN\n  1234-5678.\nInstitution\n  1. Office\n",
        {
            "title": "On harbours", "authors": "Falk, Ada; Okoro, Ben", "venue": "Quay",
            "volume": "8", "issue": "6", "pages": "1048-64", "year": "2015", "date": "2015-06",
            "number": "0900", "issn": "1234-5678", "type": "article-journal",
        },
    ),
    "Ovid with tags": (
        "ovid",
        "<1. >\nAU  - Falk, Ada MD 1\nAU  - Okoro, Ben\nTI  - On harbours.  [Article]\n"
        "SO  - Quay June 2015;58(6):688-696\nAB  - Tides\nConclusion\n      move.\nYR  - 2015\n",
        {
            "title": "On harbours", "authors": "Falk, Ada; Okoro, Ben", "venue": "Quay",
            "volume": "58", "pages": "688-696", "text": "Tides Conclusion move.", "year": "2015",
        },
    ),
    "a title in brackets": ("ovid", "<1>\nTI  - [On harbours].\n", {"title": "[On harbours]"}),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_values(tmp_path, name):
    format, text, wanted = VALUES[name]
    (found,) = read(tmp_path, format, text)
    held = {"title": found.title, "text": found.passages[0].text, **found.metadata}
    assert {key: held.get(key) for key in wanted} == wanted


def test_a_difference_between_what_a_file_counts_and_what_was_read_is_told(tmp_path):
    text = "TY  - JOUR\nTI  - A\nAB  - We saw.TY  - BOOK\nTI  - B\nER  - \n"
    *_, last = read(tmp_path, "ris", text)
    assert isinstance(last, Refusal)
    assert last.reason.values == {"mark": "TY", "told": 2, "read": 1}
