"""What ``search`` does with operators and fields."""

import json

import pytest

from subclust.core.translation import translated
from subclust.text.retrieval import understood

pytestmark = pytest.mark.usefixtures("library")

SEARCH = ("search", "--library", "small", "--method", "centred-cosine")


def ids(printed):
    return {one["id"] for group in printed["subtopics"] for one in group["passages"]}


def test_all_that_is_printed_meets_the_question(run):
    question = '"harbour towns" AND (herring OR muskets) NOT 1761'
    printed = json.loads(run(*SEARCH, question, "--json")[1])
    assert ids(printed) == {f"fish{year}" for year in range(1760, 1768) if year != 1761}
    assert printed["query"] == question
    assert printed["read"] == {
        "words": "harbour towns herring muskets",
        "told": [str(told) for told in understood(question).told],
    }
    assert printed["n_set_aside"] == 0 and printed["answered"] is None


def test_a_question_of_conditions_alone_lists_what_meets_them(run):
    printed = json.loads(run(*SEARCH, "NOT 1761 NOT tax -title:isle", "--json", "--top-k", "9")[1])
    assert len(ids(printed)) == 9 and printed["read"]["words"] == ""
    assert not [id_ for id_ in ids(printed) if "1761" in id_ or "tax" in id_]


def test_a_plain_question_is_not_told_of(run):
    assert "read" not in json.loads(run(*SEARCH, "harbour towns", "--json")[1])


def test_how_it_was_read_is_said_first(run):
    question = "format:pdf harbour -muskets"
    printed = run(*SEARCH, question)[1].splitlines()
    assert tuple(printed[:2]) == understood(question).told
    german = run("--language", "de", *SEARCH, question)[1].splitlines()
    assert german[:2] == [translated(told, "de") for told in understood(question).told]
    assert not {*german[:2]} & {*printed[:2]}


def test_nothing_meets_it(run):
    status, printed, told = run(*SEARCH, '"towns harbour"')
    assert status and not printed
    assert told.values["library"] == "small"
    assert told.values["text"] == "towns harbour"  # of the phrase, within the sentence


@pytest.mark.parametrize("by", [(), ("--divide-by", "taxes on trade")])
def test_exports_and_sessions_say_how_it_was_read(run, tmp_path, by):
    question = "harbour NOT 1761"
    files = [tmp_path / name for name in ("a.json", "a.html")]
    words = [word for file in files for word in ("--export", file)]
    printed = json.loads(run(*SEARCH, question, *by, *words, "--save", "Ports", "--json")[1])
    assert printed["query"] == (by[1] if by else question)
    assert printed["read"]["words"] == "harbour"
    assert json.loads(files[0].read_bytes())["read"] == printed["read"]
    assert printed["read"]["told"][0] in files[1].read_text()
    again = tmp_path / "again.json"
    run("sessions", "export", "Ports", again)
    for value in (json.loads(run("sessions", "show", "Ports", "--json")[1]), again.read_bytes()):
        found = json.loads(value) if isinstance(value, bytes) else value
        assert found["read"] == printed["read"]
