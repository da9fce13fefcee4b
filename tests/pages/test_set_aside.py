"""Hits that are probably about something else, under the groups of the others."""

import pytest
from known_relevance import judge_by_word
from page_texts import texts

QUESTION = "the American war"


@pytest.fixture(autouse=True)
def one_subject(monkeypatch):
    judge_by_word(monkeypatch, "admiral")


def strictness_of(page):
    return [one for one in page.get("button_group") if "strictness" in str(one.proto.id)]


def test_they_stand_closed_under_the_groups(open_page):
    page = open_page(q=QUESTION)
    assert not page.exception
    (aside,) = [one for one in page.expander if "something else" in one.label]
    assert not aside.proto.expanded
    n_aside = int(aside.label.split()[0])
    assert f"{48 - n_aside} passages" in texts(page) and 0 < n_aside < 48
    assert strictness_of(page)


def test_all_hits_are_grouped_where_that_is_chosen(open_page):
    page = open_page(q=QUESTION, strict="all")
    assert not [one for one in page.expander if "something else" in one.label]
    assert "48 passages" in texts(page)
    assert strictness_of(page)  # so that one can go back


def test_a_sentence_says_that_there_is_little(open_page, monkeypatch):
    page = open_page(q=QUESTION)
    assert not page.info
    judge_by_word(monkeypatch, "early that spring")
    page = open_page(q="war in early spring")
    assert [one for one in page.info if "demo" in one.value and "early spring" in one.value]


def test_a_word_that_no_passage_mentions_is_named(open_page):
    captions = [one.value for one in open_page(q="war against zebras").caption]
    assert [one for one in captions if "zebras" in one and "war" not in one]
    assert not [one for one in open_page(q=QUESTION).caption if "American" in one]
