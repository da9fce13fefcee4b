"""How well groups by average linkage of the centred cosine fit the labels."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from torch.nn import functional

from benchmarks.distilling.networks import Network
from benchmarks.distilling.passages import Passages, PassageSet

Floats = npt.NDArray[np.float32]


@torch.no_grad()
def encode(
    network: Network, passages: Passages, rows: npt.NDArray[np.int64], most: int
) -> torch.Tensor:
    """Return unit vectors of some texts, on their device.

    Parameters
    ----------
    network : Network
        Left as in evaluation.
    rows : ndarray of shape (n_rows,)
    most : int
        Tokens of a batch, with those that fill up.

    Returns
    -------
    Tensor of shape (n_rows, hidden)
        float16 on a graphics card, else float32.
    """
    network.eval()
    order = np.argsort(passages.lengths[rows], kind="stable")
    type_ = torch.float32 if passages.device == "cpu" else torch.float16
    found = torch.empty(len(rows), network.shape.hidden, dtype=type_, device=passages.device)
    for chunk, n_tokens in passages.chunks(rows[order], most):
        at = torch.from_numpy(order[chunk]).to(passages.device)
        batch = torch.from_numpy(rows[order[chunk]]).to(passages.device)
        vectors = network(*passages.padded(batch, n_tokens))
        found[at] = functional.normalize(vectors, dim=1).to(type_)
    return found


def centred_cosine(vectors: Floats) -> Floats:
    """Return the cosines of vectors from their middle, shape (n_passages, n_passages)."""
    away = vectors - vectors.mean(0)
    away = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    return np.asarray(away @ away.T, dtype=np.float32)


def adjusted_rand(labels: npt.NDArray[np.int64], groups: npt.NDArray[np.int64]) -> float:
    """Return the adjusted Rand index of two divisions (Hubert and Arabie 1985, equation 5)."""
    table = np.zeros((labels.max() + 1, groups.max() + 1))
    np.add.at(table, (labels, groups), 1)
    both, one, other, all_ = (
        (n * (n - 1) / 2).sum() for n in (table, table.sum(1), table.sum(0), table.sum())
    )
    expected = one * other / max(all_, 1)
    most = (one + other) / 2
    return 1.0 if most == expected else float((both - expected) / (most - expected))


def scores(sets: Sequence[PassageSet], similarities: Sequence[Floats]) -> list[float]:
    """Compute the adjusted Rand index of each set, at its true number of groups."""
    found = []
    for one, similarity in zip(sets, similarities, strict=True):
        distance = np.clip(1 - similarity.astype(np.float64), 0, 2)
        np.fill_diagonal(distance, 0)
        tree = linkage(squareform(distance, checks=False), "average")
        groups = fcluster(tree, len(np.unique(one.labels)), "maxclust").astype(np.int64) - 1
        found.append(adjusted_rand(one.labels, groups))
    return found


def measure(
    network: Network, passages: Passages, sets: Sequence[PassageSet], most: int
) -> list[float]:
    """Compute the adjusted Rand index of each labelled set by an encoder."""
    rows = np.concatenate([one.rows for one in sets])
    vectors = encode(network, passages, rows, most).float().cpu().numpy()
    parts = np.split(vectors, np.cumsum([len(one.rows) for one in sets])[:-1])
    return scores(sets, [centred_cosine(part) for part in parts])
