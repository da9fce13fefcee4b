"""Hit sets that nobody has labelled: passages with those nearest to them."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from benchmarks.distilling.passages import Ints, PassageSet

N_NEAR, N_DRAWN = 80, 24
"""Nearest passages among which those of a hit set are drawn, and how many."""


def found_sets(
    vectors: Tensor, searched: Mapping[str, Sequence[Ints]], n_sets: int, seed: int
) -> dict[str, list[PassageSet]]:
    """Find hit sets as a search would: some of the texts nearest to one that is drawn.

    Parameters
    ----------
    vectors : Tensor of shape (n_texts, embedding_dim)
        Unit vectors by an encoder that was not tuned.
    searched : mapping of str to sequence of ndarray of shape (n_rows,)
        By source, the rows that are searched together.
    n_sets : int
        For each source, about.
    seed : int
    """
    random = np.random.default_rng([seed, 5])
    found: dict[str, list[PassageSet]] = {}
    for source, pools in searched.items():
        sets = found.setdefault(source, [])
        each = max(1, round(n_sets / len(pools)))
        for pool in pools:
            unit = vectors[torch.from_numpy(pool).to(vectors.device)].float()
            seeds = random.permutation(len(pool))[:each]
            for start in range(0, len(seeds), 256):
                at = torch.from_numpy(seeds[start : start + 256]).to(vectors.device)
                near = (unit[at] @ unit.T).topk(min(N_NEAR, len(pool)), dim=1).indices
                for row in near.cpu().numpy():
                    drawn = random.permutation(row)[:N_DRAWN]
                    rows = pool[np.sort(drawn)]
                    sets.append(PassageSet(rows, np.full(len(rows), -1)))
    return found
