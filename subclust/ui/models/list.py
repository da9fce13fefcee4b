"""The models of a way of grouping, to choose one to look at, and to add one from a file."""

from collections.abc import Sequence

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.archive_upload import LARGEST_UPLOAD, import_upload
from subclust.checkpoints.summary import CheckpointSummary, summaries
from subclust.core.exceptions import SubclustError
from subclust.methods import METHODS
from subclust.ui.components.address import changed_on, to_show, write_address
from subclust.ui.components.error_words import error_words
from subclust.ui.components.read_only import changes
from subclust.ui.components.words import method_label
from subclust.ui.i18n.language import _
from subclust.ui.models.actions import say
from subclust.ui.models.words import in_markdown, short_facts, trained_methods

METHOD = "way"
MODEL = "model"
"""Of the address: which way of grouping, and which of its models, is looked at."""

_PAGE = "models"
_UPLOAD = "models-file"
_NAME = "models-file-name"
_UPLOADS = "models-uploads"


def draw_methods(store: CheckpointStore, default: str | None) -> str:
    """Draw the choice of a way of grouping, the recommended one first, and give its name.

    Raises
    ------
    CheckpointError
        If it cannot be told which models are in use.
    """
    # What is there for comparison only is listed once somebody has trained it.
    listed = (m for m in trained_methods() if not METHODS[m].comparison or store.names(m))
    methods = sorted(listed, key=lambda name: name != default)
    now = None
    if METHOD in st.session_state:
        way = st.session_state[METHOD]
        now = {METHOD: way, MODEL: st.session_state.get(model_key(way), "")}
    shown = to_show(_PAGE, (METHOD, MODEL), now)
    way = _way_of(shown[METHOD], methods)
    if st.session_state.get(METHOD) != way:
        st.session_state[METHOD] = way
    names = store.names(way)
    if names and shown[MODEL] not in names:
        shown[MODEL] = store.promoted(way)
    if names and st.session_state.get(model_key(way)) != shown[MODEL]:
        st.session_state[model_key(way)] = shown[MODEL]
    st.selectbox(
        _("Way of grouping"),
        methods,
        format_func=method_label,
        key=METHOD,
        on_change=changed_on,
        args=(_PAGE,),
        width=360,
    )
    st.html(f"<p class='sc-note'>{_(METHODS[way].summary)}</p>")
    return way


def model_key(method: str) -> str:
    """Name the widget that holds which of a method's models is looked at."""
    return f"model-of-{method}"


def draw_models(store: CheckpointStore, method: str) -> CheckpointSummary | None:
    """Draw the list of a method's models, and give the one to look at; None where there is none."""
    found = {one.name: one for one in summaries(store, method)}
    if not found:
        st.info(_("No model has been trained for this way of grouping yet."))
        write_address(_PAGE, {METHOD: method, MODEL: ""})
        return None
    with st.container(key="models"):
        name = st.radio(
            _("Models"),
            list(found),
            format_func=in_markdown,
            captions=[
                (f"**{_('In use')}** · " if one.promoted else "") + short_facts(one)
                for one in found.values()
            ],
            key=model_key(method),
            on_change=changed_on,
            args=(_PAGE,),
            help=_("Choose one to see where it comes from and how well it groups"),
            width="stretch",
        )
    write_address(_PAGE, {METHOD: method, MODEL: name})
    return found[name]


@changes
def draw_upload(store: CheckpointStore) -> None:
    """Draw the form that adds a model from a zip file."""
    with st.expander(_("Add a model from a file")), st.form("models-upload", border=False):
        st.caption(
            _(
                "A zip file that was downloaded here or on another Subclust. It is checked from "
                "end to end, and nothing in it is run."
            )
        )
        st.file_uploader(
            _("Zip file of a model"),
            type=["zip"],
            key=_upload_key(),
            max_upload_size=LARGEST_UPLOAD // 1024**2,
        )
        st.text_input(
            _("Name for it here"), key=_NAME, placeholder=_("the name it had"), max_chars=80
        )
        st.form_submit_button(_("Add this model"), on_click=_add, args=(store,))


def _add(store: CheckpointStore) -> None:
    upload = st.session_state.get(_upload_key())
    if upload is None:
        say(_("Choose a zip file of a model first."), good=False)
        return
    name = st.session_state.get(_NAME, "").strip() or None
    upload.seek(0)  # a file that was refused under one name may be added under another
    try:
        checkpoint = import_upload(store, upload, upload.name, set(METHODS), name=name)
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    # An empty field of another name takes its place, so that the file leaves the memory.
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1
    st.session_state[METHOD] = checkpoint.method
    st.session_state[model_key(checkpoint.method)] = checkpoint.name
    told = _("{model} was added; it does nothing until you use it.")
    say(told.format(model=checkpoint.name))


def _upload_key() -> str:
    return f"{_UPLOAD}-{st.session_state.get(_UPLOADS, 0)}"


def _way_of(asked: str, methods: Sequence[str]) -> str:
    """Return the way of grouping that an address names, by name or label; else the first."""
    return next((name for name in methods if asked in (name, method_label(name))), methods[0])
