"""Other wordings by changing single words: masking, and easy data augmentation with WordNet."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

_FOLDERS = (
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

MASK = "[MASK]"
"""As BERT's word pieces have it."""

Synonyms = Mapping[str, tuple[str, ...]]

_STOP_WORDS = frozenset(
    "a about above after again all am an and any are as at be because been before being below "
    "between both but by can did do does doing down during each few for from further had has have "
    "having he her here hers him his how i if in into is it its itself just me more most my no nor "
    "not now of off on once only or other our out over own same she should so some such than that "
    "the their them then there these they this those through to too under until up very was we "
    "were what when where which while who whom why will with you your".split()
)
"""Words that are not replaced by synonyms."""

Operation = Callable[[Sequence[str], int, Synonyms, np.random.Generator], list[str]]


def _generator_of(seed: int, text: str) -> np.random.Generator:
    """Return a generator that depends on the seed and the text alone."""
    digest = hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def find_wordnet(folders: Iterable[Path] = _FOLDERS) -> Path | None:
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


@dataclass(frozen=True)
class RandomMasker:
    """Hides words of a text, always the same ones for the same text, seed and number.

    Source: Shi and Sakai, IEEE Access 2023, section IV-B.

    Parameters
    ----------
    share : float
        Of the words, above 0 and below 1; of two words or more at least one is hidden and one left.
    number : int
        Of the wording, where there are several of a text.
    """

    share: float
    seed: int = 0
    number: int = 0

    @property
    def name(self) -> str:
        """For the cache: changes whenever the wordings would."""
        return f"masked-{self.share:g}-{self.seed}-{self.number}"

    def augment(self, text: str) -> str:
        """Hide some words; a text of fewer than two stays as it is."""
        words = text.split()
        if len(words) < 2:
            return text
        n_hidden = min(max(1, round(self.share * len(words))), len(words) - 1)
        generator = _generator_of(self.seed, f"{self.number}\n{text}")
        for position in generator.permutation(len(words))[:n_hidden]:
            words[position] = MASK
        return " ".join(words)


@dataclass(frozen=True)
class EasyAugmenter:
    """Makes another wording of a text, always the same one for the same text and seed.

    Source: Wei and Zou, EDA: Easy data augmentation techniques for boosting performance on text
    classification tasks, EMNLP-IJCNLP 2019.

    Parameters
    ----------
    share : float
        Of the words that change (alpha), above 0 to 1; at least one word does.
    synonyms : mapping of str to tuple of str
        Of `read_synonyms`; where it is empty no word is replaced or inserted by its synonym:
        another word of the text is inserted instead.
    """

    share: float = 0.1
    seed: int = 0
    synonyms: Synonyms = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """For the cache: changes whenever the wordings would."""
        words = f"wordnet-{_digest(self.synonyms)}" if self.synonyms else "plain"
        return f"eda-{self.share:g}-{self.seed}-{words}"

    def augment(self, text: str) -> str:
        """Make another wording; a text of fewer than two words stays as it is.

        One of the four operations is drawn for the text, of those that can change it.
        """
        words = text.split()
        if len(words) < 2:
            return text
        generator = _generator_of(self.seed, text)
        n_changes = max(1, int(self.share * len(words)))
        operations: list[Operation] = [_insert_words, _swap_words, _delete_words]
        if any(_replaceable(word, self.synonyms) for word in words):
            operations.append(_replace_words)
        operation = operations[generator.integers(len(operations))]
        return " ".join(operation(words, n_changes, self.synonyms, generator))


def _digest(synonyms: Synonyms) -> str:
    """Compute what distinguishes one WordNet from another, wherever its files come from."""
    digest = hashlib.sha256()
    for word in sorted(synonyms):
        line = "\t".join((word, *synonyms[word]))
        digest.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:8]


def _replace_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Replace up to so many different words, wherever they stand, by a synonym of each."""
    candidates = [word for word in dict.fromkeys(words) if _replaceable(word, synonyms)]
    chosen: dict[str, str] = {}
    for position in generator.permutation(len(candidates))[:n_changes]:
        known = synonyms[candidates[position].lower()]
        chosen[candidates[position]] = known[generator.integers(len(known))]
    return [chosen.get(word, word) for word in words]


def _insert_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Insert so many synonyms of words of the text anywhere; the word itself where none has one."""
    result = list(words)
    candidates = [word for word in words if _replaceable(word, synonyms)]
    for _ in range(n_changes):
        source = candidates or list(words)
        word = source[int(generator.integers(len(source)))]
        known = synonyms.get(word.lower(), (word,))
        inserted = known[generator.integers(len(known))]
        result.insert(int(generator.integers(len(result) + 1)), inserted)
    return result


def _swap_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Let two words change places, so many times."""
    result = list(words)
    for _ in range(n_changes):
        one, other = generator.permutation(len(result))[:2]
        result[one], result[other] = result[other], result[one]
    return result


def _delete_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Leave each word out with the chance that so many of all go; one stays in any case."""
    stays = generator.random(len(words)) >= n_changes / len(words)
    if not stays.any():
        stays[generator.integers(len(words))] = True
    return [word for word, stay in zip(words, stays, strict=True) if stay]


def _replaceable(word: str, synonyms: Synonyms) -> bool:
    return word.lower() not in _STOP_WORDS and word.lower() in synonyms
