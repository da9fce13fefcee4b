import pytest
from maps import subtopic, subtopic_map

from subclust.figures.theme_map import MOST, n_theme_marks, theme_scatter


def themes(*sizes):
    return subtopic_map(
        *(
            subtopic(number, f"Theme {number}", [(n % 100, n // 100) for n in range(size)])
            for number, size in enumerate(sizes)
        )
    )


@pytest.mark.parametrize(
    ("sizes", "share"),
    [((12_000, 8_000, 499, 1), MOST / 20_500), ((12_000, 7_999, 1), 1.0)],
)
def test_at_most_twenty_thousand_texts_are_drawn_the_most_central_of_each_theme(sizes, share):
    found = themes(*sizes)
    figure = theme_scatter(found)
    assert {trace.type for trace in figure.data} == {"scattergl"}
    drawn = [len(trace.x) for trace in figure.data]
    assert drawn == [max(1, int(share * size)) for size in sizes]
    assert sum(drawn) == n_theme_marks(found) <= MOST == 20_000
    assert (sum(drawn) < sum(sizes)) == (share < 1)
    for trace, group in zip(figure.data, found.subtopics, strict=True):
        first = [[member.passage.id, group.id] for member in group.passages[: len(trace.x)]]
        assert [list(point) for point in trace.customdata] == first
