"""Other wordings of each text of a collection, by masking or back translation."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from subclust.training.augmentation.back_translation import LANGUAGES, find_back_translator
from subclust.training.augmentation.kept import Make, augmented
from subclust.training.augmentation.masking import RandomMasker

_log = logging.getLogger(__name__)

_NAMES = {"es": "Spanish", "fr": "French"}


def other_wordings(
    texts: Sequence[str],
    folder: Path | None,
    *,
    how: Literal["masking", "back-translation"] | None,
    share: float,
    seed: int,
    n_wordings: int = 2,
) -> list[list[str]]:
    """Make other wordings of each text, once.

    Parameters
    ----------
    texts : sequence of str
    folder : Path or None
        Where wordings are kept.
    how : {"masking", "back-translation"} or None
        Back translation goes over Spanish and over French, and further wordings are masked; where
        one of the two languages cannot be had, masking stands in for it, and a sentence says so.
        None for no wordings.
    share : float
        Of the words that are masked.
    seed : int
    n_wordings : int

    Returns
    -------
    list of lists of str
        As many as asked for, or none.
    """
    if how is None:
        return []
    made = []
    for number in range(n_wordings):
        masker = RandomMasker(share, seed, number)
        name = masker.name
        make = _each(masker)
        language = LANGUAGES[number] if number < len(LANGUAGES) else None
        wanted = how == "back-translation" and language is not None
        translator = find_back_translator(language) if language and wanted else None
        if translator is not None:
            name, make = translator.name, translator.translate
        elif language and wanted:
            _log.warning(
                "Nothing on this machine translates over %s (neither Opus-MT's models, which need "
                "the package sentencepiece, nor Apertium), so words are masked at random instead.",
                _NAMES[language],
            )
        made.append(augmented(texts, name, make, folder))
    return made


def _each(masker: RandomMasker) -> Make:
    return lambda texts: [masker.augment(text) for text in texts]
