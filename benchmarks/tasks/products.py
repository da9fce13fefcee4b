"""What customers bought, one list each: sets without groups, for self-supervised training."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from subclust.core.records import ClusteringInstance, Passage, Query, TaskCard

QUERY = "Products bought by one customer"

_CONSTRUCTION = (
    "A query is a customer, and its passages are the titles of the products that they bought, each "
    "once. Nobody has grouped them: every product is a group of its own, so there is nothing to "
    "learn but by self-supervision."
)


def _card(name: str, label: str, items: str, sequences: str, sizes: tuple[int, int]) -> TaskCard:
    return TaskCard(
        name=f"{name}_products",
        label=f"{label} products, one list a customer",
        file=f"products/{name}_items.jsonl.gz",
        sha256=items,
        licence="not stated (titles of products on Amazon)",
        citation="Ni, Li and McAuley, Justifying recommendations using distantly-labeled reviews "
        "and fine-grained aspects, EMNLP 2019.",
        split="train",
        url="https://cseweb.ucsd.edu/~jmcauley/datasets.html",
        construction=_CONSTRUCTION,
        builder="benchmarks.tasks.products:lists",
        other_files={f"products/{name}_sequences.jsonl.gz": sequences},
        n_queries=sizes[0],
        n_passages=sizes[1],
        n_labels=sizes[1] / sizes[0],
    )


CARDS: tuple[TaskCard, ...] = (
    _card(
        "office",
        "Office",
        "7dc1c67e90789fb42c8fb48bd1cad292906cb2154f6f0be2b4f1c6d696133dda",
        "8f1c973fce17c189913b7853980175d90d1ce1ede67d37fbee61eea5a785c9c0",
        (3231, 21188),
    ),
    _card(
        "industrial",
        "Industrial",
        "495a70f3ddf3983d9189a62ed7d643b4ae221d8bdaf97dc5a0d180d9c27619cd",
        "627a306621064f5e88602b0e7d52c4c74b80811caa1ac380adc419d3c44fddbc",
        (3285, 21664),
    ),
)


def lists(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Return each customer's products.

    Parameters
    ----------
    files : sequence of Path
        The products, and the customers' sequences of their ids.
    """
    titles = {record["id"]: record["title"] for record in _records(files[0])}
    made = []
    for record in _records(files[1]):
        items = [item for item in dict.fromkeys(record["items"]) if titles[item].strip()]
        passages = tuple(Passage(item, titles[item], label=item, path=item) for item in items)
        made.append(ClusteringInstance(Query(QUERY), passages))
    return made


def _records(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
