"""Correcting groups: one bar for the mouse and the keyboard, for whatever is chosen anywhere."""

import html
from collections.abc import Callable, Sequence

import streamlit as st

from subclust import curation
from subclust.curation import Corrected, Edit
from subclust.figures import group_style
from subclust.figures.wrapping import excerpt
from subclust.records import OTHER_PASSAGES, MappedPassage, Subtopic, SubtopicMap
from subclust.settings import Settings
from subclust.ui.correct_desk import Desk, correct, desk_of, redo, undo, unmet_sentences
from subclust.ui.correct_keep import draw_keeping
from subclust.ui.correct_split import PARTS, name_of, split_by_model
from subclust.ui.correct_style import draw_correct_style
from subclust.ui.correct_words import n_corrections, n_passages, told
from subclust.ui.language import _
from subclust.ui.search import Answer
from subclust.ui.session import change_view, mark_passages, show_in_widget, unmark
from subclust.ui.view import View

_NAME = "correct-name"
_CHOSEN = "correct-chosen"


def draw_corrections(settings: Settings, view: View, found: Answer, corrected: Corrected) -> None:
    """Draw what can be corrected now, and what was done.

    Parameters
    ----------
    settings : Settings
    view : View
    found : Answer
        With the corrected groups.
    corrected : Corrected
        The same groups, with what could not be done again.
    """
    draw_correct_style(corrected.judgements)
    desk, now = desk_of(view), found.subtopics
    title = html.escape(_("Correct the groups"))
    st.html(f"<h2 class='sc-hidden'>{title}</h2>")
    with st.container(key="correct", gap=None):
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xsmall", key="correct-do"
        ):
            _draw_history(view, desk)
            group = _marked_group(view, now)
            passages = [member.passage.id for member, _group in found.marked(view)]
            if group is not None and group.id != OTHER_PASSAGES:
                _draw_group(view, found, group)
            elif passages:
                _draw_passages(view, found, passages)
            else:
                _draw_hint()
            _draw_chooser(view, found)
            draw_keeping(settings, view, found, corrected)
        state = "refused" if desk.refused else "done"
        said = desk.refused or desk.said or _standing(desk)
        st.html(f"<p class='sc-corrected sc-{state}' role='status'>{html.escape(said)}</p>")
    _draw_unmet(desk, corrected)


def _draw_history(view: View, desk: Desk) -> None:
    st.button(
        _("Undo"),
        key="undo",
        disabled=not desk.history.done,
        on_click=undo,
        args=(view,),
        help=_("Takes the last correction back, as often as you like."),
    )
    st.button(
        _("Redo"),
        key="redo",
        disabled=not desk.history.undone,
        on_click=redo,
        args=(view,),
        help=_("Does again what was taken back last."),
    )


def _standing(desk: Desk) -> str:
    if desk.history.done:
        return _("{corrections} made.").format(corrections=n_corrections(len(desk.history.done)))
    return _("These groups are as the computer made them; you can correct them.")


def _draw_hint() -> None:
    hint = _("Choose a group by its name, or passages on the map, in the table or from a list:")
    st.html(f"<p class='sc-note'>{html.escape(hint)}</p>", width="content")


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
        [one for one in targets if where != {one}],
        now,
        lambda group: correct(view, now, lambda groups: curation.move(groups, passages, group)),
    )
    with st.popover(_("Make a group"), key="correct-separate"):
        _draw_name(
            "separate",
            _("Name of the new group"),
            _("Make the group"),
            lambda name: correct(
                view,
                now,
                lambda groups: curation.separate(
                    groups, passages, name or name_of(found, passages)
                ),
            ),
            help=_("Left empty, it is named after what its passages have in common."),
        )
    _draw_judgements(view, now, passages)


def _draw_group(view: View, found: Answer, group: Subtopic) -> None:
    """Draw what can be done with a whole group."""
    now = found.subtopics
    _draw_subject(_("Group “{name}”").format(name=group.name))
    with st.popover(_("Rename"), key="correct-rename"):
        _draw_name(
            f"rename-{group.id}",
            _("Name of the group"),
            _("Give this name"),
            lambda name: correct(view, now, lambda groups: curation.rename(groups, group.id, name)),
            value=group.name,
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
        {"two": _("in two"), "three": _("in three"), "auto": _("as the method sees it")}.get,
        disabled=group.size < 2,
        help=_("The method groups these passages alone. To split by hand, choose passages."),
    )
    _draw_judgements(view, now, sorted(_ids(group)))


def _draw_judgements(view: View, now: SubtopicMap, passages: Sequence[str]) -> None:
    marks: tuple[tuple[curation.Mark, str, str], ...] = (
        ("accepted", _("Accept"), _("They are right where they are; a model learns from it.")),
        ("unsure", _("Unsure"), _("Nobody learns from passages you are unsure about.")),
        ("none", _("No mark"), _("Takes “accepted” or “unsure” back.")),
    )
    for mark, label, explained in marks:
        st.button(
            label,
            key=f"correct-{mark}",
            help=explained,
            on_click=_judge,
            args=(view, now, passages, mark),
        )


def _draw_chooser(view: View, found: Answer) -> None:
    """Draw a list in which passages are chosen by typing; for those who use no mouse."""
    with st.popover(_("Choose passages"), key="correct-choose", on_change="rerun") as chooser:
        if not chooser.open:
            return
        members = {
            member.passage.id: (member, group)
            for group in found.subtopics.subtopics
            for member in group.passages
        }
        show_in_widget(_CHOSEN, [one for one in view.passages if one in members])

        def choose() -> None:
            chosen = list(st.session_state[_CHOSEN])
            if chosen:
                mark_passages(chosen)
            else:
                unmark()

        st.multiselect(
            _("Passages, found by typing a word of them"),
            sorted(members, key=lambda one: members[one][0].rank),
            key=_CHOSEN,
            format_func=lambda one: _called(*members[one]),
            on_change=choose,
            placeholder=_("Type a word, then press Enter"),
        )


def _draw_unmet(desk: Desk, corrected: Corrected) -> None:
    sentences = unmet_sentences(corrected)
    if not sentences:
        return
    edits = len({one.number for one in corrected.unmet})
    title = _("{unmet} of {all} could not be made on these groups as before").format(
        unmet=n_corrections(edits), all=len(desk.history.done)
    )
    with st.expander(title, key="correct-unmet"):
        items = "".join(f"<li>{html.escape(told(one))}</li>" for one in sentences)
        st.html(f"<ul class='sc-unmet'>{items}</ul>")


def _draw_subject(text: str) -> None:
    st.html(f"<p class='sc-subject'>{html.escape(text)}</p>", width="content")


def _draw_name(
    key: str,
    label: str,
    button: str,
    give: Callable[[str], object],
    *,
    value: str = "",
    help: str | None = None,
) -> None:
    """Draw a field for a name; Enter or the button gives it."""
    field = f"{_NAME}-{key}"
    with st.form(f"correct-form-{key}", border=False, clear_on_submit=False):
        if field not in st.session_state:
            st.session_state[field] = value
        st.text_input(label, key=field, help=help, max_chars=120, width=320)

        def submit() -> None:
            give(st.session_state[field])
            del st.session_state[field]

        st.form_submit_button(button, key=f"{field}-give", on_click=submit)


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
        format_func=lambda one: _plain(name(one) or ""),
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


def _marked_group(view: View, now: SubtopicMap) -> Subtopic | None:
    return next((group for group in now.subtopics if group.id == view.group), None)


def _ids(group: Subtopic) -> set[str]:
    return {member.passage.id for member in group.passages}


def _called(member: MappedPassage, group: Subtopic) -> str:
    words = excerpt(member.passage.text, 70)
    title = f"{member.passage.title}: " if member.passage.title else ""
    return f"{group_style(group.id).glyph} {title}{words}"


def _plain(text: str) -> str:
    """Escape what Streamlit would read as Markdown."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()#+-.!|<>~$:" else sign for sign in text)
