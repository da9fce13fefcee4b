"""The same calls to a Subclust that runs elsewhere, over its API."""

import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import httpx2

from subclust.api.results import Grouping
from subclust.core.exceptions import ClusterError, InputError, SubclustError
from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap
from subclust.exports import format_of, replace_file
from subclust.grouping.clustering.base import NumberOfClusters

_PATIENCE = 120.0
_POLL_SECONDS = 0.5


@dataclass(frozen=True, repr=False)
class RemoteAnswer(Grouping):
    """The passages of a library elsewhere that answer a question, in named groups.

    Parameters
    ----------
    subtopics, origin, searched
        As for `Grouping`.
    server : Server
    request : mapping
        That was answered, as the API takes it.
    value : mapping
        The answer, as the API gave it.
    """

    server: "Server" = field(kw_only=True)
    request: Mapping[str, Any] = field(kw_only=True)
    value: Mapping[str, Any] = field(kw_only=True)

    @property
    def what_changed(self) -> str:
        """What another question did, in a sentence; empty where none was asked."""
        return str(self.value.get("what_changed") or "")

    def ways(self) -> list[dict[str, Any]]:
        """Find other ways in which the same passages divide; each has a ``key`` for `regroup`."""
        found: list[dict[str, Any]] = self.server.post("search", {**self.request, "ways": True})[
            "ways"
        ]
        return found

    def regroup(
        self, question: str | None = None, n_clusters: NumberOfClusters = "auto"
    ) -> "RemoteAnswer":
        """Group the same passages under another question, or into another number of groups.

        Parameters
        ----------
        question : str, optional
            Or the key of one of `ways`; by default what the answer is divided by.
        n_clusters : int or "auto"

        Raises
        ------
        SubclustError
            If the server refuses; its sentence says why.
        """
        request = {**self.request, "n_clusters": n_clusters}
        if question is not None:
            request["divide_by"] = question
        is_divided = request.get("divide_by") is not None or request.get("hits_of")
        return self.server.answer("regroup" if is_divided else "search", request)

    def explain(self, passage_id: str) -> dict[str, Any]:
        """Explain why a passage is in its group, as ``explain --json`` prints it.

        Raises
        ------
        SubclustError
            If the passage is not among the hits.
        """
        return self.server.post("explain", {**self.request, "passage_id": passage_id})

    def save(self, name: str) -> dict[str, Any]:
        """Keep the answer on the server under a name, and return what it is listed with.

        Raises
        ------
        SubclustError
            If it cannot be kept under this name.
        """
        return self.server.post("sessions", {"name": name, "search": self.request})

    def export(self, path: str | Path) -> Path:
        """Write the groups to a file, as `Answer.export` does; the server makes its content.

        Raises
        ------
        SubclustError
            If no format has this ending, or the file cannot be written.
        """
        path = Path(path)
        request = {**self.request, "format": format_of(path).suffix[1:]}
        replace_file(path, self.server.ask("POST", "export", json=request).content)
        return path


class RemoteLibrary:
    """A library elsewhere; `Server.open_library` makes it.

    Parameters
    ----------
    server : Server
    value : mapping
        What the API says of it.
    """

    def __init__(self, server: "Server", value: Mapping[str, Any]) -> None:
        self.server = server
        self.value = value

    @property
    def name(self) -> str:
        """Name of the library, as people call it."""
        return str(self.value.get("title") or self.value["name"])

    @property
    def collections(self) -> dict[str, int]:
        """Number of passages of each part of the library, by the part's name."""
        return dict(self.value["collections"])

    def search(
        self,
        question: str,
        n_clusters: NumberOfClusters = "auto",
        method: str = "default",
        **options: Any,
    ) -> RemoteAnswer:
        """Find the passages that answer a question, and group them.

        Parameters
        ----------
        question : str
        n_clusters : int or "auto"
        method : str
        **options : Any
            Further fields of `subclust.api.searching.SearchRequest`, such as ``top_k``.

        Raises
        ------
        SubclustError
            If the server refuses; its sentence says why.
        """
        request = {"query": question, "n_clusters": n_clusters, "method": method, **options}
        return self.server.answer("search", {**request, "library": self.value["name"]})

    def __len__(self) -> int:
        """Count the passages."""
        return int(self.value["n_passages"])

    def __repr__(self) -> str:
        """Name the library and count its passages."""
        return f"<{type(self).__name__} {self.name}: {len(self):,} passages>"


class Server:
    """A Subclust that runs elsewhere; `connect` makes it.

    Parameters
    ----------
    client : httpx2.Client
        Whose base address is that of the API.
    """

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        # In a notebook nobody would close it.
        weakref.finalize(self, client.close)

    def libraries(self) -> list[RemoteLibrary]:
        """List the libraries."""
        return [RemoteLibrary(self, one) for one in self.listed("libraries")]

    def open_library(self, name: str = "demo") -> RemoteLibrary:
        """Open a library by its name or id.

        Raises
        ------
        SubclustError
            If there is none of that name.
        """
        return RemoteLibrary(self, self.ask("GET", f"libraries/{_quoted(name)}").json())

    def import_files(
        self,
        files: str | PathLike[str] | Sequence[str | PathLike[str]],
        library: str,
        *,
        collection: str = "",
    ) -> list[dict[str, Any]]:
        """Import files into a library of the server, and wait until they are there.

        Returns
        -------
        list of dict
            The job of each, as ``jobs show --json`` prints it.

        Raises
        ------
        SubclustError
            If a file cannot be read or the server refuses it.
        """
        given = [files] if isinstance(files, str | PathLike) else files
        done = []
        for path in map(Path, given):
            told = {"filename": path.name, "collection": collection}
            place = f"libraries/{_quoted(library)}/imports"
            try:
                with path.open("rb") as stream:
                    job = self.ask("POST", place, params=told, content=stream).json()
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise InputError(
                    "{file} cannot be read ({reason}).", file=path, reason=reason
                ) from error
            done.append(self.wait_for(job["job"]))
        return done

    def wait_for(self, job: str) -> dict[str, Any]:
        """Wait until a job has ended, and return it.

        Raises
        ------
        SubclustError
            If it failed or was stopped.
        """
        while True:
            found: dict[str, Any] = self.ask("GET", f"jobs/{_quoted(job)}").json()
            if found["state"] == "finished":
                return found
            if found["state"] in ("failed", "cancelled", "lost", "paused"):
                # The server's sentence is no template: braces in it stand for themselves.
                if found["error"]:
                    raise SubclustError(found["error"])
                raise SubclustError("The job {job} was {state}.", job=job, state=found["state"])
            time.sleep(_POLL_SECONDS)

    def answer(
        self, place: Literal["search", "regroup"], request: Mapping[str, Any]
    ) -> RemoteAnswer:
        """Return the answer to a request, as the API takes it."""
        value = self.post(place, request)
        searched = str(request.get("hits_of") or request["query"])
        return RemoteAnswer(
            _map_of(value), searched=searched, server=self, request=request, value=value
        )

    def post(self, place: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send an object, and return the one that comes back."""
        found: dict[str, Any] = self.ask("POST", place, json=request).json()
        return found

    def listed(self, place: str) -> list[dict[str, Any]]:
        """Return all items of a list, page by page."""
        items: list[dict[str, Any]] = []
        cursor: str | None = ""
        while cursor is not None:
            page = self.ask("GET", place, params={"cursor": cursor}).json()
            items += page[place]
            cursor = page["next"]
        return items

    def ask(self, method: str, place: str, **request: Any) -> httpx2.Response:
        """Send a request, and return its response.

        Raises
        ------
        ClusterError
            If the server does not answer.
        SubclustError
            If it refuses; its sentence says why.
        """
        with _unreachable_told(self.client):
            response = self.client.request(method, place, **request)
        if response.is_success:
            return response
        try:
            detail = str(response.json()["detail"])
        except (ValueError, KeyError, TypeError):
            raise _strange(self.client, response) from None
        raise SubclustError(detail)

    def __repr__(self) -> str:
        """Name the address."""
        return f"<{type(self).__name__} {self.client.base_url}>"


def connect(url: str, token: str = "") -> Server:
    """Return a Subclust that runs elsewhere.

    Parameters
    ----------
    url : str
        Of its pages, such as ``"https://search.library.example"``.
    token : str
        An access token, which the account page makes; not needed where there are no accounts.

    Returns
    -------
    Server
        With `open_library`, `libraries` and `import_files`; an answer is like that of a library
        here.

    Raises
    ------
    ClusterError
        If it does not answer.
    SubclustError
        If it refuses the token.

    Examples
    --------
    >>> server = subclust.connect("https://search.library.example", token)  # doctest: +SKIP
    >>> server.open_library("theses").search("digital preservation").names  # doctest: +SKIP
    {0: 'Web archiving', 1: 'File formats'}
    """
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise InputError("{url!r} is no web address; give one such as https://….", url=url)
    address = f"{url.rstrip('/').removesuffix('/api/v1')}/api/v1/"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    server = Server(httpx2.Client(base_url=address, headers=headers, timeout=_PATIENCE))
    response = server.ask("GET", "methods")
    # Any web server may answer this address with a page of its own and status 200.
    if "json" not in response.headers.get("content-type", ""):
        raise _strange(server.client, response)
    return server


def _strange(client: httpx2.Client, response: httpx2.Response) -> ClusterError:
    return ClusterError(
        "What answers at {url} is no API of Subclust (status {status}); check the address, and "
        "that the server was started with --api.",
        url=client.base_url,
        status=response.status_code,
    )


@contextmanager
def _unreachable_told(client: httpx2.Client) -> Iterator[None]:
    try:
        yield
    except httpx2.TransportError as error:
        raise ClusterError(
            "Nothing answers at {url} ({error}); check the address.",
            url=client.base_url,
            error=type(error).__name__,
        ) from error


def _quoted(name: str) -> str:
    return quote(name, safe="")


def _map_of(value: Mapping[str, Any]) -> SubtopicMap:
    groups = [
        Subtopic(
            group["id"],
            group["name"],
            group["quality"],
            tuple(_member(one) for one in group["passages"]),
            group["term"],
        )
        for group in value["subtopics"]
    ]
    return SubtopicMap(
        query=Query(value["query"]),
        library=value["library"],
        method=value["method"],
        checkpoint=value["checkpoint"],
        seed=value["seed"],
        n_clusters=value["n_clusters"],
        n_clusters_source=value["n_clusters_source"],
        subtopics=tuple(groups),
        timings_ms=value["timings_ms"],
        nearest_cosine=value["nearest_cosine"],
        answered=value["answered"],
    )


def _member(one: Mapping[str, Any]) -> MappedPassage:
    passage = Passage(one["id"], one["text"], title=one["title"])
    return MappedPassage(
        passage, one["rank"], one["strength"], one["x"], one["y"], one["relevance"]
    )
