"""Tables, lists, verdicts and headings as all pages draw them, every text escaped."""

import html
from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.layout_utils import Width

from subclust.core.records import Passage
from subclust.ui.components.words import plain


def draw_hidden_heading(level: int, text: str, anchor: str = "") -> None:
    """Draw a heading for screen readers only, where what follows speaks for itself."""
    id_ = f" id='{anchor}'" if anchor else ""
    st.html(f"<h{level} class='sc-hidden'{id_}>{html.escape(text)}</h{level}>")


def draw_lead(text: str, mark: str = "") -> None:
    """Draw the sentence that a page comes to, after a group's symbol where its class is given."""
    symbol = f"<span class='{mark}' aria-hidden='true'></span> " if mark else ""
    st.html(f"<h2 class='sc-headline'>{symbol}{html.escape(text)}</h2>")


def draw_passage_heading(passage: Passage) -> None:
    """Draw what a dialog is about: a passage's title, and its place in the document."""
    place = html.escape(passage.path or "")
    st.html(
        f"<h3 class='sc-chosen' data-of='{html.escape(passage.id)}'>{html.escape(passage.title)} "
        f"<span class='sc-place'>{place}</span></h3>"
    )


def draw_status(text: str, kind: str = "sc-note", width: Width = "stretch") -> None:
    """Draw a sentence that screen readers read out whenever it changes."""
    st.html(f"<p class='{kind}' role='status'>{html.escape(text)}</p>", width=width)


def draw_verdict(told: str, kind: str = "", mark: str = "") -> None:
    """Draw a verdict beside a bar in the colour of its kind, a class of the style sheet."""
    mark = f"<span aria-hidden='true'>{mark}</span> " if mark else ""
    st.html(f"<p class='sc-verdict {kind}'>{mark}{html.escape(told)}</p>")


def draw_list(texts: Iterable[str]) -> None:
    """Draw texts as a list with bullets."""
    st.markdown("\n".join(f"- {plain(' '.join(text.split()))}" for text in texts))


def draw_plain_table(heads: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> None:
    """Draw a table whose first column names its rows; the label is for screen readers."""
    cells = [[plain(text) for text in row] for row in rows]
    frame = pd.DataFrame([row[1:] for row in cells], columns=[plain(head) for head in heads[1:]])
    frame.index = pd.Index([row[0] for row in cells], name=plain(heads[0]) or None)
    st.table(frame, border="horizontal", width="content", alt=label)


def draw_pairs(pairs: Iterable[tuple[str, str]], label: str) -> None:
    """Draw names with their values, a line each."""
    names, values = zip(*((plain(name), plain(told)) for name, told in pairs), strict=True)
    frame = pd.DataFrame({"": values}, index=pd.Index(names))
    st.table(frame, border=False, width="content", hide_header=True, alt=label)
