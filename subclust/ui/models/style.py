"""The Models page's own style, after the sheet that all pages share."""

import streamlit as st

_SHEET = """
.sc-lead { max-width: 52rem; margin: 0; text-wrap: pretty; color: var(--sc-muted);
  line-height: 1.5 }
.st-key-in-use { border-left: 4px solid var(--sc-focus) !important }
.st-key-in-use p.sc-used { font-size: 1.0625rem; line-height: 1.45; margin: 0; max-width: 62rem }
.st-key-in-use p.sc-used strong { font-weight: 650 }
.st-key-in-use p.sc-note { margin-top: .2rem }
.st-key-models [data-testid="stRadioGroup"] { width: 100%; gap: .15rem; max-height: 70vh;
  overflow-y: auto }
.st-key-models [data-testid="stRadioGroup"] > div { width: 100%; padding: .4rem .6rem;
  border-radius: .5rem }
.st-key-models [data-testid="stRadioGroup"] > [data-selected] {
  background: color-mix(in srgb, var(--sc-focus) 12%, transparent) }
.st-key-models [data-testid="stRadioOption"] p { font-weight: 600; overflow-wrap: anywhere }
h2.sc-model { font-size: 1.375rem; font-weight: 650; margin: 0; padding: 0;
  overflow-wrap: anywhere; display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: center }
.sc-badge { font-size: .8125rem; font-weight: 500; line-height: 1.5; padding: 0 .5rem;
  border-radius: .75rem; border: 1px solid var(--sc-rule); color: var(--sc-muted);
  white-space: nowrap }
.sc-badge.sc-on { border-color: var(--sc-focus); color: var(--sc-text);
  background: color-mix(in srgb, var(--sc-focus) 16%, transparent) }
p.sc-quality { max-width: 46rem; margin: 0; line-height: 1.5; text-wrap: pretty }
.sc-card { max-width: 52rem; line-height: 1.5; overflow-wrap: anywhere }
.sc-card h3 { font-size: 1.0625rem; font-weight: 650; margin: 1.1rem 0 .3rem; padding: 0 }
.sc-card h3:first-child { margin-top: 0 }
.sc-card p { margin: 0 0 .35rem }
.sc-card ul { margin: 0 0 .35rem; padding-left: 1.1rem }
.sc-card li { margin: 0 0 .2rem }
.sc-card code { font-size: .8125rem; color: var(--sc-muted); background: none; padding: 0;
  overflow-wrap: anywhere }
.sc-card dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr;
  gap: .2rem 1.25rem; margin: 0 0 .5rem; padding: 0 !important }
.sc-card dt { color: var(--sc-muted); font-weight: 400 }
.sc-card dd { margin: 0 }
table.sc-sides { border-collapse: collapse; border: 0; width: 100%; max-width: 60rem;
  font-size: .9375rem; line-height: 1.4; font-variant-numeric: tabular-nums }
.sc-sides :is(th, td) { border: 0; padding: .3rem .75rem .3rem 0; text-align: left;
  vertical-align: baseline; overflow-wrap: anywhere; font-weight: 400 }
.sc-sides thead th { color: var(--sc-muted); font-weight: 600; font-size: .875rem;
  border-bottom: 1px solid var(--sc-rule); vertical-align: bottom }
.sc-sides tbody th { color: var(--sc-muted) }
.sc-sides tbody tr + tr > * { border-top: 1px solid
  color-mix(in srgb, var(--sc-rule) 45%, transparent) }
.sc-sides caption { text-align: left; font-weight: 650; font-size: 1.0625rem; padding: 0 0 .35rem;
  caption-side: top; color: var(--sc-text) }
table.sc-sides + p { margin-top: .9rem }
table.sc-even { table-layout: fixed }
.sc-figures td { white-space: nowrap; text-align: right; padding-right: .25rem }
.sc-figures thead th { text-align: right; padding-right: .25rem }
.sc-history tbody th { color: var(--sc-text); font-weight: 600 }
.sc-history :is(th, td):first-child { padding-left: .5rem }
.sc-sides .sc-now > * { background: color-mix(in srgb, var(--sc-focus) 12%, transparent) }

@media (max-width: 640px) {
  .sc-card dl { grid-template-columns: 1fr; gap: 0 }
  .sc-card dd { margin: 0 0 .45rem }
  table.sc-sides { font-size: .875rem }
  .sc-figures thead th { font-size: .8125rem }
  table.sc-history thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%) }
  table.sc-history, .sc-history tbody, .sc-history tr { display: block }
  .sc-history tr { padding: .5rem 0 }
  .sc-history :is(th, td) { display: block; padding: 0 .25rem; border: 0 !important }
  .sc-history :is(th, td):empty { display: none }
  .sc-history tbody tr + tr { border-top: 1px solid
    color-mix(in srgb, var(--sc-rule) 60%, transparent) }
}
"""


def draw_models_style() -> None:
    """Give the page its style sheet; `draw_style` has set the colours."""
    st.html(f"<style>{_SHEET}</style>")
