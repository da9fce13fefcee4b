"""The Compare page's own style, after the sheet that all pages share."""

import streamlit as st

_SHEET = """
h2.sc-part { font-size: 1.25rem; font-weight: 650; margin: .75rem 0 0; padding: 0 }
h3.sc-part { font-size: 1.0625rem; font-weight: 650; margin: .75rem 0 0; padding: 0 }
h3.sc-letter { font-size: 1.0625rem; font-weight: 650; margin: 0; padding: 0 }
h3.sc-column { font-size: 1rem; font-weight: 600; margin: 0; padding: 0; line-height: 1.35;
  text-wrap: balance; overflow-wrap: anywhere }
h3.sc-column b { display: inline-block; min-width: 1.6em; text-align: center; margin-right: .35rem;
  border: 1px solid var(--sc-rule); border-radius: .35rem }
.sc-lead { max-width: 52rem; margin: 0; text-wrap: pretty; color: var(--sc-muted);
  line-height: 1.5 }
[class*="st-key-of-"] button { text-align: left; justify-content: flex-start; padding: .1rem 0;
  min-height: 1.75rem }
[class*="st-key-of-"] button p { font-size: .9375rem; line-height: 1.3 }
[class*="st-key-of-"] button::before { flex: none; width: 1.05rem; margin-right: .45rem;
  text-align: center; font-size: 1.0625rem; line-height: 1.2; align-self: flex-start }
[class*="st-key-remove-"] button { min-height: 0; padding: 0 }
@media (max-width: 640px) {
  .st-key-compare-question > div { width: 100% !important }
}
"""


def draw_compare_style() -> None:
    """Give the page its own style."""
    st.html(f"<style>{_SHEET}</style>")
