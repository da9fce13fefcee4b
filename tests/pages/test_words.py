import pytest

from subclust.methods import METHODS
from subclust.ui.components.words import duration, method_label, timings
from subclust.ui.i18n.language import speaking


def test_methods_have_labels_for_people():
    assert method_label("tfidf") == METHODS["tfidf"].label
    assert method_label("default", "qs3m") == "Recommended (QS3M)"
    assert method_label("default") == "Recommended"
    assert method_label("nonsense") == "nonsense"


def test_timings_leave_out_what_took_no_time():
    assert timings({"retrieve": 12.3, "encode": 0.1, "total": 12.4}) == (
        "12 ms in all (searching 12 ms)"
    )
    assert timings({}) == "0 ms in all"


@pytest.mark.parametrize(
    ("seconds", "english", "german"), [(108, "1.8 min", "1,8 min"), (40, "40 s", "40 s")]
)
def test_a_duration_has_the_decimal_sign_of_the_language(seconds, english, german):
    assert duration(seconds) == english
    with speaking("de"):
        assert duration(seconds) == german
