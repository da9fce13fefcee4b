"""Labelled queries and documents as one pool of texts, and their word pieces by an encoder."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file

from benchmarks.distilling.networks import Network, Shape, load
from benchmarks.distilling.passages import Ints, Passages, PassageSet
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance
from subclust.text.encoders import SentenceEncoder

FOLDS = 2
"""Teachers of a kind; each learns from the queries of all folds but one, of which it then tells."""


@dataclass(frozen=True)
class Pool:
    """All texts of a run, and which of them belong together.

    Parameters
    ----------
    training : dict of str to list of PassageSet
        Labelled sets by the name of their task, each in a fold.
    validation : list of PassageSet
        Labelled, in no fold.
    searched : dict of str to list of ndarray of shape (n_texts,)
        Rows among which hit sets are found, by the name of their source: those of a label apart.
    """

    texts: list[str]
    training: dict[str, list[PassageSet]]
    validation: list[PassageSet]
    searched: dict[str, list[Ints]]


def pool_of(
    training: dict[str, Sequence[ClusteringInstance]],
    validation: Sequence[ClusteringInstance],
    documents: dict[str, Sequence[tuple[str, str]]],
) -> Pool:
    """Put all texts in one row.

    Parameters
    ----------
    training : dict of str to sequence of ClusteringInstance
        By task; among the passages of the first, hit sets are found as well.
    documents : dict of str to sequence of (str, str)
        Texts with the label within which hit sets are found, by source.
    """
    texts: list[str] = []

    def labelled(instances: Sequence[ClusteringInstance], folded: bool) -> list[PassageSet]:
        sets = []
        for number, instance in enumerate(instances):
            rows = np.arange(len(texts), len(texts) + len(instance.passages))
            texts.extend(passage.text for passage in instance.passages)
            labels = np.unique(instance.gold("flat"), return_inverse=True)[1].astype(np.int64)
            sets.append(PassageSet(rows, labels, number % FOLDS if folded else -1))
        return sets

    sets = {task: labelled(instances, True) for task, instances in training.items()}
    first = next(iter(sets))
    searched = {first: [np.arange(len(texts))[: sets[first][-1].rows[-1] + 1]]}
    held_out = labelled(validation, False)
    for source, found in documents.items():
        start = len(texts)
        texts.extend(text for text, _ in found)
        labels = np.asarray([label for _, label in found])
        searched[source] = [start + np.flatnonzero(labels == one) for one in np.unique(labels)]
    return Pool(texts, sets, held_out, searched)


def read_documents(file: Path, per_label: int, n_labels: int, seed: int) -> list[tuple[str, str]]:
    """Draw documents of some labels from JSON Lines with ``text`` and perhaps ``label``.

    Parameters
    ----------
    file : Path
        ``.jsonl`` or ``.jsonl.gz``.
    per_label : int
        Documents of a label at most; labels with fewer than a tenth of it are left out.
    n_labels : int
        Labels at most, drawn by the seed.

    Raises
    ------
    BenchmarkError
        If the file cannot be read.
    """
    by_label: dict[str, list[str]] = {}
    try:
        opened = gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open()
        with opened as lines:
            for line in lines:
                document = json.loads(line)
                by_label.setdefault(str(document.get("label", "")), []).append(document["text"])
    except (OSError, ValueError, KeyError) as error:
        raise BenchmarkError(
            "The documents in {file} cannot be read ({error}).", file=file, error=error
        ) from error
    random = np.random.default_rng(seed)
    large = sorted(label for label, texts in by_label.items() if len(texts) * 10 >= per_label)
    chosen = [large[row] for row in random.permutation(len(large))[:n_labels]]
    return [
        (by_label[label][row], label)
        for label in chosen
        for row in random.permutation(len(by_label[label]))[:per_label]
    ]


def opened(encoder: SentenceEncoder, texts: Sequence[str], device: str) -> tuple[Network, Passages]:
    """Read an encoder's weights, and cut texts into its word pieces.

    Parameters
    ----------
    encoder : SentenceEncoder
        Without replaced layers.

    Returns
    -------
    Network
        In float32, on the device.
    Passages

    Raises
    ------
    BenchmarkError
        If it is neither a BERT nor an MPNet.
    """
    config: dict[str, Any] = json.loads((encoder.folder / "config.json").read_text())
    if config.get("model_type") not in ("bert", "mpnet"):
        raise BenchmarkError(
            "The encoder {name} is a {kind}; only bert and mpnet are distilled here.",
            name=encoder.name,
            kind=config.get("model_type"),
        )
    network = Network(Shape.of(config))
    weights = load_file(encoder.folder / "model.safetensors")
    load(network, {name: weight.float() for name, weight in weights.items()})
    tokenizer: Any = encoder.fresh_model().tokenizer
    ids: list[Ints] = []
    for start in range(0, len(texts), 4096):
        found = tokenizer(
            list(texts[start : start + 4096]),
            truncation=True,
            max_length=encoder.max_seq_length,
            padding=False,
        )
        ids += [np.asarray(one, dtype=np.int64) for one in found["input_ids"]]
    lengths = np.asarray([len(one) for one in ids])
    passages = Passages(np.concatenate(ids), lengths, int(tokenizer.pad_token_id or 0), device)
    return network.to(torch.device(device)), passages
