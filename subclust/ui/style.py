"""The style sheet: what Streamlit's theme cannot say."""

from collections.abc import Sequence

import streamlit as st

from subclust.core.records import Subtopic
from subclust.figures import DARK, LIGHT, group_style
from subclust.ui.components.table_names import name_tables
from subclust.ui.components.theme import follow_theme
from subclust.ui.explore.groups import group_key
from subclust.ui.explore.passages import mark_class

_SHEET = """
.block-container, .stMainBlockContainer {
  padding: 4.25rem clamp(1rem, 3vw, 3rem) 2rem; max-width: 1680px;
}
:has(> .st-key-theme-follower), .st-key-theme-follower,
:has(> .st-key-table-namer), .st-key-table-namer,
:has(> .st-key-focus-keeper), .st-key-focus-keeper,
:has(> .st-key-dialog-field), .st-key-dialog-field,
:has(> .st-key-address-filler), .st-key-address-filler { display: none }
.sc-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  padding: 0; margin: 0 }
h3.sc-chosen { font-size: 1.0625rem; font-weight: 650; margin: 0; padding: 0 }
h2.sc-headline { font-size: 1.375rem; font-weight: 650; margin: 0; padding: .25rem 0 0 }
a.sc-to-map { display: none; font-size: .9375rem; font-weight: 400; margin-left: .75rem }
[data-testid="stElementContainer"]:has(> [data-testid="stHtml"] > .sc-hidden) {
  position: absolute }
#map { scroll-margin-top: 4rem }
[role="dialog"] [data-testid="InputInstructions"] { display: none }
[data-testid="stCaptionContainer"] { color: var(--sc-muted); opacity: 1 }
[data-testid="stTopNavLink"]:focus-visible, [role="tab"]:focus-visible {
  outline: 2px solid var(--sc-focus) !important; outline-offset: -2px }
[data-testid="stSliderThumbValue"] p { color: var(--sc-focus) }
[data-testid="stElementToolbar"] { z-index: 1 }
.stCode > :has(> [class] > [data-testid="stElementToolbarButton"]) {
  visibility: visible !important; opacity: 1 !important }
[data-testid="stElementToolbar"]:focus-within { opacity: 1 !important }
[data-testid="stElementToolbar"] button:focus-visible { outline-offset: -2px;
  outline: 2px solid var(--sc-focus) !important }
.stPlotlyChart .modebar-btn:focus-visible {
  outline: 2px solid var(--sc-focus) !important; outline-offset: -1px }
[data-testid="stDataFrameResizable"]:has(canvas:focus-visible) {
  outline: 2px solid var(--sc-focus); outline-offset: 0 }
[data-testid="stRadioOption"]:has(input:focus-visible) {
  outline: 2px solid var(--sc-focus); outline-offset: 3px; border-radius: .25rem }
button[data-variant="segmented_control"][data-selected="true"] p,
[role="tab"][aria-selected="true"] p { color: var(--sc-focus) }
[data-testid="stWidgetLabel"]:has(+ * [disabled], + * [aria-disabled="true"]) p,
[data-testid="stWidgetLabel"][disabled] p { color: var(--sc-muted) !important }
.sc-note { color: var(--sc-muted); font-size: .875rem; margin: 0; line-height: 1.4 }
.sc-facts { color: var(--sc-muted); font-size: .875rem; margin: 0 0 .5rem 1.55rem }
.sc-facts strong { color: var(--sc-text); font-weight: 600 }
[class*="st-key-card-group-"] [data-retained="true"] { display: none }

ol.sc-passages { list-style: none; margin: 0; padding: 0 0 0 1.55rem }
ol.sc-passages li { margin: 0 0 .55rem; padding: 0; font-size: .9375rem; line-height: 1.45 }
ol.sc-passages li:last-child { margin-bottom: 0 }
ol.sc-passages summary { list-style: none; cursor: pointer; border-radius: .25rem }
ol.sc-passages summary::-webkit-details-marker { display: none }
ol.sc-passages summary:hover .sc-title, ol.sc-passages details[open] .sc-title {
  text-decoration: underline; text-underline-offset: .2em }
ol.sc-passages summary:focus-visible { outline: 2px solid var(--sc-focus); outline-offset: 2px }
.sc-title { font-weight: 600; margin-right: .5rem }
.sc-place, .sc-group { color: var(--sc-muted); font-size: .875rem; margin-right: .5rem }
.sc-group { display: block }
.sc-group::before { margin-right: .4rem }
.sc-excerpt { display: block; color: var(--sc-text) }
details[open] > summary .sc-excerpt:not(:only-child) { display: block }
ol.sc-passages details p { margin: .4rem 0 }
ol.sc-passages details[open] p:not(.sc-source) { border-left: 3px solid var(--sc-rule);
  padding-left: .7rem }
.sc-source { color: var(--sc-muted); font-size: .875rem }

[class*="st-key-group-"] button { text-align: left; justify-content: flex-start; padding: 0;
  min-height: 0 }
[class*="st-key-group-"] button p { font-weight: 650; font-size: 1.0625rem; line-height: 1.3;
  text-wrap: balance }
[class*="st-key-group-"] button::before { flex: none; width: 1.05rem; margin-right: .5rem;
  text-align: center; font-size: 1.125rem; line-height: 1.2; align-self: flex-start }

.sc-kept { margin: 0; font-weight: 600 }
.st-key-unanswered { max-width: 52rem }
.st-key-unanswered h2.sc-headline { line-height: 1.3; text-wrap: balance; overflow-wrap: anywhere }
p.sc-unanswered { margin: 0 0 .35rem; line-height: 1.5 }
.st-key-motion-asker, :has(> .st-key-motion-asker) { display: none }
.st-key-trail { row-gap: 0; align-items: baseline }
.st-key-trail button { min-height: 0; padding: .1rem 0 }
.st-key-trail button p { text-decoration: underline; text-underline-offset: .2em }
ul.sc-parts { list-style: none; margin: 0 0 .5rem; padding: 0 0 0 1.55rem }
ul.sc-parts ul.sc-parts, ul.sc-parts ol.sc-passages { padding-left: 1.1rem; margin-top: .35rem }
ul.sc-parts li { margin: 0 0 .3rem; padding: 0; font-size: .9375rem; line-height: 1.45 }
ul.sc-parts summary { cursor: pointer; border-radius: .25rem }
ul.sc-parts summary:focus-visible { outline: 2px solid var(--sc-focus); outline-offset: 2px }
.sc-number { color: var(--sc-muted); font-variant-numeric: tabular-nums; margin-right: .25rem }

.st-key-options { row-gap: .5rem }
.st-key-examples { row-gap: 0; align-items: baseline }
.st-key-examples button { min-height: 0; padding: .1rem 0 }
.st-key-examples button p { font-size: .875rem; text-decoration: underline;
  text-underline-offset: .2em; text-decoration-color: var(--sc-rule) }
[data-testid="stColumn"]:has(.st-key-map-panel) > * { height: 100% }
:has(> .st-key-map-panel) { position: sticky; top: 3.75rem }
.stPlotlyChart .modebar-btn svg { width: 1.15em; height: 1.15em }

@media (max-width: 640px) {
  .st-key-options > div { flex: 1 1 44% !important; min-width: 9rem; width: auto !important }
  .st-key-options > div:has(.st-key-themes-method), .st-key-options > .st-key-themes-method {
    flex-basis: 100% !important }
  :has(> .st-key-map-panel) { position: static }
  .st-key-map-panel :is(.stPlotlyChart, [data-testid="stFullScreenFrame"]),
  .st-key-map-panel [data-testid="stElementContainer"]:has(.stPlotlyChart) {
    height: 27rem !important; flex-basis: 27rem !important }
  a.sc-to-map { display: inline !important }
}
"""


def draw_style(theme: str | None) -> None:
    """Give the page its style sheet, in the light or the dark theme.

    Within the app the colours are those of the browser's theme of the moment, which may change
    after the page was drawn; figures follow when the page is drawn again, which is then at once.
    """
    names = ("text", "muted", "focus", "rule")
    light = (LIGHT.text, LIGHT.muted, "#0B63A5", "#C9D1DB")
    dark = (DARK.text, DARK.muted, "#86BDF0", "#3A4553")
    drawn = "; ".join(
        f"--sc-{name}: {colour}"
        for name, colour in zip(names, dark if theme == "dark" else light, strict=True)
    )
    either = "; ".join(
        f"--sc-{name}: light-dark({day}, {night})"
        for name, day, night in zip(names, light, dark, strict=True)
    )
    now = f"@supports (color: light-dark(red, red)) {{ .stApp {{ {either} }} }}"
    st.html(f"<style>:root {{ {drawn} }} {now} {_SHEET}</style>")
    follow_theme()
    name_tables()


def draw_group_style(subtopics: Sequence[Subtopic], theme: str | None, marked: int | None) -> None:
    """Give each group's name its symbol in its colour, as on the map, and frame the marked one."""
    colours = DARK if theme == "dark" else LIGHT
    rules = []
    for subtopic in subtopics:
        style = group_style(subtopic.id, colours)
        rules.append(
            f":is(.st-key-{group_key(subtopic.id)}, .st-key-move-to-{group_key(subtopic.id)}) "
            "button::before, "
            f".{mark_class(subtopic.id)}::before {{ content: '{style.glyph}' / ''; "
            f"color: {style.outline} }}"
        )
    if marked is not None:
        rules.append(
            f".st-key-card-{group_key(marked)} {{ border-color: var(--sc-focus) !important; "
            "box-shadow: inset 4px 0 0 var(--sc-focus) }"
        )
    st.html(f"<style>{''.join(rules)}</style>")
