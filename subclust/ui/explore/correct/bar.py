"""Correcting groups: one bar for the mouse and the keyboard, for whatever is chosen anywhere."""

import html
import json
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from subclust.core.records import OTHER_PASSAGES, Subtopic, SubtopicMap
from subclust.core.settings import Settings
from subclust.figures.palette import group_style
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import Corrected, Edit
from subclust.ui import state
from subclust.ui.components.browser import draw_style
from subclust.ui.components.data_folder import draw_read_only
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.markup import draw_hidden_heading, draw_list, draw_status
from subclust.ui.components.session import (
    begin_to_correct,
    change_view,
    end_correcting,
    known_view,
)
from subclust.ui.components.view import View
from subclust.ui.components.words import judged, n_passages, plain
from subclust.ui.explore.correct.desk import (
    Desk,
    correct,
    desk_of,
    discard_draft,
    n_corrections,
    redo,
    undo,
    unmet_sentences,
)
from subclust.ui.explore.correct.move import (
    PARTS,
    draw_chooser,
    name_of,
    other_names,
    split_by_model,
)
from subclust.ui.explore.correct.save import draw_save
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, said


def draw_corrections(settings: Settings, view: View, found: Answer, corrected: Corrected) -> None:
    """Draw what can be corrected now, and what was done; `found` has the corrected groups.

    The tools are drawn once somebody begins to correct, or has done so before.
    """
    _draw_correct_style(corrected.judgements)
    desk, now = desk_of(view), found.subtopics
    if not has_tools(view):
        if desk != Desk():
            _draw_state(view, desk)
        return
    draw_hidden_heading(2, _("Correct the groups"))
    with st.container(key="correct", gap=None):
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xsmall", key="correct-do"
        ):
            _draw_history(view, desk)
            group = next((one for one in now.subtopics if one.id == view.group), None)
            passages = [member.passage.id for member, _group in found.marked(view)]
            if group is not None and group.id != OTHER_PASSAGES:
                _draw_group(view, found, group)
            elif passages:
                _draw_passages(view, found, passages)
            else:
                _draw_hint()
            draw_chooser(view, found)
            draw_save(settings, view, found, corrected)
            draw_read_only("corrections", _("This server is read-only: nothing can be saved."))
            if not (desk.history.done or desk.history.undone):
                st.button(_("Close"), key="correct-end", type="tertiary", on_click=end_correcting)
        _draw_state(view, desk)
    _draw_unmet(desk, corrected)


def has_tools(view: View) -> bool:
    """Return whether the tools that correct groups are drawn."""
    history = desk_of(view).history
    return bool(st.session_state.get(state.CORRECTING) or history.done or history.undone)


def draw_begin(view: View) -> None:
    """Draw the button that opens the tools that correct groups."""
    if not has_tools(view):
        st.button(_("Correct"), key="correct-begin", on_click=begin_to_correct)


def _draw_history(view: View, desk: Desk) -> None:
    st.button(
        _("Undo"),
        key="undo",
        disabled=not desk.history.done,
        on_click=undo,
        args=(view,),
        help=_("Reverts the last correction. You can undo all of them."),
    )
    st.button(
        _("Redo"),
        key="redo",
        disabled=not desk.history.undone,
        on_click=redo,
        args=(view,),
        help=_("Repeats the correction that was undone last."),
    )


def _draw_state(view: View, desk: Desk) -> None:
    """Draw what was done last, and whether it is saved."""
    refused = desk.refused() or desk.unkept()
    said = " ".join(filter(None, (desk.said(), refused))) or _standing(desk)
    style = "sc-corrected sc-refused" if refused else "sc-corrected"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="correct-state"
    ):
        draw_status(said, style, "content")
        if not desk.is_saved:
            st.button(
                _("Discard"),
                key="correct-discard",
                type="tertiary",
                on_click=discard_draft,
                args=(view,),
                help=_("Returns to the groups as last saved, or as first made."),
            )


def _standing(desk: Desk) -> str:
    count = n_corrections(len(desk.history.done))
    if not desk.is_saved and desk.stamp:
        return _("{corrections} made. Kept as a draft in this browser, not saved yet.").format(
            corrections=count
        )
    if desk.history.done:
        return _("{corrections} made.").format(corrections=count)
    return _("No corrections yet. You can correct these groups.")


def _draw_hint() -> None:
    hint = _("Select a group by its name, or passages on the map, in the table or from a list:")
    st.caption(plain(hint), width="content")


def _draw_passages(view: View, found: Answer, passages: Sequence[str]) -> None:
    """Draw what can be done with chosen passages."""
    now = found.subtopics
    _draw_subject(_("{passages} chosen").format(passages=n_passages(len(passages))))
    where = {group.id for group in now.subtopics if _ids(group) & set(passages)}
    targets = [group.id for group in now.subtopics if where != {group.id}]
    if OTHER_PASSAGES not in (*targets, *where):
        targets.append(OTHER_PASSAGES)
    _draw_menu(
        _("Move to"),
        "correct-move",
        targets,
        now,
        lambda group: correct(view, now, lambda groups: curation.move(groups, passages, group)),
    )
    _draw_name(
        _("Make a group"),
        "separate",
        "correct-separate",
        _("Name of the new group"),
        _("Make the group"),
        lambda name: correct(
            view,
            now,
            lambda groups: curation.separate(groups, passages, name or name_of(found, passages)),
        ),
        help=_("If empty, the group is named after what its passages have in common."),
    )
    _draw_judgements(view, now, passages)


def _draw_group(view: View, found: Answer, group: Subtopic) -> None:
    """Draw what can be done with a whole group."""
    now = found.subtopics
    _draw_subject(_("Group “{name}”").format(name=group.name))
    _draw_name(
        _("Rename"),
        f"rename-{group.id}",
        "correct-rename",
        _("Name of the group"),
        _("Save this name"),
        lambda name: correct(view, now, lambda groups: curation.rename(groups, group.id, name)),
        value=group.name,
        others=lambda: other_names(found, group.id),
    )

    def merge_into(target: int) -> None:
        done = correct(view, now, lambda groups: _merged(groups, group, target))
        if done and target != OTHER_PASSAGES:
            change_view(group=target)

    others = [one.id for one in now.subtopics if one.id not in (group.id, OTHER_PASSAGES)]
    _draw_menu(_("Merge into"), "correct-merge", [*others, OTHER_PASSAGES], now, merge_into)

    def split_into(parts: str) -> None:
        correct(view, now, lambda groups: split_by_model(found, groups, group.id, PARTS[parts]))

    _menu(
        _("Split"),
        "correct-split",
        list(PARTS),
        split_into,
        {"two": _("in two"), "three": _("in three"), "auto": _("automatically")}.get,
        disabled=group.size < 2,
        help=_("The method groups these passages on their own. To split by hand, choose passages."),
    )
    _draw_judgements(view, now, sorted(_ids(group)))


def _draw_judgements(view: View, now: SubtopicMap, passages: Sequence[str]) -> None:
    marks: tuple[tuple[curation.Mark, str, str], ...] = (
        ("accepted", _("Accept"), _("They are in the right group. Models can learn from this.")),
        ("unsure", _("Unsure"), _("Models do not learn from passages marked as unsure.")),
        ("none", _("No mark"), _("Removes “accepted” or “unsure”.")),
    )
    for mark, label, explained in marks:
        st.button(
            label,
            key=f"correct-{mark}",
            help=explained,
            on_click=_judge,
            args=(view, now, passages, mark),
        )


def _draw_unmet(desk: Desk, corrected: Corrected) -> None:
    sentences = unmet_sentences(corrected)
    if not sentences:
        return
    edits = len({one.number for one in corrected.unmet})
    title = _("{unmet} of {all} could not be applied to these groups unchanged").format(
        unmet=n_corrections(edits), all=len(desk.history.done)
    )
    with st.expander(title, key="correct-unmet"):
        draw_list(map(said, sentences))


def _draw_subject(text: str) -> None:
    st.html(f"<p class='sc-subject'>{html.escape(text)}</p>", width="content")


def _draw_name(
    opener: str,
    name: str,
    key: str,
    label: str,
    button: str,
    give: Callable[[str], Edit | None],
    *,
    value: str = "",
    help: str | None = None,
    others: Callable[[], Sequence[str]] = tuple,
) -> None:
    """Draw a button that asks for a name, and proposes others; Enter or a button gives it."""
    field, proposed = state.GROUP_NAME + name, state.OTHER_NAME + name

    def begin() -> None:
        st.session_state[field] = value
        st.session_state[state.NAME_REJECTED] = ""
        st.session_state[state.OTHER_NAMES] = others()

    def take() -> None:
        if chosen := st.session_state[proposed]:
            st.session_state[field] = chosen

    def submit() -> None:
        # What is pasted from a page or a PDF may have soft hyphens and other signs nobody sees.
        typed = " ".join(st.session_state[field].split())
        given = give("".join(filter(str.isprintable, typed)))
        refused = "" if given else desk_of(known_view()).refused()
        st.session_state[state.NAME_REJECTED] = refused

    def draw() -> None:
        with st.form(f"correct-form-{name}", border=False):
            st.text_input(label, key=field, help=help, max_chars=120)
            given = st.form_submit_button(
                button, key=f"{field}-give", type="primary", on_click=submit
            )
        if names := st.session_state.get(state.OTHER_NAMES):
            st.pills(_("Other names"), names, key=proposed, format_func=plain, on_change=take)
        if refused := st.session_state.get(state.NAME_REJECTED):
            st.warning(plain(refused))
        else:
            close_after(given)

    dialog_button(opener, draw, key=key, focus="field", on_open=begin)


def _draw_menu(
    label: str, key: str, groups: Sequence[int], now: SubtopicMap, act: Callable[[int], object]
) -> None:
    names = {group.id: group.name for group in now.subtopics}
    names.setdefault(OTHER_PASSAGES, _("Other passages"))
    _menu(
        label, key, groups, act, lambda one: f"{group_style(one).glyph} {names[one]}",
        disabled=not groups,
    )  # fmt: skip


def _menu(
    label: str,
    key: str,
    options: Sequence[object],
    act: Callable[..., object],
    name: Callable[..., str | None],
    *,
    disabled: bool = False,
    help: str | None = None,
) -> None:
    def take() -> None:
        act(st.session_state[key])

    st.menu_button(
        label,
        options,
        key=key,
        format_func=lambda one: plain(name(one) or ""),
        on_click=take,
        disabled=disabled,
        help=help,
    )


def _merged(groups: SubtopicMap, group: Subtopic, target: int) -> Edit:
    if target == OTHER_PASSAGES:
        return curation.move(groups, _ids(group), target)
    return curation.merge(groups, [group.id], target)


def _judge(view: View, now: SubtopicMap, passages: Sequence[str], mark: curation.Mark) -> None:
    correct(view, now, lambda groups: curation.judge(groups, passages, mark))


def _ids(group: Subtopic) -> set[str]:
    return {member.passage.id for member in group.passages}


def _draw_correct_style(judgements: Mapping[str, str]) -> None:
    """Show in every list how a passage was judged."""
    rules = "".join(
        f"li[data-passage={_quoted(id)}] > details > summary > :first-child::after {{ "
        f"content: ' ({judged(judgement)})'; color: var(--sc-muted); font-weight: 400 }} "
        for id, judgement in judgements.items()
        # "<" could end the style element, and JSON escapes mean something else in CSS.
        if "<" not in id and "\\" not in _quoted(id)
    )
    draw_style(rules)


def _quoted(id: str) -> str:
    return json.dumps(id, ensure_ascii=False)
