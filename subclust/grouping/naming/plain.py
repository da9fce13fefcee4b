"""Plain class TF-IDF, word by word: what other namers are measured against."""

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.naming.base import SubtopicNamer
from subclust.grouping.naming.distinct import distinct_name


class PlainTfidfNamer(SubtopicNamer):
    """The words that weigh most by BERTopic's class-based TF-IDF, as its topics are named.

    A word weighs ``tf * log(1 + A / f)``: tf its share of the words of the group's passages, taken
    as one text, f its number in all groups, and A the mean number of words of a group.

    Source: Grootendorst 2022, arXiv:2203.05794, section 3.3. Default settings of BERTopic: every
    word of two letters or more counts, function words too, and four words make the name.

    Parameters
    ----------
    n_words : int
    stop_words : "english" or None
    """

    def __init__(self, n_words: int = 4, stop_words: str | None = None) -> None:
        self.n_words = n_words
        self.stop_words = stop_words

    def _name(
        self,
        query: Query,
        passages: Sequence[str],
        labels: IntArray,
        groups: Sequence[int],
        embeddings: FloatArray | None,
        wanted: Sequence[int],
        taken: frozenset[str],
    ) -> dict[int, str]:
        texts = [
            " ".join(sorted(passages[int(row)] for row in np.flatnonzero(labels == group)))
            for group in groups
        ]
        vectorizer = CountVectorizer(stop_words=self.stop_words)
        count_words = vectorizer.build_analyzer()
        if not any(count_words(text) for text in texts):
            return {group: f"Subtopic {group + 1}" for group in wanted}
        counts = vectorizer.fit_transform(texts).toarray().astype(np.float64)
        words = vectorizer.get_feature_names_out()
        lengths = counts.sum(axis=1, keepdims=True)
        weights = counts / np.maximum(lengths, 1) * np.log1p(lengths.mean() / counts.sum(axis=0))
        names: dict[int, str] = {}
        used = set(taken)
        for group in wanted:
            place = groups.index(group)
            best = np.argsort(-weights[place], kind="stable")[: self.n_words]
            found = [str(words[one]) for one in best if counts[place, one]]
            name = " ".join(found) or f"Subtopic {group + 1}"
            names[group] = distinct_name([name], 1, used)
            used.add(names[group].casefold())
        return names
