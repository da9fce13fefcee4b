"""Frozen records that flow from stage to stage. They hold; they do not compute."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from subclust.exceptions import InputError

FloatArray = npt.NDArray[np.float32]
Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

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
        From 0, largest first where the number of groups is automatic; with more or fewer groups a
        group that stays as it is keeps its id (which decides its colour). -1 holds the passages
        that fit no subtopic.
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
class Grounds:
    """What a grouping rests on, by which its groups can be made fewer or more, or have parts.

    Parameters
    ----------
    ids : tuple of str
        Of the passages, in the order of `scores`; n_passages of them.
    scores : ndarray of shape (n_passages, n_passages)
        Pair similarities on the method's own scale; higher is closer.
    tree : ndarray of shape (n_leaves - 1, 4) or None
        The average-link tree of the passages that were compared, as scipy writes it; None where the
        method has none.
    leaves : ndarray of shape (n_leaves,)
        The place in `ids` of each leaf of the tree; a passage about something else than the query
        has none.
    leaf_scores : ndarray of shape (n_leaves, n_leaves)
        The pair similarities that the tree was built from.
    aside : ndarray of shape (n_leaves,)
        Which leaves fit nowhere, whatever the number of groups.
    n_auto : int
        The number of groups that is automatic.
    source : str
        Name of the rule that chose it.
    names : dict of int to dict
        By number of groups, the name of each group; filled as they are asked for.
    """

    ids: tuple[str, ...]
    scores: FloatArray
    tree: Float64Array | None
    leaves: IntArray
    leaf_scores: FloatArray
    aside: BoolArray
    n_auto: int
    source: str
    names: dict[int, dict[int, str]] = field(default_factory=dict)


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
    grounds : Grounds or None
        What the groups rest on; None where it was not kept, or all pairs were too many.
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
    grounds: Grounds | None = field(default=None, compare=False, repr=False)

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
class QueryEffect:
    """What another query did to one passage.

    Parameters
    ----------
    passage : Passage
    rank : int
        Among the hits of the first query, from 1.
    moved : float
        How far it moved on the aligned maps, in mean distances from the middle (root mean square);
        0 is not at all, and 1.4 as far as if the two queries had nothing to do with each other.
    before, after : int
        Its group under the first and under the other query; groups that stand for each other have
        the same number.
    """

    passage: Passage
    rank: int
    moved: float
    before: int
    after: int


@dataclass(frozen=True)
class Regrouping:
    """The same hits under two queries.

    Parameters
    ----------
    before, after : SubtopicMap
        Under the first and the other query, on maps that lie on each other; groups that stand for
        each other have the same id.
    effects : tuple of QueryEffect
        One a passage, best hit first.
    """

    before: SubtopicMap
    after: SubtopicMap
    effects: tuple[QueryEffect, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give what ``search --hits-of --json`` adds to the object of the other query."""
        return {
            "hits_of": self.before.query.text,
            "before": [
                {
                    "id": group.id,
                    "name": group.name,
                    "passages": [
                        {"id": one.passage.id, "x": round(one.x, 6), "y": round(one.y, 6)}
                        for one in group.passages
                    ],
                }
                for group in self.before.subtopics
            ],
            "query_effects": [
                {
                    "id": effect.passage.id,
                    "moved": round(effect.moved, 6),
                    "before": effect.before,
                    "after": effect.after,
                }
                for effect in self.effects
            ],
        }


@dataclass(frozen=True)
class SubtopicPart:
    """A part of a subtopic, which may have parts itself.

    Parameters
    ----------
    number : str
        Of the subtopic and its parts, from 1: ``"2.1"`` is the first part of subtopic 2.
    name : str
    passages : tuple of MappedPassage
        Most central of the subtopic first.
    parts : tuple of SubtopicPart
        Largest first; empty where it is not divided further.
    """

    number: str
    name: str
    passages: tuple[MappedPassage, ...]
    parts: tuple["SubtopicPart", ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give what ``search --levels --json`` prints of it."""
        return {
            "number": self.number,
            "name": self.name,
            "size": len(self.passages),
            "passages": [member.passage.id for member in self.passages],
            "parts": [part.to_dict() for part in self.parts],
        }


@dataclass(frozen=True)
class StabilityCurve:
    """How stable each number of groups is, and the number that this suggests.

    Parameters
    ----------
    n_clusters : tuple of int
        The numbers tried, ascending; empty where there is nothing to choose between.
    stability : tuple of float
        Of each, the mean agreement (adjusted Rand index) of the groups of most of the passages with
        those of all: 1 comes back always, 0 is chance.
    suggested : int or None
        None where no number is stable enough.
    """

    n_clusters: tuple[int, ...]
    stability: tuple[float, ...]
    suggested: int | None

    def to_dict(self) -> dict[str, Any]:
        """Give what ``search --stability --json`` prints of it."""
        curve = zip(self.n_clusters, self.stability, strict=True)
        return {
            "suggested": self.suggested,
            "curve": [{"n_clusters": k, "stability": round(value, 6)} for k, value in curve],
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
