"""Who looks at the pages: the number of their browser, and what all of them have uploaded."""

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.stats import CacheStat

from subclust.serving.visitor import known_visitor


def visitor() -> str:
    """Return the number of this visitor's browser; empty where it takes no cookies."""
    return known_visitor(st.context.cookies)


def held_uploads() -> int:
    """Return how many bytes of uploads Streamlit holds for all visitors."""
    if not Runtime.exists():
        return 0
    stats = Runtime.instance().uploaded_file_mgr.get_stats()
    held = [one for family in stats.values() for one in family if isinstance(one, CacheStat)]
    return sum(one.byte_length for one in held)
