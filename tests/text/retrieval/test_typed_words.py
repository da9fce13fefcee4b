import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.core.records import Passage
from subclust.explanation.units import Span
from subclust.text.retrieval import holding
from subclust.text.retrieval.typed_words import _places_of, hardly_mentioned, where_held


def passage(id_, text, title=""):
    return Passage(id=id_, text=text, title=title)


RITES = [
    passage("all-letters", "Rivers in transit, under a long tide.", "Irritable tunnels"),
    passage("held", "The priests met at dawn. Their ritual took three days. Nobody spoke."),
    passage("in-title", "They met at dawn.", "Rituals of the coast"),
    passage("accents", "Le rituél fut long.", "Fêtes"),
]


def ids(hits):
    return [passage.id for passage in hits]


def test_a_passage_is_found_by_a_word_it_holds_and_not_by_its_letters():
    assert ids(holding(RITES, "ritual")) == ["held", "in-title"]
    assert ids(holding(RITES, "RITUAL")) == ["held", "in-title"]
    assert ids(holding(RITES, "rituel")) == ["accents"]


@pytest.mark.parametrize(
    ("typed", "found"), [("fetes RITUÉL", ["accents"]), ("dawn ritual", [1, 2])]
)
def test_all_typed_words_are_held_in_title_or_text(typed, found):
    wanted = [RITES[one].id if isinstance(one, int) else one for one in found]
    assert ids(holding(RITES, typed)) == wanted


@pytest.mark.parametrize("typed", ["", "  ", "\n", "ritual nowhere"])
def test_nothing_is_found_for_nothing(typed):
    assert holding(RITES, typed) == []


def test_the_sentence_that_holds_the_word_is_shown_with_its_place():
    hit, other = (where_held(one, "ritual") for one in (RITES[1], RITES[2]))
    assert hit.sentence == "Their ritual took three days."
    assert [place.of(hit.sentence) for place in hit.in_sentence] == ["ritual"]
    assert [place.of(RITES[2].title) for place in other.in_title] == ["Ritual"]
    assert other.in_sentence == ()


def test_a_long_sentence_is_shortened_around_the_word():
    long = passage("long", "word " * 100 + "Straße des 17. Juni " + "more " * 100)
    hit = where_held(long, "strasse")
    assert len(hit.sentence) < 200
    assert [place.of(hit.sentence) for place in hit.in_sentence] == ["Straße"]


@given(st.text(max_size=60), st.text(max_size=6))
def test_places_are_in_order_apart_and_within_the_text(text, word):
    places = _places_of([word], text)
    assert all(0 <= one.start < one.end <= len(text) for one in places)
    assert all(left.end < right.start for left, right in zip(places, places[1:], strict=False))


@given(st.text(max_size=40), st.from_regex(r"\w{1,8}", fullmatch=True), st.text(max_size=40))
def test_a_word_is_found_wherever_it_stands(before, word, after):
    assert ids(holding([passage("one", f"{before}{word}{after}")], word)) == ["one"]


def test_places_that_overlap_or_touch_are_one():
    assert _places_of(["tea", "cup"], "a teacup") == (Span(2, 8),)
    assert _places_of(["teac", "acup"], "a teacup") == (Span(2, 8),)
    assert _places_of(["tea", "cup"], "tea cup") == (Span(0, 3), Span(4, 7))


LAMPS = [
    passage(f"lamp-{n}", "Batteries feed the lamps of the harbour.", "Lamps") for n in range(9)
]


@pytest.mark.parametrize(
    ("question", "in_none"),
    [
        ("lamps of Ostend", ["Ostend"]),
        ("Ostend lamps in Ostend", ["Ostend"]),
        ("battery for the harbours", []),
        ("how may lighting be fed", ["lighting", "fed"]),
        ("LÄMP", []),
        ("arbour", []),  # within a longer word
        ("eed", ["eed"]),  # too short for that
        ("лампы 1848", []),  # neither script nor number is looked for
        ("", []),
    ],
)
def test_words_that_no_passage_mentions(question, in_none):
    assert hardly_mentioned(LAMPS, question) == (in_none, [])


def test_title_and_headings_mention_a_word_too():
    one = Passage("one", "They met at dawn.", "Rituals", path="Coast / Processions")
    assert hardly_mentioned([one], "ritual processions at dusk") == (["dusk"], [])


def test_one_mention_is_hardly_any_among_many_passages():
    odd = passage("odd", "Sirens warn of fog.")
    assert hardly_mentioned([*LAMPS, odd], "lamps and sirens") == ([], ["sirens"])
    assert hardly_mentioned([*LAMPS[:8], odd], "lamps and sirens") == ([], [])
