"""Fourth step: the method, its starting point and its settings. Of the fifth: the split."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import InputError, TrainingError
from subclust.core.records import ClusteringInstance, Query
from subclust.core.settings import Settings
from subclust.judging.own_sets import bases, own_recipe, trainable_methods
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import LabelledSet
from subclust.methods import METHODS
from subclust.training.folds import suggested_folds
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.split import three_parts
from subclust.ui import state
from subclust.ui.components.markup import draw_list
from subclust.ui.components.resources import default_method
from subclust.ui.components.session import note_press, was_pressed
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import N_, _, _n, number
from subclust.ui.train.walk import go

SETTING_WORDS: Mapping[str, tuple[str, str]] = {
    "epochs": (
        N_("Epochs"),
        N_("Passes over all questions. More take longer; too many overfit the set."),
    ),
    "learning_rate": (
        N_("Learning rate"),
        N_("Size of a step. Smaller is safer and slower; larger may lose what the model knows."),
    ),
    "weight_decay": (N_("Weight decay"), N_("Keeps the weights small; 0 turns it off.")),
    "warmup": (
        N_("Warm-up"),
        N_("Share of the steps, 0 to 1, over which the learning rate rises."),
    ),
    "schedule": (N_("Schedule"), N_("How the learning rate falls after the warm-up.")),
    "batch_passages": (N_("Passages per step"), N_("Fewer need less memory.")),
    "max_passages": (
        N_("Passages per question"),
        N_("A question with more is sampled again in each epoch. Fewer need less memory."),
    ),
    "gradient_clip": (N_("Gradient clipping"), N_("Limits the size of one step; 0 for no limit.")),
    "accumulate": (N_("Batches per step"), N_("Batches added up before the model changes.")),
    "precision": (
        N_("Precision"),
        N_("bfloat16 is faster where the machine supports it; float32 is exact."),
    ),
    "evaluate_every": (
        N_("Steps between validations"),
        N_("How often validation questions are scored; 0 for once per epoch."),
    ),
    "patience": (
        N_("Patience"),
        N_("Validations without improvement before the training stops; 0 for never."),
    ),
    "save_every": (
        N_("Steps between saves"),
        N_("After an interruption, at most this many steps are repeated."),
    ),
    "queries_per_file": (N_("Questions used"), N_("The first questions of the set; 0 for all.")),
    "validation_share": (
        N_("Validation share"),
        N_("Of the questions, 0 to 1, held out to choose the best step."),
    ),
    "test_share": (
        N_("Test share"),
        N_("Of the questions, 0 to 1, held out to compare the new model with the previous one."),
    ),
    "seed": (N_("Seed"), N_("A whole number; the same seed gives the same split and samples.")),
}
"""Of each training argument: its label, and what it does."""

_COLUMNS = 3
_KEPT = ("train-method", "train-base-", "setting-")
"""Beginnings of the keys of this step's fields."""


def _setting_key(method: str, name: str) -> str:
    # Each method has its own defaults; after a reset, a new widget starts with them.
    times = st.session_state.get(state.SETTING_RESETS, {}).get(method, 0)
    return f"setting-{method}-{name}" + (f"-{times}" if times else "")


def draw_settings(method: str, recipe: Recipe) -> list[str]:
    """Draw a field for each training argument; return ``key=value`` of those that were changed."""
    suggested = asdict(recipe.training)
    given: dict[str, Any] = {}
    arguments = fields(TrainingArguments)
    for first in range(0, len(arguments), _COLUMNS):  # by rows, as they are read and tabbed through
        row = arguments[first : first + _COLUMNS]
        for field, place in zip(row, st.columns(_COLUMNS), strict=False):
            with place:
                given[field.name] = _draw_field(method, field.name, suggested[field.name])
    st.button(
        _("Reset to the suggested settings"),
        key=f"settings-reset-{method}",
        on_click=_reset,
        args=(method,),
    )
    return _changed_settings(suggested, given)


def _changed_settings(suggested: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return what differs from the suggestion as ``key=value``; an empty field is no change."""
    return [
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in given.items()
        if value is not None and value != suggested[name]
    ]


def settings_problem(recipe: Recipe, settings: list[str]) -> str | None:
    """Return why settings cannot be used, None where they can."""
    try:
        recipe.with_settings(settings)
    except TrainingError as error:
        return in_words(error_words(error))
    return None


def in_words(sentence: str) -> str:
    """Replace the settings that a sentence names by their labels."""
    name, space, rest = sentence.partition(" ")
    if name in SETTING_WORDS:
        return f"{_(SETTING_WORDS[name][0])}{space}{in_words(rest)}"
    for name, (label, _meaning) in SETTING_WORDS.items():
        if "_" in name:
            sentence = re.sub(rf"\b{name}\b", _("“{text}”").format(text=_(label)), sentence)
    return sentence


def _draw_field(method: str, name: str, suggested: Any) -> Any:
    label, meaning = (_(one) for one in SETTING_WORDS[name])
    key = _setting_key(method, name)
    hint = get_type_hints(TrainingArguments)[name]
    if get_origin(hint) is Literal:
        options = list(get_args(hint))
        return st.selectbox(label, options, index=options.index(suggested), key=key, help=meaning)
    if hint is float:
        return st.number_input(
            label, value=float(suggested), format="%g", step=_step(suggested), key=key, help=meaning
        )
    return st.number_input(label, value=int(suggested), step=1, key=key, help=meaning)


def _step(value: float) -> float:
    """Return a tenth of a value, rounded, by which its field changes."""
    return float(f"{abs(value) / 10:.0e}") if value else 0.01


def _reset(method: str) -> None:
    times: dict[str, int] = st.session_state.setdefault(state.SETTING_RESETS, {})
    times[method] = times.get(method, 0) + 1


NOTHING = ""
"""Stands for no checkpoint to start from."""
PARTS: Mapping[str, tuple[str, str]] = {
    "train": (N_("Training"), N_("What the model learns from.")),
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
    folds : int
        Parts of a cross-validation, 0 for a single division.
    """

    labelled: LabelledSet
    method: str
    base: str | None
    settings: tuple[str, ...]
    folds: int = 0

    @property
    def arguments(self) -> TrainingArguments:
        """The arguments of the training."""
        _path, recipe = own_recipe(self.method)
        return recipe.with_settings(self.settings).training

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


def draw_choice(settings: Settings, labelled: LabelledSet) -> None:
    """Draw the methods, what the training starts from, the advanced settings, and the way on."""
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
    _path, recipe = own_recipe(method)
    with st.expander(_("Advanced settings"), key="train-advanced"):
        if there:
            chosen = st.selectbox(
                _("Start from"),
                [*there, NOTHING],
                format_func=lambda name: _base_words(name, there),
                key=f"train-base-{method}",
                help=_(
                    "With few questions, starting from a trained model is far better than starting "
                    "from scratch."
                ),
                width=360,
            )
            base = None if chosen == NOTHING else chosen
        st.caption(
            _("The suggested settings suit a small set. Change them if you know the method.")
        )
        changed = draw_settings(method, recipe)
        problem = settings_problem(recipe, changed)
    if problem:
        st.error(plain(problem))
    st.button(
        _("Continue with this method"),
        key="train-decide",
        type="primary",
        disabled=problem is not None,
        on_click=note_press,
        args=("train-decide",),
    )
    if was_pressed("train-decide") and problem is None:
        go(decided=Choice(labelled, method, base, tuple(changed)))
        st.rerun()


def draw_decided(choice: Choice) -> None:
    """Draw the method that was chosen, and the way back, on which its settings stay."""
    # Streamlit forgets widgets that are not drawn, unless their value is assigned in every run.
    for key in list(st.session_state):
        if str(key).startswith(_KEPT):
            st.session_state[key] = st.session_state[key]
    label = _(METHODS[choice.method].label)
    with st.container(horizontal=True, vertical_alignment="center", key="train-decided"):
        if choice.base:
            told = _("Method **{method}**, starting from **{model}**")
        else:
            told = _("Method **{method}**, starting from scratch")
        st.markdown(told.format(method=label, model=choice.base), width="content")
        st.button(
            _("Choose another method"),
            key="train-other-method",
            on_click=go,
            kwargs={"decided": None},
        )


def _method_words(name: str, default: str | None) -> str:
    label = _(METHODS[name].label)
    return _("{method} (recommended)").format(method=label) if name == default else label


def _base_words(name: str, there: Sequence[str]) -> str:
    if name == NOTHING:
        return _("scratch: learn from this set alone")
    return _("{model}, in use now").format(model=name) if name == there[0] else name


def draw_split(choice: Choice) -> Choice:
    """Draw how the queries of a set are split; few of them can be cross-validated instead."""
    st.header(_("How the questions are split"), anchor=False)
    with st.spinner(_("Reading the set …")):
        queries = _queries_of(choice.labelled.sha256, str(choice.labelled.path))
    folds = suggested_folds(len(set(queries)))
    if folds and _wants_folds(folds):
        st.markdown(_folds_words(len(set(queries)), folds))
        return replace(choice, folds=folds)
    choice = _without_test(choice, queries)
    parts = _divided(queries, choice.arguments)
    st.html(_split_html({name: len(texts) for name, texts in parts.items()}))
    with st.expander(_("List the questions"), key="train-split-queries"):
        for (name, texts), place in zip(parts.items(), st.columns(len(parts)), strict=True):
            with place:
                st.subheader(_(PARTS[name][0]), anchor=False)
                draw_list(texts)
    return choice


def _without_test(choice: Choice, queries: Sequence[str]) -> Choice:
    """Keep two questions to train and to validate on, unless a test share was asked for."""
    asked = any(setting.startswith("test_share=") for setting in choice.settings)
    more = () if asked or len(set(_used(queries, choice.arguments))) != 2 else ("test_share=0",)
    return replace(choice, settings=(*choice.settings, *more))


def _folds_words(n_queries: int, folds: int) -> str:
    return _(
        "The {queries} questions are split into {parts} parts. Each part is scored by a model that "
        "has not seen it, so that every question counts; the final model learns from all of them. "
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
                _(
                    "Suggested for so few questions: a single split leaves hardly any to compare "
                    "on."
                ),
                _("Faster, but hardly enough to decide whether the new model is better."),
            ],
            key="train-folds",
        )
    )


def _used(queries: Sequence[str], arguments: TrainingArguments) -> Sequence[str]:
    return queries[: arguments.queries_per_file] if arguments.queries_per_file else queries


def _divided(queries: Sequence[str], arguments: TrainingArguments) -> dict[str, list[str]]:
    """Split queries as a training with these arguments does.

    Raises
    ------
    InputError
        If there are fewer than two.
    """
    used = _used(queries, arguments)
    if len(used) < 2:
        raise InputError(
            _("At least two questions are needed, one to learn from and one to hold out.")
        )
    instances = [ClusteringInstance(Query(text), ()) for text in used]
    shares = arguments.validation_share, arguments.test_share
    parts = zip(PARTS, three_parts(instances, *shares, arguments.seed), strict=True)
    return {name: [one.query.text for one in part] for name, part in parts if part}


def _split_html(sizes: Mapping[str, int]) -> str:
    """Write the parts as one bar with a legend."""
    total = sum(sizes.values()) or 1
    bars = "".join(
        f"<span class='sc-bar sc-bar-{name}' style='flex:{n / total:.4f}'></span>"
        for name, n in sizes.items()
    )
    items = "".join(
        f"<li><span class='sc-key sc-bar-{name}' aria-hidden='true'></span><strong>"
        f"{_(PARTS[name][0])}: {_n('{count} question', '{count} questions', n)}</strong> "
        f"{_(PARTS[name][1])}</li>"
        for name, n in sizes.items()
    )
    return (
        f"<div class='sc-split' aria-hidden='true'>{bars}</div><ul class='sc-split-parts'>{items}"
        "</ul>"
    )


@st.cache_data(max_entries=16, show_spinner=False)
def _queries_of(sha256: str, path: str) -> tuple[str, ...]:
    """Read the texts of a set's queries, cached by the checksum of its file."""
    return tuple(instance.query.text for instance in read_instances(Path(path)))
