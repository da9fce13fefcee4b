"""What is asked, what was found for it, and what people made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from subclust.core.exceptions import InputError
from subclust.core.records.arrays import FloatArray

QueryContext = Literal["title", "description", "passages"]
QUERY_CONTEXTS: tuple[str, ...] = get_args(QueryContext)

MAX_QUESTION = 2000
"""Most characters of a question, and of its longer wording; encoders read fewer.

Holds for what somebody asks; the queries of a labelled set are as long as they are."""


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
    words : str or None
        What `text` is about, once its operators and fields have been read; empty where it has
        nothing else. Where they have not been read it is None, and `text` counts.
    documents : mapping of str to str, optional
        Document of each hit's text without its labels, where that is known: what a method may
        compare across.
    relevance : mapping of str to float, optional
        Probability, 0 to 1, that each hit's text without its labels is about the query, where
        nothing has set hits aside by it.
    way : str
        Key of the way in which the hits are to be divided, see `subclust.pipeline.ways`; empty
        where the question decides.
    expected : tuple of str
        Names of subtopics that are to have groups of their own, with the hits that are about them.
    """

    text: str
    description: str | None = None
    context: QueryContext = "title"
    embedding: FloatArray | None = field(default=None, compare=False, repr=False)
    words: str | None = field(default=None, compare=False, repr=False)
    documents: Mapping[str, str] | None = field(default=None, compare=False, repr=False)
    relevance: Mapping[str, float] | None = field(default=None, compare=False, repr=False)
    way: str = ""
    expected: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """What it is about: its words, or its text where operators in it have not been read."""
        return self.text if self.words is None else self.words

    def __post_init__(self) -> None:
        """Refuse an unknown context with a sentence."""
        if self.context not in QUERY_CONTEXTS:
            raise InputError(
                "The query context must be one of {names}, but is {context!r}.",
                names=", ".join(QUERY_CONTEXTS),
                context=self.context,
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
        Gold subtopic, top level and full path (``"History / Early years"``), where known: the
        headings above it in its document. Nothing divides by them, but groups may be named so.
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
    relevance : float or None
        Probability, 0 to 1, that the passage is about the query; None where nothing estimated it.
    """

    passage: Passage
    rank: int
    score: float
    relevance: float | None = None


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
    nearest_cosine : float or None
        Mean cosine of the query with the ten hits nearest to it, -1 to 1; None where no vectors
        were compared.
    answered : bool or None
        Whether the library seems to answer the query; None where that cannot be said.
    set_aside : tuple of Hit
        Hits that were taken out because they are probably about something else, best first.
    """

    query: Query
    hits: tuple[Hit, ...]
    embeddings: FloatArray = field(compare=False, repr=False)
    library: str = ""
    nearest_cosine: float | None = field(default=None, compare=False)
    answered: bool | None = field(default=None, compare=False)
    set_aside: tuple[Hit, ...] = ()

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages of the hits, best first."""
        return tuple(hit.passage for hit in self.hits)

    def about(self, least: float) -> "Ranking":
        """Set aside the hits that are probably about something else.

        Parameters
        ----------
        least : float
            Least probability, 0 to 1, of a hit that stays; one without a probability always does.

        Returns
        -------
        Ranking
            The same ranking where nothing is set aside, and where everything would be.
        """
        rows = [
            row
            for row, hit in enumerate(self.hits)
            if hit.relevance is None or hit.relevance >= least
        ]
        if len(rows) in (0, len(self.hits)):
            return self
        kept = set(rows)
        aside = (hit for row, hit in enumerate(self.hits) if row not in kept)
        return replace(self.taking(rows), set_aside=(*self.set_aside, *aside))

    def taking(self, rows: Sequence[int]) -> "Ranking":
        """Return the hits of some rows, in order, with the ranks that they have."""
        return replace(
            self,
            hits=tuple(self.hits[row] for row in rows),
            embeddings=self.embeddings[list(rows)],
        )


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
