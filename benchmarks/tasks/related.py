"""Which labels are about much the same: by the words of their texts."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

_WORD = re.compile(r"\w+")
_FINENESS = 100


def nearest_labels(texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Put all other labels in order of nearness, for each label.

    The cosine of the labels' word counts, a word counting more the fewer labels have it. Counts
    and weights are whole numbers, so that the order is the same on every machine.

    Parameters
    ----------
    texts : mapping of str to sequence of str
        The texts of each label.

    Returns
    -------
    dict of str to list of str
        All other labels, nearest first; ties by name.
    """
    labels = sorted(texts)
    counts = [Counter(_WORD.findall(" ".join(texts[label]).lower())) for label in labels]
    spread = Counter(word for count in counts for word in count)
    words = {word: column for column, word in enumerate(sorted(spread))}
    weights = {
        word: round(_FINENESS * math.log(len(labels) / n_labels))
        for word, n_labels in spread.items()
    }
    rows = [row for row, count in enumerate(counts) for _ in count]
    columns = [words[word] for count in counts for word in count]
    values = [weights[word] * n for count in counts for word, n in count.items()]
    table = csr_array(
        (np.asarray(values, dtype=np.int64), (rows, columns)), shape=(len(labels), len(words))
    )
    products = (table @ table.T).toarray()
    lengths = [math.sqrt(int(products[row, row])) or 1.0 for row in range(len(labels))]

    def nearness(row: int, other: int) -> float:
        return int(products[row, other]) / (lengths[row] * lengths[other])

    return {
        label: sorted(
            (other for other in labels if other != label),
            key=lambda other, row=row: (-nearness(row, labels.index(other)), other),  # type: ignore[misc]
        )
        for row, label in enumerate(labels)
    }
