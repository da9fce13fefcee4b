"""What lies in the data folder and cannot be read, said where it would be listed."""

from collections.abc import Callable, Iterable

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.damaged import Damaged
from subclust.core.storage.disk import may_change
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.i18n.language import _


def draw_damaged(found: Iterable[Damaged], delete: Callable[[str], object] | None = None) -> None:
    """Draw what is wrong with each, and the button that deletes it.

    Parameters
    ----------
    found : iterable of Damaged
    delete : callable, optional
        Deletes the one of a name; without it there is no button.
    """
    for one in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(plain(error_words(one.problem)))
            if delete is not None and may_change():
                st.button(
                    _("Delete it"),
                    key=f"damaged-{one.name}",
                    on_click=_delete,
                    args=(delete, one.name),
                )


def draw_damaged_jobs(settings: Settings) -> None:
    """Draw the jobs whose records cannot be read, of whatever kind they were."""
    queue = job_queue(settings)
    draw_damaged(queue.store.damaged(), queue.remove)


def _delete(delete: Callable[[str], object], name: str) -> None:
    try:
        delete(name)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
