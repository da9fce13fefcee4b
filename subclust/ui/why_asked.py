"""Which passage somebody asks about: a button of a list that is drawn as HTML."""

import streamlit as st

_LISTENER = """
let told = null;

export default function ({ setTriggerValue }) {
  const tell = (event) => {
    const button = event.target.closest?.('[data-why]');
    if (button) setTriggerValue('passage', button.dataset.why);
  };
  if (told) document.removeEventListener('click', told);
  told = tell;
  document.addEventListener('click', tell);
  return () => document.removeEventListener('click', tell);
}
"""
# One listener for all lists: two hundred widgets would make each run of the page slow.

_listener = st.components.v2.component("subclust_why", js=_LISTENER)


def asked_passage() -> str | None:
    """Listen to the buttons, and give the id of the passage whose button was pressed just now."""
    with st.container(key="why-listener"):
        result = _listener(key="why", on_passage_change=lambda: None)
    asked = getattr(result, "passage", None)
    return str(asked) if asked else None
