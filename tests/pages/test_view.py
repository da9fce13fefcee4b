from dataclasses import fields, replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subclust.core.records import MAX_QUESTION, QUERY_CONTEXTS, Query
from subclust.grouping.projection import PROJECTORS
from subclust.ui.components.address import MAX_GROUPS, Step, _bounded, mark_of, marks_of, read_trail
from subclust.ui.components.view import LEVELS, TOP_K, View, expected_of
from subclust.ui.components.words import LISTINGS, MAPS

WORDS = st.text(max_size=30)
SAID = st.text(min_size=1, max_size=12).map(str.strip).filter(bool)
KEPT = st.builds(Query, SAID, st.none() | SAID, st.sampled_from(QUERY_CONTEXTS))
STEPS = st.builds(
    Step,
    name=WORDS,
    query=WORDS,
    n_clusters=st.just("auto") | st.integers(2, MAX_GROUPS),
    marks=st.lists(WORDS, max_size=5).map(marks_of),
)
VIEWS = st.builds(
    View,
    query=WORDS,
    description=WORDS,
    context=st.sampled_from(QUERY_CONTEXTS),
    library=st.text(min_size=1, max_size=9),
    method=st.text(min_size=1, max_size=9),
    n_clusters=st.just("auto") | st.integers(2, MAX_GROUPS),
    projection=st.sampled_from(list(PROJECTORS)),
    group=st.none() | st.integers(-1, 30),
    listing=st.sampled_from(list(LISTINGS)),
    hits=st.none() | KEPT,
    trail=st.lists(STEPS, max_size=3).map(tuple),
    levels=st.sampled_from(LEVELS),
    top_k=st.sampled_from(TOP_K),
).map(lambda view: replace(view, way="field:year") if view.hits else view) | st.builds(
    View, query=WORDS, passages=st.lists(WORDS, min_size=1, max_size=4).map(tuple)
)


def as_address(params):
    return {name: [value] if isinstance(value, str) else value for name, value in params.items()}


@given(VIEWS)
def test_an_address_gives_the_view_back(view):
    assert View.from_params(as_address(view.to_params())) == view


@given(st.dictionaries(WORDS, st.lists(WORDS, max_size=3), max_size=12))
def test_any_address_gives_a_view(params):
    names = [
        "q",
        "top",
        "groups",
        "group",
        "map",
        "context",
        "list",
        "passage",
        "dig",
        "hits",
        "levels",
    ]
    for name, values in zip(names, params.values(), strict=False):
        view = View.from_params(_bounded({name: values}))
        assert view.projection in PROJECTORS
        assert view.n_clusters == "auto" or 2 <= view.n_clusters <= MAX_GROUPS


@given(
    st.sampled_from([one.name for one in fields(View)]),
    st.none()
    | st.integers()
    | st.floats()
    | st.lists(st.text())
    | st.text(max_size=3)
    | st.just(()),
)
@example("expected", None)
@example("expected", (1,))
def test_no_widget_can_put_into_a_view_what_it_cannot_hold(name, value):
    known = View(query="war", levels=2, n_clusters=4)
    changed = known.changed(**{name: value})
    assert View.from_params(as_address(changed.to_params())) == changed
    if value is None and name not in ("group", "hits"):
        assert changed == known


@given(st.text(min_size=MAX_QUESTION - 1), st.sampled_from(["q", "about", "hits", "hits-about"]))
@example("war " * 100_000, "q")
def test_a_question_is_cut_where_it_is_too_long(text, name):
    view = View.from_params(_bounded({name: [text]}))
    for query in (view.asked(), view.searched()):  # refuse what is too long
        assert len(query.text) <= MAX_QUESTION


@pytest.mark.parametrize("value", ["x", "-2", "1e9", "9" * 5000, "²", "٣" * 4000, "2" * 300_000])
@pytest.mark.parametrize("name", ["levels", "groups", "top", "group", "session", "within", "dig"])
def test_numbers_of_an_address_have_bounds(name, value):
    assert View.from_params(_bounded({name: [value]})) == View()


def test_only_what_is_not_default_is_written():
    assert View(query="war").to_params() == {"q": "war"}


def test_marks_do_not_survive_another_grouping():
    view = View(query="war", group=2)
    assert view.changed(n_clusters=5).group is None
    assert view.changed(query="peace").group is None
    assert view.changed(projection="umap").group == 2
    assert view.changed(listing="table").group == 2


def test_every_map_has_a_name():
    assert set(MAPS) == set(PROJECTORS)


def test_kept_hits_stay_while_the_question_changes():
    view = View(query="war", context="passages", group=2).keeping()
    assert view.searched() == Query("war", context="passages")
    asked = view.changed(query="peace", context="title", before=True)
    assert (asked.searched(), asked.asked()) == (Query("war", context="passages"), Query("peace"))
    assert asked.group is None
    assert asked.to_params()["hits"] == "war"
    assert asked.keeping() == asked
    assert asked.first() == View(query="war", context="passages")
    assert asked.changed(hits=None).searched() == Query("peace")


def test_a_group_that_is_dug_into_is_known_by_its_passages():
    view = View(query="war", n_clusters=5).into("Taxes | 50%", ["b", "a"])
    assert view.n_clusters == "auto"
    assert view.within() == tuple(sorted([mark_of("a"), mark_of("b")]))
    assert view.back_to(0) == View(query="war", n_clusters=5)
    assert view.changed(method="tfidf").within() == view.within()
    assert view.changed(query="peace").trail == view.changed(library="mine").trail == ()


def test_a_name_added_to_the_question_leads_back():
    view = View(query="war", n_clusters=3).into("Sea", ["a"]).adding("French fleet")
    assert view.query == "war French fleet"
    assert view.within() == ()
    assert [step.name for step in view.trail] == ["Sea", "French fleet"]
    assert view.back_to(1).within() == (mark_of("a"),)
    assert view.back_to(0) == View(query="war", n_clusters=3)
    kept = View(query="peace", hits=Query("war"))
    assert kept.adding("Paris") == View(query="peace Paris", hits=Query("war"))


def test_a_trail_ends_where_it_cannot_be_read():
    good = Step("A", "q").to_text()
    assert read_trail([good, "nonsense", good], 20) == (Step("A", "q"),)
    assert read_trail([good + "x"], 20) == ()
    assert len(read_trail([good] * 40, 20)) < 10


def test_expected_subtopics_go_with_the_hits_however_they_are_grouped():
    view = View(query="war").changed(expected=("taxes", "snow"))
    assert view.to_params()["also"] == ["taxes", "snow"]
    assert View.from_params(as_address(view.to_params())) == view
    assert view.asked().expected == ("taxes", "snow") and view.searched().expected == ()
    kept = view.keeping()
    assert kept.hits == Query("war") and not kept.regroups()
    other = kept.changed(query="peace")
    assert other.expected == view.expected and other.regroups()
    assert other.first() == view
    assert view.changed(query="peace").expected == ()
    assert expected_of(" taxes ;, snow,taxes") == ("taxes", "snow")


def test_a_way_goes_with_kept_hits_and_what_it_was_chosen_for():
    view = View(query="war").keeping().changed(query="by year", way="field:year")
    assert view.to_params()["by"] == "field:year"
    assert view.asked().way == "field:year" and view.searched().way == ""
    assert view.grouping() != view.changed(way="").grouping()
    assert view.changed(query="peace").way == ""
    assert view.changed(n_clusters=4).way == "field:year"
    assert view.first() == View(query="war")
    assert View.from_params({"q": ["war"], "by": ["subjects"]}).way == ""
