"""The main job: retrieve, encode, cluster, name, project."""

import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Literal

import numpy as np

from subclust import __version__
from subclust.core.exceptions import InputError
from subclust.core.messages import joined
from subclust.core.records import (
    FloatArray,
    Query,
    Ranking,
    SubtopicMap,
    documents_by_text,
)
from subclust.core.records.progress import Progress
from subclust.core.seeds import check_seed, is_whole
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.naming import SubtopicNamer
from subclust.methods import LoadedMethod
from subclust.pipeline.assemble import MAX_OTHER, QUICK, group_ranking, namer_of_hits
from subclust.pipeline.expected import find_expected, with_expected
from subclust.pipeline.languages import without_languages
from subclust.pipeline.names import heading_namer
from subclust.pipeline.placing import once, placed
from subclust.pipeline.ways import (
    FIELD,
    OF_METHOD,
    Divisible,
    Division,
    Way,
    field_of,
    suggested,
)
from subclust.pipeline.ways.fields import field_divisions
from subclust.sessions import Origin
from subclust.text.encoders import with_embedding
from subclust.text.encoders.batches import one_thread
from subclust.text.library.names import check_collection
from subclust.text.retrieval import Retriever, check_question, understood
from subclust.text.retrieval.relevance import cut_of


class SubtopicPipeline:
    """Carries a query through all stages; each stage can also be called alone.

    Parameters
    ----------
    retriever : Retriever
    method : LoadedMethod
    namer : SubtopicNamer, optional
        By default a `HeadingNamer` over the retriever's encoder.
    random_state : int

    Raises
    ------
    InputError
        If NumPy takes no such seed.
    """

    def __init__(
        self,
        retriever: Retriever,
        method: LoadedMethod,
        *,
        namer: SubtopicNamer | None = None,
        random_state: int = 0,
    ) -> None:
        check_seed(random_state)
        self.retriever = retriever
        self.method = method
        self.namer = namer or heading_namer(retriever.encoder)
        self.random_state = random_state

    def run(
        self,
        query: Query,
        *,
        top_k: int = 200,
        n_clusters: NumberOfClusters = "auto",
        max_other: float = MAX_OTHER,
        projection: str = "pca",
        collection: str | None = None,
        strictness: str = "usual",
        progress: Progress | None = None,
    ) -> SubtopicMap:
        """Retrieve, encode, cluster, name, project.

        Parameters
        ----------
        query : Query
        top_k : int
            At most so many hits.
        n_clusters : int or "auto"
        max_other : float
            Largest share of the hits, 0 to 1, that may go to "other passages".
        projection : {"pca", "umap"}
        collection : str, optional
            Only hits of that part of the library.
        strictness : {"all", "looser", "usual", "stricter"}
            How surely a hit must be about the query to be grouped; with ``"all"``, all are.
        progress : callable, optional
            As for `group`.

        Raises
        ------
        SubclustError
            One of its children, whose sentence is meant for the user.
        """
        started = time.perf_counter()
        ranking = self.retrieve(query, top_k=top_k, collection=collection, strictness=strictness)
        retrieved = time.perf_counter()
        subtopics = self.group(
            ranking,
            n_clusters=n_clusters,
            max_other=max_other,
            projection=projection,
            progress=progress,
        )
        timings = dict(subtopics.timings_ms)
        timings["retrieve"] = (retrieved - started) * 1000
        timings["total"] = (time.perf_counter() - started) * 1000
        return replace(subtopics, timings_ms=timings)

    def retrieve(
        self,
        query: Query,
        *,
        top_k: int = 200,
        collection: str | None = None,
        within: Sequence[str] | None = None,
        strictness: str = "usual",
    ) -> Ranking:
        """Find the hits of a query, and set aside those that are probably about something else.

        Parameters
        ----------
        query : Query
        top_k : int
            At most so many hits.
        collection : str, optional
            Only hits of that part of the library.
        within : sequence of str, optional
            Only passages with these ids.
        strictness : {"all", "looser", "usual", "stricter"}
            As for `run`.

        Raises
        ------
        InputError
            If the query is empty, or there is no such collection or strictness.
        """
        if not is_whole(top_k):
            raise InputError("The number of hits must be at least 1, but is {top_k}.", top_k=top_k)
        ranking = self.retriever.search(query, top_k, collection=collection, within=within)
        if not ranking.hits and collection is not None:
            check_collection(self.retriever.library, collection)
        known = [hit.relevance for hit in ranking.hits if hit.relevance is not None]
        cut = cut_of(np.array(known), strictness)
        return ranking.about(cut) if ranking.answered else ranking

    def group(
        self,
        ranking: Ranking,
        query: Query | None = None,
        *,
        n_clusters: NumberOfClusters = "auto",
        max_other: float = MAX_OTHER,
        projection: str = "pca",
        progress: Progress | None = None,
    ) -> SubtopicMap:
        """Group hits that have been retrieved: encode, cluster, name, project.

        Parameters
        ----------
        ranking : Ranking
        query : Query, optional
            Another query to group the same hits under; by default the ranking's own.
        n_clusters, max_other, projection
            As for `run`.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` by methods that take seconds.

        Raises
        ------
        InputError
            If there are no hits, the query is too long, or they do not divide in its way.
        """
        query = self._with_way(ranking, query or ranking.query)
        check_question(query)
        if query.words is None:
            query = replace(query, words=understood(query.text).words)
        if not ranking.hits and understood(ranking.query.text).condition is not None:
            raise InputError(
                "Nothing in the library {library!r} matches all of {text!r}. {read}",
                library=ranking.library,
                text=ranking.query.text,
                read=joined(understood(ranking.query.text).told, " "),
            )
        if not ranking.hits:
            raise InputError(
                "Nothing in the library {library!r} answers {text!r}; try other or fewer words.",
                library=ranking.library,
                text=query.text,
            )
        started = time.perf_counter()
        embeddings, query = self.encode(ranking, query, progress=progress)
        division = self.division(ranking, query)
        encoded = (time.perf_counter() - started) * 1000
        found = group_ranking(
            self.method,
            ranking,
            embeddings,
            query,
            namer=self.namer,
            n_clusters=n_clusters,
            max_other=max_other,
            projection=projection,
            random_state=self.random_state,
            timings={"retrieve": 0.0, "encode": encoded},
            progress=progress,
            division=division,
        )
        placed = find_expected(ranking, query.expected, self.retriever.encoder)
        return with_expected(found, placed)

    def ways(self, ranking: Ranking) -> tuple[Way, ...]:
        """Find the ways in which hits divide beside the one that their question takes.

        Parameters
        ----------
        ranking : Ranking

        Returns
        -------
        tuple of Way
            At most four, each clear and none much like another, as `suggested` finds them. Put
            ``Query(str(way.text), way=way.key)`` to group the hits so.
        """
        return once(ranking, ("ways", *self._model()), lambda: self._ways(ranking))

    def _ways(self, ranking: Ranking) -> tuple[Way, ...]:
        hits = self.divisible(ranking)
        encoder = self.retriever.encoder
        with one_thread() if len(hits.texts) <= QUICK else nullcontext():
            return suggested(hits, self.namer_for(ranking), encoder)

    def division(self, ranking: Ranking, query: Query) -> Division | None:
        """Return how the hits divide in a query's way, None where the method divides them.

        Raises
        ------
        InputError
            If they do not divide in that way.
        """
        if not query.way or (query.way in OF_METHOD and self.divisible(ranking).similarity):
            return None
        found = once(
            ranking,
            ("division", query.way, *self._model()),
            lambda: self.divisible(ranking).division(query.way),
        )
        if found is None or found.n_groups < 2:
            raise InputError(
                "The hits of {text!r} do not divide in the way {way!r}; list those in which they "
                "do.",
                text=ranking.query.text,
                way=query.way,
            )
        return found

    def divisible(self, ranking: Ranking) -> Divisible:
        """Return hits with what it takes to divide them in other ways."""

        def made() -> Divisible:
            words = understood(ranking.query.text).words
            query = ranking.query
            query = replace(query, words=words if query.words is None else query.words)
            embeddings, query = self.encode(ranking, query)
            return Divisible(ranking, embeddings, query, self.method, MAX_OTHER)

        return once(ranking, ("divisible", *self._model()), made)

    def _with_way(self, ranking: Ranking, query: Query) -> Query:
        """Let a question such as "by language" divide by that field of the records.

        A question with a way has no words of its own, and takes those of the one that found the
        hits.
        """
        if not query.way and query.text != ranking.query.text:
            name = field_of(query.text, ranking.passages)
            divides = name and field_divisions(ranking.passages, ranking.embeddings, name)
            query = replace(query, way=f"{FIELD}{name}") if divides else query
        if not query.way:
            return query
        first = ranking.query
        return replace(query, words=first.words if first.words is not None else first.text)

    def _model(self) -> tuple[str, ...]:
        checkpoint = self.method.checkpoint
        return (
            self.method.card.name,
            self.method.encoder.revision,
            checkpoint.name if checkpoint else "",
        )

    def encode(
        self, ranking: Ranking, query: Query, *, progress: Progress | None = None
    ) -> tuple[FloatArray, Query]:
        """Return the embeddings of hits and query that the method groups by.

        Parameters
        ----------
        ranking : Ranking
        query : Query
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` where the hits have to be encoded.

        Returns
        -------
        embeddings : ndarray of shape (n_hits, embedding_dim)
        query : Query
            With its `embedding` set.
        """
        encoder = self.method.encoder
        if encoder.revision == self.retriever.encoder.revision:
            embeddings = ranking.embeddings
        else:
            texts = [passage.text for passage in ranking.passages]
            known = {self.retriever.encoder.revision: ranking.embeddings}
            embeddings = once(
                ranking,
                ("embeddings", encoder.revision),
                lambda: encoder.encode_beside(texts, known, progress=progress),
            )
        embeddings = once(
            ranking,
            ("without languages", encoder.revision),
            lambda: without_languages(embeddings, ranking.passages, encoder),
        )
        if not self.method.card.query_specific:
            return embeddings, query
        query = replace(query, documents=documents_by_text(ranking.passages))
        return embeddings, with_embedding(query, encoder, embeddings, asked=True)

    def origin(self) -> Origin:
        """Return what makes the groups, for whoever keeps or cites them."""
        library, encoder = self.retriever.library, self.retriever.encoder
        checkpoint = self.method.checkpoint
        return Origin(
            subclust=__version__,
            library=library.name,
            library_revision=library.revision(),
            n_passages=library.count(),
            encoder=encoder.name,
            encoder_revision=encoder.revision,
            method=self.method.card.name,
            checkpoint=checkpoint.name if checkpoint else None,
            model_revision=checkpoint.weights_digest[:12] if checkpoint else None,
        )

    def namer_for(self, ranking: Ranking, query: Query | None = None) -> SubtopicNamer:
        """Return the namer with what it needs to know of some hits, to name groups of them anew.

        Parameters
        ----------
        ranking : Ranking
        query : Query, optional
            By whose way they are grouped; where that is a field, its values are the names.
        """
        division = None
        if query is not None:
            with suppress(InputError):  # kept from when they did
                division = self.division(ranking, query)
        return namer_of_hits(self.namer, ranking, division)

    def project(
        self, subtopics: SubtopicMap, ranking: Ranking, projection: Literal["pca", "umap"] | str
    ) -> SubtopicMap:
        """Draw another map of the same groups.

        Raises
        ------
        InputError
            If there is no such projection.
        """
        embeddings, _ = self.encode(ranking, subtopics.query)
        encoder = self.method.encoder
        coordinates = placed(ranking, encoder, embeddings, projection, self.random_state)
        ids = [passage.id for passage in ranking.passages]
        moved = subtopics.moved(dict(zip(ids, coordinates, strict=True)))
        return replace(moved, projection=projection)
