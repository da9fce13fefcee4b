"""What may be changed in the data folder, what is damaged there, and what can be restored."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from subclust.core.access import Owned, Thing, acting, is_read_only, may_change, refusal
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.damaged import Damaged
from subclust.deleting.removal import bin_of, put_back
from subclust.jobs import job_queue
from subclust.text.library.folder import library_names
from subclust.ui import state
from subclust.ui.components.resources import shared_encoder
from subclust.ui.components.words import error_words, moment, plain
from subclust.ui.i18n.language import _

Given = ParamSpec("Given")


def changes(thing: Thing) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Have a function that draws controls which change something draw nothing where none may."""

    def guarded(draw: Callable[Given, None]) -> Callable[Given, None]:
        @wraps(draw)
        def drawn(*given: Given.args, **named: Given.kwargs) -> None:
            if may_change(thing):
                draw(*given, **named)

        return drawn

    return guarded


def draw_read_only(thing: Thing, told: str = "") -> None:
    """Explain, where who looks may not change something, why there is no control here."""
    if may_change(thing):
        return
    if not is_read_only():
        told = _(refusal(thing))
    st.caption(plain(told or _("This server is read-only: nothing can be changed.")))


def told_of_others(settings: Settings) -> str:
    """Return whom to ask where all libraries are others'; empty where there are none at all."""
    if not library_names(settings.library_dir):
        return ""
    return _(
        "There is no library that you can use: each one here is limited to teams that you do not "
        "belong to. Ask the administrator of this installation to add you to a team."
    )


@changes("library")
def draw_build_demo(settings: Settings) -> None:
    """Draw the button that builds the demo library in seconds, where there is no library."""
    if library_names(settings.library_dir):  # nor any that others limited to themselves
        return
    # The progress bar takes the button's place, so that nothing below moves.
    place = st.empty()
    if not place.button(_("Build the demo library"), key="build-demo", type="primary"):
        return
    from subclust.api.libraries import prepare_search  # only here: no start is to wait for them
    from subclust.text.ingest.demo import DEMO_LIBRARY, build_demo

    bar = place.progress(0.0, text=_("Building the demo library …"))

    def progress(n_done: int, n_total: int | None) -> None:
        bar.progress(min(n_done / (n_total or 1), 1.0), text=_("Building the demo library …"))

    try:
        encoder = shared_encoder(settings)
        build_demo(settings, encoder, progress)
        bar.progress(1.0, text=_("Preparing the first search …"))
        prepare_search(settings, encoder, DEMO_LIBRARY)
    except SubclustError as error:
        place.warning(plain(error_words(error)))
        return
    st.rerun()


_NOBODY, _EVERYBODY = ("", False), ("", True)


def draw_sharing(thing: Owned, share: Callable[[bool, str], object], key: str) -> None:
    """Draw the choice of who may open something of one's own, where people sign in.

    Parameters
    ----------
    thing : Owned
    share : callable
        Called as ``share(with_everybody, team)`` when it is changed.
    key : str
        Of the widget.
    """

    def changed() -> None:
        team, everybody = st.session_state[key]
        try:
            share(everybody, team)
        except SubclustError as error:
            st.toast(plain(error_words(error)))

    if not acting().name:
        return
    now = (thing.team, thing.shared)
    teams = [(team, False) for team in acting().teams]
    # `now` may be a team that its owner has left; the selectbox must still show it.
    choices = list(dict.fromkeys([_NOBODY, *teams, now, _EVERYBODY]))
    st.selectbox(
        _("Who can open it"),
        choices,
        index=choices.index(now),
        format_func=lambda choice: _who(*choice),
        key=key,
        on_change=changed,
    )


def who_opens(thing: Owned) -> str:
    """Return in a sentence who can open something; empty where nobody signs in."""
    if not acting().name:
        return ""
    return _("Who can open it: {who}.").format(who=_who(thing.team, thing.shared))


def _who(team: str, everybody: bool) -> str:
    if everybody:
        return _("everybody who signs in")
    return _("the team {team}").format(team=team) if team else _("nobody else")


def draw_damaged(
    found: Iterable[Damaged], thing: Thing, delete: Callable[[str], object] | None = None
) -> None:
    """Draw what is wrong with each, and with `delete` the button that deletes it."""
    for one in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(plain(error_words(one.problem)))
            if delete is not None and may_change(thing):
                st.button(
                    _("Delete it"),
                    key=f"damaged-{one.name}",
                    on_click=_delete,
                    args=(delete, one.name),
                )


def draw_damaged_jobs(settings: Settings) -> None:
    """Draw the jobs whose records cannot be read, of whatever kind they were."""
    queue = job_queue(settings)
    draw_damaged(queue.store.damaged(), "job", queue.remove)


def _delete(delete: Callable[[str], object], name: str) -> None:
    try:
        delete(name)
    except SubclustError as error:
        st.toast(plain(error_words(error)))


_MOST_SHOWN = 20


def draw_recently_deleted(settings: Settings, kind: Thing, among: str = "") -> None:
    """Draw what was deleted of a kind, of names that begin with `among`, to be restored."""
    if not may_change(kind):
        return
    told = st.session_state.pop(state.PUT_BACK + kind, None)
    if told is not None:
        sentence, is_done = told
        (st.success if is_done else st.warning)(plain(sentence))
    there = bin_of(settings)
    there.sweep()
    entries = [one for one in there.entries(kind) if one.name.startswith(among)][:_MOST_SHOWN]
    if not entries:
        return
    title = _("Recently deleted passages") if kind == "passages" else _("Recently deleted")
    with st.expander(title, key=f"deleted-{kind}"):
        st.caption(_("Deleted items can be restored for 30 days."))
        for entry in entries:
            with st.container(
                horizontal=True, vertical_alignment="center", key=f"deleted-{kind}-{entry.id}"
            ):
                st.markdown(f"**{plain(entry.title)}**  \n{plain(_when(entry.deleted))}")
                st.button(
                    _("Restore"),
                    key=f"put-back-{entry.id}",
                    on_click=_put_back,
                    args=(settings, kind, entry.id),
                )


def _when(deleted: float) -> str:
    return _("deleted {time}").format(time=moment(deleted))


def _put_back(settings: Settings, kind: Thing, id_: str) -> None:
    try:
        entry = put_back(settings, id_)
    except SubclustError as error:
        st.session_state[state.PUT_BACK + kind] = error_words(error), False
        return
    st.session_state[state.PUT_BACK + kind] = _("Restored {name}.").format(name=entry.title), True
