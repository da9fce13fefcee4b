"""What was deleted in the last seven days, and putting it back."""

from typing import Literal

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of, put_back
from subclust.ui import state
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes
from subclust.ui.components.times import moment
from subclust.ui.i18n.language import _

Kind = Literal["library", "model", "set", "session", "corrections", "passages"]

_MOST_SHOWN = 20


@changes
def draw_recently_deleted(settings: Settings, kind: Kind, among: str = "") -> None:
    """Offer to put back what was deleted of a kind; nothing is drawn where there is none.

    Parameters
    ----------
    settings : Settings
    kind : {"library", "model", "set", "session", "corrections", "passages"}
    among : str
        How the names begin that count.
    """
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
        st.caption(_("What is deleted can be put back for seven days."))
        for entry in entries:
            with st.container(
                horizontal=True, vertical_alignment="center", key=f"deleted-{kind}-{entry.id}"
            ):
                st.markdown(f"**{plain(entry.title)}**  \n{plain(_when(entry.deleted))}")
                st.button(
                    _("Put it back"),
                    key=f"put-back-{entry.id}",
                    on_click=_put_back,
                    args=(settings, kind, entry.id),
                )


def _when(deleted: float) -> str:
    return _("deleted {time}").format(time=moment(deleted))


def _put_back(settings: Settings, kind: Kind, id_: str) -> None:
    try:
        entry = put_back(settings, id_)
    except SubclustError as error:
        st.session_state[state.PUT_BACK + kind] = error_words(error), False
        return
    st.session_state[state.PUT_BACK + kind] = _("{name} is back.").format(name=entry.title), True
