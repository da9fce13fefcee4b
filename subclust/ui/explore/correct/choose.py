"""Choosing passages by a word that they hold."""

import html
from collections.abc import Sequence

import streamlit as st

from subclust.core.records import MappedPassage, Passage, Subtopic
from subclust.explanation.units import Span
from subclust.figures.palette import group_style
from subclust.text.retrieval import holding
from subclust.text.retrieval.typed_words import where_held
from subclust.ui import state
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.session import SELECTIONS, mark_passages, unmark
from subclust.ui.components.view import View
from subclust.ui.components.words import n_passages, plain
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n, number

MOST_SHOWN = 40
"""Passages that are listed at once; more words make them fewer."""

# Streamlit names a box by the Markdown of its label, with all its signs; the label itself says it.
_NAMER = """
let watching = null;
const name = () => {
  const named = document.querySelectorAll('[role=dialog] [data-testid=stCheckbox] [aria-label]');
  for (const box of named) box.removeAttribute('aria-label');
};
export default function () {
  watching?.disconnect();
  watching = new MutationObserver(name);
  watching.observe(document.body, { childList: true, subtree: true });
  name();
  return () => watching.disconnect();
}
"""

_namer = st.components.v2.component("subclust_box_names", js=_NAMER)


_Members = dict[str, tuple[MappedPassage, Subtopic]]


def draw_chooser(view: View, found: Answer) -> None:
    """Draw the button to choose passages by the words they hold."""
    pairs = [(member, group) for group in found.subtopics.subtopics for member in group.passages]
    pairs.sort(key=lambda pair: pair[0].rank)
    members = {member.passage.id: (member, group) for member, group in pairs}

    def begin() -> None:
        st.session_state[state.CHOSEN_WORDS] = ""
        st.session_state[state.CHOSEN_IDS] = [one for one in view.passages if one in members]

    dialog_button(
        _("Choose passages"),
        lambda: _draw(members),
        key="correct-choose",
        focus="field",
        width="medium",
        on_open=begin,
    )


def _draw(members: _Members) -> None:
    chosen: list[str] = st.session_state.setdefault(state.CHOSEN_IDS, [])
    st.text_input(
        _("A word of their title or text"),
        key=state.CHOSEN_WORDS,
        placeholder=_("Type a word, or several, then press Enter"),
        max_chars=200,
    )
    typed = str(st.session_state[state.CHOSEN_WORDS])
    hits = holding((member.passage for member, _group in members.values()), typed)
    if typed.strip():
        st.html(f"<p class='sc-note' role='status'>{html.escape(_sum(typed, len(hits)))}</p>")
    for passage in hits[:MOST_SHOWN]:
        _draw_box(passage, members[passage.id][1], typed, chosen)
    listed = {passage.id for passage in hits[:MOST_SHOWN]}
    others = [one for one in chosen if one in members and one not in listed]
    if others:
        st.caption(_("Also selected:"))
        for one in others:
            _draw_box(members[one][0].passage, members[one][1], typed, chosen)
    with st.container(key="script-boxes"):
        _namer(key="boxes")
    with st.container(horizontal=True):
        take = _("Choose {passages}").format(passages=n_passages(len(chosen)))
        close_after(
            st.button(
                take if chosen else _("Choose none"),
                key="correct-choose-take",
                type="primary",
                on_click=_take,
                args=(chosen,),
            )
        )
        more = [passage.id for passage in hits if passage.id not in chosen]
        if len(hits) > 1 and more:
            st.button(
                _("Add all {count}").format(count=number(len(hits))),
                key="correct-choose-all",
                on_click=lambda: chosen.extend(more),
            )


def _draw_box(passage: Passage, group: Subtopic, typed: str, chosen: list[str]) -> None:
    id_ = passage.id
    key = state.PICKED + id_
    st.session_state[key] = id_ in chosen

    def toggle() -> None:
        if id_ in chosen:
            chosen.remove(id_)
        else:
            chosen.append(id_)

    held = where_held(passage, typed)
    title = f"**{_marked(passage.title, held.in_title)}** " if passage.title else ""
    words = _marked(held.sentence, held.in_sentence)
    st.checkbox(f"{group_style(group.id).glyph} {title}{words}", key=key, on_change=toggle)


def _take(chosen: Sequence[str]) -> None:
    if chosen:
        mark_passages(list(chosen))
        SELECTIONS.forget()
    else:
        unmark()


def _sum(typed: str, count: int) -> str:
    told = _n("{count} passage holds “{{typed}}”.", "{count} passages hold “{{typed}}”.", count)
    if not count:
        told = _("No passage holds “{typed}”; parts of words are found as well.")
    elif count > MOST_SHOWN:
        told = _n(
            "{count} passage holds “{{typed}}”; the first {{most}} are listed.",
            "{count} passages hold “{{typed}}”; the first {{most}} are listed.",
            count,
        )
    return told.format(typed=typed.strip(), most=MOST_SHOWN)


def _marked(text: str, places: Sequence[Span]) -> str:
    """Write a text as Markdown, with places marked."""
    parts, reached = [], 0
    for place in places:
        parts += [
            plain(text[reached : place.start]),
            f":yellow-background[{plain(place.of(text))}]",
        ]
        reached = place.end
    return "".join([*parts, plain(text[reached:])])
