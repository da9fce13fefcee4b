"""A session that is open: its groups as they were, and what has changed since."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, Ranking, SubtopicMap
from subclust.core.settings import Settings
from subclust.pipeline.query import SubtopicPipeline
from subclust.sessions import Change, Origin, SessionStore, changes, kept_groups, kept_hits
from subclust.ui import state
from subclust.ui.components.session import change_view
from subclust.ui.components.times import moment
from subclust.ui.components.view import View
from subclust.ui.explore.export_words import changed_since
from subclust.ui.i18n.language import _


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
    """

    id: str
    name: str
    saved: str
    changes: tuple[Change, ...]
    other_map: SubtopicMap | None


def kept_answer(
    settings: Settings, view: View, pipeline: SubtopicPipeline
) -> tuple[Ranking, SubtopicMap, Origin]:
    """Give hits, groups and origin of the session that a view shows.

    Groups and coordinates are those that were saved; nothing is computed anew.

    Raises
    ------
    SubclustError
        One of its children, if there is no such session, or it is damaged.
    """
    header, session = SessionStore(settings.sessions_dir).load(view.session)
    other = kept_groups(session, "umap") if "umap" in session.other_maps else None
    st.session_state.setdefault(state.OPENED_SESSIONS, {})[header.id] = Opened(
        header.id, header.name, header.saved, changes(session.origin, pipeline.origin()), other
    )
    hits = kept_hits(session)
    vectors = _vectors(pipeline, [hit.passage.id for hit in hits], [h.passage.text for h in hits])
    ranking = Ranking(view.searched(), hits, vectors, session.origin.library)
    return ranking, kept_groups(session), session.origin


def opened(view: View) -> Opened | None:
    """Return which session a view shows, None where it shows none."""
    known: dict[str, Opened] = st.session_state.get(state.OPENED_SESSIONS, {})
    return known.get(view.session)


def draw_opened(view: View) -> None:
    """Say that this is a session, and what has changed since; offer to group anew."""
    known = opened(view)
    if known is None:
        return
    told = [
        _("This is the session {name}, saved on {day}: everything is as it was.").format(
            name=known.name, day=moment(known.saved)
        ),
        *map(changed_since, known.changes),
    ]
    with st.container(horizontal=True, vertical_alignment="center", key="opened-session"):
        (st.warning if known.changes else st.info)(_plain(" ".join(told)))
        st.button(
            _("Group anew"),
            key="group-anew",
            on_click=change_view,
            kwargs={"session": ""},
            help=_("Asks the same question of the library as it is now."),
        )


def _vectors(pipeline: SubtopicPipeline, ids: list[str], texts: list[str]) -> FloatArray:
    """Return the hits with their vectors; what has left the library is read again."""
    library, encoder = pipeline.retriever.library, pipeline.retriever.encoder
    try:
        return library.get(ids).embeddings
    except InputError:
        return np.asarray(encoder.encode(texts), dtype=np.float32)


def _plain(text: str) -> str:
    """Escape what Streamlit would read as Markdown."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()#+!|<>~$:" else sign for sign in text)
