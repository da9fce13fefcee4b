"""Training of the topic model baseline, from texts to a checkpoint."""

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.decomposition import LatentDirichletAllocation

from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import TrainingError, TrainingStopped
from subclust.core.records import ClusteringInstance, Float64Array
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.clustering.threshold_count import learn_threshold
from subclust.grouping.similarity.topic_model import (
    TopicModelSimilarity,
    expected_weights,
    infer_topics,
    word_counter,
)
from subclust.jobs import PROGRESS_FILE, STOP_FILE
from subclust.methods.baselines.topic_model import TopicModelShape, to_config, to_tensors
from subclust.training.loop.run import Progress
from subclust.training.recipe import Recipe, TrainingArguments, check_least, checked
from subclust.training.training_run import TrainingRun

_HELD_OUT_PASSAGES = 300
"""Of the validation queries, on which the loss is measured."""

_LOSS_POINTS = 10
"""How often it is, over a run."""


@dataclass(frozen=True)
class TopicModelArguments:
    """The model part of a recipe.

    Parameters
    ----------
    n_topics : int
        At least 2.
    n_words : int
        Most frequent words that are kept, at least 2.
    min_passages, max_share : int, float
        A word is kept if it is in at least so many passages and in at most such a share of them.
    """

    n_topics: int = 200
    n_words: int = 20000
    min_passages: int = 1
    max_share: float = 1.0

    def __post_init__(self) -> None:
        """Reject values that cannot work."""
        check_least(self, n_topics=2, n_words=2, min_passages=1)
        if not 0 < self.max_share <= 1:
            raise TrainingError(
                "max_share must be between 0 and 1, but is {max_share}.", max_share=self.max_share
            )


def train(run: TrainingRun) -> Checkpoint:
    """Train a topic model on the texts, and learn its threshold on the labelled validation queries.

    Online variational Bayes (Hoffman, Blei and Bach, NIPS 2010) by scikit-learn, on batches of
    ``batch_passages`` passages. The labels of the training queries are not looked at.

    ``[model]`` holds the fields of `TopicModelArguments`. Of ``[training]`` only ``epochs``,
    ``batch_passages`` and ``seed`` count, ``[objective]`` must be empty, and there is no base.
    Encoder, device and `resume` are not used: a run of minutes has no state. The folder gets
    ``progress.jsonl``; a file ``stop`` in it ends the run.

    Raises
    ------
    TrainingError
        If the recipe does not fit the method, or the texts have too few words.
    TrainingStopped
        If somebody stopped it.
    """
    started = time.monotonic()
    method, recipe = run.method, run.recipe
    if run.base is not None:
        raise TrainingError(
            "{method} is always trained from nothing; leave the base out.", method=method
        )
    if recipe.objective:
        raise TrainingError(
            "{method} has no objective; leave the table [objective] out.", method=method
        )
    if recipe.training.epochs == 0:
        raise TrainingError("{method} needs epochs above 0.", method=method)
    wanted = checked(TopicModelArguments, recipe.model, "The recipe's [model]")
    counts, words = _count(run.training, wanted)
    held_out = word_counter(words).transform(
        [p.text for instance in run.validation for p in instance.passages][:_HELD_OUT_PASSAGES]
    )
    model = LatentDirichletAllocation(
        n_components=wanted.n_topics,
        batch_size=recipe.training.batch_passages,
        total_samples=counts.shape[0],
        random_state=recipe.training.seed,
    )
    history = _run(model, counts, held_out, recipe.training, run.folder, run.progress)

    prior = float(model.doc_topic_prior_)
    tensors = to_tensors(model.components_, words)
    # As it will be read again: in the precision of the checkpoint.
    similarity = TopicModelSimilarity(tensors["topic_word"], words, prior)
    threshold, scores = _judge(similarity, run.validation)
    return Checkpoint(
        method,
        run.name,
        {**to_config(TopicModelShape(wanted.n_topics, len(words), prior)), "threshold": threshold},
        tensors,
        _card(recipe, wanted, history, scores, time.monotonic() - started),
    )


def _count(
    instances: Sequence[ClusteringInstance], wanted: TopicModelArguments
) -> tuple[csr_array, list[str]]:
    """Choose the vocabulary and count its words in each different passage.

    Returns
    -------
    counts : sparse array of shape (n_passages, n_words)
        Passages without a word of it are left out.
    words : list of str
        In alphabetical order.

    Raises
    ------
    TrainingError
        If fewer than two words are left.
    """
    texts = list(dict.fromkeys(p.text for instance in instances for p in instance.passages))
    counter = word_counter(
        max_features=wanted.n_words, min_df=wanted.min_passages, max_df=wanted.max_share
    )
    try:
        counts = csr_array(counter.fit_transform(texts))
    except ValueError as error:
        raise TrainingError(
            "The training texts leave no vocabulary ({error}); add texts, or lower min_passages.",
            error=error,
        ) from error
    words = [str(word) for word in counter.get_feature_names_out()]
    if len(words) < 2:
        raise TrainingError(
            "The training texts leave fewer than two words; add texts, or lower min_passages."
        )
    return counts[np.diff(counts.indptr) > 0], words


def _batches(n_passages: int, arguments: TrainingArguments) -> Iterator[np.ndarray[Any, Any]]:
    """Draw the rows of each step; every epoch in an order of its own that follows from the seed."""
    total, size = steps(n_passages, arguments), arguments.batch_passages
    per_epoch = math.ceil(n_passages / size)
    for step in range(total):
        epoch, position = divmod(step, per_epoch)
        order = np.random.default_rng([arguments.seed, epoch]).permutation(n_passages)
        yield np.sort(order[position * size : (position + 1) * size])


def steps(n_passages: int, arguments: TrainingArguments) -> int:
    """Count the steps of a run."""
    return max(1, round(arguments.epochs * math.ceil(n_passages / arguments.batch_passages)))


def _word_loss(counts: csr_array, topic_word: Float64Array, prior: float) -> float:
    """Average the negative log probability of the passages' words, in nats; lower is better.

    Of each word under the topics that are inferred from its own passage, itself included.
    """
    topics = infer_topics(counts, expected_weights(topic_word), prior)
    words = topic_word / topic_word.sum(axis=1, keepdims=True)
    cells = counts.tocoo()
    chances = np.einsum("ik,ki->i", topics[cells.row], words[:, cells.col])
    return float(-(cells.data * np.log(chances)).sum() / max(cells.data.sum(), 1))


def _run(
    model: LatentDirichletAllocation,
    counts: csr_array,
    held_out: csr_array,
    arguments: TrainingArguments,
    folder: Path,
    progress: Progress | None,
) -> list[Mapping[str, Any]]:
    """Train, tell, and stop when asked to; gives the loss on the way."""
    started, loss = time.monotonic(), math.nan
    history: list[Mapping[str, Any]] = []
    total = steps(counts.shape[0], arguments)
    every = arguments.evaluate_every or math.ceil(total / _LOSS_POINTS)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STOP_FILE).unlink(missing_ok=True)
    (folder / PROGRESS_FILE).unlink(missing_ok=True)
    for step, rows in enumerate(_batches(counts.shape[0], arguments), start=1):
        model.partial_fit(counts[rows])
        if step == 1 or step % every == 0 or step == total:
            loss = _word_loss(held_out, model.components_, float(model.doc_topic_prior_))
            history.append({"step": step, "total": total, "loss": loss})
        seconds = time.monotonic() - started
        line = {
            "step": step,
            "total": total,
            "loss": loss,
            "seconds": round(seconds, 3),
            "eta": round(seconds / step * (total - step), 1),
        }
        with (folder / PROGRESS_FILE).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        if progress is not None:
            progress(line)
        if step < total and (folder / STOP_FILE).exists():
            raise TrainingStopped(
                "The run was stopped after step {step}; nothing is saved of a run this short, "
                "so it is resumed from the beginning.",
                step=step,
            )
    return history


def _judge(
    similarity: TopicModelSimilarity, validation: Sequence[ClusteringInstance]
) -> tuple[float, dict[str, float]]:
    """Learn the threshold for the automatic number of groups, and score at the true number."""
    pairs = []
    for instance in validation:
        texts = [passage.text for passage in instance.passages]
        pairs.append((similarity.score_matrix(instance.query, texts), instance.gold()))
    values = [
        adjusted_rand_index(gold, cut_to(average_link(scores), len(set(gold))))
        for scores, gold in pairs
    ]
    return learn_threshold(pairs), {
        "validation_ari": float(np.mean(values)),
        "validation_queries": float(len(values)),
    }


def _card(
    recipe: Recipe,
    wanted: TopicModelArguments,
    history: Sequence[Mapping[str, Any]],
    scores: Mapping[str, float],
    seconds: float,
) -> dict[str, Any]:
    return {
        "summary": "Topic model: latent Dirichlet allocation; passages are compared by the "
        "Jensen-Shannon divergence of their topics.",
        "intended_use": "A baseline beside the other methods, for texts in English.",
        "limits": "Knows only the words of its training texts, and topics as wide as these.",
        "citation": "David M. Blei, Andrew Y. Ng and Michael I. Jordan. Latent Dirichlet "
        "Allocation. JMLR 3, 2003. As the baseline of Sumanta Kashyapi and Laura Dietz. "
        "Query-specific Subtopic Clustering. JCDL 2022. https://doi.org/10.1145/3529372.3530923",
        "licence": "Apache-2.0 (code and weights)",
        "training": {
            "epochs": recipe.training.epochs,
            "batch_passages": recipe.training.batch_passages,
            "queries_per_file": recipe.training.queries_per_file,
            "seed": recipe.training.seed,
            **{key: getattr(wanted, key) for key in ("n_topics", "n_words", "min_passages")},
            "max_share": wanted.max_share,
            "steps": history[-1]["step"],
            "seconds": round(seconds, 1),
        },
        "scores": dict(scores),
        "history": list(history),
    }
