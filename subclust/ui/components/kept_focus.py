"""A button that is disabled while its file is made has the focus again once it is made."""

import streamlit as st

# A browser takes the focus off a disabled button and leaves it nowhere: the Tab key then begins at
# the top of the page, and the Escape key no longer closes a dialog.
_KEEPER = """
let last = null;
let lost = null;
let watching = null;

const free = () => !document.activeElement || document.activeElement === document.body
  || document.activeElement.matches('[role=dialog]');

const note = ({ target }) => {
  last = target;
  if (!free()) lost = null;
};
const leave = () => { lost = null; };

const keep = () => {
  if (last?.disabled) lost = last;
  if (!lost?.isConnected || !free()) return;
  (lost.disabled ? lost.closest('[role=dialog]') : lost)?.focus();
};
const wait = () => setTimeout(keep, 0);

export default function () {
  watching?.disconnect();
  watching = new MutationObserver(keep);
  watching.observe(document.body, { attributeFilter: ['disabled'], subtree: true });
  document.addEventListener('focusin', note);
  document.addEventListener('focusout', wait);
  document.addEventListener('pointerdown', leave);
  document.addEventListener('keydown', leave);
  return () => {
    watching.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('focusout', wait);
    document.removeEventListener('pointerdown', leave);
    document.removeEventListener('keydown', leave);
  };
}
"""

_keeper = st.components.v2.component("subclust_kept_focus", js=_KEEPER)


def keep_focus() -> None:
    """Give the focus back to a button that was disabled for a while."""
    with st.container(key="script-focus"):
        _keeper(key="focus")
