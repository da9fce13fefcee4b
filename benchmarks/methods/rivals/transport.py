r"""Pseudo-labels by optimal transport whose class sizes are found with it: RSTC.

Texts are moved to classes at the lowest cost, where the classes' sizes b are unknown:

.. math::
    \min_{\pi, b} \langle \pi, M \rangle + \epsilon_1 \langle \pi, \log \pi - 1 \rangle
    + \epsilon_2 \sum_j -\log b_j - \log(1 - b_j)

subject to :math:`\pi 1 = 1/N`, :math:`\pi^T 1 = b` and :math:`\sum_j b_j = 1`, with
:math:`M = -\log P`.

Source: Zheng et al., Robust representation learning with reliable pseudo-labels generation via
self-adaptive optimal transport for short text clustering, ACL 2023.
"""

import numpy as np
from scipy.special import expit

from subclust.core.records import FloatArray
from subclust.core.records.arrays import Float64Array

_LARGEST = 500.0
"""Exponent beyond which a share is as good as 0, so that no column can vanish."""

_STEEPEST = 60.0
"""Largest logit of a size: beyond it a size cannot be told from 0 or 1."""

_STEPS, _NEAR = 200, 1e-10


def class_sizes(columns: FloatArray, smoothing: float, penalty: float) -> Float64Array:
    r"""Find the sizes b that are best for given potentials of the texts.

    With :math:`c_j = \sum_i \exp((f_i - M_{ij}) / \epsilon_1)` the potential of a class of size b
    is :math:`g_j = \epsilon_1 \log(b_j / c_j)`, and where the Lagrangian's derivative by b is 0,

    .. math:: g_j - h = \epsilon_2 \left(\frac{1}{b_j} - \frac{1}{1 - b_j}\right)

    of which the left grows with b and the right falls; h is where the sizes add up to 1. The source
    takes g as fixed in this equation and finds g and b in turn, which swings to and fro where
    epsilon 2 is much smaller than epsilon 1; at the end both are the same.

    Parameters
    ----------
    columns : ndarray of shape (n_classes,)
        c, above 0; at least two.
    smoothing, penalty : float
        Epsilon 1 and epsilon 2, above 0.

    Returns
    -------
    ndarray of shape (n_classes,)
        Each between 0 and 1; they add up to 1.
    """
    logs, s, h = np.log(columns), np.full(len(columns), -np.log(len(columns) - 1.0)), 0.0
    # Newton's method on the logits s of the sizes and on h at once: 1 / b - 1 / (1 - b) is
    # -2 sinh(s). Short steps keep to where the sinh is near its tangent.
    for _ in range(_STEPS):
        b = expit(s)
        value = smoothing * (np.log(b) - logs) + 2 * penalty * np.sinh(s)
        slope = smoothing * (1 - b) + 2 * penalty * np.cosh(s)
        grows = b * (1 - b) / slope
        h = (1 - b.sum() + (grows * value).sum()) / grows.sum()
        step = (h - value) / slope
        s = np.clip(s + np.clip(step, -1, 1), -_STEEPEST, _STEEPEST)
        if np.abs(step).max() < _NEAR:
            break
    b = expit(s)
    return np.asarray(b / b.sum(), dtype=np.float64)


def adaptive_transport(
    p: FloatArray,
    *,
    smoothing: float = 0.1,
    penalty: float = 0.1,
    tolerance: float = 1e-5,
    max_rounds: int = 100,
) -> tuple[Float64Array, Float64Array]:
    """Move texts to classes at the lowest cost, by Sinkhorn's scaling and `class_sizes` in turn.

    Parameters
    ----------
    p : ndarray of shape (n_texts, n_classes)
        Probabilities of the classification network.
    smoothing : float
        Epsilon 1, above 0: the greater, the softer the plan.
    penalty : float
        Epsilon 2.
    tolerance : float
        Largest change of the sizes, added up, at which the rounds end.

    Returns
    -------
    plan : ndarray of shape (n_texts, n_classes)
        Rows add up to 1 / n_texts; a text's pseudo-label is where its row is greatest.
    sizes : ndarray of shape (n_classes,)
    """
    logs = np.log(np.maximum(p.astype(np.float64), 1e-300))
    below = (logs - logs.max(axis=1, keepdims=True)) / smoothing
    kernel = np.exp(np.maximum(below, -_LARGEST))
    n_texts, n_classes = kernel.shape
    b = np.full(n_classes, 1 / n_classes)
    u = np.full(n_texts, 1 / n_texts)
    for _ in range(max_rounds):
        columns = kernel.T @ u
        before, b = b, class_sizes(columns, smoothing, penalty)
        v = b / columns
        u = 1 / n_texts / (kernel @ v)
        if np.abs(b - before).sum() < tolerance:
            break
    return u[:, None] * kernel * v[None, :], b
