"""What a visitor is looking at, to and from the page's address."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from subclust.core.records import (
    MAX_QUESTION,
    OTHER_PASSAGES,
    QUERY_CONTEXTS,
    Query,
    QueryContext,
)
from subclust.grouping.projection import PROJECTORS
from subclust.text.retrieval import STRICTNESSES
from subclust.ui.components.address import (
    MAX_GROUPS,
    MAX_STEPS,
    Step,
    marks_of,
    read_trail,
    repair,
    way_of,
    whole_number,
)
from subclust.ui.components.words import EXAMPLES, LISTINGS

TOP_K = (50, 100, 200, 500)
"""How many hits can be asked for."""

_LAST_GROUP = 99_999

LEVELS = (1, 2, 3)
"""How many levels of subtopics can be shown."""


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
    top_k : int
        At most so many hits, one of `TOP_K`.
    strictness : str
        How surely the hits that are grouped must be about the question, a key of `STRICTNESSES`.
    projection : str
        Name of the map.
    group : int or None
        The group that is marked.
    passages : tuple of str
        Ids of the passages that are marked by hand; then `group` is None.
    listing : str
        What stands beside the map, a key of `LISTINGS`.
    hits : Query or None
        The first question, whose hits are kept while `query` only groups them; None: the hits are
        those of `query`.
    trail : tuple of Step
        The groups that were dug into, outermost first.
    levels : int
        1 for flat subtopics, 2 or 3 for subtopics with parts.
    before : bool
        Whether the kept hits are shown as they lay under the first question.
    corrections : str
        Name of the saved corrections that a new visitor of this address sees; empty for none.
    session : str
        Id of the saved session whose groups are shown; empty: they are made now.
    theme : str
        The theme within which is searched, ``KEY-NUMBER``; empty: the whole library.
    way : str
        Key of the way in which kept hits are divided, see `subclust.pipeline.ways`; empty where
        the question decides.
    expected : tuple of str
        Names of subtopics that are to have groups of their own.
    """

    query: str = EXAMPLES[0]
    description: str = ""
    context: QueryContext = "title"
    library: str = "demo"
    method: str = "default"
    n_clusters: int | Literal["auto"] = "auto"
    top_k: int = 200
    strictness: str = "usual"
    projection: str = "pca"
    group: int | None = None
    passages: tuple[str, ...] = ()
    listing: str = "groups"
    hits: Query | None = None
    trail: tuple[Step, ...] = ()
    levels: int = 1
    before: bool = False
    corrections: str = ""
    session: str = ""
    theme: str = ""
    way: str = ""
    expected: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Put defaults in place of what a view cannot hold, and cut questions that are too long."""
        repair(self, _ACCEPTED)
        for name in ("query", "description"):
            object.__setattr__(self, name, getattr(self, name)[:MAX_QUESTION])

    @classmethod
    def from_params(cls, params: Mapping[str, Sequence[str]]) -> "View":
        """Read a view from all values of each parameter; what cannot be read keeps its default."""
        first = {name: values[0] for name, values in params.items() if values}
        view = cls(
            query=first.get("q", cls.query),
            description=first.get("about", ""),
            library=first.get("library", ""),
            method=first.get("method", ""),
            n_clusters=_group_count(first.get("groups", "")),
            top_k=hit_count(first.get("top", "")),
            strictness=first.get("strict", ""),
            projection=first.get("map", ""),
            group=_group(first.get("group", "")),
            passages=tuple(params.get("passage", ())),
            listing=first.get("list", ""),
            context=_context(first.get("context", "")),
            hits=_kept(first),
            trail=read_trail(params.get("dig", ()), MAX_GROUPS),
            corrections=first.get("corrections", ""),
            session=first.get("session", ""),
            theme=first.get("within", ""),
            expected=expected_of(";".join(params.get("also", ()))),
            levels=whole_number(first.get("levels", ""), 1, LEVELS[-1]) or cls.levels,
        )
        if view.hits:
            before = first.get("shown") == "before"
            view = replace(view, before=before, way=first.get("by", ""))
        return replace(view, group=None) if view.passages else view

    def to_params(self) -> dict[str, str | list[str]]:
        """Write the parameters of this view's address; only the query and what is not default."""
        written: dict[str, Any] = {
            "about": self.description,
            "context": self.context if self.context != QUERY_CONTEXTS[0] else "",
            "library": self.library if self.library != View.library else "",
            "method": self.method if self.method != View.method else "",
            "groups": str(self.n_clusters) if self.n_clusters != "auto" else "",
            "top": str(self.top_k) if self.top_k != View.top_k else "",
            "strict": self.strictness if self.strictness != View.strictness else "",
            "map": self.projection if self.projection != View.projection else "",
            "group": "" if self.group is None else str(self.group),
            "passage": list(self.passages),
            "list": self.listing if self.listing != View.listing else "",
            "dig": [step.to_text() for step in self.trail],
            "levels": str(self.levels) if self.levels != View.levels else "",
            "shown": "before" if self.before else "",
            "corrections": self.corrections,
            "session": self.session,
            "within": self.theme,
            "by": self.way,
            "also": list(self.expected),
        }
        if self.hits:
            context = self.hits.context
            written["hits"] = self.hits.text
            written["hits-context"] = context if context != QUERY_CONTEXTS[0] else ""
            written["hits-about"] = self.hits.description or ""
        return {"q": self.query} | {name: value for name, value in written.items() if value}

    def asked(self) -> Query:
        """Put the question as the pipeline takes it."""
        return Query(
            text=self.query.strip(),
            description=self.description.strip() or None,
            context=self.context,
            way=self.way,
            expected=self.expected,
        )

    def searched(self) -> Query:
        """Put the question whose hits are grouped: the first one where its hits are kept."""
        return self.hits or replace(self.asked(), expected=())

    def regroups(self) -> bool:
        """Return whether kept hits are grouped by something else than what found them."""
        # Expected subtopics have no say in what is found, so `hits` never has any.
        return self.hits is not None and replace(self.asked(), expected=()) != self.hits

    def sought(self) -> tuple[str | int, ...]:
        """Name everything that decides the hits."""
        return (self.searched().text, self.library, self.theme, self.top_k, self.strictness)

    def corrected(self) -> tuple[str, ...]:
        """Name what corrections belong to: the same hits and the same words, however grouped."""
        kept = (self.session,) if self.session else ()
        theme = (self.theme,) if self.theme else ()
        searched = self.searched().text
        own = (*self.within(), *kept, *theme, *self.expected)
        return (self.library, self.query.strip(), searched, *own)

    def within(self) -> tuple[str, ...]:
        """Return the marks (see `mark_of`) of the passages looked at alone; empty: all hits."""
        return self.trail[-1].marks if self.trail else ()

    def changed(self, **changes: Any) -> "View":
        """Return this view with changes.

        A new question or grouping drops what was marked. A new search (another question whose own
        hits are wanted, or another library) drops the trail as well.
        """
        # What a widget that was not drawn before hands over changes nothing.
        changes = {name: value for name, value in changes.items() if _ACCEPTED[name](value)}
        view = replace(self, **changes)
        if view.library != self.library and "theme" not in changes:
            view = replace(view, theme="")
        searches = view.sought() != self.sought()
        if searches and "trail" not in changes:
            view = replace(view, trail=())
        if searches and "expected" not in changes:
            view = replace(view, expected=())
        if view.hits is None:
            view = replace(view, before=False, way="")
        elif view.query != self.query and "way" not in changes:
            view = replace(view, way="")
        if "session" not in changes and view.grouping() != self.grouping():
            view = replace(view, session="")
        if "corrections" not in changes and view.corrected() != self.corrected():
            view = replace(view, corrections="")
        same = (self.grouping(), self.library) == (view.grouping(), view.library)
        return view if same else replace(view, group=None, passages=())

    def keeping(self) -> "View":
        """Keep these hits: from now on another question only groups them."""
        return self if self.hits else replace(self, hits=self.searched())

    def first(self) -> "View":
        """Go back to the first question, which found the kept hits."""
        if self.hits is None:
            return self
        return self.changed(
            query=self.hits.text,
            description=self.hits.description or "",
            context=self.hits.context,
            hits=None,
        )

    def into(self, name: str, passages: Sequence[str]) -> "View":
        """Dig into a group: only its passages, by their ids, are grouped."""
        step = Step(name, self.query, self.n_clusters, marks_of(passages))
        return self.changed(trail=(*self.trail, step)[-MAX_STEPS:], n_clusters="auto")

    def adding(self, name: str) -> "View":
        """Add a group's name to the question; with kept hits these are grouped under it."""
        query = f"{self.query.strip()} {name}"
        if self.hits:
            return self.changed(query=query)
        step = Step(name, self.query, self.n_clusters)
        trail = (*self.trail, step)[-MAX_STEPS:]
        return self.changed(query=query, trail=trail, n_clusters="auto")

    def back_to(self, place: int) -> "View":
        """Go back to where a step of the trail, by its place from 0, was taken."""
        step = self.trail[place]
        return self.changed(query=step.query, n_clusters=step.n_clusters, trail=self.trail[:place])

    def grouping(self) -> tuple[str | int, ...]:
        """Name everything that decides the groups."""
        kept = self.hits
        return (
            self.library,
            self.query.strip(),
            self.description.strip(),
            self.context,
            self.method,
            self.n_clusters,
            *(("hits", kept.text, kept.description or "", kept.context) if kept else ()),
            *(("top", self.top_k) if self.top_k != View.top_k else ()),
            *(("strict", self.strictness) if self.strictness != View.strictness else ()),
            *self.within(),
            *(("session", self.session) if self.session else ()),
            *(("within", self.theme) if self.theme else ()),
            *(("by", self.way) if self.way else ()),
            *(("also", *self.expected) if self.expected else ()),
        )


def _is_group_count(value: object) -> bool:
    # Not `isinstance`, since True and False are ints too.
    return value == "auto" or (type(value) is int and 2 <= value <= MAX_GROUPS)


def _is_group(value: object) -> bool:
    return value is None or (type(value) is int and OTHER_PASSAGES <= value <= _LAST_GROUP)


def _among(allowed: Iterable[object]) -> Callable[[Any], bool]:
    kept = tuple(allowed)
    # The types are compared because True equals 1 and would pass for a number of levels.
    return lambda value: any(type(value) is type(one) and value == one for one in kept)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_text, value))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value)


_ACCEPTED: dict[str, Callable[[Any], bool]] = {
    "query": _is_text,
    "description": _is_text,
    "context": _among(QUERY_CONTEXTS),
    "library": _is_name,
    "method": _is_name,
    "n_clusters": _is_group_count,
    "top_k": _among(TOP_K),
    "strictness": _among(STRICTNESSES),
    "projection": _among(PROJECTORS),
    "group": _is_group,
    "passages": lambda value: isinstance(value, tuple),
    "listing": _among(LISTINGS),
    "hits": lambda value: value is None or isinstance(value, Query),
    "trail": lambda value: isinstance(value, tuple),
    "levels": _among(LEVELS),
    "before": lambda value: isinstance(value, bool),
    "corrections": _is_text,
    "session": lambda value: _is_text(value) and _session(value) == value,
    "theme": lambda value: _is_text(value) and _theme(value) == value,
    "expected": lambda value: _are_texts(value) and value == expected_of(";".join(value)),
    "way": lambda value: _is_text(value) and way_of(value) == value,
}
"""Of each field of a view, what it may hold."""


def _context(value: str) -> QueryContext:
    known: dict[str, QueryContext] = {"description": "description", "passages": "passages"}
    return known.get(value, View.context)


def _kept(first: Mapping[str, str]) -> Query | None:
    """Read the question whose hits are kept; an empty one keeps none."""
    text = first.get("hits", "").strip()
    about = first.get("hits-about", "").strip()
    return Query(text, about or None, _context(first.get("hits-context", ""))) if text else None


def _group_count(value: str) -> int | Literal["auto"]:
    return whole_number(value, 2, MAX_GROUPS) or "auto"


def hit_count(value: str) -> int:
    """Read how many hits an address asks for; what is not among `TOP_K` is the usual number."""
    return int(value) if value in map(str, TOP_K) else View.top_k


def _session(value: str) -> str:
    return value if re.fullmatch(r"[a-z0-9]{12}", value) else ""


def _theme(value: str) -> str:
    return value if re.fullmatch(r"[0-9a-f]{16}-\d{1,4}", value) else ""


MAX_EXPECTED = 6
"""Most subtopics that can be expected on the page."""


def expected_of(text: str) -> tuple[str, ...]:
    """Read names of expected subtopics, parted by semicolons or commas."""
    names = (" ".join(one.split())[:80].strip() for one in re.split("[;,]", text))
    return tuple(dict.fromkeys(filter(None, names)))[:MAX_EXPECTED]


def _group(value: str) -> int | None:
    if value == str(OTHER_PASSAGES):
        return OTHER_PASSAGES
    return whole_number(value, 0, _LAST_GROUP)
