"""Which headings are general, and which words are typical of headings."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from subclust.core.records import ClusteringInstance
from subclust.grouping.naming.headings import counted
from subclust.grouping.naming.noun_phrases import is_noun_phrase
from subclust.grouping.naming.phrases import words_of
from subclust.grouping.naming.words import JOINING_WORDS, stem

_LEAST_ARTICLES = 3
_LEAST_FOUND = 8
_MOST_WORDS = 5
_SAID_IN = 6
"""Passages of an article, at most, in which words are counted."""

# Headings that say nothing of what is under them.
_VAGUE = frozenset(
    "overview introduction note summary other general miscellaneous trivia reference example "
    "detail today present conclusion".split()
)
_PLAIN = re.compile(r"[^\W\d_]+(?:[ '’\-][^\W\d_]+)*")
_INSIDE = re.compile(r"(?<=[a-z,] )[^\W\d_]+")


def headings_of(instance: ClusteringInstance) -> list[str]:
    """List the headings of an article, each once, sorted."""
    return sorted({str(passage.label) for passage in instance.passages})


def general_headings(articles: Sequence[ClusteringInstance]) -> list[tuple[str, int]]:
    """List the noun phrases that head sections of several articles, commonest first.

    Returns
    -------
    list of (str, int)
        As written within a sentence, and the number of articles.
    """
    numbers: Counter[str] = Counter()
    spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for article in articles:
        for heading in map(str.strip, headings_of(article)):
            numbers[counted(heading)] += 1
            spelt[counted(heading)][heading[:1].upper() + heading[1:]] += 1
    cases = _cases(articles)
    found = []
    for key, number in numbers.items():
        if number < _LEAST_ARTICLES or key in _VAGUE or key.startswith("further "):
            continue
        text = min(spelt[key], key=lambda one: (-spelt[key][one], one))
        lowered = text[:1] + text[1:].lower()
        text = lowered if lowered in spelt[key] else text
        first = text.split()[0]
        if text[1:].islower() and cases[first.lower()] > cases[first]:
            text = text[:1].lower() + text[1:]
        plain = _PLAIN.fullmatch(text) and len(text.split()) <= _MOST_WORDS
        if plain and len(text) > 2 and is_noun_phrase(text):
            found.append((text, number))
    return sorted(found, key=lambda one: (-one[1], one[0]))


def _cases(articles: Iterable[ClusteringInstance]) -> Counter[str]:
    """Count the words within sentences, as they are written."""
    texts = (passage.text for article in articles for passage in article.passages)
    return Counter(word for text in texts for word in _INSIDE.findall(text))


def typical_words(articles: Sequence[ClusteringInstance]) -> dict[str, float]:
    """Return how much more frequent words are in headings than in passages: a logarithm."""
    in_headings: Counter[str] = Counter()
    in_texts: Counter[str] = Counter()
    n_headings = n_texts = 0
    for article in articles:
        for heading in headings_of(article):
            n_headings += 1
            in_headings.update(_stems(heading))
        for passage in article.passages[:_SAID_IN]:
            n_texts += 1
            in_texts.update(_stems(passage.text))
    return {
        word: float(
            np.log((in_headings[word] + 0.2) / n_headings) - np.log((in_texts[word] + 2) / n_texts)
        )
        for word in sorted({*in_headings, *in_texts} - JOINING_WORDS)
        if in_headings[word] + in_texts[word] >= _LEAST_FOUND
    }


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words_of(text) if word[0].isalpha()}
