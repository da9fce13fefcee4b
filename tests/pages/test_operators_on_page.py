"""How a question with operators was read is told below it."""

from subclust.text.retrieval import understood

QUESTION = "the war NOT admiral"


def test_it_is_told_below_the_question(open_page):
    (told,) = understood(QUESTION).told

    def is_told(page):
        assert not page.exception
        return told in [one.value.replace("\\", "") for one in page.caption]

    assert is_told(open_page(q=QUESTION))
    assert not is_told(open_page(q="the war"))
