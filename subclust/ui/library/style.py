"""The Library page's own style, after the sheets that all pages and the Train page have."""

import streamlit as st

_SHEET = """
dl.sc-about { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
  gap: .75rem 2rem; margin: 0; padding: 0; max-width: 62rem;
  font-size: .9375rem; line-height: 1.45 }
.sc-about dt { color: var(--sc-muted); font-size: .875rem; font-weight: 400 }
.sc-about :is(div, dt, dd) { margin: 0; padding: 0 }
.sc-about dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
ul.sc-reasons { list-style: none; margin: 0; padding: 0; max-width: 62rem; line-height: 1.5 }
ul.sc-reasons li { margin: 0; padding: .35rem 0; border-top: 1px solid var(--sc-rule);
  overflow-wrap: anywhere }
ul.sc-reasons li:first-child { border-top: 0 }
.st-key-library-next a p { text-decoration: underline; text-underline-offset: .2em }
.st-key-library-actions [data-testid="stPageLink"] p { text-decoration: underline;
  text-underline-offset: .2em }
[class*="st-key-library-card-"] { padding: .6rem .75rem }
[class*="st-key-library-open-"] button { text-align: left; justify-content: flex-start;
  padding: 0; min-height: 0 }
[class*="st-key-library-open-"] button p { font-weight: 600; overflow-wrap: anywhere;
  text-align: left; white-space: normal }
[class*="st-key-library-card-on-"] { border-color: var(--sc-focus) !important;
  box-shadow: inset 4px 0 0 var(--sc-focus) }
.st-key-library-jobs [data-stale="true"], .st-key-library-live [data-stale="true"],
.st-key-library-strip [data-stale="true"] { opacity: 1 !important; transition: none !important }
ol.sc-records { padding-left: 0; max-width: 62rem }
ol.sc-records li { margin-bottom: .75rem }
.sc-credits { display: block; color: var(--sc-muted); font-size: .875rem; overflow-wrap: anywhere }
[class*="st-key-library-file"] { max-width: 72rem }
"""


def draw_library_style() -> None:
    """Give the page its style sheet."""
    st.html(f"<style>{_SHEET}</style>")
