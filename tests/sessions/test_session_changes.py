"""What is told to have changed since a session was saved."""

import pytest
from hostile_map import ORIGIN

from subclust.cli.search.sessions import changed
from subclust.sessions import changes


def test_nothing_has_changed():
    assert changes(ORIGIN, ORIGIN) == ()


@pytest.mark.parametrize(
    ("now", "kind", "told"),
    [
        (
            {"library_revision": "c", "n_passages": 1200},
            "library",
            "has 1,200",
        ),
        (
            {"encoder_revision": "tiny-2"},
            "encoder",
            "was tiny (tiny-1) then; it is tiny (tiny-2) now",
        ),
        ({"model_revision": "cccc"}, "model", "made by qs3m/ours (bbbbbbbb); qs3m/ours (cccc) is"),
        (
            {"method": "tfidf", "checkpoint": None, "model_revision": None},
            "model",
            "tfidf is in use",
        ),
        ({"subclust": "10.0"}, "program", "9.9; this is 10.0"),
    ],
)
def test_what_has_changed_is_a_sentence(now, kind, told):
    (change,) = changes(ORIGIN, ORIGIN.model_copy(update=now))
    assert change.kind == kind
    assert told in changed(change)


def test_another_name_of_the_same_weights_is_no_change():
    assert changes(ORIGIN, ORIGIN.model_copy(update={"checkpoint": "renamed"})) == ()
