"""Which queries a run trains on and which it is judged by, kept with the run."""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from subclust.core.exceptions import InputError, TrainingError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.core.storage.damaged import typed
from subclust.core.storage.disk import refusals_told, write_whole

SPLIT_FILE = "split.json"


@dataclass(frozen=True)
class QuerySplit:
    """The split of a run.

    Parameters
    ----------
    share : float or None
        Of the queries that was held out; None where a file of held-out queries was given.
    training, held_out : tuple of str
        Texts of the queries, each once, in the order of the files.
    files : tuple of mappings
        ``name``, ``sha256`` and ``part`` (``"training"`` or ``"held-out"``) of each file, and
        ``task`` where it was given by the name of one: several are made of the same file.
    test : tuple of str
        Texts of the queries that were set aside for judging the trained model.
    """

    seed: int
    share: float | None
    training: tuple[str, ...]
    held_out: tuple[str, ...]
    files: tuple[Mapping[str, str], ...]
    test: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        training: Sequence[ClusteringInstance],
        held_out: Sequence[ClusteringInstance],
        files: Sequence[Mapping[str, str]],
        *,
        seed: int,
        share: float | None,
        test: Sequence[ClusteringInstance] = (),
    ) -> Self:
        """Describe a split that was made."""
        texts = _texts(training), _texts(held_out), _texts(test)
        return cls(seed, share, texts[0], texts[1], tuple(files), texts[2])

    def write(self, folder: Path) -> None:
        """Write it into the folder of a run, replacing what is there by renaming."""
        with refusals_told(Message("The split of the run cannot be saved"), folder):
            write_whole(
                folder / SPLIT_FILE,
                json.dumps(asdict(self), ensure_ascii=False, indent=1),
                durable=False,
            )

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Read that of a run; None where there is none.

        Raises
        ------
        TrainingError
            If it is damaged.
        """
        path = folder / SPLIT_FILE
        if not path.is_file():
            return None
        try:
            return typed(cls, json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as error:
            raise not_resumable(Message("the split in {path} is damaged", path=path)) from error

    def check_files(self, files: Sequence[Mapping[str, str]]) -> None:
        """Make sure that a resumed run has the files it was started with, wherever they lie.

        Raises
        ------
        TrainingError
            If a file has changed, is new or is missing; the sentence names it.
        """
        now, before = list(files), list(self.files)
        for left, right in zip(now, before, strict=False):
            if all(left.get(key) == right.get(key) for key in ("sha256", "part", "task")):
                continue
            told = (
                Message("has changed since the run was started")
                if left["name"] == right["name"]
                else Message("is not {right}, with which the run was started", right=right["name"])
            )
            raise not_resumable(Message("the file {left} {told}", left=left["name"], told=told))
        if len(now) != len(before):
            raise not_resumable(
                Message(
                    "it was started with {count} files and is resumed with {other_count}",
                    count=len(before),
                    other_count=len(now),
                )
            )

    def apply(
        self, instances: Sequence[ClusteringInstance], held_out: Sequence[ClusteringInstance]
    ) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
        """Divide instances as they were divided.

        Parameters
        ----------
        instances : sequence of ClusteringInstance
            Of the training files.
        held_out : sequence of ClusteringInstance
            Of the file of held-out queries, empty where none was given.
        """
        left, right = set(self.training), set(self.held_out)
        pool = instances if self.share is not None else held_out
        return (
            [instance for instance in instances if instance.query.text in left],
            [instance for instance in pool if instance.query.text in right],
        )

    def tested(self, instances: Sequence[ClusteringInstance]) -> list[ClusteringInstance]:
        """Return those instances of the training files that were set aside for judging."""
        aside = set(self.test)
        return [instance for instance in instances if instance.query.text in aside]


def _texts(instances: Sequence[ClusteringInstance]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(instance.query.text for instance in instances))


def split_queries(
    instances: Sequence[ClusteringInstance], share: float, seed: int
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    """Split a labelled set by query, never within one.

    Parameters
    ----------
    share : float
        Of the queries that go to the second part, 0 to 1; at least one does, and one stays.

    Returns
    -------
    tuple of two lists
        Training and held-out queries, each in the order of the set. Queries of the same text go
        to the same side.

    Raises
    ------
    InputError
        If there are fewer than two different queries.
    """
    texts = sorted({instance.query.text for instance in instances})
    if len(texts) < 2:
        raise InputError(
            "A labelled set of one question cannot be split into training and validation "
            "questions; add questions, or give a validation file."
        )
    ordered = in_drawn_order(texts, seed)
    n_held = min(max(1, math.floor(share * len(texts) + 0.5)), len(texts) - 1)
    return _divide(instances, set(ordered[:n_held]))


def set_test_aside(
    instances: Sequence[ClusteringInstance], share: float, seed: int, *, n_to_stay: int = 2
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    """Set queries aside that a model is judged on and that take no part in training.

    They are the last of the order whose first ones `split_queries` holds out.

    Parameters
    ----------
    share : float
        Of the queries, 0 to 1; 0 for none, else at least one.
    n_to_stay : int
        Queries that must be left, at least 1.

    Returns
    -------
    tuple of two lists
        The others and the test queries, each in the order of the set. Queries of the same text go
        to the same side.

    Raises
    ------
    InputError
        If there are not enough different queries.
    """
    if not share:
        return list(instances), []
    texts = sorted({instance.query.text for instance in instances})
    if len(texts) <= n_to_stay:
        raise InputError(
            "A labelled set of {count} questions cannot be split into training, validation and "
            "test questions; add questions, or set test_share to 0.",
            count=len(texts),
        )
    n_test = min(max(1, math.floor(share * len(texts) + 0.5)), len(texts) - n_to_stay)
    return _divide(instances, set(in_drawn_order(texts, seed)[-n_test:]))


def three_parts(
    instances: Sequence[ClusteringInstance], validation_share: float, test_share: float, seed: int
) -> tuple[list[ClusteringInstance], list[ClusteringInstance], list[ClusteringInstance]]:
    """Split a labelled set by query into training, validation and test queries.

    Parameters
    ----------
    validation_share, test_share : float
        Of all queries; with a `test_share` of 0 it is `split_queries`.

    Raises
    ------
    InputError
        If there are fewer than two different queries, or three where a test part is asked for.
    """
    rest, test = set_test_aside(instances, test_share, seed)
    n_all, n_rest = (len({instance.query.text for instance in part}) for part in (instances, rest))
    training, validation = split_queries(rest, validation_share * n_all / max(n_rest, 1), seed)
    return training, validation, test


def in_drawn_order(texts: Iterable[str], seed: int) -> list[str]:
    """Put the texts of queries in an order that follows from them and the seed alone."""
    return sorted(texts, key=lambda text: _digest(f"{seed}\n{text}"))


def _divide(
    instances: Sequence[ClusteringInstance], apart: set[str]
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    return (
        [instance for instance in instances if instance.query.text not in apart],
        [instance for instance in instances if instance.query.text in apart],
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def not_resumable(why: Message) -> TrainingError:
    """Make the error that a run cannot be resumed; a page names what to click instead."""
    return TrainingError(
        "The run cannot be resumed: {why}; start it again, without --resume.", why=why
    )
