"""Corrections that a method for themes can learn from, chosen by name."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.labelled.corrections import CorrectionStore, SavedCorrections
from subclust.themes.corrected import corrections_as_pairs, enough_pairs
from subclust.themes.offers import OFFERS
from subclust.ui.i18n.language import _

_CHOSEN = "themes-corrections"


def draw_corrections_choice(settings: Settings, library: str, method: str) -> str:
    """Draw which saved corrections of a library a method learns from, where it can.

    Returns
    -------
    str
        File of their pairs; empty where none are chosen.

    Raises
    ------
    InputError
        If the pairs cannot be written.
    """
    if not OFFERS[method].needs_labels:
        return ""
    there = _of_library(settings, library)
    if not there:
        return ""
    if not set(st.session_state.get(_CHOSEN, ())) <= set(there):
        st.session_state[_CHOSEN] = []
    names = st.multiselect(
        _("Learn from my corrections"),
        list(there),
        key=_CHOSEN,
        placeholder=_("None: from the labels of the texts"),
        help=_(
            "Texts that you put into one group belong together, and those of different groups do "
            "not. All other texts are grouped accordingly."
        ),
        width=560,
    )
    if not names:
        return ""
    return str(corrections_as_pairs([there[name] for name in names], settings.themes_dir))


def pairs_problem(path: str, passages: Sequence[Passage]) -> str | None:
    """Return why nothing can be learnt from the chosen corrections; None if it can."""
    if not path or enough_pairs(Path(path), passages):
        return None
    return _(
        "The chosen corrections say too little of these texts, or contradict each other; choose "
        "others, or a method that needs no labels."
    )


def _of_library(settings: Settings, library: str) -> dict[str, SavedCorrections]:
    saved = CorrectionStore(settings.corrections_dir).all()
    return {one.name: one for one in saved if one.basis.library == library}
