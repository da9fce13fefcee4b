"""Putting a model in use: what somebody should know before, and the reason."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.card import (
    is_number,
    judgement_of,
)
from subclust.checkpoints.promoting import (
    SHORTEST_REASON,
    promote_checkpoint,
    why_reason_needed,
)
from subclust.checkpoints.summary import CheckpointSummary
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.judging.other_questions import judge_on_other_questions
from subclust.judging.record import Judgement, Verdict
from subclust.pipeline.served import ServedModel, served_model
from subclust.text.encoders import Encoder
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.resources import check_usable, shared_encoder
from subclust.ui.components.words import error_words, method_label, plain
from subclust.ui.i18n.language import N_, _, _n, number

_ON_OTHERS: dict[Verdict, str] = {
    "better": N_("It also groups other questions better"),
    "worse": N_("It groups other questions worse"),
    "unclear": N_("No clear difference on other questions"),
}


def say(sentence: str, *, good: bool = True) -> None:
    """Have `draw_said` draw a sentence when the page is drawn the next time."""
    st.session_state[state.MODELS_SAID] = (sentence, good)


def draw_said() -> None:
    """Draw the result of the last action, once."""
    sentence, good = st.session_state.pop(state.MODELS_SAID, (None, True))
    if sentence:
        (st.success if good else st.warning)(plain(sentence))


def somebody_on(page: str) -> str:
    """Return what a history calls somebody who gave no name."""
    return f"somebody on the {page} page"


@changes("model")
def draw_use(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    """Draw the button that promotes a model: with a reason where it was not shown to be better."""
    if summary.default:
        return
    this = f"{summary.method}-{summary.name}"
    label = _("Recommend this model") if summary.promoted else _("Use this model")
    needed = why_reason_needed(store, summary.method, summary.name)
    dialog_button(
        label,
        lambda: _draw_use(store, settings, summary, needed),
        key=f"use-{this}",
        type="secondary" if summary.promoted else "primary",
    )


def _draw_use(
    store: CheckpointStore, settings: Settings, summary: CheckpointSummary, needed: str | None
) -> None:
    this = f"{summary.method}-{summary.name}"
    draw_consequences(store, summary.method, summary.name)
    if needed:
        st.markdown(plain(_doubt(summary, needed)))
    elsewhere = st.container()
    with st.form(f"use-form-{this}", border=False):
        reason = _("Why use it anyway?") if needed else _("Why? (optional)")
        least = _("At least {count} characters").format(count=SHORTEST_REASON)
        st.text_area(
            reason,
            key=f"reason-{this}",
            max_chars=500,
            height=80,
            placeholder=least if needed else None,
            help=_("Stored in the history, for your colleagues"),
        )
        st.text_input(_("Your name (optional)"), key=f"who-{this}", max_chars=80)
        st.checkbox(
            _("Also recommend {method} to everybody").format(method=method_label(summary.method)),
            value=summary.promoted,
            key=f"as-default-{this}",
            disabled=summary.promoted,
            help=_("Explore then uses this method unless another is chosen"),
        )
        used = st.form_submit_button(
            _("Use {model} from now on").format(model=plain(summary.name)),
            type="primary",
            on_click=_use,
            args=(store, settings, summary.method, summary.name),
        )
    if used and not st.session_state.get(state.MODELS_SAID, ("", True))[1]:
        draw_said()  # the fields keep their text
    else:
        close_after(used)
    with elsewhere:
        draw_other_questions(store, settings, summary.method, summary.name)


def _use(store: CheckpointStore, settings: Settings, method: str, name: str) -> None:
    def given(what: str) -> str:
        return str(st.session_state.get(f"{what}-{method}-{name}") or "").strip()

    as_default = bool(st.session_state.get(f"as-default-{method}-{name}"))
    try:
        # A model that cannot be loaded would end every search of its method.
        check_usable(settings, method, name)
        promote_checkpoint(
            store,
            method,
            name,
            as_default=as_default,
            who=given("who") or somebody_on("Models"),
            reason=given("reason"),
        )
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    told = (
        _("{model} is now in use, and {method} is recommended.")
        if as_default
        else _("{model} is now in use.")
    )
    say(told.format(model=name, method=method_label(method)))


def _doubt(summary: CheckpointSummary, needed: str) -> str:
    """Return shortly why a reason is needed, where the verdict stands beside it."""
    match summary.judgement.get("verdict"):
        case "worse":
            return _("It groups held-out questions worse than the previous model.")
        case "unclear":
            return _(
                "Held-out questions do not show that it groups better than the previous model."
            )
    return error_words(needed)


def draw_consequences(store: CheckpointStore, method: str, name: str) -> None:
    """Draw for whom a model would be used, and on how many queries its verdict rests."""
    before = store.promoted(method)
    if before == name:
        return
    told = _("{model} will group the searches of all visitors with {method}, in place of {before}.")
    st.markdown(plain(told.format(method=method_label(method), model=name, before=before)))
    if rests := _rests_on(judgement_of(store.card(method, name))):
        st.markdown(plain(rests))


def _rests_on(judgement: Mapping[str, Any]) -> str | None:
    """Return on how many queries a verdict rests, None where there is none."""
    queries = judgement.get("n_queries")
    if not judgement.get("verdict") or not is_number(queries):
        return None
    return _n(
        "The verdict rests on {count} question like those it was trained on.",
        "The verdict rests on {count} questions like those it was trained on.",
        int(queries),
    )


def draw_other_questions(
    store: CheckpointStore, settings: Settings, method: str, name: str
) -> None:
    """Draw how a model and the one in use group other questions.

    The first measurement takes long, so draw everything else before.
    """
    before = store.promoted(method)
    if before == name:
        return
    try:
        encoder = shared_encoder(settings)
        with st.spinner(_("Testing both models on questions that came with Subclust …")):
            found = _judged(
                served_model(settings, method, name),
                served_model(settings, method, before),
                str(settings.models_dir),
                encoder.revision,
                settings,
                store,
                encoder,
            )
    except SubclustError as error:
        told = _("It could not be measured on other questions: {reason}")
        st.caption(plain(told.format(reason=error_words(error))))
        return
    st.markdown(plain(_other_questions_sentence(found)))


def _other_questions_sentence(found: Judgement) -> str:
    """Return what two models scored on the questions shipped with Subclust."""
    new, base = found.methods[:2]
    told = _(
        "{verdict} (ARI {ari} of {model}, {other} of {before}, on {articles} that came with "
        "Subclust)."
    )
    return told.format(
        verdict=_(_ON_OTHERS[found.verdict]),
        ari=number(new.means["ari"] or 0.0, 3),
        model=new.name.rpartition("/")[2],
        other=number(base.means["ari"] or 0.0, 3),
        before=base.name.rpartition("/")[2],
        articles=_n("{count} article", "{count} articles", found.n_queries),
    )


# Keyed on what both names stand for; Streamlit ignores the arguments with an underscore.
@st.cache_data(max_entries=64, show_spinner=False)
def _judged(
    new: ServedModel,
    before: ServedModel,
    models_folder: str,
    encoder_revision: str,
    _settings: Settings,
    _store: CheckpointStore,
    _encoder: Encoder,
) -> Judgement:
    return judge_on_other_questions(
        f"{new.method}/{new.checkpoint}",
        f"{before.method}/{before.checkpoint}",
        _settings,
        _store,
        _encoder,
    )
