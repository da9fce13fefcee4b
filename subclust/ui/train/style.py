"""The Train page's own style, after the sheet that all pages share."""

import streamlit as st

_SHEET = """
.sc-lead { max-width: 52rem; margin: 0; text-wrap: pretty; color: var(--sc-muted);
  line-height: 1.5 }
ol.sc-steps { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap;
  gap: .35rem 1.5rem; counter-reset: step }
ol.sc-steps li { margin: 0; padding: .15rem 0; color: var(--sc-muted); counter-increment: step;
  font-size: .9375rem; border-bottom: 2px solid transparent }
ol.sc-steps li::before { content: counter(step); display: inline-flex; width: 1.5rem;
  height: 1.5rem; margin-right: .5rem; border: 1px solid var(--sc-muted); border-radius: 50%;
  align-items: center; justify-content: center; font-size: .8125rem }
ol.sc-steps li[aria-current] { color: var(--sc-text); font-weight: 650;
  border-bottom-color: var(--sc-focus) }
ol.sc-steps li[aria-current]::before { border-color: var(--sc-focus); border-width: 2px }
ol.sc-steps li.sc-done::before { content: '\\2713' / ''; color: var(--sc-text) }

.sc-scroll { overflow-x: auto; max-width: 100% }
.sc-scroll:focus-visible { outline: 2px solid var(--sc-focus); outline-offset: 2px }
table.sc-rows { border-collapse: collapse; border: 0; font-size: .9375rem; line-height: 1.4 }
.sc-rows :is(th, td) { border: 0; border-bottom: 1px solid var(--sc-rule); text-align: left;
  padding: .3rem 1.5rem .3rem 0; vertical-align: baseline }
.sc-rows thead th { color: var(--sc-muted); font-weight: 600; font-size: .875rem }
table.sc-scores { border-collapse: collapse; border: 0; font-size: .9375rem;
  font-variant-numeric: tabular-nums; line-height: 1.4 }
.sc-scores caption { text-align: left; color: var(--sc-muted); font-size: .875rem;
  padding-bottom: .25rem; caption-side: top }
.sc-scores :is(th, td) { border: 0; border-bottom: 1px solid var(--sc-rule);
  padding: .35rem 1.25rem .35rem 0; text-align: right; vertical-align: baseline }
.sc-scores thead th { color: var(--sc-muted); font-weight: 600; font-size: .875rem;
  max-width: 9rem; text-wrap: balance }
.sc-scores tbody th { text-align: left; font-weight: 500; min-width: 13rem }
.sc-scores tbody tr:first-child > * { font-weight: 650 }

.sc-verdict { font-size: 1.1875rem; font-weight: 600; line-height: 1.4; margin: 0;
  max-width: 52rem; text-wrap: pretty; padding-left: .85rem;
  border-left: 4px solid var(--sc-rule) }
.sc-verdict.sc-good, .sc-verdict.sc-judged-better { border-left-color: #009E73 }
.sc-verdict.sc-look, .sc-verdict.sc-judged-unclear { border-left-color: #E69F00 }
.sc-verdict:is(.sc-mend, .sc-useless, .sc-judged-worse, .sc-failed) {
  border-left-color: #D55E00 }
.sc-verdict + .sc-said { margin-top: .5rem }
.sc-said { max-width: 62rem; margin: 0; line-height: 1.5; text-wrap: pretty }
.sc-kind { font-size: 1rem !important; font-weight: 600; margin: 0 !important;
  padding: .5rem 0 .25rem !important }
.sc-part { font-size: 1rem !important; font-weight: 650; margin: 0 !important;
  padding: .75rem 0 0 !important }
ul.sc-problems, ul.sc-notes { list-style: none; margin: 0; padding: 0; max-width: 62rem;
  line-height: 1.5 }
ul.sc-problems li { margin: 0; padding: .45rem 0; border-top: 1px solid var(--sc-rule) }
ul.sc-problems strong { font-weight: 600 }
.sc-advice { display: block; color: var(--sc-muted) }
ul.sc-notes li { margin: 0 0 .25rem; padding: 0; color: var(--sc-muted); font-size: .875rem }

.sc-split { display: flex; height: .75rem; gap: 2px; max-width: 62rem; border-radius: .375rem;
  overflow: hidden }
.sc-bar-train { background: #0072B2 }
.sc-bar-validation { background: repeating-linear-gradient(45deg, #D55E00 0 4px, #E98A45 4px 8px) }
.sc-bar-test { background: #009E73 }
.sc-key { display: inline-block; width: .75rem; height: .75rem; border-radius: .15rem;
  margin-right: .5rem }
ul.sc-split-parts, ul.sc-queries { list-style: none; margin: 0; padding: 0; max-width: 62rem;
  font-size: .9375rem; line-height: 1.5 }
ul.sc-split-parts li { margin: .25rem 0; padding: 0; color: var(--sc-muted) }
ul.sc-split-parts strong { color: var(--sc-text); font-weight: 600; margin-right: .35rem }
ul.sc-queries li { margin: 0; padding: .1rem 0 }
ul.sc-symbols { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap;
  gap: .25rem 1.25rem; font-size: .9375rem }
ul.sc-symbols li { margin: 0; padding: 0 }
ul.sc-symbols i { color: var(--sc-muted); font-style: normal; margin-left: .2rem }
.sc-run-title { font-size: 1.125rem; font-weight: 650; margin: 0; overflow-wrap: anywhere }
.sc-state { display: inline-block; font-size: .8125rem; font-weight: 600; line-height: 1;
  padding: .25rem .5rem; border: 1px solid var(--sc-rule); border-radius: 1rem;
  vertical-align: .15em; margin-left: .5rem; white-space: nowrap }
.sc-facts-line { color: var(--sc-muted); font-size: .875rem; margin: 0; line-height: 1.5;
  font-variant-numeric: tabular-nums; min-height: 1.5em }
.st-key-train-list [data-stale="true"], .st-key-train-live [data-stale="true"] {
  opacity: 1 !important; transition: none !important }
.st-key-train-live [data-testid="stExpander"],
.st-key-train-live [data-testid="stExpander"] :is(details, summary, summary *) {
  opacity: 1 !important }
[class*="st-key-run-card-"] { padding: .6rem .75rem }
[class*="st-key-run-open-"] button { text-align: left; justify-content: flex-start; padding: 0;
  min-height: 0 }
[class*="st-key-run-open-"] button p { font-weight: 600; overflow-wrap: anywhere;
  text-align: left; white-space: normal }
@media (max-width: 640px) {
  .sc-scores :is(thead, tbody), table.sc-scores { display: block }
  .sc-scores caption { display: block }
  .sc-scores tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(4rem, 1fr)) }
  .sc-scores :is(th, td) { padding-right: .25rem }
  .sc-scores thead th { font-size: .8125rem }
  .sc-scores thead td { display: none }
  .sc-scores tbody th { grid-column: 1 / -1; min-width: 0; border-bottom: 0; padding-bottom: 0 }
}
"""


def draw_train_style() -> None:
    """Give the page its style sheet."""
    st.html(f"<style>{_SHEET}</style>")
