"""A search with all its options, as the command line and the API take it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from subclust.api.results import Answer
from subclust.core.exceptions import InputError
from subclust.core.records import (
    Query,
    QueryContext,
    Ranking,
    Regrouping,
    StabilityCurve,
    SubtopicMap,
    SubtopicPart,
)
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.pipeline.effect import compare_queries, what_changed
from subclust.pipeline.parts import has_tree, parts_of, stability_curve
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.ways import Way, in_way
from subclust.text.retrieval import read_as


class SearchRequest(BaseModel):
    """A question to a library, and how the passages that answer it are to be grouped.

    Examples
    --------
    >>> SearchRequest(query="colonial taxes", n_clusters=5).top_k
    200
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str = Field(description="A question; operators and fields are obeyed, as on the page.")
    library: str = Field("demo", description="Id or name of the library.")
    method: str = Field("default", description="What groups: a name of `GET /methods`.")
    checkpoint: str | None = Field(None, description="Of the method; by default the one in use.")
    top_k: int = Field(200, description="At most so many passages.")
    collection: str | None = Field(None, description="Only this part of the library.")
    strictness: Literal["all", "looser", "usual", "stricter"] = Field(
        "usual", description="How surely a passage must be about the question to be grouped."
    )
    n_clusters: int | Literal["auto"] = Field("auto", description="Number of groups, at least 1.")
    max_other: float = Field(
        0.1, description="Largest share of passages, 0 to 1, that may fit no group."
    )
    context: QueryContext = Field(
        "title", description="What a query-specific method sees of the question."
    )
    description: str | None = Field(
        None, description="The question in a sentence, for the context `description`."
    )
    projection: Literal["pca", "umap"] = Field("pca", description="How the map is drawn.")
    seed: int = Field(0, description="Of everything that is random.")
    hits_of: str | None = Field(
        None, description="Group the passages that this other question finds."
    )
    divide_by: str | None = Field(
        None, description="Group the passages under this other question, or by a key of `ways`."
    )
    expect: tuple[str, ...] = Field(
        (), description="Subtopics that are to have groups of their own."
    )
    dig: tuple[int, ...] = Field(
        (), description="Group only the passages of this group; further ids dig deeper."
    )
    ways: bool = Field(False, description="Also list other ways in which the passages divide.")
    levels: Literal[1, 2, 3] = Field(1, description="2 or 3 for groups with parts.")
    stability: bool = Field(False, description="Also tell how stable each number of groups is.")


@dataclass(frozen=True)
class SearchResult:
    """What a `SearchRequest` brings.

    Parameters
    ----------
    regrouping : Regrouping or None
        Before and after, where another question groups the hits.
    parts : mapping of int to tuple of SubtopicPart, or None
        Of each group that has parts.
    stability : StabilityCurve or None
        The last three are None where they were not asked for.
    """

    answer: Answer
    regrouping: Regrouping | None = None
    ways: tuple[Way, ...] | None = None
    parts: Mapping[int, tuple[SubtopicPart, ...]] | None = None
    stability: StabilityCurve | None = None
    levels: int = 1

    @property
    def subtopics(self) -> SubtopicMap:
        """The groups."""
        return self.answer.subtopics

    @property
    def searched(self) -> str:
        """The question that found the hits."""
        return self.answer.ranking.query.text

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``search --json`` prints."""
        value = self.subtopics.to_dict() | read_as(self.searched)
        if self.parts is not None:
            value["levels"] = self.levels
            value["levels_from_tree"] = has_tree(self.subtopics)
            value["parts"] = {
                str(group): [part.to_dict() for part in found]
                for group, found in self.parts.items()
            }
        if self.stability is not None:
            value["stability"] = self.stability.to_dict()
        if self.regrouping is not None:
            value |= self.regrouping.to_dict()
            value["what_changed"] = str(what_changed(self.regrouping))
        if self.ways is not None:
            value["ways"] = [way.to_dict() for way in self.ways]
        return value


def search(
    request: SearchRequest,
    pipeline: SubtopicPipeline,
    settings: Settings,
    *,
    progress: Progress | None = None,
) -> SearchResult:
    """Return the groups of a request, and what else it asks for.

    Parameters
    ----------
    pipeline : SubtopicPipeline
        Over the request's library and method.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` by methods that take seconds.

    Raises
    ------
    InputError
        If the question is empty or too long, or there is no group to dig into.
    """

    def grouped(ranking: Ranking, query: Query, n_clusters: NumberOfClusters) -> SubtopicMap:
        return pipeline.group(
            ranking,
            replace(query, expected=request.expect),
            n_clusters=n_clusters,
            max_other=request.max_other,
            projection=request.projection,
            progress=progress,
        )

    query = Query(request.query, request.description, request.context)
    searched = Query(request.hits_of) if request.hits_of else query
    asked = Query(request.divide_by) if request.divide_by is not None else query
    started = time.perf_counter()
    ranking = pipeline.retrieve(
        searched,
        top_k=request.top_k,
        collection=request.collection,
        strictness=request.strictness,
    )
    retrieved = (time.perf_counter() - started) * 1000
    for group in request.dig:
        ranking = _within(ranking, grouped(ranking, asked, "auto"), group)
    if request.divide_by is not None:
        asked = in_way(request.divide_by, lambda: pipeline.ways(ranking)) or asked
    groups = grouped(ranking, asked, request.n_clusters)
    regrouping = None
    # By identity: whoever gives both questions wants them compared, even if they are equal.
    if searched is not asked:
        before = grouped(ranking, searched, request.n_clusters)
        regrouping = compare_queries(before, groups)
        groups = regrouping.after
    timings = {**groups.timings_ms, "retrieve": retrieved}
    timings["total"] = groups.timings_ms["total"] + retrieved
    answer = Answer(
        replace(groups, timings_ms=timings),
        pipeline.origin(),
        ranking=ranking,
        pipeline=pipeline,
        settings=settings,
        max_other=request.max_other,
    )
    parts = None
    if request.levels > 1:
        parts = parts_of(groups, request.levels, pipeline.namer_for(ranking, groups.query))
    return SearchResult(
        answer,
        regrouping,
        ways=pipeline.ways(ranking) if request.ways else None,
        parts=parts,
        stability=stability_curve(groups.grounds) if request.stability else None,
        levels=request.levels,
    )


def _within(ranking: Ranking, subtopics: SubtopicMap, group: int) -> Ranking:
    """Leave only the hits of one group, with the ranks that they have."""
    for one in subtopics.subtopics:
        if one.id == group:
            ids = {member.passage.id for member in one.passages}
            rows = [row for row, hit in enumerate(ranking.hits) if hit.passage.id in ids]
            return ranking.taking(rows)
    known = ", ".join(str(one.id) for one in subtopics.subtopics)
    raise InputError(
        "There is no group {group} to dig into; choose one of {known}.", group=group, known=known
    )
