"""Labels of structured abstracts, by which nothing is grouped, found or named."""

import pytest

from subclust.core.records import Passage
from subclust.core.records.boilerplate import without_labels
from subclust.text.ingest.units import encoded_text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("BACKGROUND: Looms rest. METHODS: We look.", "Looms rest. We look."),
        ("Methods and results: we look.", "we look."),
        ("Looms rest.\nConclusions: They weave.", "Looms rest.\nThey weave."),
        ("Hintergrund: Webstühle. Ergebnisse: Garn.", "Webstühle. Garn."),
        ("The results: looms weave.",) * 2,
        ("Methods for looms: a review.",) * 2,
        ("Looms and wool.",) * 2,
    ],
)
def test_labels_are_left_out(text: str, rest: str) -> None:
    assert without_labels(text) == rest == without_labels(rest)


def test_what_is_encoded_has_none() -> None:
    passage = Passage("c:1", "AIM: To weave.", title="On looms")
    assert encoded_text([passage], passage) == "On looms. To weave."
