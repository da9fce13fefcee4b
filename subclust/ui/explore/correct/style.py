"""The style sheet of corrections."""

import json
from collections.abc import Mapping

import streamlit as st

from subclust.ui.explore.correct.words import judged

_SHEET = """
.st-key-correct { border-top: 1px solid var(--sc-rule); border-bottom: 1px solid var(--sc-rule);
  padding: .4rem 0 .5rem }
.st-key-correct-do { row-gap: .35rem }
.st-key-correct button { min-height: 2.1rem; padding: .1rem .65rem }
.sc-corrected { margin: .35rem 0 0; font-size: .9375rem; line-height: 1.35 }
.sc-refused { border-left: 4px solid #D55E00; padding-left: .6rem }
.sc-subject { margin: 0 .15rem 0 .6rem; font-weight: 600; max-width: 22rem; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap }
.st-key-correct-state { row-gap: 0; column-gap: .8rem }
.st-key-correct-state button { min-height: 0; padding: .35rem 0 0 }
.st-key-correct-state button p { text-decoration: underline; text-underline-offset: .2em }
.st-key-move-to button { justify-content: flex-start; text-align: left }
.st-key-move-to button > :is(div, span) { flex: none; width: auto; max-width: calc(100% - 1.6rem) }
[role="dialog"] h3 .sc-place { font-weight: 400 }
.st-key-move-to button::before { flex: none; width: 1.05rem; margin-right: .5rem;
  text-align: center; font-size: 1.125rem; line-height: 1.2 }
.sc-moving { margin: .25rem 0 .5rem; line-height: 1.45 }
:has(> .st-key-box-namer), .st-key-box-namer { display: none }
.st-key-correct .sc-note { margin-left: .6rem }
@media (min-width: 641px) and (min-height: 800px) {
  :has(> .st-key-correct) { position: sticky; top: 3.75rem; z-index: 90;
    background: light-dark(#FFFFFF, #12171E) }
  :has(> .st-key-map-panel) { top: 9.75rem !important }
}
ul.sc-unmet { margin: 0; padding-left: 1.2rem; font-size: .9375rem }
ul.sc-unmet li { margin: 0 0 .3rem }
"""


def draw_correct_style(judgements: Mapping[str, str]) -> None:
    """Give corrections their style, and say in every list what was said of a passage."""
    rules = "".join(
        f"li[data-passage={_quoted(id)}] summary > :first-child::after {{ "
        f"content: ' ({judged(judgement)})'; color: var(--sc-muted); font-weight: 400 }} "
        for id, judgement in judgements.items()
        if "<" not in id and "\\" not in _quoted(id)
    )
    st.html(f"<style>{_SHEET}{rules}</style>")


def _quoted(id: str) -> str:
    return json.dumps(id, ensure_ascii=False)
