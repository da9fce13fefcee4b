"""What a preview guessed of a file, and the menus that correct it: its encoding, its columns."""

import streamlit as st

from subclust.text.ingest.uploads import ReceivedFile
from subclust.text.sources.decoding import Decoding
from subclust.text.sources.encodings import ENCODINGS
from subclust.ui.i18n.language import _, said


def chosen_encoding(file: ReceivedFile) -> str | None:
    """Return the encoding that the visitor chose for a file; None where it is as detected."""
    chosen = st.session_state.get(_encoding_key(file))
    return str(chosen) if chosen else None


def draw_encoding(file: ReceivedFile, decoding: Decoding | None) -> None:
    """Draw in which encoding a file was read, with lines that show it, and a menu of others.

    Nothing is drawn of a file that is UTF-8 throughout, as most are.
    """
    chosen = chosen_encoding(file)
    if decoding is None or not (decoding.is_assumed or chosen):
        return
    with st.container(key=f"library-letters-{file.path.parent.name}"):
        st.selectbox(
            _("Encoding"),
            [None, *ENCODINGS],
            key=_encoding_key(file),
            format_func=lambda name: _shown(name, decoding, chosen),
            help=_("Choose another one if letters in these lines are wrong."),
            width=320,
        )
        if decoding.samples:
            st.code("\n".join(decoding.samples), language=None)


def _shown(name: str | None, decoding: Decoding, chosen: str | None) -> str:
    if name is not None:
        return ENCODINGS[name].label
    if chosen:
        return _("as detected")
    return _("{encoding} (detected)").format(encoding=said(decoding.label))


def _encoding_key(file: ReceivedFile) -> str:
    return f"library-encoding-{file.path.parent.name}"
