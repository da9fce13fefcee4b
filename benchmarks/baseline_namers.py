"""Namers for comparison: opening words of the central passage, and plain class TF-IDF."""

import re

import numpy as np

from subclust.grouping.naming import SubtopicNamer, telling_passages
from subclust.grouping.naming.base import Asked
from subclust.grouping.naming.phrases import NOISE

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


class MedoidNamer(SubtopicNamer):
    """Names a group by the opening words of its most central passage.

    Central is the passage with the highest mean TF-IDF cosine to its group. Shows what a phrase
    name is worth: a baseline, and readable where the passages are titles or headlines.

    Parameters
    ----------
    n_words : int
        At most so many words a name.
    """

    def __init__(self, n_words: int = 7) -> None:
        self.n_words = n_words

    def propose(self, asked: Asked) -> dict[int, list[str]]:
        """List the openings of the most central passages."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        # Sorting by text first makes ties independent of the order of the passages.
        passages = asked.passages
        order = np.array(sorted(range(len(passages)), key=lambda position: passages[position]))
        texts = [NOISE.sub(" ", passages[position]) for position in order]
        worded = [text if _WORD.search(text) else "nothing" for text in texts]
        vectors = TfidfVectorizer(token_pattern=_WORD.pattern).fit_transform(worded).toarray()
        telling = telling_passages(vectors.astype(np.float32), asked.labels[order], n=3)

        proposals = {}
        for group in asked.wanted:
            openings = [self._opening(texts[position]) for position in telling[group]]
            proposals[group] = [one for one in openings if one] or [f"Subtopic {group + 1}"]
        return proposals

    def _opening(self, text: str) -> str:
        """Cut the first words of a text, at a comma or full stop if there is one among them."""
        first_clause = re.split(r"[.,;:!?()]\s|\s[–—-]\s", text.strip(), maxsplit=1)[0]
        clause = first_clause if len(_WORD.findall(first_clause)) >= 2 else text
        return " ".join(_WORD.findall(clause)[: self.n_words])


class PlainTfidfNamer(SubtopicNamer):
    """The words that weigh most by BERTopic's class-based TF-IDF, as its topics are named.

    A word weighs ``tf * log(1 + A / f)``: tf its share of the words of the group's passages, taken
    as one text, f its number in all groups, and A the mean number of words of a group.

    Source: Grootendorst 2022, arXiv:2203.05794, section 3.3. Default settings of BERTopic: every
    word of two letters or more counts, function words too, and four words make the name.
    """

    def __init__(self, n_words: int = 4, stop_words: str | None = None) -> None:
        self.n_words = n_words
        self.stop_words = stop_words

    def propose(self, asked: Asked) -> dict[int, list[str]]:
        """List the words that weigh most, as one name."""
        from sklearn.feature_extraction.text import CountVectorizer

        texts = [
            " ".join(
                sorted(asked.passages[int(row)] for row in np.flatnonzero(asked.labels == group))
            )
            for group in asked.groups
        ]
        vectorizer = CountVectorizer(stop_words=self.stop_words)
        count_words = vectorizer.build_analyzer()
        if not any(count_words(text) for text in texts):
            return {group: [f"Subtopic {group + 1}"] for group in asked.wanted}
        counts = vectorizer.fit_transform(texts).toarray().astype(np.float64)
        words = vectorizer.get_feature_names_out()
        lengths = counts.sum(axis=1, keepdims=True)
        weights = counts / np.maximum(lengths, 1) * np.log1p(lengths.mean() / counts.sum(axis=0))

        proposals = {}
        for group in asked.wanted:
            place = asked.groups.index(group)
            best = np.argsort(-weights[place], kind="stable")[: self.n_words]
            found = [str(words[one]) for one in best if counts[place, one]]
            proposals[group] = [" ".join(found) or f"Subtopic {group + 1}"]
        return proposals
