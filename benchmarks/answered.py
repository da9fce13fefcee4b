"""How surely questions that a library answers are told from those that it does not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.text.retrieval.answering import nearest_cosine, roots

FALSE_ALARM = 2.0
"""How many unanswered questions must be recognised to make up for one answered that is denied."""

_BOUNDS = tuple(round(hundredth / 100, 2) for hundredth in range(-100, 101))


@dataclass(frozen=True)
class Asked:
    """One question put to one library.

    Parameters
    ----------
    question : str
    cosine : float
        Mean of the nearest passages.
    held : bool
        Whether a passage holds all words of the question that mean something.
    """

    question: str
    cosine: float
    held: bool


class Pool:
    """Passages that questions are put to, as to a library.

    Parameters
    ----------
    texts : sequence of n_passages str
    embeddings : ndarray of shape (n_passages, embedding_dim)
    """

    def __init__(self, texts: Sequence[str], embeddings: FloatArray) -> None:
        self.embeddings = embeddings
        self._holding: dict[str, set[int]] = {}
        for row, text in enumerate(texts):
            for word in roots(text):
                self._holding.setdefault(word, set()).add(row)

    def ask(self, question: str, vector: FloatArray, without: range = range(0)) -> Asked:
        """Put a question to the passages, except to those of some rows."""
        kept = np.ones(len(self.embeddings), dtype=bool)
        kept[list(without)] = False
        cosine = nearest_cosine(vector, self.embeddings[kept])
        if cosine is None:
            raise BenchmarkError("A question cannot be put to a library without passages.")
        having = [self._holding.get(word, set()) for word in roots(question)]
        holding = set.intersection(*having) if having else set()
        return Asked(question, round(cosine, 4), bool(holding - set(without)))


def ask_and_take_out(
    instances: Sequence[ClusteringInstance],
    vectors: FloatArray,
    embeddings: Sequence[FloatArray],
) -> tuple[list[Asked], list[Asked]]:
    """Put each query to a library of all passages, and again once its own have been taken out.

    Parameters
    ----------
    instances : sequence of n_queries ClusteringInstance
    vectors : ndarray of shape (n_queries, embedding_dim)
    embeddings : sequence of n_queries ndarray of shape (n_passages, embedding_dim)

    Returns
    -------
    answered, unanswered : list of Asked
    """
    pool = Pool(
        [passage.text for instance in instances for passage in instance.passages],
        np.concatenate(embeddings),
    )
    answered, unanswered, start = [], [], 0
    for instance, vector in zip(instances, vectors, strict=True):
        own = range(start, start + len(instance.passages))
        start = own.stop
        answered.append(pool.ask(instance.query.text, vector))
        unanswered.append(pool.ask(instance.query.text, vector, own))
    return answered, unanswered


def denied(asked: Sequence[Asked], bound: float) -> float:
    """Compute the share of questions, 0 to 1, of which a bound says that nothing answers them."""
    return float(np.mean([one.cosine < bound and not one.held for one in asked]))


def choose_bound(answered: Sequence[Asked], unanswered: Sequence[Asked]) -> float:
    """Choose the bound, a hundredth, that is worth most; the lowest where several are.

    Worth is the share of unanswered questions that it recognises, less `FALSE_ALARM` times the
    share of answered ones that it denies.
    """
    worth = [denied(unanswered, b) - FALSE_ALARM * denied(answered, b) for b in _BOUNDS]
    return _BOUNDS[int(np.argmax(np.round(worth, 9)))]


def summed_up(
    answered: Sequence[Asked], unanswered: Sequence[Asked], bound: float
) -> dict[str, Any]:
    """Sum up what a bound does on one set.

    Returns
    -------
    dict
        ``false_alarms`` (answered questions denied) and ``recognised`` (unanswered questions),
        shares of 0 to 1, each also by the cosine alone; and what they rest on, in the order of the
        questions.
    """
    return {
        "n_answered": len(answered),
        "n_unanswered": len(unanswered),
        "false_alarms": round(denied(answered, bound), 4),
        "recognised": round(denied(unanswered, bound), 4),
        "by_cosine_alone": {
            "false_alarms": round(float(np.mean([one.cosine < bound for one in answered])), 4),
            "recognised": round(float(np.mean([one.cosine < bound for one in unanswered])), 4),
        },
        "answered": _columns(answered),
        "unanswered": _columns(unanswered),
    }


def _columns(asked: Sequence[Asked]) -> Mapping[str, list[Any]]:
    return {
        "cosine": [one.cosine for one in asked],
        "held": [int(one.held) for one in asked],
    }
