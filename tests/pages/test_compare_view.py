from hypothesis import given
from hypothesis import strategies as st

from subclust.comparison import Column
from subclust.core.records import QUERY_CONTEXTS
from subclust.ui.compare.view import CompareView, read_column, write_column
from subclust.ui.components.address import MAX_GROUPS
from subclust.ui.components.view import View

WORDS = st.text(max_size=20)
COLUMNS = st.builds(
    Column,
    method=st.text(min_size=1, max_size=9),
    checkpoint=st.none() | st.text(min_size=1, max_size=9),
    n_clusters=st.just("auto") | st.integers(2, MAX_GROUPS),
    context=st.sampled_from(QUERY_CONTEXTS),
    query=WORDS,
    description=WORDS,
    way=st.sampled_from(["", "subjects", "field:year of issue"]),
)
VIEWS = st.builds(
    CompareView,
    query=WORDS,
    library=st.text(min_size=1, max_size=9),
    columns=st.lists(COLUMNS, min_size=2, max_size=4).map(tuple),
    marked=st.lists(st.text(min_size=1, max_size=9), max_size=3).map(tuple),
)


@given(VIEWS)
def test_an_address_gives_the_view_back(view):
    assert CompareView.from_params(view.to_params()) == view


@given(COLUMNS)
def test_a_column_can_be_read_back(column):
    assert read_column(write_column(column)) == column


@given(st.dictionaries(st.sampled_from(["q", "a", "b", "c", "between", "marked"]), WORDS))
def test_any_address_gives_a_view(params):
    view = CompareView.from_params(params)
    assert 2 <= len(view.columns) <= 4
    assert 0 <= view.between[0] < view.between[1] < len(view.columns)


def test_an_address_can_be_read_by_people():
    column = Column("tfidf", n_clusters=4, query="peace & war")
    assert write_column(column) == "tfidf;groups:4;q:peace%20%26%20war"
    assert CompareView(query="war").to_params()["q"] == "war"
    assert not any(CompareView(query="war").to_params()[letter] for letter in "abcd")


def test_two_of_three_columns_can_be_chosen():
    view = CompareView(columns=(Column(), Column(), Column()), between=(1, 2))
    assert view.to_params()["between"] == "bc"
    assert CompareView.from_params(view.to_params()).between == (1, 2)


def test_what_divides_kept_hits_on_explore_is_the_second_column():
    explored = View(query="war").keeping().changed(query="by year", way="field:year")
    columns = CompareView().taking_over(explored).columns
    assert [(one.query, one.way) for one in columns] == [("", ""), ("by year", "field:year")]
    assert columns[1].asked("war").way == "field:year"
    plain = CompareView().taking_over(View(query="war"))
    assert plain.columns[1:] == CompareView().columns[1:]
