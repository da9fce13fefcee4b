"""Taking a trained model into use: offered when it is better, otherwise only with a reason."""

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.promoting import (
    SHORTEST_REASON,
    promote_checkpoint,
    why_reason_needed,
)
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.changes import may_change
from subclust.jobs.view import JobView
from subclust.judging.record import Judgement
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.resources import check_usable, default_method
from subclust.ui.components.session import link_params
from subclust.ui.components.words import method_label
from subclust.ui.i18n.language import _
from subclust.ui.models.list import METHOD, MODEL
from subclust.ui.models.use import draw_consequences, draw_other_questions
from subclust.ui.models.words import in_markdown, somebody_on
from subclust.ui.train.run_words import model_of

_FAILED = "train-not-promoted"


def draw_promote(settings: Settings, view: JobView, judgement: Judgement | None) -> None:
    """Draw the button that takes a run's model into use, or say that it is in use.

    Raises
    ------
    SubclustError
        If the models cannot be read.
    """
    model = model_of(view)
    if model is None:
        return
    method, name = model
    store = CheckpointStore.of(settings)
    if not may_change() and store.promoted(method) != name:
        return
    st.html(f"<h3 class='sc-part'>{_('Use it?')}</h3>")
    card = store.card(method, name) if name in store.names(method) else {}
    if not is_of(card, view):
        told = html.escape(_("This model has been deleted or replaced since."))
        st.html(f"<p class='sc-said'>{told}</p>")
        return
    recommended = default_method(settings)
    if store.promoted(method) == name:
        draw_in_use(method, name, recommended)
        return
    needed = why_reason_needed(store, method, name)
    if needed is not None:
        said = needed if judgement is None else _("It has not been shown to group better.")
        why = _("You can still use it, if you say why; the reason is kept with the model.")
        st.html(f"<p class='sc-said'>{html.escape(said)} {html.escape(why)}</p>")
    _draw_failed()
    dialog_button(
        _("Use this model") if needed is None else _("Use this model all the same"),
        lambda: _ask(settings, view, method, name, needed),
        key=f"promote-{view.job.id}",
        type="primary" if needed is None else "secondary",
        focus="dialog" if needed is None else "field",
    )


def _ask(settings: Settings, view: JobView, method: str, name: str, needed: str | None) -> None:
    """Draw, in a dialog, what using the model changes, and the button that does it."""
    store, recommended = CheckpointStore.of(settings), default_method(settings)
    draw_consequences(store, method, name)
    elsewhere = st.container()
    if needed is not None:
        st.text_area(
            _("Why do you want to use it all the same?"),
            key=f"promote-reason-{view.job.id}",
            height=80,
            max_chars=500,
            placeholder=_("For instance: it divides our own reports the way our readers expect"),
            help=_("At least {count} characters").format(count=SHORTEST_REASON),
        )
    if recommended != method:
        st.checkbox(
            _("Also make {method} the recommended method in Explore").format(
                method=method_label(method)
            ),
            key=f"promote-default-{view.job.id}",
            help=_("Now it is {method}.").format(method=method_label(recommended))
            if recommended
            else None,
        )
    used = st.button(
        _("Use {model} from now on").format(model=in_markdown(name)),
        key=f"promote-now-{view.job.id}",
        type="primary",
        on_click=_promote,
        args=(settings, method, name, view.job.id),
    )
    close_after(used and not _draw_failed())
    with elsewhere:
        draw_other_questions(store, settings, method, name)


def _draw_failed() -> bool:
    sentence = st.session_state.pop(_FAILED, None)
    if sentence:
        st.error(sentence)
    return bool(sentence)


def is_of(card: Mapping[str, Any], view: JobView) -> bool:
    """Return whether a card is that of the model which a run has made, as far as the card says."""
    made_by = card.get("job")
    return bool(card) and (not isinstance(made_by, Mapping) or made_by.get("id") == view.job.id)


def draw_in_use(method: str, name: str, recommended: str | None) -> None:
    """Say that a model is in use, and lead to it."""
    label = method_label(method)
    told = _("In use: searches with {method} group with {model} now.")
    st.html(f"<p class='sc-said'>{html.escape(told.format(method=label, model=name))}</p>")
    params = link_params(method="default" if method == recommended else method)
    at_models = {METHOD: method, MODEL: name}
    with st.container(horizontal=True):
        st.page_link("pages/explore.py", label=_("Search with it"), query_params=params)
        st.page_link(
            "pages/models.py",
            label=_("See it among the models, or go back"),
            query_params=at_models,
        )


def _promote(settings: Settings, method: str, name: str, job: str) -> None:
    asked = st.session_state  # What was typed or ticked since the button was drawn counts, too.
    try:
        check_usable(settings, method, name)
        promote_checkpoint(
            CheckpointStore.of(settings),
            method,
            name,
            as_default=asked.get(f"promote-default-{job}", False),
            who=somebody_on("Train"),
            reason=asked.get(f"promote-reason-{job}") or None,
        )
    except SubclustError as error:
        st.session_state[_FAILED] = error_words(error)
