"""Which passages are of one document."""

from types import SimpleNamespace

from subclust.core.records import Passage, by_document, document_of


def test_the_document_of_an_id():
    assert document_of("a:3#12") == "a:3" and document_of("a#b") == "a#b"
    assert document_of("#1") == "" and document_of("") == "" and document_of("x#²") == "x#²"
    assert document_of("a#1#2") == "a#1"


def test_a_document_stands_where_its_first_passage_does_and_the_others_follow_by_rank():
    found = {"a#3": 4, "b": 1, "a#9": 6, "c#1": 3, "a#1": 5, "a#2": 2}
    members = [SimpleNamespace(passage=Passage(id, "text"), rank=found[id]) for id in found]
    assert [[one.passage.id for one in document] for document in by_document(members)] == [
        ["a#3", "a#2", "a#1", "a#9"],
        ["b"],
        ["c#1"],
    ]
    assert by_document([]) == []


def test_records_that_are_numbered_but_have_titles_of_their_own_are_documents_of_their_own():
    members = [
        SimpleNamespace(passage=Passage(f"report#{n}", "text", title=f"Report {n}"), rank=n)
        for n in (1, 2)
    ]
    assert len(by_document(members)) == 2
