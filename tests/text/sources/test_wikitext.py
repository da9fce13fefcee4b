import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subclust.text.sources.wikitext import Section, paragraphs

LONG = (
    "The quick brown fox jumps over the lazy dog while nine librarians look on "
    "and take careful note of it"
)


def read(wikitext: str) -> list[Section]:
    return list(paragraphs(wikitext))


def one(wikitext: str) -> str:
    (section,) = read(wikitext)
    return section.text


def test_section_paths_are_nested():
    wikitext = f"""{LONG} in the lead.
== History ==
{LONG} at first.
=== ''Early'' [[year]]s ===
{LONG} early on.
==== Detail <!-- hidden --> ====
{LONG} in detail.
=== Later ===
{LONG} later.

{LONG} later still.
== Uses ==
{LONG} in use."""
    assert [(" / ".join(s.path), s.text.removeprefix(LONG + " ")) for s in read(wikitext)] == [
        ("", "in the lead."),
        ("History", "at first."),
        ("History / Early years", "early on."),
        ("History / Early years / Detail", "in detail."),
        ("History / Later", "later."),
        ("History / Later", "later still."),
        ("Uses", "in use."),
    ]


@pytest.mark.parametrize(
    "heading",
    ["References", "See also", "EXTERNAL LINKS", "Further reading", "Notes", "Bibliography"],
)
def test_administrative_sections_go_with_their_subsections(heading):
    wikitext = f"== {heading} ==\n{LONG}.\n=== Part ===\n{LONG}.\n== Kept ==\n{LONG}."
    assert [section.path for section in read(wikitext)] == [("Kept",)]


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("'''Bold''' and ''italic''", "Bold and italic"),
        ("a [[link]] and a [[target|shown]] one", "a link and a shown one"),
        ("a [[:Category:Maps|category]] named", "a category named"),
        ("see [http://x.org the site] and http://y.org/z here", "see the site and here"),
        ("x<ref>{{cite book|title=A}}</ref> y<ref name=b /> z", "x y z"),
        ("one&nbsp;two &ndash; three &amp;nbsp;four", "one two – three four"),
        ("H<sub>2</sub>O, 10<sup>6</sup>, the 19<sup>th</sup>", "H2O, 10^6, the 19th"),
        ("a<!-- hidden -->b {{citation needed|date=May 2015}} c", "ab c"),
        ("{{convert|1300|mi|km}} off, {{convert|2|to|3|m}}", "1300 mi off, 2 to 3 m"),
        ("{{convert|5|ft|8|in|m|2}} tall", "5 ft 8 in tall"),
        ("the {{lang|grc|logos}} or {{lang-fr|le mot}}", "the logos or le mot"),
        ("{{as of|2014|lc=y}} and {{As of|2015}}", "as of 2014 and As of 2015"),
        ("{{frac|1|2}} of {{val|6.2|e=18}} {{nowrap|[[Pope]] X}}", "1/2 of 6.2×10^18 Pope X"),
        ("at {{coord|30|12|N|74|7|W}} there", "at 30°12′N 74°7′W there"),
        ("Ada ({{IPAc-en|a}}; {{respell|A}}) wrote", "Ada wrote"),
        ("Ada ({{IPAc-en|a}}, born 1815) wrote", "Ada (born 1815) wrote"),
        ("[[File:A.jpg|thumb|A [[nested]] caption]]Text", "Text"),
        ("[[Image:B.png|left]]Text [[fr:Texte]][[Category:Foxes]]", "Text"),
        ("<math>x = 2</math> holds", "x = 2 holds"),
        ("text __NOTOC__ here", "text here"),
        ("broken <b> and ''' and ]] marks", "broken and and marks"),
        ("{{infobox|name=[[x]]\n|caption={{y|z}}}}\nText", "Text"),
    ],
)
def test_markup_becomes_plain_text(wikitext, expected):
    assert one(f"{wikitext} : {LONG}.") == f"{expected}: {LONG}."


@pytest.mark.parametrize(
    "block",
    [
        "{| class=wikitable\n|-\n! Head !! Other\n|-\n| %s || b\n|}",
        "<gallery>\nFile:A.jpg|%s\n</gallery>",
        "<ref>%s</ref>",
        "{{Infobox person|about=%s}}",
        "{{reflist|refs=%s}}",
        "[[File:A.jpg|thumb|%s]]",
        "<!-- %s -->",
        "Where <math>\\frac{a}{b}</math> is, %s.",
        "| %s",
        "! colspan=2 | %s",
        "cite web |title=%s |publisher=Y",
        "Too short.",
        "* %s",
    ],
)
def test_what_is_no_prose_is_left_out(block):
    block = block.replace("%s", LONG)
    assert [s.text for s in read(f"== A ==\n{LONG}.\n\n{block}\n\n{LONG}!")] == [
        f"{LONG}.",
        f"{LONG}!",
    ]


def test_a_list_joins_the_paragraph_that_announces_it():
    assert one(f"{LONG}, such as these:\n* one\n* [[two]];\n# three.") == (
        f"{LONG}, such as these: one; two; three."
    )
    assert one(f"{LONG}, such as these:\n\n* one\n* two") == f"{LONG}, such as these: one; two."


def test_an_announcement_without_its_list_is_left_out():
    assert one(f"{LONG}. The formula says:\n: <math>\\frac ab</math>\n") == f"{LONG}."


def test_items_that_are_sentences_are_paragraphs_and_others_are_not():
    texts = [s.text for s in read(f"* {LONG}.\n* a name, {LONG}\n* B. Title. ISBN 1. {LONG}.")]
    assert texts == [f"{LONG}."]


def test_a_quotation_joins_its_announcement_or_stands_alone():
    assert one(f"He wrote:\n{{{{quote|{LONG}!|Somebody}}}}") == f"He wrote: {LONG}!"
    assert one(f"He wrote:<blockquote>{LONG}!</blockquote>") == f"He wrote: {LONG}!"
    assert [s.text for s in read(f"{LONG}.\n{{{{quote|{LONG}!}}}}\n{LONG}?")] == [
        f"{LONG}{mark}" for mark in ".!?"
    ]


def test_lines_of_a_paragraph_are_joined_and_blank_lines_part():
    assert [s.text for s in read(f"{LONG}\nand so on.\n\n \n{LONG}.")] == [
        f"{LONG} and so on.",
        f"{LONG}.",
    ]


def test_an_unclosed_tag_spoils_one_section_only():
    wikitext = f"== A ==\n<div>{{{{ {LONG}.\n== References ==\n{LONG}.\n== B ==\n{LONG}."
    assert {section.path for section in read(wikitext)} <= {("A",), ("B",)}
    assert ("B",) in {section.path for section in read(wikitext)}


@given(st.text("[]{}|='<>/*#:; \nabcRef!-", max_size=120))
@example("]|}]")  # takes out what stands between the halves of a mark
@example("'|}''[{|[")
def test_no_wikitext_is_too_broken(noise):
    for section in read(f"{noise}\n== H ==\n{LONG} {noise} end.\n"):
        assert not re.search(r"\[\[|\]\]|\{\{|\}\}|'''|[\x02-\x04]|\n|  ", section.text)
