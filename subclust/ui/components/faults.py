"""What a page says where the disk or memory fails while it is drawn, or while it does something."""

import streamlit as st

from subclust.core.storage.faults import fault_of


def show_fault(error: Exception) -> bool:
    """Draw in a sentence what went wrong outside of the program.

    Streamlit calls it for whatever the script, a part of it or a callback did not catch; the log
    has the error by then.

    Returns
    -------
    bool
        Whether there was anything to say; if not, Streamlit says that something went wrong.
    """
    fault = fault_of(error)
    if fault is None:
        return False
    # The server's first page does not wait for it.
    from subclust.ui.components.words import error_words, plain

    st.error(plain(error_words(fault)))
    return True
