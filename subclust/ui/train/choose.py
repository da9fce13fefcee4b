"""Fourth step: the method, what it starts from, and how the queries are divided."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import Settings
from subclust.judging.own_sets import bases, own_recipe, trainable_methods
from subclust.labelled.sets import LabelledSet
from subclust.methods import METHODS
from subclust.training.arguments import TrainingArguments
from subclust.ui.components.resources import default_method
from subclust.ui.i18n.language import _
from subclust.ui.train.settings import draw_settings, settings_problem
from subclust.ui.train.words import NOTHING


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
        """The arguments of the training; the suggested ones where those given cannot be used."""
        _path, recipe = own_recipe(self.method)
        return recipe.with_settings([] if self.problem else self.settings).training

    def argv(self, name: str) -> list[str]:
        """Write the command that trains it.

        Parameters
        ----------
        name : str
            Of the new model.
        """
        words = ["train", self.method, "--data", self.labelled.reference, "--name", name]
        words += ["--base", self.base] if self.base else []
        path, _recipe = own_recipe(self.method)
        words += ["--recipe", str(path)] if path else []
        for setting in self.settings:
            words += ["--set", setting]
        words += ["--folds", str(self.folds)] if self.folds else []
        return [*words, "--judge"]


def draw_choice(settings: Settings, labelled: LabelledSet) -> Choice:
    """Draw the methods in plain words, what the training starts from, and the advanced settings."""
    default = default_method(settings)
    cards = trainable_methods()
    names = sorted((card.name for card in cards), key=lambda name: name != default)
    st.header(_("Which method?"), anchor=False)
    method = st.radio(
        _("Method"),
        names,
        format_func=lambda name: method_words(name, default),
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
            format_func=lambda name: base_words(name, there),
            key=f"train-base-{method}",
            help=_(
                "With few queries, going on from a model that knows much is far better than "
                "starting from nothing."
            ),
            width=360,
        )
        base = None if chosen == NOTHING else chosen
    _path, recipe = own_recipe(method)
    with st.expander(_("Advanced settings"), key="train-advanced"):
        st.caption(
            _("The suggested ones suit a small set. Whoever knows the method may change them.")
        )
        changed = draw_settings(method, recipe)
        problem = settings_problem(recipe, changed)
        if problem:
            st.error(problem)
    return Choice(labelled, method, base, tuple(changed), problem)


def method_words(name: str, default: str | None) -> str:
    """Return a method's label, and say which is recommended."""
    label = _(METHODS[name].label)
    return _("{method} (recommended)").format(method=label) if name == default else label


def base_words(name: str, there: Sequence[str]) -> str:
    """Return what a training starts from."""
    if name == NOTHING:
        return _("nothing: learn from this set alone")
    return _("{model}, in use now").format(model=name) if name == there[0] else name
