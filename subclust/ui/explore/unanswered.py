"""What is said first where a library does not seem to answer the question."""

import html

import streamlit as st

from subclust.core.records import MappedPassage, Ranking, Subtopic
from subclust.text.retrieval import N_NEAREST
from subclust.ui import state
from subclust.ui.components.session import show_in_widget
from subclust.ui.components.themes import ids_within
from subclust.ui.components.view import View
from subclust.ui.explore.passages import draw_documents
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n


def draw_unanswered(view: View, found: Answer) -> bool:
    """Draw that nothing seems to answer the question, what was searched and what to try.

    Returns
    -------
    bool
        Whether the groups are to be drawn: where the question seems to be answered, where the
        visitor asks for them, and where the address shows something in them.
    """
    if found.subtopics.answered is not False:
        return True
    wanted = _groups_wanted(view)
    n_hits = len(found.ranking.hits)
    with st.container(border=True, key="unanswered", gap="small"):
        st.html(f"<h2 class='sc-headline'>{html.escape(unanswered(found.ranking))}</h2>")
        st.html(
            f"<p class='sc-unanswered'>{html.escape(searched(_n_searched(view, found)))}</p>"
            f"<p class='sc-unanswered'>{html.escape(_to_try())}</p>"
        )
        best = st.expander(
            _n("The best hit", "The {count} best hits", min(n_hits, N_NEAREST)),
            key="unanswered-best",
        )
        with best:
            draw_documents(_best(found)[:N_NEAREST], marks=found.ranking.query.text, asks=False)
        show_in_widget(state.GROUPS_SWITCH, wanted)
        st.toggle(
            _("Group the hits anyway"),
            key=state.GROUPS_SWITCH,
            on_change=_remember,
            args=(view,),
        )
    return wanted


def unanswered(ranking: Ranking) -> str:
    """Return that nothing seems to answer the question."""
    return _("Nothing in the library “{library}” seems to answer “{question}”").format(
        library=ranking.library, question=ranking.query.text
    )


def searched(n_passages: int) -> str:
    """Return what was searched, how, and what came of it."""
    return _n(
        "{count} passage was searched by words and by meaning. It seems to be about something "
        "else.",
        "{count} passages were searched by words and by meaning. The nearest seem to be about "
        "something else.",
        n_passages,
    )


def _to_try() -> str:
    """Return what else may find something."""
    return _(
        "Try other or more general words, check how names are spelled, choose another library, "
        "or add documents on the Library page."
    )


def draw_unanswered_note(ranking: Ranking) -> None:
    """Draw above groups that nothing seems to answer their question."""
    if ranking.answered is False:
        told = unanswered(ranking)
        rest = _("The passages grouped here are the nearest to it.")
        st.html(f"<p class='sc-kept'>{html.escape(told)}.</p><p>{html.escape(rest)}</p>")


def _n_searched(view: View, found: Answer) -> int:
    within = ids_within(view)
    return found.pipeline.retriever.library.count() if within is None else len(within)


def _best(found: Answer) -> list[tuple[MappedPassage, Subtopic]]:
    pairs = [(one, group) for group in found.subtopics.subtopics for one in group.passages]
    return sorted(pairs, key=lambda pair: pair[0].rank)


def _groups_wanted(view: View) -> bool:
    """Return whether the groups of this question are to be shown, as the visitor chose last."""
    question, wanted = st.session_state.get(state.GROUPS_WANTED, (None, False))
    if question == view.sought():
        return bool(wanted)
    shows_something = view.group is not None or bool(
        view.passages or view.trail or view.session or view.corrections
    )
    st.session_state[state.GROUPS_WANTED] = (view.sought(), shows_something)
    return shows_something


def _remember(view: View) -> None:
    st.session_state[state.GROUPS_WANTED] = (
        view.sought(),
        st.session_state.get(state.GROUPS_SWITCH, False),
    )
