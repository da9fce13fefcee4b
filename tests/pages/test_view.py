from hypothesis import given
from hypothesis import strategies as st

from subclust.projection import PROJECTORS
from subclust.records import QUERY_CONTEXTS
from subclust.ui.view import MAX_GROUPS, View
from subclust.ui.words import LISTINGS, MAPS

WORDS = st.text(max_size=30)
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
) | st.builds(View, query=WORDS, passages=st.lists(WORDS, min_size=1, max_size=4).map(tuple))


def as_address(params):
    return {name: [value] if isinstance(value, str) else value for name, value in params.items()}


@given(VIEWS)
def test_an_address_gives_the_view_back(view):
    assert View.from_params(as_address(view.to_params())) == view


@given(st.dictionaries(WORDS, st.lists(WORDS, max_size=3), max_size=5))
def test_any_address_gives_a_view(params):
    names = ["q", "groups", "group", "map", "context", "list", "passage"]
    for name, values in zip(names, params.values(), strict=False):
        view = View.from_params({name: values})
        assert view.projection in PROJECTORS
        assert view.n_clusters == "auto" or 2 <= view.n_clusters <= MAX_GROUPS


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
