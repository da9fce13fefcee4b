"""Other wordings of each text of a collection, by masking or back translation."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from subclust.training.augmentation.back_translation import LANGUAGES, find_back_translator
from subclust.training.augmentation.kept import Make, augmented
from subclust.training.augmentation.masking import RandomMasker

_log = logging.getLogger(__name__)

_NAMES = {"es": "Spanish", "fr": "French"}


@dataclass(frozen=True)
class WordingMaker:
    """Who makes one other wording of each text.

    Parameters
    ----------
    name : str
        For the cache: changes whenever the wordings would.
    label : str
        For people, and for cards.
    make : callable
        Gives one wording of each of some texts.
    """

    name: str
    label: str
    make: Make


def wording_makers(
    how: Literal["masking", "back-translation"] | None,
    *,
    share: float,
    seed: int,
    n_wordings: int = 2,
) -> list[WordingMaker]:
    """Find who makes the other wordings on this machine.

    Parameters
    ----------
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
    list of WordingMaker
        As many as wordings are asked for, or none.
    """
    if how is None:
        return []
    found = []
    for number in range(n_wordings):
        masker = RandomMasker(share, seed, number)
        label = "masking"
        if how == "back-translation" and number < len(LANGUAGES):
            language = LANGUAGES[number]
            translator = find_back_translator(language)
            if translator is not None:
                found.append(WordingMaker(translator.name, translator.label, translator.translate))
                continue
            label = f"masking for {_NAMES[language]}"
            _log.warning(
                "Nothing on this machine translates over %s (neither Opus-MT's models, which need "
                "the package sentencepiece, nor Apertium), so words are masked at random instead.",
                _NAMES[language],
            )
        found.append(WordingMaker(masker.name, label, _each(masker)))
    return found


def other_wordings(
    texts: Sequence[str], folder: Path | None, makers: Sequence[WordingMaker]
) -> list[list[str]]:
    """Have other wordings of each text made, once.

    Parameters
    ----------
    texts : sequence of str
    folder : Path or None
        Where wordings are kept.
    makers : sequence of WordingMaker

    Returns
    -------
    list of lists of str
        One of each maker.
    """
    return [augmented(texts, maker.name, maker.make, folder) for maker in makers]


def _each(masker: RandomMasker) -> Make:
    return lambda texts: [masker.augment(text) for text in texts]
