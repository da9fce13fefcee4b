"""Which queries are learnt from, and which are held out."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from subclust.exceptions import InputError
from subclust.records import ClusteringInstance, Query
from subclust.training.arguments import TrainingArguments
from subclust.training.instances import read_instances, three_parts
from subclust.training.sets import LabelledSet
from subclust.ui.words import counted

PARTS: Mapping[str, tuple[str, str]] = {
    "train": ("Learnt from", "The training sees their passages and labels."),
    "validation": ("Chosen by", "Never learnt from. They tell which moment of it is the best."),
    "test": (
        "Compared on",
        "Kept apart until the end. They tell whether the new model groups better than the one "
        "before.",
    ),
}
"""Of each part of a set: its name, and what it is for."""


def draw_split(labelled: LabelledSet, arguments: TrainingArguments) -> None:
    """Draw how the queries of a set are divided, and name them on demand.

    Raises
    ------
    SubclustError
        If the set cannot be read or divided.
    """
    st.header("How the queries are divided", anchor=False)
    queries = queries_of(labelled.sha256, str(labelled.path))
    parts = divided(queries, arguments)
    st.html(split_html({name: len(texts) for name, texts in parts.items()}))
    with st.expander("Name the queries", key="train-split-queries"):
        for (name, texts), place in zip(parts.items(), st.columns(len(parts)), strict=True):
            with place:
                st.html(f"<h4 class='sc-part'>{PARTS[name][0]}</h4>{named(texts)}")


def divided(queries: Sequence[str], arguments: TrainingArguments) -> dict[str, list[str]]:
    """Divide queries as a training with these arguments does.

    Raises
    ------
    InputError
        If there are fewer than two.
    """
    used = queries[: arguments.queries_per_file] if arguments.queries_per_file else queries
    if len(used) < 2:
        raise InputError("At least two queries are needed, one to learn from and one to hold out.")
    instances = [ClusteringInstance(Query(text), ()) for text in used]
    shares = arguments.validation_share, arguments.test_share
    parts = zip(PARTS, three_parts(instances, *shares, arguments.seed), strict=True)
    return {name: [one.query.text for one in part] for name, part in parts if part}


def split_html(sizes: Mapping[str, int]) -> str:
    """Write the parts as one bar with a legend."""
    total = sum(sizes.values()) or 1
    bars = "".join(
        f"<span class='sc-bar sc-bar-{name}' style='flex:{n / total:.4f}'></span>"
        for name, n in sizes.items()
    )
    items = "".join(
        f"<li><span class='sc-key sc-bar-{name}' aria-hidden='true'></span><strong>"
        f"{PARTS[name][0]}: {counted(n, 'query')}</strong> {PARTS[name][1]}</li>"
        for name, n in sizes.items()
    )
    return (
        f"<div class='sc-split' aria-hidden='true'>{bars}</div><ul class='sc-split-parts'>{items}"
        "</ul>"
    )


def named(texts: Sequence[str]) -> str:
    """Write queries as a list."""
    return f"<ul class='sc-queries'>{''.join(f'<li>{html.escape(t)}</li>' for t in texts)}</ul>"


@st.cache_data(max_entries=16, show_spinner="Reading the set …")
def queries_of(sha256: str, path: str) -> tuple[str, ...]:
    """Read the texts of a set's queries, in their order; kept by the sum of its file."""
    return tuple(instance.query.text for instance in read_instances(Path(path)))
