"""What somebody should know before a model is used for everybody."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.judged import is_number, judgement_of
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.judging.other_questions import judge_on_other_questions
from subclust.judging.record import Judgement, Verdict
from subclust.text.encoders import Encoder
from subclust.ui.components.error_words import error_words
from subclust.ui.components.resources import ServedModel, served_model, shared_encoder
from subclust.ui.components.words import method_label
from subclust.ui.i18n.language import N_, _, _n, number
from subclust.ui.models.html import sentence_html

_ON_OTHERS: dict[Verdict, str] = {
    "better": N_("Other questions are grouped better too"),
    "worse": N_("Other questions are grouped worse"),
    "unclear": N_("On other questions no clear difference shows"),
}


def draw_consequences(store: CheckpointStore, method: str, name: str) -> None:
    """Draw for whom another model would be used, and on how many queries its verdict rests."""
    before = store.promoted(method)
    if before == name:
        return
    told = _(
        "{model} will group every visitor's searches with {method} from then on, in place of "
        "{before}."
    )
    st.html(sentence_html(told.format(method=method_label(method), model=name, before=before)))
    if rests := rests_on(judgement_of(store.card(method, name))):
        st.html(sentence_html(rests))


def rests_on(judgement: Mapping[str, Any]) -> str | None:
    """Say on how many queries a verdict rests; None where there is none."""
    queries = judgement.get("n_queries")
    if not judgement.get("verdict") or not is_number(queries):
        return None
    return _n(
        "The verdict on it rests on {count} query like those that it was trained on.",
        "The verdict on it rests on {count} queries like those that it was trained on.",
        int(queries),
    )


def draw_other_questions(
    store: CheckpointStore, settings: Settings, method: str, name: str
) -> None:
    """Draw how a model and the one in use group other questions; measured the first time.

    That takes a while, so what is to be there at once is drawn before it.
    """
    before = store.promoted(method)
    if before == name:
        return
    try:
        encoder = shared_encoder(settings)
        with st.spinner(_("Both models are tried on questions that came with Subclust …")):
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
        told = _("How it groups other questions could not be measured: {reason}")
        st.html(sentence_html(told.format(reason=error_words(error)), "sc-note"))
        return
    st.html(sentence_html(other_questions_sentence(found)))


def other_questions_sentence(found: Judgement) -> str:
    """Return what two models scored on the questions that came with Subclust."""
    new, base = found.methods[:2]
    told = _(
        "{verdict} (ARI {ari} of {model} against {other} of {before}, on {articles} that came with "
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


# Keyed on what stands behind both names; the arguments with an underscore are not looked at.


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
