"""Lists of passages: hits, chosen passages, and the buttons of each passage."""

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal, cast, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records import (
    OTHER_PASSAGES,
    Hit,
    MappedPassage,
    Passage,
    Ranking,
    Subtopic,
    by_document,
)
from subclust.core.records.links import record_link
from subclust.figures.wrapping import excerpt
from subclust.grouping.naming import evidence
from subclust.ui import state
from subclust.ui.components.session import unmark
from subclust.ui.components.view import View
from subclust.ui.components.words import cited, n_passages
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n, number

_EXCERPT = 130
_BEFORE = 40


@dataclass(frozen=True)
class _Look:
    """How the passages of a list are shown; see `draw_passages`."""

    groups: Mapping[str, Subtopic] = field(default_factory=dict)
    marks: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    asks: bool = True


def draw_passages(
    members: Iterable[tuple[MappedPassage, Subtopic]],
    *,
    show_group: bool = False,
    notes: Mapping[str, str] | None = None,
    asks: bool = True,
) -> None:
    """Draw a list of passages; each opens to its whole text.

    Parameters
    ----------
    members : iterable of (MappedPassage, Subtopic)
        Passages with their groups.
    show_group : bool
        Whether each says to which group it belongs.
    notes : mapping of str to str, optional
        Of passages by their ids, a line that is shown with them.
    asks : bool
        Whether each has the buttons of `asked_passage`.
    """
    pairs = list(members)
    look = _look(pairs, show_group, "", notes, asks)
    st.html(_list(_item(member, look) for member, _group in pairs))


def draw_documents(
    members: Iterable[tuple[MappedPassage, Subtopic]],
    *,
    show_group: bool = False,
    marks: str = "",
    notes: Mapping[str, str] | None = None,
    asks: bool = True,
) -> None:
    """Draw a list of passages, those of one document as one line that opens to the others.

    Parameters
    ----------
    marks : str
        A name or a question; its words are marked where a passage has them.
    members, show_group, notes, asks
        As for `draw_passages`.
    """
    pairs = list(members)
    look = _look(pairs, show_group, marks, notes, asks)
    st.html(_list(_documents([member for member, _group in pairs], look)))


def document_list(
    members: Iterable[MappedPassage | Hit], *, marks: str = "", asks: bool = True
) -> str:
    """Write what `draw_documents` draws, for a list that is drawn elsewhere."""
    return _list(_documents(members, _Look(marks=marks, asks=asks)))


def _look(
    pairs: Iterable[tuple[MappedPassage, Subtopic]],
    show_group: bool,
    marks: str,
    notes: Mapping[str, str] | None,
    asks: bool,
) -> _Look:
    groups = {member.passage.id: group for member, group in pairs} if show_group else {}
    return _Look(groups, marks, notes or {}, asks)


def _list(items: Iterable[str]) -> str:
    return f"<ol class='sc-passages'>{''.join(items)}</ol>"


def _documents(members: Iterable[MappedPassage | Hit], look: _Look) -> Iterator[str]:
    """Write the documents of a list; one that is alone in it is open."""
    documents = by_document(members)
    is_open = len(documents) == 1
    for first, *others in documents:
        yield _item(first, look, _others(first, others, look, is_open=is_open) if others else "")


def _others(
    first: MappedPassage | Hit,
    others: Sequence[MappedPassage | Hit],
    look: _Look,
    *,
    is_open: bool,
) -> str:
    """Write the other passages of a document, without what the line of the document says."""
    told = n_passages(1 + len(others))
    called = f"{told}: {first.passage.title}" if first.passage.title else told
    items = _list(_item(one, look, of=first.passage) for one in others)
    return (
        f"<details class='sc-several'{' open' if is_open else ''}>"
        f"<summary aria-label='{_escaped(called)}'>{told}</summary>{items}</details>"
    )


def mark_class(group: int) -> str:
    """Name the class that puts a group's symbol before its name."""
    return f"sc-mark-{'other' if group == OTHER_PASSAGES else group}"


def _item(
    member: MappedPassage | Hit, look: _Look, others: str = "", of: Passage | None = None
) -> str:
    """Write a passage; below another one `of` its document only what is different."""
    passage = member.passage
    known = (of.title, cited(of.metadata), record_link(of.metadata)) if of else ("", "", "")
    title, credits, link = (
        "" if one == there else one
        for one, there in zip(
            (passage.title, cited(passage.metadata), record_link(passage.metadata)),
            known,
            strict=True,
        )
    )
    short = excerpt_with(passage.text, look.marks)
    group = look.groups.get(passage.id)
    head = "".join(
        (
            _span("sc-title", title),
            _span("sc-place", passage.path or ""),
            _span("sc-credits", credits),
            _span(f"sc-group {mark_class(group.id)}", group.name) if group else "",
            _span("sc-group", look.notes.get(passage.id, "")),
        )
    )
    same = short == " ".join(passage.text.split())
    whole = "" if same else f"<p>{with_marks(passage.text, look.marks)}</p>"
    called = passage.title or excerpt(passage.text, 60)
    if of or others:  # its title alone is that of several
        called = f"{passage.title}: {excerpt(passage.text, 60)}" if passage.title else called
    ways = f"{_asks(passage.id, called) if look.asks else ''}{_source_link(link, called)}"
    return (
        f"<li data-passage='{_escaped(passage.id)}'><details><summary>{head}"
        f"<span class='sc-excerpt'>{with_marks(short, look.marks)}</span></summary>"
        f"{whole}<p class='sc-source'>{_source(member)}</p></details>{ways}{others}</li>"
    )


def _span(kind: str, text: str) -> str:
    return f"<span class='{kind}'>{_escaped(text)}</span>" if text else ""


def excerpt_with(text: str, name: str, length: int = _EXCERPT) -> str:
    """Shorten a text to a part that has a word of a name, the first part where none has."""
    whole = " ".join(text.split())
    short = excerpt(whole, length)
    places = evidence(name, whole) if name else []
    # The last two characters of an excerpt are its ellipsis.
    if not places or places[0][0] < len(short) - 2:
        return short
    # A few words before it; what follows fills the line.
    start = whole.rfind(" ", 0, max(places[0][0] - _BEFORE, 1)) + 1
    return f"…\u00a0{excerpt(whole[start:], length)}" if start else short


def with_marks(text: str, name: str) -> str:
    """Write a text as HTML, the words of a name marked."""
    parts, reached = [], 0
    for start, end in evidence(name, text) if name else []:
        parts += [_escaped(text[reached:start]), f"<mark>{_escaped(text[start:end])}</mark>"]
        reached = end
    return "".join([*parts, _escaped(text[reached:])])


def _asks(passage_id: str, called: str) -> str:
    """Write the buttons that ask something of a passage; see `asked_passage`."""
    id_ = _escaped(passage_id)
    labels = {"why": _("Why is this here?"), "move": _("Move to …")}
    return "".join(
        f"<button type='button' class='sc-why' data-{wish}='{id_}' "
        f"aria-label='{_escaped(f'{label} {called}')}'>{_escaped(label)}</button>"
        for wish, label in labels.items()
    )


def _source_link(address: str, called: str) -> str:
    if not address:
        return ""
    label = _("Open the source")
    return (
        f"<a class='sc-why' href='{_escaped(address)}' target='_blank' rel='noreferrer' "
        f"aria-label='{_escaped(f'{label}: {called}')}'>{_escaped(label)}</a>"
    )


def _source(member: MappedPassage | Hit) -> str:
    """Return a passage's rank among the hits, and of its record what no citation says."""
    metadata = member.passage.metadata
    names = ("source", "doi", "licence") if metadata.get("venue") else ("doi", "licence")
    hit = _("Hit {rank}").format(rank=number(member.rank))
    return _escaped(" · ".join([hit, *filter(None, (metadata.get(name) for name in names))]))


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)


Wish = Literal["why", "move"]
"""Why it is where it is, or to have it in another group."""

# One listener for all lists: two hundred widgets would make each run of the page slow. Where the
# button is gone once its dialog has closed, such as that of a passage which moved, the focus goes
# to the one in its place.
_LISTENER = """
let told = null;
let watching = null;

const giveBack = (list, place, kind) => {
  let opened = false;
  const look = () => {
    if (document.querySelector('[role=dialog]')) { opened = true; return; }
    const at = document.activeElement;
    if (!opened || (at && at !== document.body)) return;
    const buttons = document.querySelectorAll(`${list} [data-${kind}]`);
    const next = buttons[Math.min(place, buttons.length - 1)];
    // It may be closed away under the first passage of its document.
    for (let part = next; part; part = part.parentElement) {
      if (part.matches('details')) part.open = true;
    }
    next?.focus();
  };
  watching?.disconnect();
  watching = new MutationObserver(look);
  watching.observe(document.body, { childList: true, subtree: true });
};

// Whoever goes on by themselves once the dialog is closed is left alone.
const leave = (event) => {
  if (!event.target.closest?.('[role=dialog]')) watching?.disconnect();
};
document.addEventListener('keydown', leave, true);
document.addEventListener('pointerdown', leave, true);

export default function ({ setTriggerValue }) {
  const tell = (event) => {
    const button = event.target.closest?.('[data-why], [data-move]');
    if (!button) return;
    const kind = button.dataset.move ? 'move' : 'why';
    const home = button.closest('[class*=st-key-]');
    if (home && !button.closest('[role=dialog]')) {
      const key = [...home.classList].find(name => name.startsWith('st-key-'));
      const all = [...home.querySelectorAll(`[data-${kind}]`)];
      giveBack('.' + CSS.escape(key), all.indexOf(button), kind);
    }
    setTriggerValue(kind, button.dataset[kind]);
  };
  if (told) document.removeEventListener('click', told);
  told = tell;
  document.addEventListener('click', tell);
  return () => document.removeEventListener('click', tell);
}
"""

_listener = st.components.v2.component("subclust_passage_asked", js=_LISTENER)


def asked_passage() -> tuple[Wish, str] | None:
    """Listen to the buttons; return what was asked just now, and the id of the passage."""
    with st.container(key="script-passages"):
        result = _listener(
            key="passage-asked", on_why_change=lambda: None, on_move_change=lambda: None
        )
    for wish in get_args(Wish):
        if passage_id := getattr(result, wish, None):
            return cast(Wish, wish), str(passage_id)
    return None


AT_ONCE = 200
"""Hits that are drawn at first: more texts at once keep the browser busy."""

CHOSEN_AT_ONCE = 60
"""Chosen passages that are drawn at first, since they are drawn anew at every step."""


def draw_close() -> None:
    """Draw the button that closes what is open beside the list."""
    st.button(
        _("Close"),
        key="clear",
        type="tertiary",
        icon=":material/close:",
        on_click=unmark,
    )


def draw_marked(view: View, found: Answer) -> DeltaGenerator | None:
    """Draw the passages that were chosen on the map or in the table, if any.

    Returns where a single one is explained; None where none or several are chosen.
    """
    if not view.passages:
        return None
    marked = found.marked(view)
    with st.container(key="chosen", gap="small"):
        with st.container(horizontal=True, vertical_alignment="top", wrap=False):
            told = _n("Chosen: {count} passage", "Chosen: {count} passages", len(marked))
            st.subheader(told, anchor=False)
            draw_close()
        whole = st.session_state.get(state.ALL_CHOSEN) == view.passages
        at_once = len(marked) if whole else CHOSEN_AT_ONCE
        draw_passages(marked[:at_once], show_group=True)
        _draw_rest(len(marked[at_once:]), "all-chosen", state.ALL_CHOSEN, view.passages)
    return st.container(key="why-chosen", gap="small") if len(marked) == 1 else None


def draw_hits(found: Answer) -> None:
    """Draw the hits, best first, each with its group; beyond `AT_ONCE` when they are asked for."""
    groups = {
        member.passage.id: subtopic
        for subtopic in found.subtopics.subtopics
        for member in subtopic.passages
    }
    members = sorted(found.subtopics.members.values(), key=lambda member: member.rank)
    documents = by_document(members)
    at_once = documents
    if st.session_state.get(state.ALL_HITS_OF) is not found.ranking:
        sizes = accumulate(map(len, documents))
        # At least one document, even if it alone has more passages than `AT_ONCE`.
        at_once = [
            one for one, reached in zip(documents, sizes, strict=True) if reached <= AT_ONCE
        ] or documents[:1]
    shown = [(member, groups[member.passage.id]) for one in at_once for member in one]
    st.caption(
        _("All passages in the order in which they answer the question.")
        if len(documents) == len(members)
        else _("All documents in the order in which their best passages answer the question.")
    )
    draw_documents(shown, show_group=True, marks=found.ranking.query.text)
    _draw_rest(len(members) - len(shown), "all-hits", state.ALL_HITS_OF, found.ranking)


def _draw_rest(count: int, key: str, remembered: str, shown: Ranking | tuple[str, ...]) -> None:
    """Offer the passages that are not drawn, if any; what asks for them is remembered."""
    if not count:
        return

    def show_all() -> None:
        st.session_state[remembered] = shown

    st.button(
        _n("Show the other {count} passage", "Show the other {count} passages", count),
        key=key,
        on_click=show_all,
    )
