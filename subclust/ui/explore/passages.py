"""Lists of passages: hits, chosen passages, and the buttons of each passage."""

import html
from collections.abc import Iterable, Mapping
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records import OTHER_PASSAGES, Hit, MappedPassage, Passage, Ranking, Subtopic
from subclust.figures.wrapping import excerpt
from subclust.grouping.naming import evidence
from subclust.ui import state
from subclust.ui.components.session import unmark
from subclust.ui.components.view import View
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n, number

_EXCERPT = 130
_BEFORE = 40


def draw_passages(
    members: Iterable[tuple[MappedPassage, Subtopic]],
    *,
    show_group: bool = False,
    show_evidence: bool = False,
    notes: Mapping[str, str] | None = None,
    asks: bool = True,
) -> None:
    """Draw a list of passages; each opens to its whole text and its source.

    Parameters
    ----------
    members : iterable of (MappedPassage, Subtopic)
        Passages with their groups.
    show_group : bool
        Whether each says to which group it belongs.
    show_evidence : bool
        Whether the words of the group's name are marked where a passage has them.
    notes : mapping of str to str, optional
        Of passages by their ids, a line that is shown with them.
    asks : bool
        Whether each has the buttons of `passage_asked`.
    """
    items = "".join(
        _item(
            member,
            subtopic if show_group else None,
            subtopic.name if show_evidence and subtopic.id != OTHER_PASSAGES else "",
            (notes or {}).get(member.passage.id, ""),
            asks,
        )
        for member, subtopic in members
    )
    st.html(f"<ol class='sc-passages'>{items}</ol>")


def passage_items(members: Iterable[MappedPassage | Hit], *, asks: bool = True) -> str:
    """Write passages as items of a list that is drawn elsewhere."""
    return "".join(_item(member, None, asks=asks) for member in members)


def mark_class(group: int) -> str:
    """Name the class that puts a group's symbol before its name."""
    return f"sc-mark-{'other' if group == OTHER_PASSAGES else group}"


def _item(
    member: MappedPassage | Hit,
    subtopic: Subtopic | None,
    name: str = "",
    note: str = "",
    asks: bool = True,
) -> str:
    passage = member.passage
    short = excerpt_with(passage.text, name)
    group = (
        f"<span class='sc-group {mark_class(subtopic.id)}'>{_escaped(subtopic.name)}</span>"
        if subtopic
        else ""
    )
    title = f"<span class='sc-title'>{_escaped(passage.title)}</span>" if passage.title else ""
    place = f"<span class='sc-place'>{_escaped(passage.path)}</span>" if passage.path else ""
    told = f"<span class='sc-group'>{_escaped(note)}</span>" if note else ""
    same = short == " ".join(passage.text.split())
    whole = "" if same else f"<p>{with_marks(passage.text, name)}</p>"
    buttons = _asks(passage) if asks else ""
    return (
        f"<li data-passage='{_escaped(passage.id)}'><details><summary>{title}{place}{group}{told}"
        f"<span class='sc-excerpt'>{with_marks(short, name)}</span></summary>"
        f"{whole}<p class='sc-source'>{_source(member)}</p></details>{buttons}</li>"
    )


def excerpt_with(text: str, name: str) -> str:
    """Shorten a text to a part that has a word of a name, the first part where none has."""
    whole = " ".join(text.split())
    short = excerpt(whole, _EXCERPT)
    places = evidence(name, whole) if name else []
    if not places or places[0][0] < len(short) - 2:
        return short
    # A few words before it; what follows fills the line.
    start = whole.rfind(" ", 0, max(places[0][0] - _BEFORE, 1)) + 1
    return f"…\u00a0{excerpt(whole[start:], _EXCERPT)}" if start else short


def with_marks(text: str, name: str) -> str:
    """Write a text as HTML, the words of a name marked."""
    parts, reached = [], 0
    for start, end in evidence(name, text) if name else []:
        parts += [_escaped(text[reached:start]), f"<mark>{_escaped(text[start:end])}</mark>"]
        reached = end
    return "".join([*parts, _escaped(text[reached:])])


def _asks(passage: Passage) -> str:
    """Write the buttons that ask something of a passage; see `passage_asked`."""
    id_, called = _escaped(passage.id), passage.title or excerpt(passage.text, 60)
    labels = {"why": _("Why is this here?"), "move": _("Move to …")}
    return "".join(
        f"<button type='button' class='sc-why' data-{wish}='{id_}' "
        f"aria-label='{_escaped(f'{label} {called}')}'>{_escaped(label)}</button>"
        for wish, label in labels.items()
    )


def _source(member: MappedPassage | Hit) -> str:
    """Return where a passage comes from, under which licence, and its rank among the hits."""
    passage = member.passage
    hit = _("Hit {rank}").format(rank=number(member.rank))
    parts = [_escaped(hit), *(_escaped(part) for part in _credits(passage))]
    url = passage.metadata.get("url", "")
    if urlsplit(url).scheme in {"http", "https"}:
        parts.append(
            f"<a href='{_escaped(url)}' target='_blank' rel='noreferrer'>"
            f"{_escaped(_('Open the source'))}</a>"
        )
    return " · ".join(parts)


def _credits(passage: Passage) -> list[str]:
    names = ("authors", "year", "venue", "source", "licence")
    return [passage.metadata[name] for name in names if passage.metadata.get(name)]


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
    buttons[Math.min(place, buttons.length - 1)]?.focus();
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


def draw_marked(view: View, found: Answer) -> DeltaGenerator | None:
    """Draw the passages that were chosen on the map or in the table, if any.

    Returns where a single one is explained; None where none or several are chosen.
    """
    if not view.passages:
        return None
    marked = found.marked(view)
    with st.container(border=True, key="chosen", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            told = _n("Chosen: {count} passage", "Chosen: {count} passages", len(marked))
            st.html(f"<h3 class='sc-chosen'>{told}</h3>")
            st.button(_("Clear"), key="clear", on_click=unmark)
        with st.container(height=460 if len(marked) > 4 else "content", border=False):
            whole = st.session_state.get(state.ALL_CHOSEN) == view.passages
            at_once = len(marked) if whole else CHOSEN_AT_ONCE
            draw_passages(marked[:at_once], show_group=True)
            _draw_rest(len(marked[at_once:]), "all-chosen", state.ALL_CHOSEN, view.passages)
    if len(marked) != 1:
        return None
    return st.container(border=True, key="why-chosen", gap="small")


def draw_hits(found: Answer) -> None:
    """Draw the hits, best first, each with its group; beyond `AT_ONCE` when they are asked for."""
    pairs = [
        (member, subtopic) for subtopic in found.subtopics.subtopics for member in subtopic.passages
    ]
    pairs.sort(key=lambda pair: pair[0].rank)
    at_once = len(pairs) if st.session_state.get(state.ALL_HITS_OF) is found.ranking else AT_ONCE
    st.caption(_("All passages in the order in which they answer the question."))
    draw_passages(pairs[:at_once], show_group=True)
    _draw_rest(len(pairs[at_once:]), "all-hits", state.ALL_HITS_OF, found.ranking)


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
