"""From a view to its answer; what was computed for this visitor is not computed again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.exceptions import InputError, LibraryNotFoundError
from subclust.core.messages import N_
from subclust.core.records import (
    FloatArray,
    MappedPassage,
    Ranking,
    Regrouping,
    Subtopic,
    SubtopicMap,
)
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.pipeline.cuts import recut
from subclust.pipeline.effect import compare_queries
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.served import ServedModel, served_model
from subclust.serving.health import observe_search
from subclust.sessions import (
    Change,
    Origin,
    SessionHeader,
    SessionStore,
    changes,
    kept_groups,
    kept_hits,
)
from subclust.ui import state
from subclust.ui.components.address import mark_of
from subclust.ui.components.resources import open_pipeline
from subclust.ui.components.session import go_to, known_view
from subclust.ui.components.themes import ids_within
from subclust.ui.components.view import View
from subclust.ui.i18n.language import _


@contextmanager
def reading_bar(stop: Callable[[], None] | None = None) -> Iterator[Progress]:
    """Return a function that draws the progress of reading; the bar goes when all are grouped.

    `stop` is what a button beside the bar does; without it there is none. Methods that report no
    progress draw nothing.
    """
    place = st.empty()
    bars: list[DeltaGenerator] = []

    def draw(n_done: int, n_total: int) -> None:
        if not bars:
            bars.append(place if stop is None else _beside_stop(place, stop))
        bars[0].progress(min(n_done / max(n_total, 1), 1.0), text=_("Reading the hits together"))

    try:
        yield draw
    finally:
        place.empty()


def _beside_stop(place: DeltaGenerator, stop: Callable[[], None]) -> DeltaGenerator:
    with place.container(key="reading"):
        bar = st.empty()
        st.button(_("Stop"), key="stop-reading", on_click=stop)
    return bar


_KEPT = 12
"""Groupings that are kept for one visitor, so that the back button need not wait."""


_SESSION_WITHOUT = N_(
    "The library “{name}” of this session is not there. If it was deleted, restore it under "
    "“Recently deleted” on the Library page and open the session again; its groups and "
    "passages are still saved."
)


@dataclass(frozen=True)
class Answer:
    """What was found for a view.

    Parameters
    ----------
    pipeline : SubtopicPipeline
    ranking : Ranking
        The hits that are grouped; their query is the one that found them.
    subtopics : SubtopicMap
        With the overview map; where hits are kept, as they are grouped on the side that is shown.
    served : ServedModel
        That made the groups.
    regrouping : Regrouping or None
        The hits under the first question and under the one that was asked since; None where no
        hits are kept.
    kept : Origin or None
        What had made them when they were saved, where they come from a session.
    """

    pipeline: SubtopicPipeline
    ranking: Ranking
    subtopics: SubtopicMap
    served: ServedModel
    regrouping: Regrouping | None = None
    kept: Origin | None = None

    def origin(self) -> Origin:
        """Return what made the groups: then, of a saved session, and now, of any other."""
        return self.kept or self.pipeline.origin()

    def marked(self, view: View) -> list[tuple[MappedPassage, Subtopic]]:
        """List the passages that a view marks, with their groups, best hit first."""
        ids = set(view.passages)
        found = [
            (member, subtopic)
            for subtopic in self.subtopics.subtopics
            for member in subtopic.passages
            if member.passage.id in ids or subtopic.id == view.group
        ]
        return sorted(found, key=lambda pair: pair[0].rank)


def answer(settings: Settings, view: View) -> Answer:
    """Retrieve and group, or only group where the same hits were there before.

    Raises
    ------
    SubclustError
        One of its children; its sentence is for the visitor.
    """
    if not view.query.strip():
        raise InputError(_("Type a question or a few words to look for."))
    # Part of every key below: once another model is in use, the same view has other groups.
    served = served_model(settings, view.method)
    key = (view.grouping(), view.before, served)
    known: dict[object, Answer] = st.session_state.setdefault(state.ANSWERS, {})
    # The bar has its place in every run, so that nothing below it is made anew and loses the focus.
    with reading_bar(_stop) as progress:
        if key in known:
            st.session_state[state.SHOWN_VIEW] = view
            return known[key]
        if st.session_state.pop(state.STOPPED, None) == view.grouping():
            raise InputError(_("Stopped. Press “Search” to try again."))
        try:
            pipeline = open_pipeline(settings, view.library, view.method)
        except LibraryNotFoundError as error:
            if not view.session:
                raise
            raise LibraryNotFoundError(_SESSION_WITHOUT, name=view.library) from error
        if view.session:
            ranking, groups, origin = _kept_answer(settings, view, pipeline)
            found = Answer(pipeline, ranking, groups, served, kept=origin)
        else:
            found = _found(pipeline, view, served, progress)
        # Kept before anything is drawn or said: that is where a run ends which a newer one
        # overtakes, as when somebody types a question and clicks "Search".
        known[key] = found
        st.session_state[state.SHOWN_VIEW] = view
        _drop_oldest(known)
    return found


def _found(
    pipeline: SubtopicPipeline, view: View, served: ServedModel, progress: Progress
) -> Answer:
    """Search, group, and where hits are kept compare both questions."""
    ranking, retrieve_ms = _ranking(pipeline, view)
    shown = first = _grouped(pipeline, ranking, view.first(), served, progress)
    regrouping = None
    if view.hits:
        if view.regroups():  # and not merely kept
            shown = _grouped(pipeline, ranking, view, served, progress)
        regrouping = _compared(first, shown)
        shown = regrouping.before if view.before else regrouping.after
    timings = dict(shown.timings_ms) | {"retrieve": retrieve_ms}
    timings["total"] = timings.get("total", 0.0) + retrieve_ms
    observe_search(timings)
    return Answer(pipeline, ranking, replace(shown, timings_ms=timings), served, regrouping)


def _stop() -> None:
    """Go back to what was shown before; where nothing was, stay without an answer."""
    shown = st.session_state.get(state.SHOWN_VIEW)
    if shown is not None:
        go_to(shown)
    else:
        st.session_state[state.STOPPED] = known_view().grouping()


def _grouped(
    pipeline: SubtopicPipeline,
    ranking: Ranking,
    view: View,
    served: ServedModel,
    progress: Progress,
) -> SubtopicMap:
    """Group hits, or cut the tree anew where only another number of groups is wanted."""
    known: dict[object, SubtopicMap] = st.session_state.setdefault(state.GROUPINGS, {})
    hits = (*view.sought(), served)
    key = (hits, view.grouping())
    if key in known:
        return known[key]
    tree_key = ("tree", hits, replace(view, n_clusters="auto").grouping())
    found = None
    if tree_key in known:
        found = recut(
            known[tree_key], view.n_clusters, pipeline.namer_for(ranking, known[tree_key].query)
        )
    if found is None:
        found = pipeline.group(ranking, view.asked(), n_clusters=view.n_clusters, progress=progress)
    known[key] = found
    # Whatever number was asked for, the dendrogram is the same, so later numbers are cut from it.
    known.setdefault(tree_key, found)
    _drop_oldest(known)
    return found


def _drop_oldest(known: dict[Any, Any]) -> None:
    for old in list(known)[: max(len(known) - _KEPT, 0)]:
        del known[old]


def _compared(first: SubtopicMap, other: SubtopicMap) -> Regrouping:
    """Lay two groupings on each other, once for as long as they are shown."""
    known = st.session_state.get(state.REGROUPING)
    if known and known[0] is first and known[1] is other:
        regrouping: Regrouping = known[2]
        return regrouping
    regrouping = compare_queries(first, other)
    st.session_state[state.REGROUPING] = (first, other, regrouping)
    return regrouping


def _ranking(pipeline: SubtopicPipeline, view: View) -> tuple[Ranking, float]:
    """Return the hits and how long finding them took, 0 where they were there before."""
    asked = view.searched()
    key = (*view.sought(), pipeline.retriever.encoder.revision)
    known: dict[object, Ranking] = st.session_state.setdefault(state.RANKINGS, {})
    started = perf_counter()
    ranking = known.get(key)
    if ranking is None:
        ranking = pipeline.retrieve(
            asked,
            top_k=view.top_k,
            within=ids_within(view),
            strictness=view.strictness,
        )
        # Only the last ranking is cached per visitor, since it carries the vectors of all its hits.
        known.clear()
        known[key] = ranking
    return _looked_at(ranking, view), (perf_counter() - started) * 1000


def _looked_at(ranking: Ranking, view: View) -> Ranking:
    """Leave only the hits of the group that was dug into, with the ranks that they have.

    Raises
    ------
    InputError
        If none of its passages is among the hits any more.
    """
    marks = set(view.within())
    if not marks:
        return ranking
    rows = [row for row, hit in enumerate(ranking.hits) if mark_of(hit.passage.id) in marks]
    if not rows:
        raise InputError(
            _(
                "The passages of the group “{group}” are no longer among the hits of “{query}”; "
                "leave the group to see what is."
            ).format(group=view.trail[-1].name, query=view.searched().text)
        )
    return ranking.taking(rows)


@dataclass(frozen=True)
class Opened:
    """A session that was read for this visitor.

    Parameters
    ----------
    id, name, saved : str
    changes : tuple of Change
        Since it was saved.
    other_map : SubtopicMap or None
        The neighbourhood map, where it was kept.
    header : SessionHeader
        That says whose it is.
    """

    id: str
    name: str
    saved: str
    changes: tuple[Change, ...]
    other_map: SubtopicMap | None
    header: SessionHeader


def _kept_answer(
    settings: Settings, view: View, pipeline: SubtopicPipeline
) -> tuple[Ranking, SubtopicMap, Origin]:
    """Return hits, groups and origin of the session that a view shows.

    Groups and coordinates are those that were saved; nothing is computed anew.

    Raises
    ------
    SubclustError
        One of its children, if there is no such session, or it is damaged.
    """
    header, session = SessionStore(settings.sessions_dir).load(view.session)
    other = kept_groups(session, "umap") if "umap" in session.other_maps else None
    st.session_state.setdefault(state.OPENED_SESSIONS, {})[header.id] = Opened(
        header.id,
        header.name,
        header.saved,
        changes(session.origin, pipeline.origin()),
        other,
        header,
    )
    hits = kept_hits(session)
    vectors = _vectors(pipeline, [hit.passage.id for hit in hits], [h.passage.text for h in hits])
    groups = kept_groups(session)
    ranking = Ranking(
        view.searched(), hits, vectors, session.origin.library, set_aside=groups.set_aside
    )
    return ranking, groups, session.origin


def opened(view: View) -> Opened | None:
    """Return which session a view shows, None where it shows none."""
    known: dict[str, Opened] = st.session_state.get(state.OPENED_SESSIONS, {})
    return known.get(view.session)


def _vectors(pipeline: SubtopicPipeline, ids: list[str], texts: list[str]) -> FloatArray:
    """Return the hits with their vectors; what has left the library is read again."""
    library, encoder = pipeline.retriever.library, pipeline.retriever.encoder
    try:
        return library.get(ids).embeddings
    except InputError:
        return np.asarray(encoder.encode(texts), dtype=np.float32)
