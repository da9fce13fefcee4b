"""Fourth step: the method, its starting point, its settings, and the split of the queries."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Query
from subclust.core.settings import Settings
from subclust.judging.own_sets import bases, own_recipe, trainable_methods
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import LabelledSet
from subclust.methods import METHODS
from subclust.training.folds import suggested_folds
from subclust.training.recipe import TrainingArguments
from subclust.training.split import three_parts
from subclust.ui.components.resources import default_method
from subclust.ui.i18n.language import N_, _, _n, number
from subclust.ui.train.settings import draw_settings, settings_problem

NOTHING = ""
"""Stands for no checkpoint to start from."""
PARTS: Mapping[str, tuple[str, str]] = {
    "train": (N_("Training"), N_("The model learns from their passages and labels.")),
    "validation": (N_("Validation"), N_("Held out to choose the best step of the training.")),
    "test": (
        N_("Test"),
        N_("Held out to the end, to compare the model with the previous one."),
    ),
}
"""Of each part of a set: its name, and what it is for."""


@dataclass(frozen=True)
class Choice:
    """A training as the visitor wants it.

    Parameters
    ----------
    labelled : LabelledSet
    method : str
    base : str or None
        Checkpoint that it starts from.
    settings : tuple of str
        ``key=value`` of what differs from the recipe.
    problem : str or None
        Why it cannot be trained like this.
    folds : int
        Parts of a cross-validation, 0 for a single division.
    """

    labelled: LabelledSet
    method: str
    base: str | None
    settings: tuple[str, ...]
    problem: str | None = None
    folds: int = 0

    @property
    def arguments(self) -> TrainingArguments:
        """The arguments of the training; the suggested ones where the settings cannot be used."""
        _path, recipe = own_recipe(self.method)
        return recipe.with_settings([] if self.problem else self.settings).training

    def argv(self, name: str) -> list[str]:
        """Return the words of the command that trains a model of this name."""
        words = ["train", self.method, "--data", self.labelled.reference, "--name", name]
        words += ["--base", self.base] if self.base else []
        path, _recipe = own_recipe(self.method)
        words += ["--recipe", str(path)] if path else []
        for setting in self.settings:
            words += ["--set", setting]
        words += ["--folds", str(self.folds)] if self.folds else []
        return [*words, "--judge"]


def draw_choice(settings: Settings, labelled: LabelledSet) -> Choice:
    """Draw the methods, what the training starts from, and the advanced settings."""
    default = default_method(settings)
    cards = trainable_methods()
    names = sorted((card.name for card in cards), key=lambda name: name != default)
    st.header(_("Which method?"), anchor=False)
    method = st.radio(
        _("Method"),
        names,
        format_func=lambda name: _method_words(name, default),
        captions=[_(METHODS[name].fits) for name in names],
        key="train-method",
    )
    store = CheckpointStore.of(settings)
    there = bases(method, store)
    base: str | None = None
    if there:
        chosen = st.selectbox(
            _("Start from"),
            [*there, NOTHING],
            format_func=lambda name: _base_words(name, there),
            key=f"train-base-{method}",
            help=_(
                "With few queries, starting from a trained model is far better than starting from "
                "scratch."
            ),
            width=360,
        )
        base = None if chosen == NOTHING else chosen
    _path, recipe = own_recipe(method)
    with st.expander(_("Advanced settings"), key="train-advanced"):
        st.caption(
            _("The suggested settings suit a small set. Change them if you know the method.")
        )
        changed = draw_settings(method, recipe)
        problem = settings_problem(recipe, changed)
        if problem:
            st.error(problem)
    return Choice(labelled, method, base, tuple(changed), problem)


def _method_words(name: str, default: str | None) -> str:
    label = _(METHODS[name].label)
    return _("{method} (recommended)").format(method=label) if name == default else label


def _base_words(name: str, there: Sequence[str]) -> str:
    if name == NOTHING:
        return _("scratch: learn from this set alone")
    return _("{model}, in use now").format(model=name) if name == there[0] else name


def draw_split(choice: Choice) -> Choice:
    """Draw how the queries of a set are split; few of them can be cross-validated instead."""
    st.header(_("How the queries are split"), anchor=False)
    with st.spinner(_("Reading the set …")):
        queries = _queries_of(choice.labelled.sha256, str(choice.labelled.path))
    folds = suggested_folds(len(set(queries)))
    if folds and _wants_folds(folds):
        st.markdown(_folds_words(len(set(queries)), folds))
        return replace(choice, folds=folds)
    parts = divided(queries, choice.arguments)
    st.html(split_html({name: len(texts) for name, texts in parts.items()}))
    with st.expander(_("List the queries"), key="train-split-queries"):
        for (name, texts), place in zip(parts.items(), st.columns(len(parts)), strict=True):
            with place:
                st.html(f"<h4 class='sc-part'>{_(PARTS[name][0])}</h4>{_named(texts)}")
    return choice


def _folds_words(n_queries: int, folds: int) -> str:
    return _(
        "The {queries} queries are split into {parts} parts. Each part is scored by a model that "
        "has not seen it, so that every query counts; the final model learns from all of them. "
        "This trains {times} times instead of once."
    ).format(queries=number(n_queries), parts=folds, times=folds + 1)


def _wants_folds(folds: int) -> bool:
    return bool(
        st.radio(
            _("Comparison"),
            [folds, 0],
            format_func=lambda n: (
                _("Cross-validation in {count} parts").format(count=n) if n else _("A single split")
            ),
            captions=[
                _("Suggested for so few queries: a single split leaves hardly any to compare on."),
                _("Faster, but hardly enough to decide whether the new model is better."),
            ],
            key="train-folds",
        )
    )


def divided(queries: Sequence[str], arguments: TrainingArguments) -> dict[str, list[str]]:
    """Split queries as a training with these arguments does.

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


def _named(texts: Sequence[str]) -> str:
    return f"<ul class='sc-queries'>{''.join(f'<li>{html.escape(t)}</li>' for t in texts)}</ul>"


@st.cache_data(max_entries=16, show_spinner=False)
def _queries_of(sha256: str, path: str) -> tuple[str, ...]:
    """Read the texts of a set's queries, cached by the checksum of its file."""
    return tuple(instance.query.text for instance in read_instances(Path(path)))
