import json

import openpyxl
import pytest
from raising import raises

from subclust.core.exceptions import InputError, LibraryError
from subclust.core.records.terms import Term, Vocabulary
from subclust.text.library.folder import clear, terms_file
from subclust.text.library.terms import keep_terms, kept_terms, read_terms

TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://example.org/1> a skos:Concept ; skos:prefLabel "Taxation"@en, "Besteuerung"@de ;
  skos:altLabel "taxes"@en, "duties"@en, "Steuern"@de .
<http://example.org/2> skos:prefLabel "Trade"@en .
"""
RDF = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="http://example.org/1">
    <skos:prefLabel xml:lang="en">Taxation</skos:prefLabel>
    <skos:hiddenLabel xml:lang="en">taxes</skos:hiddenLabel>
  </skos:Concept>
</rdf:RDF>
"""


def written(tmp_path, name, text, encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_plain_list_has_one_term_a_line(tmp_path, encoding):
    path = written(tmp_path, "terms.txt", "Taxation\n\n  Café   trade\r\nTaxation\n", encoding)
    assert read_terms(path).terms == (
        Term("Taxation", "Taxation"), Term("Café trade", "Café trade"),
    )  # fmt: skip


def test_skos_has_a_term_for_each_language_with_the_words_that_stand_for_it(tmp_path):
    assert read_terms(written(tmp_path, "terms.ttl", TURTLE)).terms == (
        Term("Besteuerung", "http://example.org/1", ("Steuern",)),
        Term("Taxation", "http://example.org/1", ("duties", "taxes")),
        Term("Trade", "http://example.org/2"),
    )
    assert read_terms(written(tmp_path, "terms.rdf", RDF)).terms == (
        Term("Taxation", "http://example.org/1", ("taxes",)),
    )


@pytest.mark.parametrize(
    ("name", "text"), [("terms.ttl", "not turtle"), ("terms.xml", "<no"), ("terms.txt", "\n \n")]
)
def test_a_file_without_terms_is_rejected(tmp_path, name, text):
    with pytest.raises(InputError):
        read_terms(written(tmp_path, name, text))
    with pytest.raises(InputError):
        read_terms(tmp_path / "absent.txt")


def test_a_workbook_is_no_list_of_terms(tmp_path):
    path = tmp_path / "terms.xlsx"
    openpyxl.Workbook().save(path)
    with raises(InputError, file=str(path)):
        read_terms(path)


def test_terms_are_kept_beside_a_library_and_go_with_it(tmp_path):
    vocabulary = Vocabulary((Term("Taxation", "1", ("taxes",)),))
    assert kept_terms(tmp_path, "mine") == Vocabulary()
    keep_terms(tmp_path, "mine", vocabulary)
    assert kept_terms(tmp_path, "mine") == vocabulary
    clear(tmp_path, "mine", keep_name=True)
    assert kept_terms(tmp_path, "mine") == vocabulary
    clear(tmp_path, "mine")
    assert kept_terms(tmp_path, "mine") == Vocabulary()
    keep_terms(tmp_path, "mine", vocabulary)
    keep_terms(tmp_path, "mine", Vocabulary())
    assert not terms_file(tmp_path, "mine").exists()


@pytest.mark.parametrize("content", ["{", json.dumps({"terms": [{"label": 1}]})])
def test_a_damaged_list_is_told(tmp_path, content):
    terms_file(tmp_path, "mine").write_text(content)
    with pytest.raises(LibraryError):
        kept_terms(tmp_path, "mine")


def test_a_name_is_a_term_whatever_its_capitals():
    vocabulary = Vocabulary((Term("digital preservation", "1"), Term("Digital Preservation", "2")))
    assert vocabulary.id_of("Digital preservation") == "1"
    assert vocabulary.id_of("digital") is None
