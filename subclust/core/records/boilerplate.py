"""The words of abstracts that say nothing of their subject."""

import re

_LABELS = (
    "aims?|background|conclusions?|context|design|discussion|findings|funding|introduction|"
    "implications|interpretation|limitations?|main outcome measures?|materials? and methods?|"
    "methods?|methodology|objectives?|participants|patients|purpose|rationale|results?|setting|"
    "significance|study design|summary|trial registration|"
    "ergebnisse|fragestellung|hintergrund|methoden?|schlussfolgerung(?:en)?|ziele?|zielsetzung"
)
# Possessive quantifiers, and a run of blanks is tried from its first one only: otherwise a long run
# of blanks takes quadratic time.
_LABEL = re.compile(
    rf"(^|[.!?;)\]]\s+|(?<!\s)(?=[^\S\n]*+\n)\s++)(?:{_LABELS})(?:\s*(?:/|and|&|und)\s*(?:{_LABELS}))?\s*:\s+(?=\S)",
    re.IGNORECASE,
)


def without_labels(text: str) -> str:
    """Return a text without the labels of a structured abstract.

    They are the same in each abstract, so that nothing is grouped, found or named by them.

    Examples
    --------
    >>> without_labels("BACKGROUND: Looms stand still. METHODS AND RESULTS: They weave.")
    'Looms stand still. They weave.'
    """
    return _LABEL.sub(r"\1", text) if ":" in text else text
