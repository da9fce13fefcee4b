"""Passages of one document are one line that opens to the others."""

import re

from subclust.core.records import Hit, Passage
from subclust.ui.components.words import n_documents, sizes
from subclust.ui.explore.passages import document_list

RECORD = {"authors": "Roe, Ann", "year": "2019", "doi": "10.1000/x"}


def hit(id, rank, **more):
    title = more.pop("title", "On tides")
    return Hit(Passage(id, f"Text number {rank}.", title=title, metadata=RECORD, **more), rank, 1.0)


HITS = [hit("a#1", 1), hit("b", 2, title="On harbours"), hit("a#7", 4), hit("a#2", 3)]


def ids(text):
    return re.findall(r"<li data-passage='([^']+)'", text)


def test_one_line_opens_to_the_others_by_rank_and_each_has_its_buttons():
    shown = document_list(HITS)
    assert ids(shown) == ["a#1", "a#2", "a#7", "b"]
    assert shown.count("class='sc-several'") == 1
    first, rest = shown.split("<details class='sc-several'>")
    assert rest.startswith("<summary aria-label='3 passages: On tides'>3 passages</summary>")
    assert ids(first) == ["a#1"]
    for id in ids(shown):
        assert f"data-why='{id}'" in shown and f"data-move='{id}'" in shown
    labels = re.findall(r"data-why='[^']+' aria-label='([^']+)'", shown)
    assert len(set(labels)) == 4


def test_what_holds_for_the_document_is_said_once():
    shown = document_list(HITS)
    for of_the_record in (">On tides</span>", ">On harbours</span>"):
        assert shown.count(of_the_record) == 1
    for of_both in ("Roe, Ann (2019)", "href='https://doi.org/10.1000/x'"):
        assert shown.count(of_both) == 2
    assert shown.count("Hit ") == 4


def test_a_document_that_is_alone_is_open():
    assert "<details class='sc-several' open>" in document_list([HITS[0], *HITS[2:]])
    assert "sc-several" not in document_list(HITS[:2])


def test_the_words_of_the_question_are_marked_and_nothing_is_read_as_html():
    odd = Hit(Passage("<b>#1", "Tides & <i>harbours</i>", title="<script>"), 1, 1.0)
    shown = document_list([odd], marks="the tides", asks=False)
    assert "<mark>Tides</mark>" in shown
    assert "<script>" not in shown and "<i>" not in shown and "<b>" not in shown
    assert "<button" not in shown


def test_sizes_name_documents_where_they_are_fewer():
    assert (sizes(HITS), n_documents(HITS)) == ("2 documents, 4 passages", "2 documents")
    assert (sizes(HITS[:2]), n_documents(HITS[:2])) == ("2 passages", "")
    assert sizes([HITS[0], HITS[2]]) == "1 document, 2 passages"
