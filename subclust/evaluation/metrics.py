"""Agreement of a grouping with the gold subtopics, and of pair scores with them.

Everywhere `gold` and `predicted` are sequences of n_passages labels of any sortable kind, and only
which passages share one counts. "Other passages" (-1) are a group like any other: nothing is gained
by leaving passages out.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import mutual_info_score, roc_auc_score
from sklearn.metrics.cluster import expected_mutual_information

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray

Labels = Sequence[str] | Sequence[int] | IntArray


def contingency(gold: Labels, predicted: Labels) -> IntArray:
    """Count passages by gold subtopic and predicted group.

    scikit-learn's own functions build the same table but warn where most groups hold one passage,
    which is common with true sections.

    Returns
    -------
    ndarray of shape (n_subtopics, n_groups)

    Raises
    ------
    InputError
        If there are no passages, or more labels of one kind than of the other.
    """
    if len(gold) != len(predicted) or not len(gold):
        raise InputError(
            "A grouping is measured on the same passages as the gold subtopics, at least one; "
            "{count} gold labels and {other_count} predicted ones were given.",
            count=len(gold),
            other_count=len(predicted),
        )
    subtopics, row = np.unique(np.asarray(gold), return_inverse=True)
    groups, column = np.unique(np.asarray(predicted), return_inverse=True)
    table = np.zeros((len(subtopics), len(groups)), dtype=np.int64)
    # `table[row, column] += 1` would count each place once, however often it occurs.
    np.add.at(table, (row, column), 1)
    return table


def rand_index(gold: Labels, predicted: Labels) -> float:
    """Compute the share of pairs on which both agree, 0 to 1; 1 for a single passage.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), appendix F, "Rand Index".
    """
    both, in_gold, in_predicted, n_pairs = _pair_counts(contingency(gold, predicted))
    return 1.0 if n_pairs == 0 else (n_pairs + 2 * both - in_gold - in_predicted) / n_pairs


def adjusted_rand_index(gold: Labels, predicted: Labels) -> float:
    """Compute the Rand index corrected for chance, -0.5 to 1; 0 is chance.

    Source: Hubert and Arabie, Journal of Classification 2, 1985.
    """
    both, in_gold, in_predicted, n_pairs = _pair_counts(contingency(gold, predicted))
    expected = in_gold * in_predicted / max(n_pairs, 1)
    span = (in_gold + in_predicted) / 2 - expected
    return 1.0 if span == 0 else (both - expected) / span


def adjusted_mutual_information(gold: Labels, predicted: Labels) -> float:
    """Compute mutual information corrected for chance, at most 1; 0 is chance.

    Over the arithmetic mean of the entropies, as scikit-learn's default.

    Source: Vinh, Epps and Bailey, ICML 2009; CACTUS, appendix F.
    """
    table = contingency(gold, predicted)
    # One group in both, or every passage alone in both: the formula would be 0 over 0.
    if table.shape in ((1, 1), (table.sum(), table.sum())):
        return 1.0
    shared, in_gold, in_predicted = _informations(table)
    expected = float(expected_mutual_information(table, int(table.sum())))
    span = (in_gold + in_predicted) / 2 - expected
    tiny = float(np.finfo(np.float64).eps)
    span = min(span, -tiny) if span < 0 else max(span, tiny)
    # A difference that is rounding noise must not be blown up by a span that is, too.
    return 0.0 if abs(shared - expected) <= 1e-14 else (shared - expected) / span


def normalised_mutual_information(gold: Labels, predicted: Labels) -> float:
    """Compute mutual information over the arithmetic mean of the entropies, 0 to 1.

    1 where both are one single group. Source: CACTUS, appendix F, "NMI".
    """
    shared, in_gold, in_predicted = _informations(contingency(gold, predicted))
    mean = (in_gold + in_predicted) / 2
    return 1.0 if mean <= 0 else min(shared / mean, 1.0)


def geometric_mutual_information(gold: Labels, predicted: Labels) -> float:
    """Compute mutual information over the geometric mean of the entropies, 0 to 1.

    1 where both are one single group, 0 where only one of them is. The NMI of AECL's tables.
    """
    shared, in_gold, in_predicted = _informations(contingency(gold, predicted))
    if in_gold <= 0 and in_predicted <= 0:
        return 1.0
    mean = float(np.sqrt(in_gold * in_predicted))
    return 0.0 if mean <= 0 else min(shared / mean, 1.0)


def accuracy(gold: Labels, predicted: Labels) -> float:
    """Compute the share of passages in the group matched with their subtopic, above 0 to 1.

    Groups and subtopics are matched one to one so that this share is largest (Hungarian method).
    """
    table = contingency(gold, predicted)
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(table[rows, columns].sum() / table.sum())


def bcubed_f1(gold: Labels, predicted: Labels) -> float:
    """Compute the mean B-cubed F1 of the passages, above 0 to 1.

    A passage's precision is the share of its group that has its subtopic, its recall the share of
    its subtopic that is in its group. As in the source, the harmonic mean of the two is taken for
    each passage and then averaged; others average first, which gives a slightly higher value.

    Source: SCL and FCL, equations 6 to 8, after Bagga and Baldwin, ACL 1998.
    """
    table = contingency(gold, predicted)
    sizes = table.sum(axis=1, keepdims=True) + table.sum(axis=0, keepdims=True)
    return float((2 * table**2 / sizes).sum() / table.sum())


def f1(gold: Labels, predicted: Labels) -> float:
    """Compute the F1 of Haponchyk et al., above 0 to 1.

    Precision is the share of passages that have the commonest subtopic of their group (purity),
    recall the share that lie in the commonest group of their subtopic (inverse purity).

    Source: CACTUS, appendix F, "F1-score", after Haponchyk et al., EMNLP 2018.
    """
    table = contingency(gold, predicted)
    precision = table.max(axis=0).sum() / table.sum()
    recall = table.max(axis=1).sum() / table.sum()
    return float(2 * precision * recall / (precision + recall))


def pair_auc(
    scores: FloatArray, gold: Labels, *, balanced: bool = False, random_state: int = 0
) -> float:
    """Compute how well pair scores tell same-subtopic pairs from different-subtopic pairs.

    The area under the ROC curve over the unordered pairs of passages: the chance that a pair of one
    subtopic scores higher than a pair of two, 0 to 1; 0.5 is chance.

    Source: Kashyapi and Dietz, JCDL 2022, section 4.1, experiment 1.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
        Symmetric, on any scale; higher is closer. The diagonal is not read.
    balanced : bool
        Draw as many pairs of the commoner kind as there are of the rarer; otherwise all pairs.
    random_state : int
        Of that draw.

    Returns
    -------
    float
        nan where all pairs are of one kind; leave it out of means.

    Raises
    ------
    InputError
        If the scores do not fit the labels.
    """
    if scores.shape != (len(gold), len(gold)):
        raise InputError(
            "{count} gold labels but pair scores of shape {shape}.",
            count=len(gold),
            shape=scores.shape,
        )
    code = np.unique(np.asarray(gold), return_inverse=True)[1]
    first, second = np.triu_indices(len(gold), 1)
    same = code[first] == code[second]
    of_pairs = scores[first, second]
    n_same = int(same.sum())
    n_rarer = min(n_same, len(same) - n_same)
    if n_rarer == 0:
        return float("nan")
    if balanced:
        commoner = np.flatnonzero(same == (2 * n_same > len(same)))
        drawn = np.random.default_rng(random_state).choice(commoner, size=n_rarer, replace=False)
        rarer = np.flatnonzero(same != (2 * n_same > len(same)))
        taken = np.concatenate([rarer, drawn])
        same, of_pairs = same[taken], of_pairs[taken]
    return float(roc_auc_score(same, of_pairs))


GROUPING_METRICS: Mapping[str, Callable[[Labels, Labels], float]] = {
    "ari": adjusted_rand_index,
    "ami": adjusted_mutual_information,
    "nmi": normalised_mutual_information,
    "nmi_geometric": geometric_mutual_information,
    "ri": rand_index,
    "acc": accuracy,
    "bcubed_f1": bcubed_f1,
    "f1": f1,
}
"""Measures of a grouping, by the name used in files and on the command line; higher is better."""

PAIR_METRICS: Mapping[str, bool] = {"auc": False, "auc_balanced": True}
"""Measures of pair scores: the `balanced` argument of `pair_auc` by name; higher is better."""


def _pair_counts(table: IntArray) -> tuple[float, float, float, float]:
    """Count pairs that share group and subtopic, subtopic, group, and all."""

    def pairs(sizes: IntArray) -> float:
        return float((sizes * (sizes - 1) // 2).sum())

    return (
        pairs(table),
        pairs(table.sum(axis=1)),
        pairs(table.sum(axis=0)),
        pairs(table.sum(keepdims=True)),
    )


def _informations(table: IntArray) -> tuple[float, float, float]:
    """Compute mutual information and the two entropies, in nats."""

    def entropy(sizes: IntArray) -> float:
        shares = sizes / sizes.sum()
        return max(float(-(shares * np.log(shares)).sum()), 0.0)

    shared = max(float(mutual_info_score(None, None, contingency=table)), 0.0)
    return shared, entropy(table.sum(axis=1)), entropy(table.sum(axis=0))
