"""``/libraries`` and ``/themes``: what can be searched, and what is in it."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from subclust.core.settings import Settings
from subclust.deleting.removal import delete_library, take_back_import
from subclust.grouping.projection import PROJECTORS
from subclust.rest import schema
from subclust.rest.engine import known_library
from subclust.rest.identity import takes
from subclust.rest.paging import Paged
from subclust.rest.submitting import submit
from subclust.rest.uploads import TAKES_A_FILE, Upload
from subclust.text.encoders import encoder_in_use, shared_encoder
from subclust.text.ingest.import_record import KIND as IMPORT
from subclust.text.ingest.import_record import import_words, job_title
from subclust.text.ingest.uploads import forget_uploads, receive_file
from subclust.text.library import PassageLibrary, with_own_encoder
from subclust.text.library.browse import PassageFilter, browse
from subclust.text.library.catalogue import catalogue, describe
from subclust.text.library.imports import read_imports
from subclust.text.library.names import rename_library, settle_name
from subclust.text.sources.opening import open_source
from subclust.themes import ThemesRequest, ThemeStore, plan_themes
from subclust.themes.request import KIND as THEMES


class Renamed(BaseModel):
    """Another name."""

    model_config = ConfigDict(extra="forbid")

    name: str


class ThemesOf(BaseModel):
    """How the texts of a library are to be grouped, without any question."""

    model_config = ConfigDict(extra="forbid")

    method: str = Field("kmeans", description="See `themes --help`.")
    n_themes: int | str = Field("auto", description="A number of at least 2, or `auto`.")
    filter: list[str] = Field(
        default=[], description="Only some texts, such as `collection=theses` or `year=1990-2005`."
    )
    projection: str = Field("umap", description=f"One of {', '.join(PROJECTORS)}.")
    seed: int = 0


def routes(settings: Settings) -> APIRouter:
    """Return the addresses of libraries."""
    router = APIRouter(tags=["Libraries"])
    for add in (_add_libraries, _add_passages, _add_imports, _add_themes):
        add(router, settings)
    return router


def _add_libraries(router: APIRouter, settings: Settings) -> None:
    folder = settings.library_dir

    @router.get("/libraries", response_model=schema.Libraries)
    def libraries(page: Paged) -> Any:
        """List the libraries."""
        entries, following = page.cut(catalogue(folder, encoder_in_use(settings)))
        return {"libraries": [one.to_dict() for one in entries], "next": following}

    @router.get("/libraries/{library}", response_model=schema.Library)
    def library(library: str) -> Any:
        """Say what is in a library."""
        return describe(folder, known_library(folder, library), encoder_in_use(settings)).to_dict()

    @router.patch(
        "/libraries/{library}", response_model=schema.Library, dependencies=[takes("library")]
    )
    def rename(library: str, to: Renamed) -> Any:
        """Call a library something else; its id stays."""
        id_ = known_library(folder, library)
        rename_library(folder, id_, to.name)
        return describe(folder, id_, encoder_in_use(settings)).to_dict()

    @router.delete("/libraries/{library}", status_code=204, dependencies=[takes("library")])
    def delete(library: str) -> None:
        """Move a library to the bin."""
        delete_library(settings, known_library(folder, library))


def _add_passages(router: APIRouter, settings: Settings) -> None:
    folder = settings.library_dir

    @router.get("/libraries/{library}/passages", response_model=schema.Passages)
    def passages(
        library: str,
        page: Paged,
        words: Annotated[str, Query(description="Each must stand in title or text.")] = "",
        collection: str | None = None,
        language: str | None = None,
        source: str | None = None,
        from_year: int | None = None,
        to_year: int | None = None,
        document: Annotated[str, Query(description="Only the passages of this one.")] = "",
    ) -> Any:
        """List the passages of a library, or those that are meant."""
        opened = PassageLibrary.open(folder, known_library(folder, library))
        which = PassageFilter(
            words=words,
            collection=collection,
            language=language,
            source=source,
            year_from=from_year,
            year_to=to_year,
            documents=(document,) if document else (),
        )
        found = browse(opened, which, offset=page.offset, limit=page.limit)
        return {
            "library": opened.name,
            "n_passages": found.n_passages,
            "offset": found.offset,
            "passages": [{**asdict(one), "metadata": {**one.metadata}} for one in found.passages],
            "next": page.after(found.n_passages),
        }


def _add_imports(router: APIRouter, settings: Settings) -> None:
    folder = settings.library_dir

    @router.get("/libraries/{library}/imports")
    def imports(library: str) -> dict[str, Any]:
        """List what was imported into a library, as `library imports --json` prints it."""
        id_ = known_library(folder, library)
        return {"library": id_, "imports": [asdict(one) for one in read_imports(folder, id_)]}

    @router.post(
        "/libraries/{library}/imports",
        status_code=202,
        dependencies=[takes("library")],
        response_model=schema.Submitted,
        openapi_extra=TAKES_A_FILE,
    )
    def import_file(
        library: str,
        body: Upload,
        response: Response,
        filename: Annotated[
            str, Query(min_length=1, max_length=255, description="Its ending tells the format.")
        ],
        collection: Annotated[str, Query(description="Part of the library it becomes.")] = "",
        encoding: Annotated[str, Query(description="Of its letters, such as `cp1252`.")] = "",
    ) -> Any:
        """Import a file, the body of the request, into a library; one that is new is made."""
        received = receive_file(settings.uploads_dir, body, filename, n_bytes=body.n_bytes)
        try:
            # Not read here: this only rejects a file of no known format before a job is queued.
            open_source(received.path, "auto", collection or None, encoding or None, {})
            id_ = settle_name(folder, library)
            words = import_words([received.path], id_, collection or None, encoding or None)
            title = job_title(id_, [received.path])
            return submit(settings, response, words, kind=IMPORT, title=title)
        # Only an import deletes its file, and here none was queued; cancelled requests count, too.
        except BaseException:
            forget_uploads(settings.uploads_dir, [received.path])
            raise

    @router.delete(
        "/libraries/{library}/imports/{import_id}", status_code=204, dependencies=[takes("library")]
    )
    def take_back(library: str, import_id: str) -> None:
        """Move the passages that an import brought to the bin."""
        take_back_import(settings, known_library(folder, library), import_id)


def _add_themes(router: APIRouter, settings: Settings) -> None:
    folder = settings.library_dir

    @router.post(
        "/libraries/{library}/themes",
        status_code=202,
        dependencies=[takes("themes")],
        response_model=schema.Submitted,
    )
    def find_themes(library: str, asked: ThemesOf, response: Response) -> Any:
        """Group all texts of a library; `Location` leads to the job, `themes` to the result."""
        request = ThemesRequest(
            known_library(folder, library),
            asked.method,
            asked.n_themes,  # type: ignore[arg-type]
            tuple(asked.filter),
            "",
            asked.projection,
            asked.seed,
        )
        encoder = shared_encoder(with_own_encoder(settings, request.library))
        plan = plan_themes(request, settings, encoder)
        title = f"{request.library}/{plan.key}"
        done = submit(settings, response, request.words(), kind=THEMES, title=title)
        return {**done, "themes": plan.key}

    @router.get("/themes", response_model=schema.Themes)
    def themes(page: Paged) -> Any:
        """List the themes that were found."""
        found, following = page.cut(ThemeStore(settings.themes_dir).all())
        return {"themes": [one.summary() for one in found], "next": following}

    @router.get("/themes/{key}")
    def themes_of(key: str) -> dict[str, Any]:
        """Return themes with their texts, as `themes --json` prints them."""
        found = ThemeStore(settings.themes_dir).load(key)
        library = PassageLibrary.open(folder, found.request.library)
        titles = {one.id: one.title for one in library.passages().passages}
        return found.to_dict({id_: titles.get(id_, "") for id_ in found.ids})

    @router.delete("/themes/{key}", status_code=204, dependencies=[takes("themes")])
    def forget_themes(key: str) -> None:
        """Forget themes."""
        store = ThemeStore(settings.themes_dir)
        store.remove(store.load(key).key)
