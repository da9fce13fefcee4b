"""``/sessions`` and ``/sets``: answers that were saved, and labelled sets."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from subclust.api.results import Answer, Grouping
from subclust.api.searching import SearchRequest, search
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_session, delete_set
from subclust.labelled.sets import LabelledSetStore, set_reference, suggested_name
from subclust.rest import schema
from subclust.rest.engine import Engine
from subclust.rest.identity import takes
from subclust.rest.paging import Paged
from subclust.rest.searching import file_response, format_named
from subclust.rest.uploads import TAKES_A_FILE, Upload
from subclust.sessions import SessionStore, kept_groups
from subclust.text.retrieval import read_as


class SaveRequest(BaseModel):
    """A search whose answer is to be kept."""

    model_config = ConfigDict(extra="forbid")

    name: str
    search: SearchRequest


class SessionChange(BaseModel):
    """What of a saved answer changes."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(None, description="Another name.")
    shared: bool | None = Field(None, description="Whether others can open it.")


def routes(engine: Engine) -> APIRouter:
    """Return the addresses of what people keep."""
    router = APIRouter()
    router.include_router(_sessions(engine))
    router.include_router(_sets(engine.settings))
    return router


def _sessions(engine: Engine) -> APIRouter:
    router = APIRouter(tags=["Sessions"])
    settings = engine.settings

    @router.get("/sessions", response_model=schema.Sessions)
    def sessions(page: Paged) -> Any:
        """List the saved answers, last saved first."""
        found, following = page.cut(SessionStore(settings.sessions_dir).headers())
        return {"sessions": [one.model_dump() for one in found], "next": following}

    @router.post(
        "/sessions",
        status_code=201,
        response_model=schema.Session,
        dependencies=[takes("session")],
    )
    def save(asked: SaveRequest, response: Response) -> Any:
        """Search, and keep the answer."""
        header = _answered(engine, asked.search).save(asked.name)
        response.headers["Location"] = f"/api/v1/sessions/{header.id}"
        return header.model_dump()

    @router.get(
        "/sessions/{id}",
        response_model=schema.Groups,
        response_model_exclude_unset=True,
    )
    def session(id: str) -> Any:
        """Return the groups of a saved answer, as they were saved."""
        _, kept = SessionStore(settings.sessions_dir).load(id)
        return kept_groups(kept).to_dict() | read_as(kept.searched)

    @router.get("/sessions/{id}/export", response_class=Response)
    def export(id: str, format: Annotated[str, Query()] = "csv") -> Response:
        """Take a saved answer away as a file."""
        kind = format_named(format)
        _, kept = SessionStore(settings.sessions_dir).load(id)
        return file_response(Grouping(kept_groups(kept), kept.origin, kept.searched), kind)

    @router.patch(
        "/sessions/{id}",
        response_model=schema.Session,
        dependencies=[takes("session")],
    )
    def change(id: str, to: SessionChange) -> Any:
        """Rename a saved answer, or share it."""
        store = SessionStore(settings.sessions_dir)
        header, _ = store.load(id)
        if to.name is not None:
            header = store.rename(id, to.name)
        if to.shared is not None:
            header = store.share(id, to.shared)
        return header.model_dump()

    @router.delete("/sessions/{id}", status_code=204, dependencies=[takes("session")])
    def delete(id: str) -> None:
        """Move a saved answer to the bin."""
        delete_session(settings, id)

    return router


def _answered(engine: Engine, request: SearchRequest) -> Answer:
    with engine.turn():
        model = request.method, request.checkpoint
        [pipeline] = engine.pipelines(request.library, [model], request.seed)
        return search(request, pipeline, engine.settings).answer


def _sets(settings: Settings) -> APIRouter:
    router = APIRouter(tags=["Labelled sets"])

    @router.get("/sets", response_model=schema.Sets)
    def sets(page: Paged) -> Any:
        """List the labelled sets."""
        found, following = page.cut(LabelledSetStore(settings.sets_dir).sets())
        return {"sets": [one.to_dict() for one in found], "next": following}

    @router.post(
        "/sets",
        status_code=201,
        openapi_extra=TAKES_A_FILE,
        dependencies=[takes("set")],
    )
    def add(
        body: Upload,
        filename: Annotated[str, Query(min_length=1, max_length=255)],
        name: Annotated[str, Query(description="By default made of the file's.")] = "",
        title: Annotated[str, Query(description="For people.")] = "",
        without_errors: Annotated[bool, Query(description="Leave out rows with errors.")] = False,
    ) -> dict[str, Any]:
        """Keep a file, the body of the request, as a set or as its next version."""
        store = LabelledSetStore(settings.sets_dir)
        upload = store.receive(body, filename, n_bytes=body.n_bytes)
        try:
            kept = store.keep(
                upload,
                name or suggested_name(upload.filename),
                without_errors=without_errors,
                title=title or None,
            )
        finally:
            store.discard(upload)
        return {"added": kept.is_new, **kept.to_dict()}

    @router.get("/sets/{name}")
    def one_set(name: str) -> dict[str, Any]:
        """Say what a set (NAME or NAME@VERSION) holds."""
        return LabelledSetStore(settings.sets_dir).load(*set_reference(name)).to_dict()

    @router.delete("/sets/{name}", status_code=204, dependencies=[takes("set")])
    def remove(name: str) -> None:
        """Move a set, or one version of it, to the bin."""
        delete_set(settings, *set_reference(name))

    return router
