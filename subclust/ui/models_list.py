"""The models of a way of grouping, to choose one to look at, and to add one from a file."""

import tempfile
from pathlib import Path

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.archive import import_checkpoint
from subclust.checkpoints.summary import CheckpointSummary, summaries
from subclust.exceptions import SubclustError
from subclust.methods import METHODS
from subclust.ui.models_actions import say
from subclust.ui.models_words import in_markdown, short_facts, trained_methods
from subclust.ui.words import method_label

METHOD = "way"
_UPLOAD = "models-file"
_NAME = "models-file-name"
_LARGEST_UPLOAD = 500  # MB, which the browser's page holds in memory


def draw_methods(default: str | None) -> str:
    """Draw the choice of a way of grouping, and give its name."""
    methods = trained_methods()
    method = st.selectbox(
        "Way of grouping",
        methods,
        index=methods.index(default) if default in methods else 0,
        format_func=method_label,
        key=METHOD,
        bind="query-params",
        width=360,
    )
    st.html(f"<p class='sc-note'>{METHODS[method].summary}</p>")
    return method


def draw_models(store: CheckpointStore, method: str) -> CheckpointSummary | None:
    """Draw the list of a method's models, and give the one to look at; None where there is none."""
    found = {one.name: one for one in summaries(store, method)}
    if not found:
        st.info("No model has been trained for this way of grouping yet.")
        return None
    key = f"model-of-{method}"
    if st.session_state.get(key) not in found:
        st.session_state[key] = store.promoted(method)
    with st.container(key="models"):
        name = st.radio(
            "Models",
            list(found),
            format_func=in_markdown,
            captions=[
                ("**In use** · " if one.promoted else "") + short_facts(one)
                for one in found.values()
            ],
            key=key,
            help="Choose one to see where it comes from and how well it groups",
            width="stretch",
        )
    return found[name]


def draw_upload(store: CheckpointStore) -> None:
    """Draw the form that adds a model from a zip file."""
    with st.expander("Add a model from a file"), st.form("models-upload", border=False):
        st.caption(
            "A zip file that was downloaded here or on another Subclust. It is checked from end to "
            "end, and nothing in it is run."
        )
        st.file_uploader(
            "Zip file of a model", type=["zip"], key=_UPLOAD, max_upload_size=_LARGEST_UPLOAD
        )
        st.text_input("Name for it here", key=_NAME, placeholder="the name it had", max_chars=80)
        st.form_submit_button("Add this model", on_click=_add, args=(store,))


def _add(store: CheckpointStore) -> None:
    upload = st.session_state.get(_UPLOAD)
    if upload is None:
        say("Choose a zip file of a model first.", good=False)
        return
    with tempfile.TemporaryDirectory(prefix="subclust-") as work:
        path = Path(work) / "upload.zip"
        path.write_bytes(upload.getbuffer())
        try:
            checkpoint = import_checkpoint(
                store,
                path,
                set(METHODS),
                name=st.session_state.get(_NAME, "").strip() or None,
                shown_name=upload.name,
            )
        except SubclustError as error:
            say(str(error), good=False)
            return
    st.session_state[METHOD] = checkpoint.method
    st.session_state[f"model-of-{checkpoint.method}"] = checkpoint.name
    say(f"{checkpoint.name} was added; it does nothing until you use it.")
