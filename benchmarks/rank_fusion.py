"""The rank fusion of earlier versions, which the order of hits is measured against."""

from collections.abc import Sequence

from subclust.core.exceptions import InputError

RRF_K = 60
"""The constant of the paper, which chose it on other collections; it is not tuned here."""


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], k: int = RRF_K
) -> list[tuple[str, float]]:
    """Fuse rankings by the sum of ``1 / (k + rank)``; only ranks count, never scores.

    G. V. Cormack, C. L. A. Clarke and S. Büttcher: Reciprocal rank fusion outperforms Condorcet
    and individual rank learning methods. SIGIR 2009, pages 758-759, equation 1.

    Parameters
    ----------
    rankings : sequence of n_rankings sequences of ids
        Best first, each id once in a ranking. An id that a ranking lacks gets nothing from it.
    k : int
        At least 0; the higher it is, the less the first ranks stand out.

    Returns
    -------
    list of (id, score)
        Best first; the score is above 0 and at most ``n_rankings / (k + 1)``. The same score is in
        order of id, so the result depends on nothing but the rankings.

    Raises
    ------
    InputError
        If `k` is below 0.
    """
    if k < 0:
        raise InputError("The constant of the rank fusion must be at least 0, but is {k}.", k=k)
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id_ in enumerate(ranking, start=1):
            scores[id_] = scores.get(id_, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
