"""The advanced settings of a training: a field for each training argument."""

import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import streamlit as st

from subclust.core.exceptions import TrainingError
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.ui import state
from subclust.ui.i18n.language import N_, _

SETTING_WORDS: Mapping[str, tuple[str, str]] = {
    "epochs": (
        N_("Epochs"),
        N_("Passes over all queries. More take longer; too many overfit the set."),
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
        N_("Passages per query"),
        N_("A query with more is sampled again in each epoch. Fewer need less memory."),
    ),
    "gradient_clip": (N_("Gradient clipping"), N_("Limits the size of one step; 0 for no limit.")),
    "accumulate": (N_("Batches per step"), N_("Batches added up before the model changes.")),
    "precision": (
        N_("Precision"),
        N_("bfloat16 is faster where the machine supports it; float32 is exact."),
    ),
    "evaluate_every": (
        N_("Steps between validations"),
        N_("How often held-out queries are scored; 0 for once per epoch."),
    ),
    "patience": (
        N_("Patience"),
        N_("Validations without improvement before the training stops; 0 for never."),
    ),
    "save_every": (
        N_("Steps between saves"),
        N_("At most so many steps are repeated after an interruption."),
    ),
    "queries_per_file": (N_("Queries used"), N_("The first queries of the set; 0 for all.")),
    "validation_share": (
        N_("Validation share"),
        N_("Of the queries, 0 to 1, held out to choose the best step."),
    ),
    "test_share": (
        N_("Test share"),
        N_("Of the queries, 0 to 1, held out to compare the new model with the previous one."),
    ),
    "seed": (N_("Seed"), N_("A whole number; the same seed gives the same split and samples.")),
}
"""Of each training argument: its label, and what it does."""


_COLUMNS = 3


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
    return changed_settings(suggested, given)


def changed_settings(suggested: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
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
        return in_words(str(error))
    return None


def in_words(sentence: str) -> str:
    """Replace the settings that a sentence names by their labels."""
    name, space, rest = sentence.partition(" ")
    if name in SETTING_WORDS:
        return f"{_(SETTING_WORDS[name][0])}{space}{in_words(rest)}"
    for name, (label, _meaning) in SETTING_WORDS.items():
        if "_" in name:
            sentence = re.sub(rf"\b{name}\b", f"“{_(label)}”", sentence)
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
