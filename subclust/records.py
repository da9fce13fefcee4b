"""Frozen records that flow from stage to stage. They hold; they do not compute."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from subclust.exceptions import InputError

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]

QueryContext = Literal["title", "description", "passages"]
QUERY_CONTEXTS: tuple[str, ...] = get_args(QueryContext)

OTHER_PASSAGES = -1
"""Label of passages that fit no subtopic."""

OTHER_PASSAGES_NAME = "Other passages"


@dataclass(frozen=True)
class Query:
    """What somebody wants to know.

    Parameters
    ----------
    text : str
        The query as typed (the paper's *title*).
    description : str or None
        A longer wording, such as the lead of an article.
    context : {"title", "description", "passages"}
        Which representation of the query a query-specific method sees: the embedding of `text`,
        that of `description` (of `text` where there is none), or the mean embedding of the hits.
    embedding : ndarray of shape (embedding_dim,), optional
        That representation, L2-normalised, once it has been computed.
    """

    text: str
    description: str | None = None
    context: QueryContext = "title"
    embedding: FloatArray | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse an unknown context with a sentence."""
        if self.context not in QUERY_CONTEXTS:
            raise InputError(
                f"The query context must be one of {', '.join(QUERY_CONTEXTS)}, "
                f"but is {self.context!r}."
            )


@dataclass(frozen=True)
class Passage:
    """A paragraph or an abstract.

    Parameters
    ----------
    id : str
        Unique in its library.
    text : str
        What is clustered and shown. The library's stored vector is of the text, or of title and
        text for a record that is one passage.
    title : str
        Of the article or record it comes from.
    collection : str
        Named part of a library.
    label, path : str or None
        Gold subtopic, top level and full path (``"History / Early years"``), where known.
    metadata : mapping of str to str
        Whatever else the source has: authors, year, venue, doi, url, keywords, language, source,
        licence.
    """

    id: str
    text: str
    title: str = ""
    collection: str = ""
    label: str | None = None
    path: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Hit:
    """One passage of a ranking.

    Parameters
    ----------
    passage : Passage
    rank : int
        From 1, best first.
    score : float
        Retrieval score; higher is better, comparable within one ranking only.
    """

    passage: Passage
    rank: int
    score: float


@dataclass(frozen=True)
class Ranking:
    """The hits of a query, best first.

    Parameters
    ----------
    query : Query
    hits : tuple of Hit
    embeddings : ndarray of shape (n_hits, embedding_dim)
        Stored embeddings of the hits, float32, L2-normalised, in the same order.
    library : str
        Name of the library they come from.
    """

    query: Query
    hits: tuple[Hit, ...]
    embeddings: FloatArray = field(compare=False, repr=False)
    library: str = ""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages of the hits, best first."""
        return tuple(hit.passage for hit in self.hits)


@dataclass(frozen=True)
class ClusteringInstance:
    """A query and its passages with gold subtopics: one line of a labelled set.

    Every passage has a `label`, and a `path` (equal to `label` where the set has only one level).
    """

    query: Query
    passages: tuple[Passage, ...]

    def gold(self, granularity: Literal["flat", "hierarchical"] = "flat") -> list[str]:
        """List the gold subtopic of each passage, at the top level or by full path."""
        if granularity == "flat":
            return [passage.label or "" for passage in self.passages]
        return [passage.path or passage.label or "" for passage in self.passages]


@dataclass(frozen=True)
class MappedPassage:
    """One passage of a subtopic, placed on the map.

    Parameters
    ----------
    passage : Passage
    rank : int
        Its rank among the hits, from 1.
    strength : float
        How well it fits its subtopic, from -1 (fits another better) to 1; higher is better.
    x, y : float
        Map coordinates, without unit.
    """

    passage: Passage
    rank: int
    strength: float
    x: float
    y: float


@dataclass(frozen=True)
class Subtopic:
    """A named group of passages.

    Parameters
    ----------
    id : int
        From 0, largest first; -1 holds the passages that fit no subtopic.
    name : str
    quality : float
        Mean strength of its passages, from -1 to 1; higher is tighter.
    passages : tuple of MappedPassage
        Most central first.
    """

    id: int
    name: str
    quality: float
    passages: tuple[MappedPassage, ...]

    @property
    def size(self) -> int:
        """Number of passages."""
        return len(self.passages)


@dataclass(frozen=True)
class SubtopicMap:
    """The whole answer: subtopics of a query, with everything needed to show and repeat it.

    Parameters
    ----------
    query : Query
    library, method : str
    checkpoint : str or None
        Name of the trained model, None where the method needs none.
    seed : int
    n_clusters : int
        Number of subtopics, "other passages" not counted.
    n_clusters_source : str
        ``"user"`` or the name of the rule that chose it.
    subtopics : tuple of Subtopic
        Largest first, "other passages" (id -1) last.
    timings_ms : mapping of str to float
        ``retrieve``, ``encode``, ``cluster``, ``name``, ``project`` and ``total``.
    projection : str
        Name of the projector that made the coordinates.
    """

    query: Query
    library: str
    method: str
    checkpoint: str | None
    seed: int
    n_clusters: int
    n_clusters_source: str
    subtopics: tuple[Subtopic, ...]
    timings_ms: Mapping[str, float] = field(default_factory=dict, compare=False)
    projection: str = "pca"

    def to_dict(self) -> dict[str, Any]:
        """Give the object that ``python -m subclust search --json`` prints."""
        return {
            "query": self.query.text,
            "library": self.library,
            "method": self.method,
            "checkpoint": self.checkpoint,
            "seed": self.seed,
            "n_clusters": self.n_clusters,
            "n_clusters_source": self.n_clusters_source,
            "timings_ms": {name: round(value, 3) for name, value in self.timings_ms.items()},
            "subtopics": [
                {
                    "id": subtopic.id,
                    "name": subtopic.name,
                    "size": subtopic.size,
                    "quality": round(subtopic.quality, 6),
                    "passages": [
                        {
                            "id": member.passage.id,
                            "title": member.passage.title,
                            "text": member.passage.text,
                            "rank": member.rank,
                            "strength": round(member.strength, 6),
                            "x": round(member.x, 6),
                            "y": round(member.y, 6),
                        }
                        for member in subtopic.passages
                    ],
                }
                for subtopic in self.subtopics
            ],
        }


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
