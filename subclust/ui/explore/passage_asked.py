"""What somebody asks of a passage: by the buttons of a list that is drawn as HTML."""

from typing import Literal, cast, get_args

import streamlit as st

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
