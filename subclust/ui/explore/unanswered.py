"""What stands before the groups: first steps, what a library does not answer, hits set aside."""

from collections.abc import Sequence

import streamlit as st

from subclust.core.access import may_change
from subclust.core.exceptions import LibraryNotFoundError, SubclustError
from subclust.core.records import Hit, MappedPassage, Ranking, Subtopic
from subclust.core.settings import Settings
from subclust.pipeline.expected import unmet
from subclust.text.library.folder import seen_names
from subclust.text.retrieval import FEW, N_NEAREST, STRICTNESSES, hardly_mentioned
from subclust.ui import state
from subclust.ui.components.data_folder import draw_build_demo, draw_read_only, told_of_others
from subclust.ui.components.markup import draw_lead
from subclust.ui.components.resources import library_name
from subclust.ui.components.session import change_view, show_in_widget
from subclust.ui.components.themes import ids_within
from subclust.ui.components.view import View
from subclust.ui.components.words import error_words, n_documents, plain, sizes
from subclust.ui.explore.passages import document_list, draw_documents
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, _n


def draw_unanswered(view: View, found: Answer) -> bool:
    """Draw that nothing seems to answer the question, what was searched and what to try.

    Returns
    -------
    bool
        Whether the groups are to be drawn: where the question seems to be answered, where the
        visitor asks for them, and where the address shows something in them.
    """
    if found.subtopics.answered is not False:
        return True
    wanted = _groups_wanted(view)
    n_hits = len(found.ranking.hits)
    with st.container(border=True, key="unanswered", gap="small"):
        draw_lead(_unanswered(found.ranking))
        st.markdown(plain(_searched(_n_searched(view, found))))
        _draw_hardly_mentioned(found)
        st.markdown(plain(_to_try()))
        best = st.expander(
            _n("The best hit", "The {count} best hits", min(n_hits, N_NEAREST)),
            key="unanswered-best",
        )
        with best:
            draw_documents(_best(found)[:N_NEAREST], marks=found.ranking.query.text, asks=False)
        show_in_widget(state.GROUPS_SWITCH, wanted)
        st.toggle(
            _("Group the hits anyway"),
            key=state.GROUPS_SWITCH,
            on_change=_remember,
            args=(view,),
        )
    return wanted


def draw_problem(error: SubclustError, question: str | None = None) -> bool:
    """Draw why there is no answer, and where that is for want of a library, the ways to one.

    Returns
    -------
    bool
        Whether there is a library that can be asked.
    """
    if isinstance(error, LibraryNotFoundError):
        settings = Settings.from_environment()
        if not seen_names(settings.library_dir):
            draw_no_library(settings)
            return False
    is_blank = question is not None and not question.strip()  # with which nothing is wrong yet
    (st.info if is_blank else st.warning)(plain(error_words(error)))
    return True


def draw_no_library(settings: Settings) -> None:
    """Draw that there is no library for who looks, and the ways to one."""
    st.info(
        told_of_others(settings)
        or _(
            "No library yet. Build the demo library of 95 Wikipedia articles to try Subclust, or "
            "add documents of your own."
        )
    )
    draw_read_only("library")
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_build_demo(settings)
        if may_change("library"):
            st.page_link(
                "pages/library.py", label=_("Add documents"), query_params={"show": "import"}
            )


def _unanswered(ranking: Ranking) -> str:
    """Return that nothing seems to answer the question."""
    return _("Nothing in the library “{library}” seems to answer “{question}”").format(
        library=library_name(ranking.library), question=ranking.query.text
    )


def _searched(n_passages: int) -> str:
    """Return what was searched, how, and what came of it."""
    return _n(
        "{count} passage was searched by words and by meaning. It seems to be about something "
        "else.",
        "{count} passages were searched by words and by meaning. The nearest seem to be about "
        "something else.",
        n_passages,
    )


def _to_try() -> str:
    """Return what else may find something."""
    return _(
        "Try other or more general words, check how names are spelled, choose another library, "
        "or add documents on the Library page."
    )


def draw_unanswered_note(ranking: Ranking) -> None:
    """Draw above groups that nothing seems to answer their question."""
    if ranking.answered is False:
        told = _unanswered(ranking)
        rest = _("The passages grouped here are the nearest to it.")
        st.markdown(f"**{plain(told)}.**  \n{plain(rest)}")


def _n_searched(view: View, found: Answer) -> int:
    within = ids_within(view)
    return found.pipeline.retriever.library.count() if within is None else len(within)


def _best(found: Answer) -> list[tuple[MappedPassage, Subtopic]]:
    pairs = [(one, group) for group in found.subtopics.subtopics for one in group.passages]
    return sorted(pairs, key=lambda pair: pair[0].rank)


def _groups_wanted(view: View) -> bool:
    """Return whether the groups of this question are to be shown, as the visitor chose last."""
    question, wanted = st.session_state.get(state.GROUPS_WANTED, (None, False))
    if question == view.sought():
        return bool(wanted)
    shows_something = view.group is not None or bool(
        view.passages or view.trail or view.session or view.corrections
    )
    st.session_state[state.GROUPS_WANTED] = (view.sought(), shows_something)
    return shows_something


def _remember(view: View) -> None:
    st.session_state[state.GROUPS_WANTED] = (
        view.sought(),
        st.session_state.get(state.GROUPS_SWITCH, False),
    )


_LABELS = {
    "all": N_("All hits"),
    "looser": N_("Looser"),
    "usual": N_("As usual"),
    "stricter": N_("Stricter"),
}


def draw_little(found: Answer) -> None:
    """Draw that the library has little on the question, on a word of it, or on what is expected."""
    n_hits = len(found.ranking.hits)
    if found.ranking.set_aside and n_hits < FEW:
        told = _("The library “{library}” has little on “{question}”: {passages}.").format(
            library=library_name(found.ranking.library),
            question=found.ranking.query.text,
            passages=sizes(found.ranking.hits),
        )
        st.info(plain(told))
    _draw_hardly_mentioned(found)
    for name in unmet(found.subtopics):
        told = _("No passage is about the expected subtopic “{name}”.").format(name=name)
        st.info(plain(told))


def _draw_hardly_mentioned(found: Answer) -> None:
    """Draw which words of the question none or only one of the hits mentions."""
    in_none, in_one = hardly_mentioned(found.ranking.passages, found.ranking.query.subject)
    for words, template in (
        (in_none, _("Not mentioned in these passages: {words}.")),
        (in_one, _("Mentioned in only one of these passages: {words}.")),
    ):
        if words:
            quoted = ", ".join(_("“{text}”").format(text=word) for word in words)
            st.caption(plain(template.format(words=quoted)))


def draw_set_aside(view: View, found: Answer) -> None:
    """Draw under the groups what was left out of them, closed, and the choice of how much it is."""
    aside = found.ranking.set_aside
    if not aside and view.strictness == View.strictness:
        return
    with st.expander(
        _set_aside_words(aside) if aside else _("No hits are set aside"), key="set-aside"
    ):
        if not view.session:  # What was saved stays as it was.
            show_in_widget(state.STRICTNESS, view.strictness)
            st.segmented_control(
                _("How closely a passage must be about the question"),
                list(STRICTNESSES),
                key=state.STRICTNESS,
                format_func=lambda one: _(_LABELS[one]),
                on_change=_take,
            )
        st.html(document_list(aside, marks=found.ranking.query.text, asks=False))


def _set_aside_words(aside: Sequence[Hit]) -> str:
    told = _n(
        "{count} further hit is probably about something else",
        "{count} further hits are probably about something else",
        len(aside),
    )
    documents = n_documents(aside)
    return f"{told} ({documents})" if documents else told


def _take() -> None:
    chosen = st.session_state.get(state.STRICTNESS)
    change_view(strictness=chosen or View.strictness)


CLOSED = "subclust-first-steps"
"""What the browser stores once the first steps are closed."""

_CSS = """
section { position: fixed; right: 1.5rem; bottom: 1.5rem; width: min(21rem, calc(100vw - 2rem));
  z-index: 95; box-sizing: border-box; padding: 1rem 1.15rem; border-radius: .5rem;
  background: var(--sc-page); color: var(--sc-text); border: 1px solid var(--sc-rule);
  box-shadow: 0 .5rem 1.75rem rgb(0 0 0 / .22); font-family: var(--st-font); line-height: 1.45 }
h2 { font-size: 1.0625rem; margin: 0 0 .25rem; font-weight: 650 }
p { margin: 0; font-size: .9375rem }
div { display: flex; gap: .75rem; align-items: center; margin-top: .75rem }
span { color: var(--sc-muted); font-size: .875rem; margin-right: auto }
button { font: inherit; font-size: .9375rem; padding: .3rem .8rem; border-radius: .5rem;
  cursor: pointer; border: 1px solid var(--sc-rule); background: var(--sc-page);
  color: var(--sc-text) }
button:focus-visible { outline: 2px solid var(--sc-focus); outline-offset: 2px }
@media (max-width: 640px) { section { right: 1rem; bottom: 1rem } }
@media print { section { display: none } }
"""

_JS = f"""
const KEY = '{CLOSED}';
let step = 0;

// Where storage is denied, the steps could never be closed for good, so they are left out.
const remembered = () => {{
  try {{ return localStorage.getItem(KEY); }} catch {{ return 'unknown'; }}
}};

export default function ({{ data, parentElement }}) {{
  parentElement.querySelector('section')?.remove();
  if (remembered()) return;
  const part = (name, text, parent) => {{
    const made = document.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  }};
  const close = (event) => {{
    try {{ localStorage.setItem(KEY, 'closed'); }} catch {{ /* shown again next time */ }}
    parentElement.querySelector('section')?.remove();
    // By keyboard: with a finger, the field would open the keys of the screen.
    if (!event.detail) document.querySelector('.st-key-{state.QUERY} input')?.focus();
  }};
  const box = part('section', '', parentElement);
  box.setAttribute('aria-label', data.label);
  const show = (focused) => {{
    box.replaceChildren();
    const [title, text] = data.steps[step];
    part('h2', title, box);
    part('p', text, box);
    const row = part('div', '', box);
    part('span', `${{step + 1}} / ${{data.steps.length}}`, row);
    const last = step === data.steps.length - 1;
    if (!last) part('button', data.close, row).addEventListener('click', close);
    const next = part('button', last ? data.done : data.next, row);
    next.addEventListener('click', (event) => {{
      if (last) close(event); else {{ step += 1; show(true); }}
    }});
    if (focused) next.focus();
  }};
  show(false);
}}
"""

_guide = st.components.v2.component("subclust_first_steps", js=_JS, css=_CSS)


def draw_first_steps() -> None:
    """Draw the first steps, unless this browser has closed them or shows the page in another."""
    if st.context.is_embedded:
        return
    with st.container(key="first-steps"):
        _guide(
            key="steps",
            data={
                "label": _("First steps"),
                "steps": [
                    [
                        _("Ask a question"),
                        _(
                            "Type it at the top and choose a library. The passages that answer it "
                            "come back in groups, each a subtopic of your question."
                        ),
                    ],
                    [
                        _("Open a group"),
                        _(
                            "Click a name in the list or a mark on the map to read the passages "
                            "and to see why each of them is there."
                        ),
                    ],
                    [
                        _("Make it yours"),
                        _(
                            "Refine changes how passages are grouped. Correct moves, merges and "
                            "renames. Export takes the groups to Excel or a reference manager."
                        ),
                    ],
                ],
                "next": _("Next"),
                "close": _("Close"),
                "done": _("Done"),
            },
        )
