"""Dialogs behind buttons: they take the keyboard's focus, keep it, and give it back."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from subclust.ui import state

Focus = Literal["dialog", "field"]

# The browser moves the focus into a dialog, to the dialog itself. Where there is a field to fill
# in, whoever opened it wants to type at once.
_TO_FIELD = """
export default function () {
  const typed = ':is(input, textarea):not([type=checkbox], [type=radio], [type=file], [disabled])';
  // The dialog may open after this script has started: look for it for two seconds.
  let left = 40;
  const look = () => {
    const dialog = document.activeElement?.closest('[role=dialog]');
    const field = dialog?.querySelector(typed);
    if (dialog && dialog !== document.activeElement) return;
    if (field) { field.focus(); field.select(); }
    else if (left-- > 0) waiting = setTimeout(look, 50);
  };
  let waiting = setTimeout(look, 0);
  return () => clearTimeout(waiting);
}
"""


_to_field = st.components.v2.component("subclust_dialog_field", js=_TO_FIELD)


def dialog_button(
    label: str,
    draw: Callable[[], object],
    *,
    key: str,
    focus: Focus = "dialog",
    width: Literal["small", "medium", "large"] = "small",
    on_open: Callable[[], None] | None = None,
    changes_page: bool = False,
    **button: Any,
) -> None:
    """Draw a button that opens a dialog, without drawing the page behind it anew.

    Parameters
    ----------
    label : str
        Of the button.
    draw : callable
        Draws what is in the dialog; it is called anew after each change there. ``st.rerun()``
        closes the dialog and draws the page.
    key : str
        Of the button.
    focus : {"dialog", "field"}
        Where the focus goes: to the dialog, or to its first field, whose content is then selected.
    width : {"small", "medium", "large"}
    on_open : callable, optional
        Called before the dialog is drawn for the first time.
    changes_page : bool
        Whether the page is drawn anew when somebody leaves the dialog, which stays open while it
        changes what the page shows.
    **button
        What else `st.button` takes.
    """

    def draw_with_focus() -> None:
        # A callback cannot rerun the app: it leaves a note, and the next drawing closes the dialog.
        close_after(st.session_state.pop(state.DIALOG_DONE, False))
        draw()
        if focus == "field":
            with st.container(key="script-dialog"):
                _to_field(key="dialog-to-field")

    # As wide as the button: a fragment draws into a container that fills its place.
    with st.container(key=f"{key}-place", width="content"):
        _draw_button(label, draw_with_focus, key, width, on_open, changes_page, button)


def close_after(pressed: bool) -> None:
    """Close the dialog and draw the page anew, once a button of it has done its work."""
    if pressed:
        st.rerun()


def close_dialog() -> None:
    """Close the dialog from a callback; for a button that is gone once it has done its work."""
    st.session_state[state.DIALOG_DONE] = True


@st.fragment
def _draw_button(
    label: str,
    draw: Callable[[], object],
    key: str,
    width: Literal["small", "medium", "large"],
    on_open: Callable[[], None] | None,
    changes_page: bool,
    button: dict[str, Any],
) -> None:
    if st.button(label, key=key, on_click=on_open, **button):
        # A note that another dialog left behind would close this one at once.
        st.session_state.pop(state.DIALOG_DONE, None)
        left: Literal["ignore"] | Callable[[], None] = "ignore"
        if changes_page:
            left = partial(_leave, key)
        st.dialog(label, width=width, on_dismiss=left)(draw)()
    elif st.session_state.get(state.DIALOG_LEFT) == key:
        del st.session_state[state.DIALOG_LEFT]
        st.rerun()


def _leave(key: str) -> None:
    st.session_state[state.DIALOG_LEFT] = key
