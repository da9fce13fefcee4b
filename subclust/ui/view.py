"""What a visitor is looking at, to and from the page's address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from subclust.projection import PROJECTORS
from subclust.records import OTHER_PASSAGES, QUERY_CONTEXTS, Query, QueryContext
from subclust.ui.words import EXAMPLES, LISTINGS

MAX_GROUPS = 20
"""Most groups that can be asked for on the page."""


@dataclass(frozen=True)
class View:
    """Everything that decides what the Explore page shows; an address carries all of it.

    Parameters
    ----------
    query : str
    description : str
        A longer wording, for the context ``"description"``.
    context : {"title", "description", "passages"}
    library, method : str
        Kept as they come: an unknown one is answered by a sentence, not by another.
    n_clusters : int or "auto"
    projection : str
        Name of the map.
    group : int or None
        The group that is marked.
    passages : tuple of str
        Ids of the passages that are marked by hand; then `group` is None.
    listing : str
        What stands beside the map, a key of `LISTINGS`.
    """

    query: str = EXAMPLES[0]
    description: str = ""
    context: QueryContext = "title"
    library: str = "demo"
    method: str = "default"
    n_clusters: int | Literal["auto"] = "auto"
    projection: str = "pca"
    group: int | None = None
    passages: tuple[str, ...] = ()
    listing: str = "groups"

    @classmethod
    def from_params(cls, params: Mapping[str, Sequence[str]]) -> "View":
        """Read a view from the parameters of an address; what cannot be read keeps its default.

        Parameters
        ----------
        params : mapping of str to sequence of str
            All values of each parameter.
        """
        first = {name: values[0] for name, values in params.items() if values}
        view = cls(
            query=first.get("q", cls.query),
            description=first.get("about", ""),
            library=first.get("library") or cls.library,
            method=first.get("method") or cls.method,
            n_clusters=_group_count(first.get("groups", "")),
            projection=first["map"] if first.get("map") in PROJECTORS else cls.projection,
            group=_group(first.get("group", "")),
            passages=tuple(params.get("passage", ())),
            listing=first["list"] if first.get("list") in LISTINGS else cls.listing,
        )
        context = first.get("context", "")
        known: dict[str, QueryContext] = {
            "description": "description",
            "passages": "passages",
        }
        view = replace(view, context=known.get(context, cls.context))
        return replace(view, group=None) if view.passages else view

    def to_params(self) -> dict[str, str | list[str]]:
        """Write the parameters of this view's address; only the query and what is not default."""
        written: dict[str, Any] = {
            "about": self.description,
            "context": self.context if self.context != QUERY_CONTEXTS[0] else "",
            "library": self.library if self.library != View.library else "",
            "method": self.method if self.method != View.method else "",
            "groups": str(self.n_clusters) if self.n_clusters != "auto" else "",
            "map": self.projection if self.projection != View.projection else "",
            "group": "" if self.group is None else str(self.group),
            "passage": list(self.passages),
            "list": self.listing if self.listing != View.listing else "",
        }
        return {"q": self.query} | {name: value for name, value in written.items() if value}

    def asked(self) -> Query:
        """Put the question as the pipeline takes it."""
        return Query(
            text=self.query.strip(),
            description=self.description.strip() or None,
            context=self.context,
        )

    def changed(self, **changes: Any) -> "View":
        """Give this view with changes; a new question or grouping drops what was marked."""
        view = replace(self, **changes)
        same = (self.grouping(), self.library) == (view.grouping(), view.library)
        return view if same else replace(view, group=None, passages=())

    def grouping(self) -> tuple[str | int, ...]:
        """Name everything that decides the groups."""
        return (
            self.library,
            self.query.strip(),
            self.description.strip(),
            self.context,
            self.method,
            self.n_clusters,
        )


def _group_count(value: str) -> int | Literal["auto"]:
    return int(value) if value.isdecimal() and 2 <= int(value) <= MAX_GROUPS else "auto"


def _group(value: str) -> int | None:
    if value == str(OTHER_PASSAGES):
        return OTHER_PASSAGES
    return int(value) if value.isdecimal() and len(value) < 6 else None
