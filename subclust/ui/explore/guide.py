"""The first steps: three sentences that a new visitor sees until they are closed, for ever."""

import streamlit as st

from subclust.ui.i18n.language import _

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
  const close = () => {{
    try {{ localStorage.setItem(KEY, 'closed'); }} catch {{ /* shown again next time */ }}
    parentElement.querySelector('section')?.remove();
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
    next.addEventListener('click', () => {{
      if (last) close(); else {{ step += 1; show(true); }}
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
