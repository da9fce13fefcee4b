"""Which queries are learnt from, and which are held out."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Query
from subclust.labelled.reading.instances import read_instances
from subclust.training.arguments import TrainingArguments
from subclust.training.folds import suggested_folds
from subclust.training.split import three_parts
from subclust.ui.i18n.language import N_, _, _n, number
from subclust.ui.train.choose import Choice

PARTS: Mapping[str, tuple[str, str]] = {
    "train": (N_("Learnt from"), N_("The training sees their passages and labels.")),
    "validation": (
        N_("Chosen by"),
        N_("Never learnt from. They tell which moment of it is the best."),
    ),
    "test": (
        N_("Compared on"),
        N_(
            "Kept apart until the end. They tell whether the new model groups better than the one "
            "before."
        ),
    ),
}
"""Of each part of a set: its name, and what it is for."""


def draw_split(choice: Choice) -> Choice:
    """Draw how the queries of a set are divided, and name them on demand.

    Where there are few of them, cross-validation is offered and suggested.

    Returns
    -------
    Choice
        With the division that the visitor wants.

    Raises
    ------
    SubclustError
        If the set cannot be read or divided.
    """
    st.header(_("How the queries are divided"), anchor=False)
    with st.spinner(_("Reading the set …")):
        queries = queries_of(choice.labelled.sha256, str(choice.labelled.path))
    folds = suggested_folds(len(set(queries)))
    if folds and _wants_folds(folds):
        st.html(f"<p class='sc-said'>{folds_words(len(set(queries)), folds)}</p>")
        return replace(choice, folds=folds)
    parts = divided(queries, choice.arguments)
    st.html(split_html({name: len(texts) for name, texts in parts.items()}))
    with st.expander(_("Name the queries"), key="train-split-queries"):
        for (name, texts), place in zip(parts.items(), st.columns(len(parts)), strict=True):
            with place:
                st.html(f"<h4 class='sc-part'>{_(PARTS[name][0])}</h4>{named(texts)}")
    return choice


def folds_words(n_queries: int, folds: int) -> str:
    """Return what a cross-validation does."""
    return _(
        "The {queries} queries are divided into {parts} parts. Each part is compared by a model "
        "that has not learnt from it, so that every query counts; the model that is kept learns "
        "from all of them. This trains {times} times instead of once."
    ).format(queries=number(n_queries), parts=folds, times=folds + 1)


def _wants_folds(folds: int) -> bool:
    return bool(
        st.radio(
            _("Way of comparing"),
            [folds, 0],
            format_func=lambda n: (
                _("Cross-validation in {count} parts").format(count=n)
                if n
                else _("A single division")
            ),
            captions=[
                _(
                    "Suggested for so few queries: a single division leaves hardly any to "
                    "compare on."
                ),
                _(
                    "Quicker, but it will hardly be possible to tell whether the new model is "
                    "better."
                ),
            ],
            key="train-folds",
        )
    )


def divided(queries: Sequence[str], arguments: TrainingArguments) -> dict[str, list[str]]:
    """Divide queries as a training with these arguments does.

    Raises
    ------
    InputError
        If there are fewer than two.
    """
    used = queries[: arguments.queries_per_file] if arguments.queries_per_file else queries
    if len(used) < 2:
        raise InputError(
            _("At least two queries are needed, one to learn from and one to hold out.")
        )
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
        f"{_(PARTS[name][0])}: {_n('{count} query', '{count} queries', n)}</strong> "
        f"{_(PARTS[name][1])}</li>"
        for name, n in sizes.items()
    )
    return (
        f"<div class='sc-split' aria-hidden='true'>{bars}</div><ul class='sc-split-parts'>{items}"
        "</ul>"
    )


def named(texts: Sequence[str]) -> str:
    """Write queries as a list."""
    return f"<ul class='sc-queries'>{''.join(f'<li>{html.escape(t)}</li>' for t in texts)}</ul>"


@st.cache_data(max_entries=16, show_spinner=False)
def queries_of(sha256: str, path: str) -> tuple[str, ...]:
    """Read the texts of a set's queries, in their order; kept by the sum of its file."""
    return tuple(instance.query.text for instance in read_instances(Path(path)))
