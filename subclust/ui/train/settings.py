"""The advanced settings of a training: a field for each training argument."""

import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import streamlit as st

from subclust.core.exceptions import TrainingError
from subclust.training.arguments import Recipe, TrainingArguments
from subclust.ui.i18n.language import _
from subclust.ui.train.words import SETTING_WORDS

_COLUMNS = 3
_RESETS = "settings-resets"


def setting_key(method: str, name: str) -> str:
    """Name the widget of a setting.

    Each method has its own, since each has its own defaults; after going back to the suggested
    ones it is another one, which starts with what is suggested.
    """
    times = st.session_state.get(_RESETS, {}).get(method, 0)
    return f"setting-{method}-{name}" + (f"-{times}" if times else "")


def draw_settings(method: str, recipe: Recipe) -> list[str]:
    """Draw a field for each training argument, filled in with what the recipe says.

    Parameters
    ----------
    method : str
    recipe : Recipe
        That the training starts from.

    Returns
    -------
    list of str
        ``key=value`` of each that was changed, as ``train --set`` takes them; empty where they
        cannot be used, after the sentence that says why.
    """
    suggested = asdict(recipe.training)
    given: dict[str, Any] = {}
    arguments = fields(TrainingArguments)
    for first in range(0, len(arguments), _COLUMNS):  # by rows, as they are read and tabbed through
        row = arguments[first : first + _COLUMNS]
        for field, place in zip(row, st.columns(_COLUMNS), strict=False):
            with place:
                given[field.name] = _draw_field(method, field.name, suggested[field.name])
    st.button(
        _("Back to the suggested settings"),
        key=f"settings-reset-{method}",
        on_click=_reset,
        args=(method,),
    )
    return changed_settings(suggested, given)


def changed_settings(suggested: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Write what differs from the suggestion as ``key=value``; a field left empty is no change."""
    return [
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in given.items()
        if value is not None and value != suggested[name]
    ]


def settings_problem(recipe: Recipe, settings: list[str]) -> str | None:
    """Return the sentence that says why settings cannot be used, None where they can."""
    try:
        recipe.with_settings(settings)
    except TrainingError as error:
        return in_words(str(error))
    return None


def in_words(sentence: str) -> str:
    """Put the labels of settings where a sentence names them as the command line does."""
    name, space, rest = sentence.partition(" ")
    if name in SETTING_WORDS:
        return f"{_(SETTING_WORDS[name][0])}{space}{in_words(rest)}"
    for name, (label, _meaning) in SETTING_WORDS.items():
        if "_" in name:
            sentence = re.sub(rf"\b{name}\b", f"“{_(label)}”", sentence)
    return sentence


def _draw_field(method: str, name: str, suggested: Any) -> Any:
    label, meaning = (_(one) for one in SETTING_WORDS[name])
    key = setting_key(method, name)
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
    """Return a tenth of a value's size, by which its field goes up and down."""
    return float(f"{abs(value) / 10:.0e}") if value else 0.01


def _reset(method: str) -> None:
    times: dict[str, int] = st.session_state.setdefault(_RESETS, {})
    times[method] = times.get(method, 0) + 1
