"""RIS, BibTeX and CSL JSON, read again by the libraries that others read them with."""

import json
import re
from dataclasses import replace

import bibtexparser
import rispy
from bibtexparser.middlewares import LatexDecodingMiddleware
from hostile_map import GROUPS, TEXTS, hostile_map, hostile_report
from pylatexenc.latex2text import (
    LatexNodes2Text,
    MacroTextSpec,
    get_default_latex_context_db,
)

from subclust.exports import FORMATS, written
from subclust.exports.reference import divided, one_line
from subclust.exports.reference_files import _entry_key
from subclust.exports.references import _references, left_out_of

MEMBERS = [(m, g) for g in hostile_map().subtopics for m in g.passages]
REFERENCES = list(_references(hostile_map()))


def text_of(suffix):
    return written(hostile_report(), FORMATS[suffix]).decode()


def test_ris_gives_a_record_for_each_passage_and_no_other():
    found = rispy.loads(text_of(".ris"))
    assert [record["id"] for record in found] == [member.passage.id for member, _ in MEMBERS]
    for record, (member, group) in zip(found, MEMBERS, strict=True):
        assert record["abstract"] == one_line(member.passage.text)
        if group.id >= 0:
            assert record["keywords"][0] == one_line(group.name)
        else:
            assert GROUPS[-1] not in record.get("keywords", [])
        assert "unknown_tag" not in record
    first = next(record for record in found if record["id"].startswith("mine:0#"))
    assert first["authors"] == ["Smith, Anna", "de la Cruz, Bo"]
    assert (first["year"], first["type_of_reference"]) == ("2021", "JOUR")
    assert first["doi"] == "10.1000/x_y%7Bz"
    assert first["keywords"][1:] == ["tea", "trade, overseas"]


def test_the_term_that_a_group_is_named_by_is_in_the_notes_of_its_passages():
    report = hostile_report()
    first, *others = report.subtopics.subtopics
    named = replace(first, term="http://terms.org/7\nER  - ")
    report = replace(report, subtopics=replace(report.subtopics, subtopics=(named, *others)))
    ris = rispy.loads(written(report, FORMATS[".ris"]).decode())
    csl = json.loads(written(report, FORMATS[".csl.json"]))
    bib = bibtexparser.parse_string(written(report, FORMATS[".bib"]).decode()).entries
    in_group = [one.passage.id for one in first.passages]
    for ids, notes in (
        ([one["id"] for one in ris], ["".join(one["notes"]) for one in ris]),
        ([one["id"] for one in csl], [one["note"] for one in csl]),
        ([entry.key for entry in bib], [entry["note"] for entry in bib]),
    ):
        with_term = [id_ for id_, note in zip(ids, notes, strict=True) if "terms.org/7" in note]
        assert len(with_term) == len(in_group) == ids.index(with_term[-1]) + 1


def test_ris_has_one_field_a_line():
    lines = text_of(".ris").split("\r\n")
    assert all(re.match(r"^[A-Z][A-Z0-9]  - ", line) for line in lines if line)
    assert sum(line.startswith("TY") for line in lines) == len(TEXTS)
    assert sum(line.startswith("ER") for line in lines) == len(TEXTS)


def entries():
    signs = get_default_latex_context_db()
    signs.add_context_category(
        "braces",
        prepend=True,
        macros=[
            MacroTextSpec("textbraceleft", simplify_repl="{"),
            MacroTextSpec("textbraceright", simplify_repl="}"),
            MacroTextSpec("textasciicircum", simplify_repl="^"),
        ],
    )
    decoder = LatexNodes2Text(latex_context=signs, math_mode="text")
    library = bibtexparser.parse_string(
        text_of(".bib"), append_middleware=[LatexDecodingMiddleware(decoder=decoder)]
    )
    assert not library.failed_blocks
    return {entry.key: {f.key: f.value for f in entry.fields} for entry in library.entries}


def test_bibtex_gives_an_entry_for_each_passage_and_no_other():
    found = entries()
    assert list(found) == [_entry_key(one) for one in REFERENCES]
    for one in REFERENCES:
        entry = found[_entry_key(one)]
        assert squeezed(entry["abstract"]) == squeezed(one.get("text"))
        assert squeezed(entry["annotation"]) == squeezed(f"id: {one.id}")
        if one.group:
            assert squeezed(entry["note"]).startswith(squeezed(f"Group: {one.group}"))


def test_a_comma_in_a_name_makes_no_second_keyword_of_bibtex():
    one = next(one for one in REFERENCES if one.group == GROUPS[0])
    words = entries()[_entry_key(one)]["keywords"].split(", ")
    assert squeezed(words[0]) == squeezed("Tea / taxes / & 50% of {Boston}")
    assert len(words) == len(one.fields["keywords"])


def test_bibtex_braces_come_in_pairs():
    depth = 0
    for sign in text_of(".bib"):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0


def test_an_organisation_is_one_author():
    one = next(one for one in REFERENCES if "World Health" in str(one.fields.get("authors", ())))
    assert "author = {{World Health Organization}}" in text_of(".bib")
    assert one.fields.get("authors", ()) == ("World Health Organization",)


def test_csl_json_gives_an_item_for_each_passage():
    found = json.loads(text_of(".csl.json"))
    assert [item["id"] for item in found] == [one.id for one in REFERENCES]
    for item, one in zip(found, REFERENCES, strict=True):
        assert item["abstract"] == one.get("text")
        assert item.get("categories", []) == list(one.fields.get("keywords", ()))
        assert item["type"] in {
            "article-journal", "entry-encyclopedia", "webpage", "document"
        }  # fmt: skip
        assert all(item.values())
    first = next(item for item in found if item["id"].startswith("mine:0#"))
    assert first["author"][0] == {"family": "Smith", "given": "Anna"}
    assert first["issued"] == {"date-parts": [[2021]]}
    assert "javascript" not in text_of(".csl.json")


def test_json_is_the_object_of_the_command_line():
    assert json.loads(text_of(".json")) == hostile_map().to_dict()


def test_files_that_leave_out_the_same_fields_are_named_together():
    (told,) = left_out_of(hostile_map(), *FORMATS)
    assert told.values["formats"].split(", ") == ["RIS", "BibTeX", "CSL JSON"]
    (told,) = left_out_of(hostile_map(), "answer.bib")
    assert told.values["formats"] == "BibTeX"


def test_a_subtopic_of_a_labelled_set_is_not_missed_beside_the_groups():
    (member,) = hostile_map().subtopics[0].passages[:1]
    labelled = replace(member.passage, label="Taxes", metadata={})
    group = replace(hostile_map().subtopics[0], passages=(replace(member, passage=labelled),))
    assert left_out_of(replace(hostile_map(), subtopics=(group,)), *FORMATS) == []


def test_a_name_is_divided_only_at_its_comma():
    assert divided("Smith, Anna B.") == ("Smith", "Anna B.")
    assert divided("World Health Organization") == ("World Health Organization", "")
    assert divided("Smith,") == ("Smith", "")


def squeezed(text):
    return re.sub(r"\s+", "", text)
