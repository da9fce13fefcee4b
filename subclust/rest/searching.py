"""``/search``, ``/regroup``, ``/compare``, ``/explain``, ``/export`` and ``/methods``."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from subclust.api.results import Grouping
from subclust.api.searching import SearchRequest, SearchResult, search
from subclust.checkpoints import CheckpointStore
from subclust.comparison import Column, compare, group_columns
from subclust.core.exceptions import InputError
from subclust.core.records import Query, QueryContext
from subclust.exports import FORMATS, FileFormat
from subclust.methods import METHODS
from subclust.rest import schema
from subclust.rest.engine import Engine


class RegroupRequest(SearchRequest):
    """A search of which `hits_of` or `divide_by` says what groups the passages instead."""


class ExplainRequest(SearchRequest):
    """A search, and the passage whose place is to be explained."""

    passage_id: str = Field(description="`id` of a passage of the groups.")


class ExportRequest(SearchRequest):
    """A search, and the file that its groups are to be taken away as."""

    format: str = Field(description=f"One of {', '.join(f'`{suffix[1:]}`' for suffix in FORMATS)}.")


class ComparedColumn(BaseModel):
    """One grouping of the passages."""

    model_config = ConfigDict(extra="forbid")

    method: str = "default"
    checkpoint: str | None = None
    n_clusters: Annotated[int, Field(ge=1)] | Literal["auto"] = "auto"
    context: QueryContext = "title"
    query: str = Field("", description="Another question to group under.")
    description: str = ""
    way: str = Field("", description="Key of a way to divide, as `ways` of a search lists them.")


class CompareRequest(BaseModel):
    """A question whose passages are grouped in two to four ways."""

    model_config = ConfigDict(extra="forbid")

    query: str
    library: str = "demo"
    top_k: int = Field(200, description="At most so many passages.")
    columns: list[ComparedColumn] = Field(min_length=2, max_length=4)
    seed: int = 0


def routes(engine: Engine) -> APIRouter:
    """Return the addresses that answer questions."""
    router = APIRouter(tags=["Searching"])

    def found(request: SearchRequest) -> SearchResult:
        with engine.turn():
            [pipeline] = engine.pipelines(
                request.library, [(request.method, request.checkpoint)], request.seed
            )
            return search(request, pipeline, engine.settings)

    # What was not asked for is left out, as on the command line, rather than sent as null.
    @router.post("/search", response_model=schema.Groups, response_model_exclude_unset=True)
    def search_library(request: SearchRequest) -> Any:
        """Find the passages that answer a question, in named groups."""
        return found(request).to_dict()

    @router.post("/regroup", response_model=schema.Groups, response_model_exclude_unset=True)
    def regroup(request: RegroupRequest) -> Any:
        """Group the passages of one question under another one, and tell what moved."""
        if not request.hits_of and request.divide_by is None:
            raise InputError("Give hits_of or divide_by; otherwise there is nothing to regroup.")
        return found(request).to_dict()

    @router.post("/explain", response_model=schema.Explanation)
    def explain(request: ExplainRequest) -> Any:
        """Say why a passage is in its group."""
        return found(request).answer.explain(request.passage_id).to_dict()

    @router.post("/compare", response_model=schema.Comparison)
    def compare_methods(request: CompareRequest) -> Any:
        """Group the same passages in two to four ways."""
        columns = [Column(**dict(one)) for one in request.columns]
        with engine.turn():
            pipelines = engine.pipelines(
                request.library, [(one.method, one.checkpoint) for one in columns], request.seed
            )
            ranking = pipelines[0].retrieve(Query(request.query), top_k=request.top_k)
            maps = group_columns(ranking, columns, pipelines)
            return compare(ranking, columns, maps).to_dict()

    @router.post(
        "/export",
        response_class=Response,
        responses={200: {"description": "The file.", "content": {"application/octet-stream": {}}}},
    )
    def export(request: ExportRequest) -> Response:
        """Take the groups of a question away as a file."""
        kind = format_named(request.format)
        return file_response(found(request).answer, kind)

    @router.get("/methods", response_model=schema.Methods)
    def methods() -> Any:
        """List what can group, and the trained models of each."""
        store = CheckpointStore.of(engine.settings)
        rows = [
            {**asdict(card), "checkpoints": store.names(card.name)} for card in METHODS.values()
        ]
        return {"methods": rows}

    return router


def format_named(name: str) -> FileFormat:
    """Return a format of exports by its name, such as ``"ris"``.

    Raises
    ------
    InputError
        If there is no such format.
    """
    kind = FORMATS.get(f".{name}")
    if kind is None:
        names = ", ".join(suffix[1:] for suffix in FORMATS)
        raise InputError(
            "There is no format {name!r}; take one of {names}.", name=name, names=names
        )
    return kind


def file_response(groups: Grouping, kind: FileFormat) -> Response:
    """Return groups as a file to be stored, which no browser opens as a page."""
    disposition = f'attachment; filename="groups{kind.suffix}"'
    headers = {"Content-Disposition": disposition}
    return Response(groups.written(kind), media_type=kind.mime, headers=headers)
