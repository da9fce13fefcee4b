"""The most central passages of a group, and names from their opening words."""

import re
from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.naming.base import SubtopicNamer
from subclust.grouping.naming.distinct import distinct_name
from subclust.grouping.naming.phrases import NOISE

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


def telling_passages(
    embeddings: FloatArray | None,
    labels: IntArray,
    n: int = 2,
    *,
    scores: FloatArray | None = None,
) -> dict[int, list[int]]:
    """Find the passages that show best what each group is about.

    Parameters
    ----------
    embeddings : ndarray of shape (n_passages, embedding_dim) or None
        L2-normalised; not looked at where `scores` are given.
    labels : ndarray of shape (n_passages,)
        Group of each passage; -1, "other passages", counts as a group here.
    n : int
        At most so many passages a group.
    scores : ndarray of shape (n_passages, n_passages), optional
        Pair scores, higher is closer; in place of the cosines of the embeddings.

    Returns
    -------
    dict of int to list of int
        Positions of the passages with the highest mean score to their own group, best first;
        equal ones in the given order.

    Raises
    ------
    InputError
        If neither embeddings nor scores are given, or they do not fit the labels.
    """
    vectors = scores if scores is not None else embeddings
    if vectors is None or len(vectors) != len(labels):
        raise InputError(
            "Telling passages need one row of embeddings or scores for each of {count} labels, "
            "but there are {other_count}.",
            count=len(labels),
            other_count=0 if vectors is None else len(vectors),
        )
    telling: dict[int, list[int]] = {}
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        if scores is not None:
            central = scores[np.ix_(members, members)].mean(axis=1)
        else:
            central = vectors[members] @ vectors[members].mean(axis=0)
        best = np.argsort(-np.round(central, 6), kind="stable")[:n]
        telling[int(label)] = [int(members[position]) for position in best]
    return telling


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
        # Sorting by text first makes ties independent of the order of the passages.
        order = np.array(sorted(range(len(passages)), key=lambda position: passages[position]))
        texts = [NOISE.sub(" ", passages[position]) for position in order]
        worded = [text if _WORD.search(text) else "nothing" for text in texts]
        vectors = TfidfVectorizer(token_pattern=_WORD.pattern).fit_transform(worded).toarray()
        telling = telling_passages(vectors.astype(np.float32), labels[order], n=3)
        names: dict[int, str] = {}
        used = set(taken)
        for group in wanted:
            openings = [self._opening(texts[position]) for position in telling[group]]
            worded_openings = [opening for opening in openings if opening]
            names[group] = distinct_name(worded_openings or [f"Subtopic {group + 1}"], 1, used)
            used.add(names[group].casefold())
        return names

    def _opening(self, text: str) -> str:
        """Cut the first words of a text, at a comma or full stop if there is one among them."""
        first_clause = re.split(r"[.,;:!?()]\s|\s[–—-]\s", text.strip(), maxsplit=1)[0]
        clause = first_clause if len(_WORD.findall(first_clause)) >= 2 else text
        return " ".join(_WORD.findall(clause)[: self.n_words])
