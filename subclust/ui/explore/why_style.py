"""The style sheet of what is marked, and of the buttons that ask why."""

import streamlit as st

_SHEET = """
:root { --sc-evidence: light-dark(#FFF0B8, #5A4A12); --sc-counts: light-dark(#E6F0FA, #22364A) }
ol.sc-passages mark, .sc-why-text mark { background: var(--sc-evidence); color: inherit;
  border-radius: .15rem; padding: 0 .1em; box-decoration-break: clone }
.sc-why-text mark { font-weight: 650; text-decoration: underline; text-underline-offset: .2em }
.sc-why-text { margin: .25rem 0; line-height: 1.55; overflow-wrap: anywhere }
.sc-counts { background: var(--sc-counts); border-radius: .15rem; padding: .1em 0;
  box-decoration-break: clone; -webkit-box-decoration-break: clone }
.sc-why-told p { margin: .1rem 0; line-height: 1.45 }
h4.sc-why-heading { font-size: .9375rem; font-weight: 650; margin: .5rem 0 .25rem; padding: 0 }
button.sc-why { all: unset; cursor: pointer; font-size: .8125rem; color: var(--sc-muted);
  text-decoration: underline; text-decoration-color: var(--sc-rule); text-underline-offset: .2em;
  min-height: 1.5rem; line-height: 1.5rem }
button.sc-why + button.sc-why { margin-left: .9rem }
button.sc-why:hover { color: var(--sc-text) }
button.sc-why:focus-visible { outline: 2px solid var(--sc-focus); outline-offset: 2px;
  border-radius: .25rem }
[data-testid="stColumn"] h4.sc-why-heading ~ ol.sc-passages { padding-left: 0 }
[role="dialog"] ol.sc-passages, .st-key-chosen .sc-why-told ~ ol.sc-passages { padding-left: 0 }
:has(> .st-key-why-listener), .st-key-why-listener { display: none }
"""


def draw_why_style() -> None:
    """Give the page these rules."""
    st.html(f"<style>{_SHEET}</style>")
