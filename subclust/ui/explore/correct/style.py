"""What was said of passages, shown in every list."""

import json
from collections.abc import Mapping

import streamlit as st

from subclust.ui.explore.correct.words import judged


def draw_correct_style(judgements: Mapping[str, str]) -> None:
    """Give corrections their style, and say in every list what was said of a passage."""
    rules = "".join(
        f"li[data-passage={_quoted(id)}] summary > :first-child::after {{ "
        f"content: ' ({judged(judgement)})'; color: var(--sc-muted); font-weight: 400 }} "
        for id, judgement in judgements.items()
        if "<" not in id and "\\" not in _quoted(id)
    )
    st.html(f"<style>{rules}</style>")


def _quoted(id: str) -> str:
    return json.dumps(id, ensure_ascii=False)
