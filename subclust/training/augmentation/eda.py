"""Easy data augmentation: a few words of a text replaced, inserted, swapped or left out."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from subclust.training.augmentation.lots import generator_of

Synonyms = Mapping[str, tuple[str, ...]]

STOP_WORDS = frozenset(
    "a about above after again all am an and any are as at be because been before being below "
    "between both but by can did do does doing down during each few for from further had has have "
    "having he her here hers him his how i if in into is it its itself just me more most my no nor "
    "not now of off on once only or other our out over own same she should so some such than that "
    "the their them then there these they this those through to too under until up very was we "
    "were what when where which while who whom why will with you your".split()
)
"""Words that are not replaced by synonyms."""


@dataclass(frozen=True)
class EasyAugmenter:
    """Makes another wording of a text, always the same one for the same text and seed.

    Source: Wei and Zou, EDA: Easy data augmentation techniques for boosting performance on text
    classification tasks, EMNLP-IJCNLP 2019.

    Parameters
    ----------
    share : float
        Of the words that change (alpha), above 0 to 1; at least one word does.
    seed : int
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
        generator = generator_of(self.seed, text)
        n_changes = max(1, int(self.share * len(words)))
        operations: list[Operation] = [insert_words, swap_words, delete_words]
        if any(_replaceable(word, self.synonyms) for word in words):
            operations.append(replace_words)
        operation = operations[generator.integers(len(operations))]
        return " ".join(operation(words, n_changes, self.synonyms, generator))


def _digest(synonyms: Synonyms) -> str:
    """Tell one WordNet from another: by what is read of it, wherever its files come from."""
    digest = hashlib.sha256()
    for word in sorted(synonyms):
        line = "\t".join((word, *synonyms[word]))
        digest.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:8]


Operation = Callable[[Sequence[str], int, Synonyms, np.random.Generator], list[str]]


def replace_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Replace up to so many different words, wherever they stand, by a synonym of each."""
    candidates = [word for word in dict.fromkeys(words) if _replaceable(word, synonyms)]
    chosen: dict[str, str] = {}
    for position in generator.permutation(len(candidates))[:n_changes]:
        known = synonyms[candidates[position].lower()]
        chosen[candidates[position]] = known[generator.integers(len(known))]
    return [chosen.get(word, word) for word in words]


def insert_words(
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


def swap_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Let two words change places, so many times."""
    result = list(words)
    for _ in range(n_changes):
        one, other = generator.permutation(len(result))[:2]
        result[one], result[other] = result[other], result[one]
    return result


def delete_words(
    words: Sequence[str], n_changes: int, synonyms: Synonyms, generator: np.random.Generator
) -> list[str]:
    """Leave each word out with the chance that so many of all go; one stays in any case."""
    stays = generator.random(len(words)) >= n_changes / len(words)
    if not stays.any():
        stays[generator.integers(len(words))] = True
    return [word for word, stay in zip(words, stays, strict=True) if stay]


def _replaceable(word: str, synonyms: Synonyms) -> bool:
    return word.lower() not in STOP_WORDS and word.lower() in synonyms
