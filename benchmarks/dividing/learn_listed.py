"""Learns which passages go with which of the things that a question lists."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.headings.bank import headings_of
from subclust.core.records import ClusteringInstance, FloatArray, Query
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.evaluation.significance import paired_test
from subclust.grouping.similarity.listed_things import ListedThings
from subclust.judging.bench import embed, embed_queries
from subclust.methods import LoadedMethod
from subclust.text.encoders import Encoder

TASK, VALIDATION = "wiki2014_train", "wiki2014_validation"

MOST_LISTED = 10
_MOST_PASSAGES = 80
_ALONE, _ALL, _STRANGE = 0.6, 0.5, 0.4
"""Chances that a hit set is of one article, that all its headings are listed, and that some of
another article are listed as well."""
_START = (4.0, 6.0)
"""How much the vector of a passage, and what sets it apart, count at first."""
_DROPPED = 0.3
_EPOCHS, _BATCH = 4, 24
_RATE, _DECAY = 1e-3, 1e-2


_KINDS = {
    "title": ("", "_auto", "_aside"), "all": ("", "_auto"), "half": ("",), "others": ("",),
    "wrong": ("_aside",),
}  # fmt: skip
_ASIDE = 0.01


class Sections(NamedTuple):
    """The passages of an article with their headings.

    Parameters
    ----------
    vectors : Tensor of shape (n_passages, embedding_dim)
    headings : Tensor of shape (n_passages,)
        Number of the heading of each.
    """

    vectors: Tensor
    headings: Tensor


class ListedNetwork(nn.Module):
    """The arrays of `ListedThings` while they learn."""

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        start = torch.cat([torch.eye(embedding_dim) * share for share in _START])
        self.passages = nn.Parameter(start)
        self.things = nn.Parameter(torch.zeros(embedding_dim, embedding_dim))
        self.none = nn.Parameter(torch.zeros(2 * embedding_dim))
        self.none_shift = nn.Parameter(torch.zeros(()))

    def forward(self, vectors: Tensor, things: Tensor) -> Tensor:
        """Return logits of shape (n_passages, n_things + 1), the last for none of the things."""
        apart = functional.normalize(vectors - vectors.mean(dim=0), dim=-1, eps=1e-6)
        seen = functional.dropout(torch.cat([vectors, apart], dim=-1), _DROPPED, self.training)
        fits = seen @ self.passages @ (things + things @ self.things).T
        return torch.cat([fits, (seen @ self.none + self.none_shift)[:, None]], dim=1)

    def learnt(self) -> ListedThings:
        """Return the arrays of what was learnt."""
        arrays = {name: one.detach().numpy().copy() for name, one in self.named_parameters()}
        return ListedThings(**arrays)


def sections_of(
    instances: Sequence[ClusteringInstance], encoder: Encoder
) -> tuple[list[Sections], FloatArray]:
    """Encode articles, and their headings once each.

    Returns
    -------
    list of Sections
        Of the articles with two headings or more.
    ndarray of shape (n_headings, embedding_dim)
    """
    vectors = embed(instances, encoder)
    names = sorted({name for one in instances for name in headings_of(one)})
    numbers = {name: number for number, name in enumerate(names)}
    found = []
    for instance, own in zip(instances, vectors, strict=True):
        rows = [numbers[str(passage.label)] for passage in instance.passages]
        if len(set(rows)) > 1:
            found.append(Sections(torch.from_numpy(own), torch.tensor(rows)))
    return found, encoder.encode(names)


def learn_listed(articles: Sequence[Sections], headings: FloatArray, seed: int) -> ListedThings:
    """Learn from lists of headings, of which some are missing and some are others'."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    known = torch.from_numpy(headings)
    network = ListedNetwork(headings.shape[1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    n_batches = max(len(articles) // _BATCH, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, _RATE, total_steps=_EPOCHS * n_batches + 1
    )
    for _ in range(_EPOCHS):
        for batch in np.array_split(rng.permutation(len(articles)), n_batches):
            losses = [
                functional.cross_entropy(network(vectors, known[things]), wanted)
                for vectors, things, wanted in _lists(articles, batch.tolist(), len(known), rng)
            ]
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    return network.learnt()


def _lists(
    articles: Sequence[Sections], batch: Sequence[int], n_headings: int, rng: np.random.Generator
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Draw hit sets with listed headings, and which of these each passage has."""
    for place in batch:
        others = [] if rng.random() < _ALONE else rng.integers(len(articles), size=2).tolist()
        chosen = [articles[one] for one in (place, *others)]
        vectors = torch.cat([one.vectors for one in chosen])
        rows = torch.cat([one.headings for one in chosen])
        if len(rows) > _MOST_PASSAGES:
            some = torch.from_numpy(rng.permutation(len(rows))[:_MOST_PASSAGES])
            vectors, rows = vectors[some], rows[some]
        own = rng.permutation(np.unique(rows.numpy()))
        n_listed = len(own) if rng.random() < _ALL else max(1, int(len(own) * rng.uniform(0.2, 1)))
        listed = own[: min(n_listed, MOST_LISTED)].tolist()
        if len(listed) < 2 or rng.random() < _STRANGE:
            drawn = articles[int(rng.integers(len(articles)))].headings
            strange = rng.permutation(np.setdiff1d(drawn.numpy(), own))[:2]
            listed += strange.tolist()
        if len(listed) < 2:
            continue
        places = torch.full((n_headings,), len(listed))
        places[listed] = torch.arange(len(listed))
        yield vectors, torch.tensor(listed), places[rows]


def listing(query: Query, names: Sequence[str], share: float, number: int) -> Query:
    """Return a question with a list of headings behind it: a share of them, at least two."""
    n_listed = min(max(2, round(share * len(names))), MOST_LISTED)
    listed = np.random.default_rng(number).permutation(names)[:n_listed].tolist()
    words = [name.replace(",", " ").lower() for name in listed]
    return replace(query, text=f"{query.text}: {', '.join(words[:-1])} and {words[-1]}")


def score_lists(
    instances: Sequence[ClusteringInstance], method: LoadedMethod
) -> dict[str, list[float]]:
    """Ask for each article by its title, and by lists of headings as well.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        Those with three headings or more count.

    Returns
    -------
    dict of str to list of float
        Adjusted Rand index of each article: at the true number with the title alone (``title``),
        all headings (``all``), half of them (``half``) and half of those of another article
        (``others``); at the method's own number ``title_auto`` and ``all_auto``; at the true number
        where passages about something else are set aside, and one in a hundred may fit no group,
        with the title (``title_aside``) and with that of another article (``wrong_aside``).
    """
    kept = [one for one in instances if len(headings_of(one)) > 2]
    vectors = embed(kept, method.encoder)
    names = [headings_of(one) for one in kept]
    half = len(kept) // 2
    strange = [*names[half:], *names[:half]]
    asked = {"title": [one.query for one in kept]}
    asked["wrong"] = [*asked["title"][half:], *asked["title"][:half]]
    for name, lists, share in (("all", names, 1.0), ("half", names, 0.5), ("others", strange, 0.5)):
        asked[name] = [
            listing(one.query, its, share, number)
            for number, (one, its) in enumerate(zip(kept, lists, strict=True))
        ]
    scores: dict[str, list[float]] = {}
    for name, queries in asked.items():
        put = [replace(one, query=query) for one, query in zip(kept, queries, strict=True)]
        # Which passages are about a query is only estimated where any may be set aside.
        method.clusterer.max_other = _ASIDE if "_aside" in _KINDS[name] else 0.0
        embedded = embed_queries(put, vectors, method, "title")
        for kind in _KINDS[name]:
            scores[f"{name}{kind}"] = [
                _score(one, query, own, method, kind)
                for one, query, own in zip(put, embedded, vectors, strict=True)
            ]
    return scores


def right_question(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Compare the right title with another article's, where passages may be set aside.

    Returns
    -------
    dict
        The mean ``difference`` of the adjusted Rand indices, above 0 where the right one is better,
        and the ``p`` value of a paired test.
    """
    right, wrong = scores["title_aside"], scores["wrong_aside"]
    return {
        "difference": round(float(np.mean(right) - np.mean(wrong)), 4),
        "p": float(paired_test(right, wrong).p_value),
    }


def _score(
    instance: ClusteringInstance,
    query: Query,
    vectors: FloatArray,
    method: LoadedMethod,
    kind: str,
) -> float:
    gold = instance.gold()
    clusterer = method.clusterer
    clusterer.n_clusters = "auto" if kind == "_auto" else len(set(gold))
    clusterer.max_other = _ASIDE if kind == "_aside" else 0.0
    texts = [passage.text for passage in instance.passages]
    labels = clusterer.fit(texts, query=query, embeddings=vectors).labels_
    return round(float(adjusted_rand_index(gold, labels)), 6)
