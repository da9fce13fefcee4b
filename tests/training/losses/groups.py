"""Small labelled sets for the tests of losses."""

import numpy as np
import torch

GROUPS = [0, 0, 1, 1, 1, 2, 3, 3]
"""With a passage that is alone in its subtopic."""


def same_of(groups):
    numbers = torch.tensor(groups)
    return numbers[:, None] == numbers[None, :]


def cosines(dtype, n_passages=8, seed=0):
    """Give cosines of random vectors, with their gradient."""
    drawn = np.random.default_rng(seed).normal(size=(n_passages, 3))
    vectors = torch.as_tensor(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), dtype=dtype)
    return (vectors @ vectors.T).requires_grad_()
