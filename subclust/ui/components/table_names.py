"""The names of tables for those who do not see them, where the Tab key comes to them."""

import streamlit as st

_NAMER = """
let watching = null;
let waiting = null;

const name = () => {
  waiting = null;
  for (const table of document.querySelectorAll('[data-testid=stDataFrameResizable][aria-label]')) {
    const told = table.getAttribute('aria-label');
    const cells = table.querySelector('canvas[tabindex]');
    if (cells && cells.getAttribute('aria-label') !== told) cells.setAttribute('aria-label', told);
    // Arrow keys scroll the cells themselves: no stop of its own for what they lie in.
    const around = table.querySelector('.dvn-scroller');
    if (around && !around.hasAttribute('tabindex')) around.tabIndex = -1;
  }
};

export default function () {
  watching?.disconnect();
  watching = new MutationObserver(() => { waiting ??= setTimeout(name, 100); });
  watching.observe(document.querySelector('.stApp'), { childList: true, subtree: true });
  name();
  return () => watching.disconnect();
}
"""

_namer = st.components.v2.component("subclust_table_names", js=_NAMER)


def name_tables() -> None:
    """Give the cells of each table of the page the name that the table has.

    Streamlit names the part of the page in which a table lies, with the table's ``alt``, and the
    Tab key comes to a canvas and to a scrolled area within it, which have no name.
    """
    with st.container(key="script-tables"):
        _namer(key="tables")
