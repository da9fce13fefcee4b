"""The Benchmarks page's own style, after the sheet that all pages share."""

import streamlit as st

_SHEET = """
.sc-lead { max-width: 52rem; margin: 0; text-wrap: pretty;
  color: var(--sc-muted); line-height: 1.5 }
ul.sc-reading { max-width: 62rem; margin: 0; padding: 0; list-style: none; line-height: 1.5 }
ul.sc-reading li { margin: 0 0 .5rem; padding: 0 }
ul.sc-reading li:first-child { font-size: 1.1875rem; font-weight: 600; line-height: 1.4;
  text-wrap: balance }
.sc-reading + p { max-width: 62rem }
table.sc-published { border-collapse: collapse; width: 100%; max-width: 62rem;
  font-size: .9375rem; font-variant-numeric: tabular-nums; line-height: 1.4; border: 0 }
.sc-published caption { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%) }
.sc-published :is(th, td) { border: 0; padding: .3rem .75rem; text-align: left;
  vertical-align: baseline }
.sc-published thead th { color: var(--sc-muted); font-weight: 600; font-size: .875rem;
  vertical-align: bottom; padding-bottom: .15rem }
.sc-published thead tr:last-child th { border-bottom: 1px solid var(--sc-rule);
  padding-bottom: .4rem; font-weight: 400 }
.sc-published thead th[rowspan] { border-bottom: 1px solid var(--sc-rule);
  padding-bottom: .4rem }
.sc-published thead .sc-over { text-align: center; padding: .3rem 0 .15rem 1rem }
.sc-published tbody th { font-weight: 500 }
.sc-published tbody tr + tr > * { border-top: 1px solid
  color-mix(in srgb, var(--sc-rule) 45%, transparent) }
.sc-published .sc-number { text-align: right; white-space: nowrap; padding-right: 1.6rem }
.sc-published td.sc-number { padding-right: .75rem }
.sc-published td.sc-number:nth-of-type(n+3) { padding-right: 1.6rem }
.sc-published td.sc-number:nth-of-type(2n+1) { padding-left: 1.75rem }
.sc-published .sc-mark { display: inline-block; width: .85rem; text-align: left;
  padding-left: .2rem; font-size: .8125rem }
.sc-published :is(em, i) { color: var(--sc-muted); font-style: normal }
.sc-published .sc-absent th { color: var(--sc-muted) }
.sc-published .sc-note { display: block; font-weight: 400 }
.sc-published .sc-default > * { background: color-mix(in srgb, var(--sc-focus) 12%, transparent);
  font-weight: 650 }
.sc-published .sc-default th { box-shadow: inset 3px 0 0 var(--sc-focus) }
.sc-published .sc-flag { margin-left: .6rem; font-weight: 400; font-size: .875rem;
  color: var(--sc-muted); white-space: nowrap }
.sc-published .sc-between th { padding-top: 1.1rem; color: var(--sc-muted); font-weight: 600;
  font-size: .875rem }
.st-key-choices { row-gap: .5rem }

@media (max-width: 640px) {
  table.sc-published, .sc-published :is(thead, tbody) { display: block }
  .sc-published thead tr:first-child { display: none }
  .sc-published tr { display: grid; grid-template-columns: 1fr 4.9rem 4.9rem; column-gap: .25rem;
    align-items: baseline; padding: .4rem .25rem }
  .sc-published :is(th, td), .sc-published tbody tr + tr > * { border: 0 !important;
    padding: 0 !important }
  .sc-published tbody tr { border-top: 1px solid
    color-mix(in srgb, var(--sc-rule) 60%, transparent) }
  .sc-published thead tr::before { content: attr(data-note); color: var(--sc-muted);
    font-size: .8125rem }
  .sc-published thead th.sc-number { padding-right: .95rem !important }
  .sc-published thead th:nth-child(n+3), .sc-published td:nth-of-type(n+5) { display: none }
  .sc-published tbody th { grid-row: 1 / span 2; text-wrap: balance }
  .sc-published td:nth-of-type(-n+2) { grid-row: 1 }
  .sc-published td:nth-of-type(2n+1) { grid-column: 2 }
  .sc-published td:nth-of-type(2n) { grid-column: 3 }
  .sc-published td:nth-of-type(n+3) { grid-row: 2; font-size: .8125rem; font-weight: 400;
    color: var(--sc-muted); padding-right: .95rem !important }
  .sc-published td:nth-of-type(-n+2) > i { padding-right: .95rem }
  .sc-published td > em { display: block; white-space: normal; font-size: .8125rem;
    line-height: 1.3 }
  .sc-published td:nth-of-type(n+3) > i { display: none }
  .sc-published .sc-flag { display: block; margin: 0 }
  .sc-published .sc-default { background: color-mix(in srgb, var(--sc-focus) 12%, transparent);
    box-shadow: inset 3px 0 0 var(--sc-focus); padding-left: .75rem }
  .sc-published .sc-default > * { background: none; box-shadow: none !important }
  .sc-published .sc-between { display: block; padding-top: 1.25rem }
  .st-key-choices > div, .st-key-pair > div { flex: 1 1 100% !important;
    width: 100% !important }
}
"""


def draw_benchmark_style() -> None:
    """Give the page its style sheet; `draw_style` has set the colours."""
    st.html(f"<style>{_SHEET}</style>")
