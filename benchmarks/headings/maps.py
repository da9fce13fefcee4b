"""What tells which heading people would give: two linear maps, and the kinds of articles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from benchmarks.headings.bank import headings_of
from subclust.core.records import ClusteringInstance, FloatArray, IntArray
from subclust.grouping.naming.places import Places, unit

_BATCH = 48
_EPOCHS = 8
_RATE = 1e-3
_DROPPED = 0.5
_AMONG_ALL = 0.5
_START = (2.0, 8.0, 0.0)
"""What mean, centred mean and query count at first."""

_SHRUNK, _PRIOR = 0.9, 2
"""Of the covariance of articles, how much is as in all directions alike, and how many articles of
no kind each heading has besides its own; chosen on wiki2014_validation."""


@dataclass(frozen=True)
class Article:
    """The groups of an article as vectors.

    Parameters
    ----------
    groups : ndarray of shape (n_groups, 3 * dim)
    headings : ndarray of shape (n_groups, dim)
    rows : ndarray of shape (n_groups,)
        Of the heading in the bank, -1 where it is not there.
    whole : ndarray of shape (dim,)
        Mean of its passages, of length 1.
    """

    groups: FloatArray
    headings: FloatArray
    rows: IntArray
    whole: FloatArray


def article_of(
    instance: ClusteringInstance,
    embeddings: FloatArray,
    encode: Callable[[Sequence[str]], FloatArray],
    row_of: Callable[[str], int | None],
) -> Article:
    """Compute the vectors of an article's gold groups."""
    names = headings_of(instance)
    group_of = np.array([names.index(str(one.label)) for one in instance.passages])
    query = encode([instance.query.text])[0]
    places = Places.of(embeddings, group_of, len(names), query, None)
    rows = [row_of(name) for name in names]
    return Article(
        np.concatenate(
            [places.mean, places.centred, np.repeat(query[None], len(names), axis=0)], axis=1
        ),
        encode(names),
        np.array([-1 if row is None else row for row in rows]),
        unit(embeddings.mean(axis=0)),
    )


def learn_maps(
    articles: Sequence[Article], bank: FloatArray, numbers: IntArray, *, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Learn the map of groups, of shape (3 * dim, dim), and that of headings, (dim, dim).

    A group's own heading is to score above those of its article, of all articles of a batch, and of
    the bank, the frequent ones of which have a start.

    Parameters
    ----------
    bank : ndarray of shape (n_bank, dim)
    numbers : ndarray of shape (n_bank,)
        Of articles that have the heading.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    dim = bank.shape[1]
    of_groups = nn.Parameter(torch.cat([torch.eye(dim) * share for share in _START]))
    of_headings = nn.Parameter(torch.zeros(dim, dim))
    start = nn.Parameter(torch.tensor(0.7))
    optimizer = torch.optim.AdamW([of_groups, of_headings, start], lr=_RATE, weight_decay=0.01)
    n_batches = max(len(articles) // _BATCH, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, _RATE, total_steps=_EPOCHS * n_batches + 1
    )
    known = torch.from_numpy(bank)
    frequent = torch.log(torch.as_tensor(numbers, dtype=torch.float32))
    for _ in range(_EPOCHS):
        for batch in np.array_split(rng.permutation(len(articles)), n_batches):
            some = [articles[int(one)] for one in batch]
            groups = functional.dropout(
                torch.from_numpy(np.concatenate([one.groups for one in some])), _DROPPED
            )
            aimed = groups @ of_groups
            headings = torch.from_numpy(np.concatenate([one.headings for one in some]))
            owner = torch.repeat_interleave(
                torch.arange(len(some)), torch.tensor([len(one.rows) for one in some])
            )
            rows = torch.from_numpy(np.concatenate([one.rows for one in some]))
            own = torch.arange(len(rows))
            scores = aimed @ (headings + headings @ of_headings).T
            apart = scores.masked_fill(owner[:, None] != owner[None], -1e4)
            same = (headings @ headings.T > 1 - 1e-5) & ~torch.eye(len(rows), dtype=torch.bool)
            general = aimed @ (known + known @ of_headings).T + start * frequent
            loss = functional.cross_entropy(apart, own)
            loss = loss + _AMONG_ALL * functional.cross_entropy(scores.masked_fill(same, -1e4), own)
            loss = loss + functional.cross_entropy(general[rows >= 0], rows[rows >= 0])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    return of_groups.detach().numpy(), of_headings.detach().numpy()


def learn_kinds(articles: Sequence[Article], n_bank: int) -> FloatArray:
    """Learn how much likelier headings are in some articles than in any: `Headings.kinds`.

    The articles with a heading are taken as normally distributed about their mean, with a
    covariance that all headings share (linear discriminant analysis).

    T. Hastie, R. Tibshirani and J. Friedman: The elements of statistical learning, 2nd edition,
    2009, equation 4.9.

    Returns
    -------
    ndarray of shape (dim + 1, n_bank)
    """
    wholes = np.stack([one.whole for one in articles]).astype(np.float64)
    has = np.zeros((len(articles), n_bank))
    for place, one in enumerate(articles):
        has[place, one.rows[one.rows >= 0]] = 1
    middle = wholes.mean(axis=0)
    apart = wholes - middle
    covariance = np.cov(apart.T)
    even = np.eye(len(middle)) * np.trace(covariance) / len(middle)
    means = has.T @ apart / (has.sum(axis=0)[:, None] + _PRIOR)
    weights = np.linalg.solve((1 - _SHRUNK) * covariance + _SHRUNK * even, means.T)
    offsets = -(means * weights.T).sum(axis=1) / 2 - middle @ weights
    return np.vstack([weights, offsets]).astype(np.float32)
