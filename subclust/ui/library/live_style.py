"""The style of the panel "Search live", after the sheet that all pages share."""

import streamlit as st

_SHEET = """
.sc-lead { max-width: 52rem; margin: 0; text-wrap: pretty; color: var(--sc-muted);
  line-height: 1.5 }
table.sc-live { border-collapse: collapse; border: 0; width: 100%; max-width: 62rem;
  font-size: .9375rem; line-height: 1.4 }
.sc-live :is(th, td) { border: 0; border-bottom: 1px solid var(--sc-rule); text-align: left;
  padding: .4rem 1.25rem .4rem 0; vertical-align: baseline; font-weight: 400 }
.sc-live thead th { color: var(--sc-muted); font-weight: 600; font-size: .875rem }
.sc-live tbody th { font-weight: 600; white-space: nowrap }
.sc-live td:last-child { overflow-wrap: anywhere }
ol.sc-hits { padding-left: 0; max-width: 56rem }
ol.sc-hits li { margin-bottom: .85rem }
.sc-credits { display: block; color: var(--sc-muted); font-size: .875rem; overflow-wrap: anywhere }
.st-key-live-keep { max-width: 56rem }
.st-key-live-keep [data-testid="stPageLink"] p { text-decoration: underline;
  text-underline-offset: .2em }

@media (max-width: 640px) {
  .st-key-live-ask > :first-child, .st-key-live-where > * { flex: 1 1 100% !important }
  table.sc-live thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%) }
  table.sc-live, .sc-live tbody, .sc-live tr { display: block }
  .sc-live :is(th, td) { display: block; padding: 0; border: 0 }
  .sc-live tr { padding: .5rem 0; border-bottom: 1px solid var(--sc-rule) }
  .sc-live td:last-child { color: var(--sc-muted) }
}
"""


def draw_live_style() -> None:
    """Give the panel its style sheet; `draw_style` has set the colours."""
    st.html(f"<style>{_SHEET}</style>")
