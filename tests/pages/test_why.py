"""Why is this here, and quality in words, on the Explore page."""

import re

import pytest
import small_library
from page_texts import texts
from raising import numbers

from subclust.core.records import MappedPassage, Passage, Subtopic
from subclust.explanation.record import Explanation, NamedGroup, Reason, TextPart
from subclust.ui.components.words import FAIRLY_TIGHT, TIGHT
from subclust.ui.explore import why
from subclust.ui.explore.passages import excerpt_with, with_marks
from subclust.ui.explore.quality import (
    _map_in_words,
    _reasons_in_words,
    _stableness,
    _support,
    _tightness,
    reason_in_words,
)
from subclust.ui.explore.why import _marked_text, _what_counts, _where

WAR = "the American war"
IDS = {passage.id for passage in small_library.passages()}


def html_of(page):
    return [str(element.value) for element in page.get("html")]


def subtopic(quality=0.3, texts=("a tax", "the tax", "snow"), id_=0, name="Tax"):
    members = [MappedPassage(Passage(f"p{i}", t), i, quality, 0, 0) for i, t in enumerate(texts)]
    return Subtopic(id_, name, quality, tuple(members))


def explanation(**changes):
    text = "Snow fell. The tax on tea angered them."
    values = dict(
        id="p1", title="Tea", text=text, reason=Reason("in a group", 0.31),
        group=NamedGroup(0, "Taxes", 0.5), nearest=None, runner_up=NamedGroup(1, "Snow", 0.375),
        strength=0.31, margin=0.125, query_specific=True, with_query=(), without_query=(),
        sentences=(TextPart(0, 10, -0.1), TextPart(11, 39, 0.25)), words=(TextPart(15, 18, 0.2),),
    )  # fmt: skip
    return Explanation(**(values | changes))


def test_a_chosen_passage_is_explained_beside_the_list(open_page):
    shown = " ".join(html_of(open_page(q=WAR, groups="4", passage="stamp-act:1#1")))
    assert "data-explained='stamp-act:1#1'" in shown
    assert len(re.findall("“[^”]+”", shown)) >= 2
    assert "data-marked='yes'" in shown
    near = shown.split("data-near='without'")[1]
    assert set(re.findall(r"data-passage='([^']+)'", near.split("</ol>")[0])) <= IDS - {
        "stamp-act:1#1"
    }


def test_similarities_are_written_as_the_visitor_writes_numbers(open_page):
    shown = " ".join(html_of(open_page(q=WAR, groups="4", passage="stamp-act:1#1", lang="de")))
    near = shown.split("data-near='without'")[1]
    assert re.search(r"\d,\d\d</span>", near) and not re.search(r"\d\.\d\d</span>", near)


def test_several_chosen_passages_are_not_explained(open_page):
    page = open_page(q=WAR, passage=["stamp-act:1#1", "stamp-act:2#2"])
    assert "Chosen: 2 passages" in [heading.value for heading in page.subheader]
    assert "data-explained" not in " ".join(html_of(page))


def test_a_passage_that_is_asked_about_opens_a_dialog(open_page, monkeypatch):
    monkeypatch.setattr(why, "asked_passage", lambda: ("why", "peace-treaty:3#3"))
    page = open_page(q=WAR, groups="4")
    shown = " ".join(html_of(page))
    assert "data-explained='peace-treaty:3#3'" in shown
    assert "data-near='without'" in shown


def test_an_id_that_is_no_hit_opens_nothing(open_page, monkeypatch):
    monkeypatch.setattr(why, "asked_passage", lambda: ("why", "nobody"))
    assert "data-explained" not in " ".join(html_of(open_page(q=WAR)))


@pytest.mark.parametrize(("shown", "many"), [({"group": "1"}, 12), ({"list": "hits"}, 48)])
def test_every_passage_of_a_list_has_a_button_that_asks_why(open_page, shown, many):
    drawn = " ".join(html_of(open_page(q=WAR, groups="4", **shown)))
    listed = re.findall(r"<li data-passage='([^']+)'", drawn)
    assert listed == re.findall(r"data-why='([^']+)'", drawn)
    assert set(listed) <= IDS and len(set(listed)) == many


def test_a_group_says_how_tight_and_stable_it_is_with_the_numbers_when_asked(open_page):
    page = open_page(q=WAR, groups="4", group="0")
    assert "tight (" not in texts(page)
    page.session_state["quality-0"] = True
    page.run()
    told = texts(page)
    assert re.search(r"tight \(0\.\d\d\)", told)
    assert re.search(r"stable \((1\.00|0\.\d\d)\)", told)
    assert re.search(r" in \d+ of 12", told)
    page.button(key="about").click().run()
    assert [value for value in html_of(page) if "4 of 4 groups" in value]


def test_the_words_of_a_name_are_marked_in_what_shows_what_a_group_is_about(open_page):
    page = open_page(q=WAR, groups="4")
    names = {b.label.lower() for b in page.button if re.fullmatch(r"group-\d", str(b.key))}
    marked = re.findall(r"<mark>([^<]+)</mark>", " ".join(html_of(page)))
    in_titles_only = {"winter quarters"}
    assert {mark.lower() for mark in marked} == names - in_titles_only


def test_other_passages_say_one_by_one_why_they_are_there(tmp_path, monkeypatch, open_page):
    from subclust.text.encoders import HashingEncoder
    from subclust.text.library import PassageLibrary

    encoder = HashingEncoder()
    odd = Passage("odd", "Zebras yawn quietly while pandas juggle xylophones.", title="Odd")
    passages = [*small_library.passages(), odd]
    library = PassageLibrary.create(
        tmp_path / "library", "odd", embedding_dim=encoder.embedding_dim,
        encoder_name=encoder.name, encoder_revision=encoder.revision,
    )  # fmt: skip
    library.add(passages, encoder.encode([p.text for p in passages]))
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    page = open_page(q="the American war zebras", library="odd", method="tfidf", group="-1")
    listed = [value for value in html_of(page) if "data-passage='odd'" in value]
    assert reason_in_words(Reason("alone", 0.0)) in listed[0]
    assert listed[0].count("<li ") == 1
    assert any(_reasons_in_words([Reason("alone", 0.0)]) in one.value for one in page.caption)


def test_tightness_and_stability_have_words_and_numbers():
    assert _tightness(subtopic(TIGHT)) == "tight (0.31)"
    assert _tightness(subtopic(TIGHT - 0.01)) == "fairly tight (0.30)"
    assert _tightness(subtopic(FAIRLY_TIGHT)) == "fairly tight (0.09)"
    assert _tightness(subtopic(FAIRLY_TIGHT - 0.01)) == "loose (0.08)"
    assert _tightness(subtopic(-0.1)) == "loose (-0.10)"
    assert _tightness(subtopic(0.0, ["one"])) == "a single passage"
    assert [_stableness(value) for value in (0.9, 0.7, 0.3, None)] == [
        "stable (0.90)", "fairly stable (0.70)", "unstable (0.30)", "",
    ]  # fmt: skip


def test_the_map_is_summed_up():
    groups = [subtopic(0.3, id_=0), subtopic(0.0, id_=1), subtopic(0.9, id_=-1)]
    assert numbers(_map_in_words(groups, {})) == ["1", "2", "0.15"]
    assert "mean 0.65" in _map_in_words(groups, {0: 0.9, 1: 0.4})
    assert _map_in_words([subtopic(id_=-1)], {}) == ""


def test_a_name_is_borne_out_by_the_passages_that_have_a_word_of_it():
    assert numbers(_support(subtopic(name="Taxes, tea"))) == ["2", "3"]
    assert _support(subtopic(id_=-1)) == ""
    assert _support(subtopic(name="Reception")) == ""  # a general heading


def test_a_name_is_borne_out_by_the_passages_that_stand_under_it():
    passages = [Passage(str(n), "Snow.", title="Weather", path="Winter / Ice") for n in range(2)]
    members = tuple(MappedPassage(one, n, 0.3, 0, 0) for n, one in enumerate(passages))
    for name in ("Ice", "Winter", "Weather"):
        assert numbers(_support(Subtopic(0, name, 0.3, members))) == ["2", "2"]


def test_reasons_are_counted_and_told():
    reasons = [Reason("alone", 0.0), Reason("alone", 0.0), Reason("about something else", 0.1)]
    assert [numbers(one) for one in _reasons_in_words(reasons).split(" · ")] == [["1"], ["2"]]
    assert "relevance 0.10" in reason_in_words(reasons[2])
    assert "fit -0.30" in reason_in_words(Reason("between groups", -0.3))


def test_the_text_is_marked_where_it_counts_and_nothing_of_it_is_markup():
    found = explanation()
    assert _marked_text(found) == (
        "Snow fell. <span class='sc-counts'>The <mark>tax</mark> on tea angered them.</span>"
    )
    hostile = explanation(text="<b>Snow</b>. The tax & tea angered them.")
    assert "<b>" not in _marked_text(hostile)
    assert "&lt;b&gt;" in _marked_text(hostile)


def test_marks_that_end_where_the_sentence_ends_are_nested():
    found = explanation(words=(TextPart(11, 18, 0.2), TextPart(27, 39, 0.1)))
    assert _marked_text(found).endswith(
        "<span class='sc-counts'><mark>The tax</mark> on tea a<mark>ngered them.</mark></span>"
    )


def facts(sentence):
    return re.findall(r"“[^”]*”|\d[\d.]*\d|\d", sentence)


def test_sentences_say_where_it_is_and_what_comes_next():
    told = _where(explanation())
    assert [facts(one) for one in told] == [["“Taxes”", "0.31", "1", "1"], ["“Snow”", "0.125"]]
    nearer = _where(explanation(margin=-0.1, nearest=NamedGroup(1, "Snow", 0.6)))
    assert [facts(one) for one in nearer[1:]] == [["“Snow”"], ["“Snow”", "0.100"]]
    assert "0.25" in _what_counts(explanation())
    assert "as a whole" in _what_counts(explanation(sentences=(), words=()))


def test_an_excerpt_begins_where_the_name_is_found():
    text = "Snow fell on the hills for weeks. " * 8 + "Then the tax on tea was repealed at last."
    shown = excerpt_with(text, "Tea tax")
    assert "tax on tea" in shown and shown.startswith("…")
    assert excerpt_with(text, "Elephants") == excerpt_with(text, "")
    assert excerpt_with("A tax. Nothing else.", "Tax") == "A tax. Nothing else."
    assert with_marks("<i>taxes</i>", "Tax") == "&lt;i&gt;<mark>taxes</mark>&lt;/i&gt;"


def test_why_and_quality_are_told_in_german_too(open_page):
    page = open_page(q=WAR, groups="4", lang="de", passage="stamp-act:1#1")
    shown = " ".join(html_of(page))
    assert "Warum ist " in shown and "Die nächste Gruppe " in shown
    page.button(key="about").click().run()
    assert "4 von 4 Gruppen" in " ".join(html_of(page))
