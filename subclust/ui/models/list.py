"""The models of a method: the one in use, their list, and what can be done with one."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore
from subclust.checkpoints.archive import LARGEST_UPLOAD, export_checkpoint, import_upload
from subclust.checkpoints.card import (
    VERDICTS,
    is_number,
    judged_methods,
)
from subclust.checkpoints.promotions import Promotion
from subclust.checkpoints.summary import CheckpointSummary, summaries
from subclust.core.access import may_change
from subclust.core.exceptions import CheckpointError, SubclustError
from subclust.core.settings import Settings
from subclust.deleting import models_needed
from subclust.deleting.removal import delete_model
from subclust.methods import METHODS
from subclust.ui import state
from subclust.ui.components.address import changed_on, to_show, write_address
from subclust.ui.components.data_folder import changes, draw_read_only
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.words import error_words, method_label, moment, plain
from subclust.ui.i18n.language import _, _n, file_size, number
from subclust.ui.models.facts import (
    model_label,
    origin,
    sentence_case,
    trained_methods,
)
from subclust.ui.models.use import draw_use, say, somebody_on

METHOD = "way"


MODEL = "model"
"""Of the address: the method and the model that are shown."""


_PAGE = "models"


def draw_methods(store: CheckpointStore, default: str | None) -> str:
    """Draw the choice of a method, the recommended one first, and return its name."""
    # Methods for comparison only are listed once somebody has trained them.
    listed = (m for m in trained_methods() if not METHODS[m].comparison or store.names(m))
    methods = sorted(listed, key=lambda name: name != default)
    now = None
    if METHOD in st.session_state:
        way = st.session_state[METHOD]
        now = {METHOD: way, MODEL: st.session_state.get(_model_key(way), "")}
    shown = to_show(_PAGE, (METHOD, MODEL), now)
    way = _way_of(shown[METHOD], methods)
    if st.session_state.get(METHOD) != way:
        st.session_state[METHOD] = way
    names = store.names(way)
    if names and shown[MODEL] not in names:
        shown[MODEL] = store.promoted(way)
    if names and st.session_state.get(_model_key(way)) != shown[MODEL]:
        st.session_state[_model_key(way)] = shown[MODEL]
    st.selectbox(
        _("Method"),
        methods,
        format_func=method_label,
        key=METHOD,
        on_change=changed_on,
        args=(_PAGE,),
        width=360,
    )
    st.caption(_(METHODS[way].summary))
    return way


def _way_of(asked: str, methods: Sequence[str]) -> str:
    """Return the method that an address names, by name or label; else the first."""
    return next((name for name in methods if asked in (name, method_label(name))), methods[0])


def _model_key(method: str) -> str:
    """Return the key of the choice of a method's models."""
    return f"model-of-{method}"


def draw_in_use(store: CheckpointStore, method: str, name: str, *, default: bool) -> None:
    """Draw which model a method uses, since when and why, and the buttons to roll back."""
    current = store.current(method)
    promotion = None if current is None else store.history(method, undone=True)[current]
    label = method_label(method)
    with st.container(border=True, key="in-use"):
        with st.container(horizontal=True, vertical_alignment="center"):
            told = (
                _("The Explore page uses the method **{method}** with its model **{model}**.")
                if default
                else _("The method **{method}** uses the model **{model}**.")
            )
            st.markdown(told.format(method=label, model=plain(name)), width="stretch")
            if may_change("model") and (earlier := store.earlier(method)):
                st.button(
                    _("Roll back to {model}").format(model=plain(earlier)),
                    key="models-back",
                    on_click=_go_back,
                    args=(store, method),
                    help=_("Uses {model} again; nothing is deleted").format(model=plain(earlier)),
                )
            if may_change("model") and default and (before := store.earlier(DEFAULT_METHOD)):
                st.button(
                    _("Recommend {method} again").format(method=method_label(before)),
                    key="models-default-back",
                    on_click=_go_back,
                    args=(store, DEFAULT_METHOD),
                )
        st.caption(plain(_in_use_sentence(name, promotion)))
        draw_read_only("model")


def draw_next(store: CheckpointStore, method: str) -> None:
    """Draw the one decision that is open: a better model that waits, else training one."""
    waiting = [
        one
        for one in summaries(store, method)
        if not one.promoted and not one.shipped and one.judgement.get("verdict") == "better"
    ]
    with st.container(horizontal=True, vertical_alignment="center", key="models-next"):
        if waiting:
            newest = max(waiting, key=lambda one: one.created or "")
            told = _("**{model}** groups better than the model it was compared with. Use it?")
            st.markdown(told.format(model=plain(newest.name)), width="content")
            st.button(
                _("Look at {model}").format(model=plain(newest.name)),
                key="models-next-look",
                on_click=_show_model,
                args=(method, newest.name),
            )
            return
        told = _("A model can learn how you would group passages, from your own examples.")
        st.markdown(told, width="content")
        if st.button(_("Train a model"), key="models-next-train"):
            st.switch_page("pages/train.py")


def _show_model(method: str, name: str) -> None:
    st.session_state[_model_key(method)] = name
    changed_on(_PAGE)


def _in_use_sentence(name: str, promotion: Promotion | None) -> str:
    """Return since when a model is in use, by whom and why, as far as known."""
    if promotion is None or promotion.name != name or promotion.when is None:
        return _("In use from the start.")
    told = {
        (True, True): _("In use since {day}, chosen by {who}. Reason: {why}"),
        (True, False): _("In use since {day}, chosen by {who}."),
        (False, True): _("In use since {day}. Reason: {why}"),
        (False, False): _("In use since {day}."),
    }[bool(promotion.who), bool(promotion.why)]
    when = moment(promotion.when)
    return told.format(day=when, who=promotion.who, why=promotion.why)


def _go_back(store: CheckpointStore, method: str) -> None:
    try:
        name = store.roll_back(method, who=somebody_on("Models"))
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    if method == DEFAULT_METHOD:
        st.session_state[METHOD] = name
        told = _("{method} is the recommended method again.")
        say(told.format(method=method_label(name)))
        return
    st.session_state[_model_key(method)] = name
    say(_("{model} is in use again.").format(model=name))


def draw_models(store: CheckpointStore, method: str) -> CheckpointSummary | None:
    """Draw the list of a method's models, and return the chosen one; None where there is none."""
    found = {one.name: one for one in summaries(store, method)}
    if not found:
        st.info(_("This method has no models yet. Train one, or add one from a file."))
        write_address(_PAGE, {METHOD: method, MODEL: ""})
        return None
    with st.container(key="models"):
        name = st.radio(
            _("Models"),
            list(found),
            format_func=plain,
            captions=[
                (f"**{_('In use')}** · " if one.promoted else "") + _short_facts(one)
                for one in found.values()
            ],
            key=_model_key(method),
            on_change=changed_on,
            args=(_PAGE,),
            help=_("Select one to see its origin and how well it groups"),
            width="stretch",
        )
    write_address(_PAGE, {METHOD: method, MODEL: name})
    return found[name]


def _short_facts(summary: CheckpointSummary) -> str:
    """Return a model in a line; scores stand together only if measured on the same queries."""
    parts = [plain(sentence_case(origin(summary)))]
    if verdict := summary.judgement.get("verdict"):
        told = VERDICTS.get(str(verdict), plain(str(verdict)))
        parts.append(_("judged: {verdict}").format(verdict=_(told)))
    parts += filter(None, [_judged_beside(summary) or _measured_alone(summary)])
    return " · ".join(parts)


def _judged_beside(summary: CheckpointSummary) -> str | None:
    """Return a model's score and that of the previous one on the same queries, if known."""
    rows = judged_methods(summary.judgement)[:2]  # the model, and what it was compared with
    queries = summary.judgement.get("n_queries")
    if len(rows) < 2 or not is_number(queries) or any(row["ari"] is None for row in rows):
        return None
    mine, other = rows
    return _n(
        "ARI {{ari}} against {{other}} for {{model}}, on the same question",
        "ARI {{ari}} against {{other}} for {{model}}, on the same {count} questions",
        int(queries),
    ).format(
        ari=number(mine["ari"], 3),
        other=number(other["ari"], 3),
        model=plain(model_label(other["name"])),
    )


def _measured_alone(summary: CheckpointSummary) -> str | None:
    """Return a model's score on the validation queries of its own training."""
    ari, queries = (summary.scores.get(f"validation_{what}") for what in ("ari", "queries"))
    if not is_number(ari):
        return None
    if not is_number(queries):
        return _("ARI {ari} on its validation questions").format(ari=number(ari, 3))
    return _n(
        "ARI {{ari}} on {count} validation question",
        "ARI {{ari}} on {count} validation questions",
        int(queries),
    ).format(ari=number(ari, 3))


@changes("model")
def draw_upload(store: CheckpointStore) -> None:
    """Draw the form that adds a model from a zip file."""
    with st.expander(_("Add a model from a file")), st.form("models-upload", border=False):
        st.caption(
            _(
                "A zip file that was downloaded from this or another Subclust. It is checked "
                "completely, and nothing in it is run."
            )
        )
        st.file_uploader(
            _("Zip file of a model"),
            type=["zip"],
            key=_upload_key(),
            max_upload_size=LARGEST_UPLOAD // 1024**2,
        )
        st.text_input(
            _("Name"), key=state.MODEL_FILE_NAME, placeholder=_("the name it had"), max_chars=80
        )
        st.form_submit_button(_("Add this model"), on_click=_add, args=(store,))


def _upload_key() -> str:
    return f"{state.MODEL_FILE}-{st.session_state.get(state.MODEL_UPLOADS, 0)}"


def _add(store: CheckpointStore) -> None:
    upload = st.session_state.get(_upload_key())
    if upload is None:
        say(_("Choose a zip file of a model first."), good=False)
        return
    name = st.session_state.get(state.MODEL_FILE_NAME, "").strip() or None
    upload.seek(0)  # a file that was rejected under one name may be added under another
    try:
        checkpoint = import_upload(store, upload, upload.name, set(METHODS), name=name)
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    # A new, empty field frees the memory of the file.
    st.session_state[state.MODEL_UPLOADS] = st.session_state.get(state.MODEL_UPLOADS, 0) + 1
    st.session_state[METHOD] = checkpoint.method
    st.session_state[_model_key(checkpoint.method)] = checkpoint.name
    told = _("{model} was added. It is not in use yet.")
    say(told.format(model=checkpoint.name))


def draw_actions(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    """Draw what can be done with a model."""
    with st.container(horizontal=True, key="model-actions"):
        draw_use(store, settings, summary)
        st.download_button(
            _("Download"),
            lambda: _zipped(store, summary),
            file_name=f"{summary.method}-{summary.name}.zip",
            mime="application/zip",
            on_click="ignore",
            key="model-download",
            help=_("A zip file with checksums, which another Subclust can import"),
        )
        _draw_delete(store, settings, summary)


@changes("model")
def _draw_delete(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    method, name = summary.method, summary.name
    dialog_button(
        _("Delete"),
        lambda: _ask_to_delete(store, settings, summary),
        key=f"delete-{method}-{name}",
    )


def _ask_to_delete(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    method, name = summary.method, summary.name
    if reason := store.protected(method, name, models_needed(settings)):
        told = _("This model cannot be deleted: {reason}")
        st.markdown(plain(told.format(reason=reason)))
        return
    told = _(
        "This deletes {model} ({size}). You can restore it for 30 days, under “Recently deleted”."
    )
    st.markdown(plain(told.format(model=name, size=file_size(summary.size))))
    st.button(
        _("Delete {model}").format(model=plain(name)),
        key=f"delete-now-{method}-{name}",
        on_click=_delete,
        args=(settings, method, name),
    )


def _delete(settings: Settings, method: str, name: str) -> None:
    close_dialog()
    try:
        delete_model(settings, method, name)
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    say(_("{model} was deleted.").format(model=name))


def _zipped(store: CheckpointStore, summary: CheckpointSummary) -> bytes:
    with tempfile.TemporaryDirectory(prefix="subclust-") as work:
        path = Path(work) / "model.zip"
        try:
            export_checkpoint(store, summary.method, summary.name, path)
        except CheckpointError as error:
            # A download happens outside of any run: only the file itself can show the error.
            return f"{error}\n".encode()
        return path.read_bytes()
