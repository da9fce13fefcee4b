"""TF-IDF vectors of hits, with no other documents than the hits."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from scipy import sparse

from subclust.core.records.arrays import Float64Array
from subclust.grouping.naming.words import is_function_word, root

_WORD = re.compile(r"[^\W_]+")


def word_vectors(question: str, texts: Sequence[str]) -> tuple[sparse.csr_matrix, Float64Array]:
    """Compute TF-IDF vectors of hits and question, with no other documents than the hits.

    Parameters
    ----------
    question : str
    texts : sequence of n_hits str
        Their lines are read one by one and remembered, with the title before a text or without it.

    Returns
    -------
    vectors : sparse matrix of shape (n_hits + 1, n_words)
        L2-normalised; the question is last. Rows are 0 where a text has no word that counts.
    coverage : ndarray of shape (n_hits,)
        Share, 0 to 1, of the question's inverse document frequencies whose words a hit holds.
    """
    lines = [text.split("\n") for text in texts]
    words = [*(_words_of_line(one) for text in lines for one in text), counted_words(question)]
    column: defaultdict[str, int] = defaultdict()
    column.default_factory = column.__len__
    columns = [*map(column.__getitem__, chain.from_iterable(words))]
    owners = [row for row, text in enumerate(lines) for _ in text]
    rows = np.repeat([*owners, len(texts)], [len(some) for some in words])
    shape = (len(texts) + 1, max(len(column), 1))
    counts = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape)
    return weigh(counts)


def weigh(counts: sparse.csr_matrix) -> tuple[sparse.csr_matrix, Float64Array]:
    """Weigh counts of words (n_hits + 1, n_words), the question last, for `word_vectors`."""
    n_hits = counts.shape[0] - 1
    counts.sum_duplicates()
    holding = np.bincount(counts[:n_hits].indices, minlength=counts.shape[1])
    weight = np.log((1 + n_hits) / (1 + holding)) + 1
    asked = np.unique(counts[n_hits].indices)
    held = (counts[:n_hits][:, asked] > 0) @ weight[asked]
    coverage = held / max(weight[asked].sum(), 1e-9)
    vectors = counts.copy()
    vectors.data = (1 + np.log(vectors.data)) * weight[vectors.indices]
    lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(1)).ravel())
    return sparse.diags(1 / np.maximum(lengths, 1e-9)) @ vectors, coverage


def counted_words(text: str) -> list[str]:
    """List the roots of the words of a text that mean something, in their order."""
    return [reduced for word in _WORD.findall(text.lower()) if (reduced := counted(word))]


def words_in(text: str) -> set[str]:
    """Return what `counted_words` lists of a text; its lines are remembered."""
    return {word for line in text.split("\n") for word in _words_of_line(line)}


@lru_cache(10_000)
def _words_of_line(text: str) -> tuple[str, ...]:
    return tuple(counted_words(text))


@lru_cache(50_000)
def counted(word: str) -> str | None:
    """Return the root of a word in small letters that means something, None of any other."""
    return None if is_function_word(word) else root(word)
