"""The language of the interface: each visitor's own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date

import streamlit as st
from babel.dates import format_date
from streamlit.runtime.scriptrunner import get_script_run_ctx

from subclust.core import translation
from subclust.core.messages import N_
from subclust.core.translation import CATALOGUES, LANGUAGES, catalogue

__all__ = [
    "CATALOGUES",
    "LANGUAGES",
    "N_",
    "PARAMETER",
    "_",
    "_n",
    "catalogue",
    "choose_language",
    "chosen_language",
    "date_in_words",
    "keep_language_in_address",
    "language",
    "language_params",
    "number",
    "said",
    "speaking",
]

PARAMETER = "lang"
"""Carries the language in the address."""

_CHOSEN = "chosen language"
_WRITTEN = "language in the address"
_FOUND = "_subclust_language"
_SPOKEN: ContextVar[str | None] = ContextVar("language spoken", default=None)


def _(text: str) -> str:
    """Say a sentence in the visitor's language; one that is not in the catalogue stays English."""
    return catalogue(language()).gettext(text)


def _n(one: str, many: str, count: int) -> str:
    """Say a sentence in the form that goes with a count, with the count written into it.

    Parameters
    ----------
    one, many : str
        Both forms, with ``{count}`` where the count belongs.
    count : int
    """
    return catalogue(language()).ngettext(one, many, count).format(count=number(count))


def said(sentence: str, other: Mapping[str, str] | None = None) -> str:
    """Say a sentence of the stages, or one of the catalogue, in the visitor's language.

    Parameters
    ----------
    sentence : str
    other : mapping of str to str, optional
        From a template to the one that is said in its place.
    """
    return translation.translated(sentence, language(), other)


def number(value: float, decimals: int = 0) -> str:
    """Write a number as the visitor's language does: 1,234.5 or 1.234,5."""
    return translation.number(value, language(), decimals)


def date_in_words(day: date) -> str:
    """Write a day as the visitor's language does: 3 May 2026, or 3. Mai 2026."""
    form = {"en": "d MMMM yyyy"}.get(language(), "long")
    return format_date(day, format=form, locale=language())


def language() -> str:
    """Name the visitor's language, a key of `LANGUAGES`.

    It is what was chosen here or in the address, else what the browser asks for, else English;
    outside a visitor's page it is English, unless `speaking` says otherwise.
    """
    spoken = _SPOKEN.get()
    if spoken is not None:
        return spoken
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return "en"
    # A page says hundreds of sentences, and reading the session's state for each takes long. Each
    # run has cursors of its own.
    run, known = getattr(context, _FOUND, (None, ""))
    if run is not context.cursors:
        known = chosen_language() or _asked_by_browser()
        setattr(context, _FOUND, (context.cursors, known))
    return known


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Say everything in a language meanwhile; for files, which are made outside of any page.

    Parameters
    ----------
    name : str
        A key of `LANGUAGES`, as `language` gave it while the page was drawn.
    """
    before = _SPOKEN.set(name)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def chosen_language() -> str | None:
    """Name the language that the visitor has chosen or come with, None where neither."""
    asked = st.query_params.get(PARAMETER)  # one of LANGUAGES, or it is not read
    if asked in LANGUAGES and asked != st.session_state.get(_WRITTEN):
        st.session_state[_CHOSEN] = st.session_state[_WRITTEN] = asked
    known: str | None = st.session_state.get(_CHOSEN)
    return known


def choose_language(name: str) -> None:
    """Take a language from now on; for callbacks, which run before the page is drawn again.

    Raises
    ------
    KeyError
        If it is not one of `LANGUAGES`.
    """
    LANGUAGES[name]
    st.session_state[_CHOSEN] = name
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        setattr(context, _FOUND, (None, ""))


def language_params() -> dict[str, str | list[str]]:
    """Return what an address needs so that the chosen language stays; nothing where none was."""
    chosen = chosen_language()
    return {PARAMETER: chosen} if chosen else {}


def keep_language_in_address() -> None:
    """Have the address carry the chosen language, on whichever page the visitor is."""
    chosen = chosen_language()
    if chosen and st.query_params.get(PARAMETER) != chosen:
        st.query_params[PARAMETER] = chosen
    st.session_state[_WRITTEN] = chosen


def _asked_by_browser() -> str:
    asked = (st.context.locale or "").partition("-")[0].lower()
    return asked if asked in LANGUAGES else "en"
