"""How many groups? The curve that says which numbers come back, and the number it suggests."""

import pandas as pd
import streamlit as st

from subclust.core.records import StabilityCurve
from subclust.figures import stability_line
from subclust.pipeline.parts import stability_curve
from subclust.ui import state
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.session import change_view
from subclust.ui.components.theme import figure_theme
from subclust.ui.components.view import MAX_GROUPS
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, number


def draw_stable_count(found: Answer) -> None:
    """Draw what opens to the curve; it is computed once somebody opens it."""
    dialog_button(
        _("How many groups?"),
        lambda: _draw_curve(_curve(found), found.subtopics.n_clusters),
        key="how-many",
    )


def _draw_curve(curve: StabilityCurve, shown: int) -> None:
    if not curve.n_clusters:
        st.write(
            _("There is no curve: the method builds no tree of its groups, or there is too little.")
        )
        return
    st.write(_in_words(curve))
    if curve.suggested is not None:
        taken = st.button(
            _("Show {count} groups").format(count=curve.suggested),
            key="take-suggested",
            disabled=curve.suggested == shown,
            on_click=change_view,
            kwargs={"n_clusters": curve.suggested},
        )
        close_after(taken)
    st.plotly_chart(
        stability_line(curve, shown=shown, theme=figure_theme()),
        key="stability",
        theme=None,
        config={"displayModeBar": False},
        alt=_("How stable each number of groups is; the table below has the numbers."),
    )
    st.dataframe(
        pd.DataFrame(
            {
                _("Groups"): curve.n_clusters,
                _("Stability"): [number(value, 2) for value in curve.stability],
            }
        ),
        hide_index=True,
        height=180,
        alt=_("How stable each number of groups is"),
    )


def _in_words(curve: StabilityCurve) -> str:
    told = _(
        "Grouped again and again with a fifth of the passages left out, the groups come back more "
        "or less: 1 is always, 0 is by chance."
    )
    if curve.suggested is None:
        return told + " " + _("No number of groups is stable here.")
    return (
        told
        + " "
        + _("The most groups that are about as stable as any are {count}.").format(
            count=curve.suggested
        )
        + " "
        + _(
            "That is no advice: against labelled questions the automatic number comes nearer to "
            "the groups that people made."
        )
    )


def _curve(found: Answer) -> StabilityCurve:
    """Return the curve, computed once for as long as the tree is the same."""
    grounds = found.subtopics.grounds
    known = st.session_state.get(state.STABILITY_CURVE)
    if known is None or known[0] is not grounds:
        known = (grounds, stability_curve(grounds, max_k=MAX_GROUPS))
        st.session_state[state.STABILITY_CURVE] = known
    curve: StabilityCurve = known[1]
    return curve
