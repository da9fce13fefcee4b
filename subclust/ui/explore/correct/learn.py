"""From saved corrections to a labelled set: taken along, or trained on."""

import html
import io
from collections.abc import Sequence

import streamlit as st

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.settings import Settings
from subclust.labelled.corrections import (
    SavedCorrections,
    TrainingSet,
    as_csv,
    as_json_lines,
    contradictions,
    pairs_as_csv,
    training_set,
    undisputed_pairs,
)
from subclust.labelled.sets import LabelledSet, LabelledSetStore
from subclust.ui import state
from subclust.ui.components.address import changed_on
from subclust.ui.components.error_words import error_words
from subclust.ui.components.read_only import changes
from subclust.ui.explore.correct.words import n_passages
from subclust.ui.i18n.language import _, _n, said
from subclust.ui.train.walk import SHOW, go, restart

_SET_NAME = "my-corrections"
_MOST_SHOWN = 8


@changes
def draw_learning(settings: Settings, there: Sequence[SavedCorrections]) -> None:
    """Draw what saved corrections teach, the files, and the way to the Train page."""
    title = html.escape(_("Learn from corrections"))
    st.html(f"<h3 class='sc-chosen'>{title}</h3>")
    by_name = {saved.name: saved for saved in there}
    known = st.session_state.get(state.LEARN_FROM)
    if known is None or not set(known) <= set(by_name):
        st.session_state[state.LEARN_FROM] = list(by_name)
    names = st.multiselect(_("From"), list(by_name), key=state.LEARN_FROM)
    only = st.checkbox(
        _("Only passages that I placed or accepted"),
        key="learn-only-judged",
        help=_("Otherwise a group's other passages count as well, since nobody objected to them."),
    )
    chosen = [by_name[name] for name in names]
    made = training_set(chosen, only_judged=only)
    st.html(f"<p class='sc-note'>{html.escape(_sum(made))}</p>")
    disputed = contradictions(chosen)
    sentences = [said(one) for one in made.told] + [said(one.told) for one in disputed]
    if disputed:
        st.warning(_n("{count} contradiction", "{count} contradictions", len(disputed)))
    if sentences:
        more = len(sentences) - _MOST_SHOWN
        items = [f"<li>{html.escape(one)}</li>" for one in sentences[:_MOST_SHOWN]]
        if more > 0:
            rest = _("and {more} more").format(more=more)
            items.append(f"<li>{html.escape(rest)}</li>")
        st.html(f"<ul class='sc-unmet'>{''.join(items)}</ul>")
    _draw_files(chosen, made)
    if st.button(
        _("Train from my corrections"),
        key="learn-train",
        type="primary",
        disabled=not made.instances,
    ):
        try:
            kept = keep_set(settings, made)
        except SubclustError as error:
            st.error(error_words(error))
        else:
            show_on_train_page(kept)


def keep_set(settings: Settings, made: TrainingSet) -> LabelledSet:
    """Keep corrections as the next version of a labelled set, as the Train page keeps uploads.

    Raises
    ------
    SubclustError
        If they are of one question only, or the set cannot be kept.
    """
    if len(made.instances) < 2:
        raise InputError(
            _(
                "A model learns from one question and is judged on another, so correct the groups "
                "of at least two questions and save them."
            )
        )
    store = LabelledSetStore(settings.sets_dir)
    written = as_json_lines(made.instances)
    upload = store.receive(io.BytesIO(written), f"{_SET_NAME}.jsonl", n_bytes=len(written))
    try:
        return store.keep(upload, _SET_NAME, without_errors=True, title=_("My corrections"))
    finally:
        store.discard(upload)


def show_on_train_page(kept: LabelledSet) -> None:
    """Go to the Train page, where a set is chosen already."""
    restart()
    go(chosen=kept.label)
    st.session_state[SHOW] = "new"
    changed_on("train")
    st.switch_page("pages/train.py", query_params={"set": kept.label})


def _draw_files(chosen: Sequence[SavedCorrections], made: TrainingSet) -> None:
    nothing = not made.instances
    with st.container(horizontal=True, gap="small"):
        for label, content, file in (
            ("CSV", lambda: as_csv(made.instances), "corrections.csv"),
            ("JSON Lines", lambda: as_json_lines(made.instances), "corrections.jsonl"),
            (_("Pairs"), lambda: pairs_as_csv(undisputed_pairs(chosen)), "pairs.csv"),
        ):
            st.download_button(
                label,
                content,
                file_name=file,
                on_click="ignore",
                disabled=nothing,
                key=f"learn-{file}",
            )


def _sum(made: TrainingSet) -> str:
    labels = sum(len(set(instance.gold())) for instance in made.instances)
    return _("{queries}, {passages} in {groups}.").format(
        queries=_n("{count} question", "{count} questions", len(made.instances)),
        passages=n_passages(made.n_passages),
        groups=_n("{count} group", "{count} groups", labels),
    )
