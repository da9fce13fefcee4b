"""The parts of the Models page that tell: the card, the comparison and the history."""

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.compare import compare_checkpoints
from subclust.checkpoints.summary import CheckpointSummary
from subclust.ui.i18n.language import N_, _
from subclust.ui.models.html import (
    card_html,
    comparison_html,
    heading_html,
    history_html,
    sentence_html,
    settings_html,
)
from subclust.ui.models.words import model_label, quality_sentence, trained_methods

_NOT_COMPARABLE = N_(
    "These two were not measured on the same held-out queries, so their scores do not say which is "
    "better. A model that is trained here is compared with the one before on the same queries."
)


def draw_heading(summary: CheckpointSummary) -> None:
    """Draw a model's name, what it is now, and how well it groups in a sentence."""
    st.html(heading_html(summary))
    st.html(sentence_html(quality_sentence(summary)))


def draw_card(store: CheckpointStore, summary: CheckpointSummary) -> None:
    """Draw a model's card."""
    card = store.card(summary.method, summary.name)
    st.html(card_html(summary, card))
    with st.expander(_("Every setting of its training")):
        st.html(settings_html(store.config(summary.method, summary.name), card))


def draw_comparison(store: CheckpointStore, summary: CheckpointSummary) -> None:
    """Draw a model beside another one: scores, and where they differ."""
    others = [
        f"{method}/{name}"
        for method in (summary.method, *(m for m in trained_methods() if m != summary.method))
        for name in store.names(method)
        if (method, name) != (summary.method, summary.name)
    ]
    if not others:
        st.caption(_("There is no other model to compare it with yet."))
        return
    in_use = f"{summary.method}/{store.promoted(summary.method)}"
    first = next((one for one in (summary.parent, in_use) if one in others), others[0])
    other = st.selectbox(
        _("Compare with"),
        others,
        index=others.index(first),
        format_func=model_label,
        key=f"compare-{summary.address}",
        width=360,
    )
    method, _slash, name = other.partition("/")
    found = compare_checkpoints(store, (method, name), (summary.method, summary.name))
    if found["judged"] is not None:
        told = _("Both were measured on {data}.")
        st.caption(told.format(data=found["judged"]["measured_on"]))
        found["scores"] = found["judged"]["scores"]
    elif not found["same_data"]:
        st.info(_(_NOT_COMPARABLE))
        found["scores"] = [{**row, "difference": None} for row in found["scores"]]
    st.html(comparison_html(found))


def draw_history(store: CheckpointStore, method: str) -> None:
    """Draw who put which of a method's models in use, when and why."""
    history = store.history(method, undone=True)
    if not history:
        st.caption(_("Nobody has chosen a model of this way of grouping yet."))
        return
    st.html(history_html(history, store.current(method)))
