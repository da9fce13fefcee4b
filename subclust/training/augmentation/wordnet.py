"""Synonyms out of the files of Princeton's WordNet, where they are installed."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

FOLDERS = (
    Path("/usr/share/wordnet"),
    Path("/usr/share/nltk_data/corpora/wordnet"),
    Path("~/nltk_data/corpora/wordnet"),
)
"""Where Debian's package ``wordnet-base`` and NLTK's data put them."""

NO_WORDNET = (
    "WordNet is not on this machine (Debian's package wordnet-base, or NLTK's data wordnet), so "
    "words are inserted, swapped and left out, but not replaced by synonyms."
)

WITH_SYNONYMS = "EDA, with synonyms from WordNet"
WITHOUT_SYNONYMS = "EDA without synonyms, since WordNet is not there"
"""What a card says of wordings that were made so."""

_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
_MARKER = re.compile(r"\(\w+\)$")


def find_wordnet(folders: Iterable[Path] = FOLDERS) -> Path | None:
    """Find the folder of WordNet's files, or None where there is none."""
    for folder in folders:
        if all((folder.expanduser() / name).is_file() for name in _FILES):
            return folder.expanduser()
    return None


@cache
def read_synonyms(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """Read which words share a meaning.

    Parameters
    ----------
    folder : Path
        Of WordNet's database files (``data.noun`` and the others), as ``man 5 wndb`` describes.

    Returns
    -------
    mapping of str to tuple of str
        Of each word in lower case its synonyms, sorted: words of a set of synonyms that it is in.
        Expressions of several words are synonyms with spaces in them.
    """
    found: dict[str, set[str]] = {}
    for name in _FILES:
        with (folder / name).open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("  "):  # the licence, at the head of each file
                    continue
                words = _words_of(line)
                for word in words:
                    found.setdefault(word, set()).update(words - {word})
    return {word: tuple(sorted(others)) for word, others in found.items() if others}


def _words_of(line: str) -> set[str]:
    fields = line.split(" ", 4)
    rest = fields[4].split(" ")
    n_words = int(fields[3], 16)
    return {_MARKER.sub("", word).replace("_", " ").lower() for word in rest[: 2 * n_words : 2]}
