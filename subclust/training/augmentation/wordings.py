"""Other wordings of each text of a collection, made once and kept on disk."""

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from subclust.core.storage.cache_file import CacheFile
from subclust.text.encoders.shipped import text_key
from subclust.training.augmentation.back_translation import LANGUAGES, find_back_translator
from subclust.training.augmentation.word_changes import RandomMasker

FOLDER = "augmented"
"""Of the kept wordings, beside the embeddings."""

_CHUNK = 128
"""Wordings that are kept together: the most that a killed run loses."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS wordings (key BLOB PRIMARY KEY, text TEXT) WITHOUT ROWID"

Make = Callable[[Sequence[str]], Sequence[str]]


_log = logging.getLogger(__name__)
_NAMES = {"es": "Spanish", "fr": "French"}


def augmented(texts: Sequence[str], name: str, make: Make, folder: Path | None) -> list[str]:
    """Return another wording of each text: the kept one, or a new one, which is then kept.

    Parameters
    ----------
    name : str
        Of the way in which they are made; a file of its own.
    make : callable
        Gives one wording of each of some texts.
    folder : Path or None
        Where wordings are kept; None for nowhere.
    """
    if folder is None:
        return list(make(texts))
    kept = CacheFile(folder / f"{name}.sqlite", _SCHEMA)
    different = {text_key(text): text for text in texts}
    known: dict[bytes, str] = kept.read(
        lambda connection: dict(_read(connection, list(different))), {}
    )
    missing = [key for key in different if key not in known]
    takes_more = True
    for start in range(0, len(missing), _CHUNK):
        chunk = missing[start : start + _CHUNK]
        new = dict(zip(chunk, make([different[key] for key in chunk]), strict=True))
        # A disk that has refused once is not asked again for each chunk.
        takes_more = takes_more and kept.write(partial(_write, rows=list(new.items())))
        known |= new
    return [known[text_key(text)] for text in texts]


def _read(connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, str]]:
    # Older SQLite takes at most 999 parameters in a statement.
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        marks = ",".join("?" * len(some))
        yield from connection.execute(
            f"SELECT key, text FROM wordings WHERE key IN ({marks}) AND typeof(text) = 'text'", some
        )


def _write(connection: sqlite3.Connection, rows: Sequence[tuple[bytes, str]]) -> None:
    connection.executemany("INSERT OR REPLACE INTO wordings VALUES (?, ?)", rows)


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
    folder : Path or None
        Where wordings are kept.

    Returns
    -------
    list of lists of str
        One of each maker.
    """
    return [augmented(texts, maker.name, maker.make, folder) for maker in makers]


def _each(masker: RandomMasker) -> Make:
    # Not in the loop that calls this: there, all lambdas would see the last masker.
    return lambda texts: [masker.augment(text) for text in texts]
