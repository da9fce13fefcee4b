"""Saved corrections: load them, delete them, learn from them."""

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from subclust.core.access import may_change, may_see
from subclust.core.exceptions import InputError, SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_corrections
from subclust.labelled.corrections import (
    CorrectionStore,
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
from subclust.ui.components.data_folder import (
    changes,
    draw_damaged,
    draw_read_only,
    draw_recently_deleted,
    draw_sharing,
)
from subclust.ui.components.dialogs import close_after, close_dialog, dialog_button
from subclust.ui.components.markup import draw_list
from subclust.ui.components.session import SELECTIONS, change_view
from subclust.ui.components.view import View
from subclust.ui.components.words import error_words, n_passages, plain
from subclust.ui.explore.correct.desk import (
    desk_of,
    drop_draft,
    go_on,
    n_corrections,
    open_saved,
    put_desk,
    say_of_desk,
)
from subclust.ui.i18n.language import N_, _, _n, said
from subclust.ui.train.walk import SHOW, go, restart


def draw_keeping(settings: Settings, view: View) -> None:
    """Draw the button to the saved corrections: loaded, deleted, and learnt from."""
    dialog_button(
        _("Saved corrections"),
        lambda: _draw(settings, view),
        key="correct-keep",
        width="medium",
        on_open=_show_choices,
    )


def _show_choices() -> None:
    """Have the browser, which forgets the widgets of a closed dialog, show what was chosen."""
    for key in (state.SAVED_CORRECTIONS, state.DELETE_CORRECTIONS, state.LEARN_FROM, _ONLY_JUDGED):
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


def _draw(settings: Settings, view: View) -> None:
    store = CorrectionStore(settings.corrections_dir)
    draw_damaged(store.damaged(), "corrections", partial(delete_corrections, settings))
    there = store.all()
    if there:
        _draw_saved(settings, store, view, there)
        draw_read_only("corrections")
        _draw_learning(settings, there)
    else:
        st.write(
            _("No saved corrections yet. Once you save some, a model can learn from them here.")
        )
    draw_recently_deleted(settings, "corrections")


def _draw_saved(
    settings: Settings, store: CorrectionStore, view: View, there: Sequence[SavedCorrections]
) -> None:
    by_name = {saved.name: saved for saved in there}
    if st.session_state.get(state.SAVED_CORRECTIONS) not in by_name:
        st.session_state[state.SAVED_CORRECTIONS] = there[0].name

    st.selectbox(
        _("Saved corrections"),
        list(by_name),
        key=state.SAVED_CORRECTIONS,
        format_func=lambda name: _line(by_name[name]),
    )
    chosen = by_name[st.session_state[state.SAVED_CORRECTIONS]]
    with st.container(horizontal=True, vertical_alignment="center"):
        loaded = st.button(
            _("Load"),
            key="corrections-load",
            on_click=lambda: _load(settings, by_name[st.session_state[state.SAVED_CORRECTIONS]]),
            help=_("Opens their question and applies them to its current groups."),
        )
        if not may_see(chosen.owner):
            st.caption(plain(_("Shared by {owner}.").format(owner=chosen.owner)))
        elif may_change("corrections"):
            share = partial(store.share, chosen.name)
            draw_sharing(chosen, share, f"corrections-share-{chosen.name}")
            st.checkbox(_("I want to delete it"), key=state.DELETE_CORRECTIONS)
            st.button(
                _("Delete"),
                key="corrections-delete",
                on_click=lambda: _delete(settings, view, st.session_state[state.SAVED_CORRECTIONS]),
                disabled=not st.session_state.get(state.DELETE_CORRECTIONS),
            )
    close_after(loaded)


def _load(settings: Settings, saved: SavedCorrections) -> None:
    shown = View.from_params(_as_address(saved)).changed(corrections=saved.name)
    change_view(**{name: getattr(shown, name) for name in _SHOWN})
    SELECTIONS.forget()
    open_saved(settings, shown, N_("Loaded {name} with its history."))


def _delete(settings: Settings, view: View, name: str) -> None:
    close_dialog()
    desk = desk_of(view)
    try:
        delete_corrections(settings, name)
    except SubclustError as error:
        put_desk(view, replace(desk, said=str, refused=partial(error_words, error)))
        return

    def said() -> str:
        return _("Deleted {name}. The groups shown here stay as they are.").format(name=name)

    st.session_state[state.DELETE_CORRECTIONS] = False
    if desk.name == name:
        drop_draft(view)
        put_desk(view, replace(desk, name="", revision=None, kept=(), stamp=""))
        go_on(view, desk.history, said)
        change_view(corrections="")
    else:
        say_of_desk(view, said)


_SHOWN = (
    "query", "description", "context", "library", "method", "n_clusters", "hits", "trail",
    "corrections",
)  # fmt: skip
"""What of a view belongs to its groups, and comes back with saved corrections."""


def _line(saved: SavedCorrections) -> str:
    facts = saved.facts()
    return _("{name}: {corrections}, {passages}, “{query}”").format(
        name=saved.name,
        corrections=n_corrections(facts["n_edits"]),
        passages=n_passages(facts["n_passages"]),
        query=saved.basis.query,
    )


def _as_address(saved: SavedCorrections) -> dict[str, list[str]]:
    return {
        name: [value] if isinstance(value, str) else list(value)
        for name, value in saved.basis.address.items()
    }


_SET_NAME = "my-corrections"
_ONLY_JUDGED = "learn-only-judged"
_MOST_SHOWN = 8


@changes("set")
def _draw_learning(settings: Settings, there: Sequence[SavedCorrections]) -> None:
    """Draw what saved corrections teach, the files, and the way to the Train page."""
    st.subheader(_("Learn from corrections"), anchor=False)
    by_name = {saved.name: saved for saved in there}
    known = st.session_state.get(state.LEARN_FROM)
    if known is None or not set(known) <= set(by_name):
        st.session_state[state.LEARN_FROM] = list(by_name)
    names = st.multiselect(_("From"), list(by_name), key=state.LEARN_FROM)
    only = st.checkbox(
        _("Only passages that I placed or accepted"),
        key=_ONLY_JUDGED,
        help=_("Otherwise the other passages of a group count, too, since nobody moved them."),
    )
    chosen = [by_name[name] for name in names]
    made = training_set(chosen, only_judged=only)
    st.caption(plain(_sum(made)))
    disputed = contradictions(chosen)
    sentences = [said(one) for one in made.told] + [said(one.told) for one in disputed]
    if disputed:
        st.warning(_n("{count} contradiction", "{count} contradictions", len(disputed)))
    if sentences:
        more = len(sentences) - _MOST_SHOWN
        rest = [_("and {more} more").format(more=more)] if more > 0 else []
        draw_list([*sentences[:_MOST_SHOWN], *rest])
    _draw_files(chosen, made)
    if st.button(
        _("Train from my corrections"),
        key="learn-train",
        type="primary",
        disabled=not made.instances,
    ):
        try:
            kept = _keep_set(settings, made)
        except SubclustError as error:
            st.error(plain(error_words(error)))
        else:
            _show_on_train_page(kept)


def _keep_set(settings: Settings, made: TrainingSet) -> LabelledSet:
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


def _show_on_train_page(kept: LabelledSet) -> None:
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
