"""What is known of methods and data sets without importing or reading them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class MethodCard:
    """What is known of a clustering method without importing it.

    Parameters
    ----------
    name : str
        For files and the command line.
    label : str
        For people.
    summary : str
        One sentence a librarian understands.
    paper : str
        Citation, with the section or table; empty for a plain baseline.
    loader : str
        ``"package.module:function"``; the function takes the method's name, a checkpoint (or
        None) and the encoder that makes the embeddings, and returns a clusterer.
    trainer : str or None
        ``"package.module:function"`` that trains it, None where there is nothing to train.
    needs_checkpoint : bool
    query_specific : bool
        Whether the query changes the groups.
    comparison : bool
        Whether it is there for tables only: the command line has it, the app does not offer it.
    fits : str
        When to train it on a set of one's own, in words a librarian understands; empty where there
        is nothing to train, or it is there for comparison.
    whole_collection : bool
        Whether it is trained on the very texts that it then groups, without held-out queries.
    """

    name: str
    label: str
    summary: str
    paper: str
    loader: str
    trainer: str | None = None
    needs_checkpoint: bool = False
    query_specific: bool = False
    comparison: bool = False
    fits: str = ""
    whole_collection: bool = False


@dataclass(frozen=True)
class TaskCard:
    """What is known of a benchmark data set without reading it.

    Parameters
    ----------
    name : str
        For files and the command line.
    label : str
        For people.
    file : str
        Below the benchmark data folder, or below `package`.
    sha256 : str
        Of that file.
    licence : str
        Of its texts.
    citation : str
    split : {"train", "validation", "test", "fold"}
        A test split is reported, never tuned on. A fold is trained on where another one of its data
        set is reported, and reported where another one is trained on.
    kind : {"clustering", "retrieval"}
    primary_metric : str
    url : str
        Where the data set, or what it was made of, can be had; empty where nowhere.
    construction : str
        How the queries are made of the file; empty where the file holds them as they are.
    builder : str or None
        ``"package.module:function"``; the function takes this card and the paths of its files and
        returns the queries. None where the file holds them as they are.
    seed : int or None
        Of what the builder draws by lot.
    other_files : mapping of str to str
        SHA-256 of each further file that is needed, by its place.
    package : str or None
        The installed package that `file` ships with.
    shared_queries : bool
        Whether the other splits of the data set have the same queries, over other passages.
    n_queries, n_passages : int
    n_labels : float
        Top-level subtopics a query, on average.
    """

    name: str
    label: str
    file: str
    sha256: str
    licence: str
    citation: str
    split: Literal["train", "validation", "test", "fold"]
    kind: Literal["clustering", "retrieval"] = "clustering"
    primary_metric: str = "ari"
    url: str = ""
    construction: str = ""
    builder: str | None = None
    seed: int | None = None
    other_files: Mapping[str, str] = field(default_factory=dict, compare=False)
    package: str | None = None
    shared_queries: bool = False
    n_queries: int = 0
    n_passages: int = 0
    n_labels: float = 0.0
