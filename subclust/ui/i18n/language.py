"""The language of the interface, which each visitor chooses, and the switch for it."""

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
from subclust.ui import state

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
    "file_size",
    "language",
    "language_params",
    "number",
    "said",
    "speaking",
]

PARAMETER = "lang"
"""Name of the language in the address."""

_FOUND = "_subclust_language"
_SPOKEN: ContextVar[str | None] = ContextVar("language spoken", default=None)
_document = st.components.v2.component(
    "subclust_language",
    js="export default ({ data }) => { document.documentElement.lang = data.language }",
)


def _(text: str) -> str:
    """Translate a sentence into the visitor's language; an unknown one stays English."""
    return catalogue(language()).gettext(text)


def _n(one: str, many: str, count: int) -> str:
    """Translate the form of a sentence that goes with a count, and format the count into it.

    Parameters
    ----------
    one, many : str
        Both forms, with ``{count}`` where the count belongs.
    count : int
    """
    return translation.spoken(language())[1](one, many, count)


def said(sentence: str, other: Mapping[str, str] | None = None) -> str:
    """Translate a sentence of the stages, or one of the catalogue.

    Parameters
    ----------
    sentence : str
    other : mapping of str to str, optional
        From a template to the one that replaces it.
    """
    return translation.translated(sentence, language(), other or {})


def number(value: float, decimals: int = 0) -> str:
    """Write a number as the visitor's language does: 1,234.5 or 1.234,5."""
    return translation.number(value, language(), decimals)


def file_size(n_bytes: int) -> str:
    """Write a number of bytes as the visitor's language does: 14.9 MB or 14,9 MB."""
    if n_bytes < 100_000:
        return f"{number(max(n_bytes, 1) / 1e3)} kB"
    return f"{number(n_bytes / 1e6, 1)} MB"


def date_in_words(day: date) -> str:
    """Write a day as the visitor's language does: 3 May 2026, or 3. Mai 2026."""
    # The long form of Babel's "en" is American: May 3, 2026.
    form = {"en": "d MMMM yyyy"}.get(language(), "long")
    return format_date(day, format=form, locale=language())


def language() -> str:
    """Return the visitor's language, a key of `LANGUAGES`.

    It is what was chosen here or in the address, else the browser's, else English; outside a page
    it is English, unless within `speaking`.
    """
    spoken = _SPOKEN.get()
    if spoken is not None:
        return spoken
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return "en"
    # A page has hundreds of sentences, and reading the session's state for each takes long. Each
    # run has cursors of its own.
    run, known = getattr(context, _FOUND, (None, ""))
    if run is not context.cursors:
        known = chosen_language() or _asked_by_browser()
        setattr(context, _FOUND, (context.cursors, known))
    return known


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Translate into a language in this context; for files, which are made outside of any page.

    Parameters
    ----------
    name : str
        A key of `LANGUAGES`, as `language` returned it while the page was drawn.
    """
    before = _SPOKEN.set(name)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def chosen_language() -> str | None:
    """Return the language that the visitor chose or that the address names, None if neither."""
    asked = st.query_params.get(PARAMETER)
    # What the page itself wrote to the address must not undo a choice that was made since.
    if asked in LANGUAGES and asked != st.session_state.get(state.LANGUAGE_WRITTEN):
        st.session_state[state.LANGUAGE_CHOSEN] = st.session_state[state.LANGUAGE_WRITTEN] = asked
    known: str | None = st.session_state.get(state.LANGUAGE_CHOSEN)
    return known


def choose_language(name: str) -> None:
    """Change the language; for callbacks, which run before the page is drawn again.

    Raises
    ------
    KeyError
        If it is not one of `LANGUAGES`.
    """
    LANGUAGES[name]
    st.session_state[state.LANGUAGE_CHOSEN] = name
    # Forget what `language` found for this run, so that the rest of it speaks the new language.
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        setattr(context, _FOUND, (None, ""))


def language_params() -> dict[str, str | list[str]]:
    """Return the part of an address that carries the chosen language, empty if none was chosen."""
    chosen = chosen_language()
    return {PARAMETER: chosen} if chosen else {}


def _write_address() -> None:
    """Write the chosen language to the address of the page."""
    chosen = chosen_language()
    if chosen and st.query_params.get(PARAMETER) != chosen:
        st.query_params[PARAMETER] = chosen
    st.session_state[state.LANGUAGE_WRITTEN] = chosen


def _asked_by_browser() -> str:
    asked = (st.context.locale or "").partition("-")[0].lower()
    return asked if asked in LANGUAGES else "en"


def _keep_choices() -> None:
    """Keep what is chosen in widgets that are about to be drawn in another language.

    The browser sends the words of an option, not the option, and those of before are unknown now.
    Values of buttons (bool) and of uploads (files) must not be set.
    """
    for key, value in dict(st.session_state).items():
        parts = value if isinstance(value, list | tuple) else [value]
        are_options = all(isinstance(one, str | int) and not isinstance(one, bool) for one in parts)
        if parts and are_options:
            st.session_state[key] = value


def _take_choice() -> None:
    # None where the browser sends what the switch of before had, as it may where pages follow
    # each other quickly.
    if chosen := st.session_state[state.LANGUAGE_SWITCH]:
        choose_language(chosen)


def draw_language_switch() -> None:
    """Draw the switch, and set the language of the address and of the document."""
    _write_address()
    now = language()
    before = st.session_state.get(state.LANGUAGE_DRAWN, now)
    st.session_state[state.LANGUAGE_DRAWN] = now
    if before != now:
        _keep_choices()
    if st.session_state.get(state.LANGUAGE_SWITCH) != now:
        st.session_state[state.LANGUAGE_SWITCH] = now
    with st.container(key="language-switch"):
        st.segmented_control(
            _("Language"),
            list(LANGUAGES),
            key=state.LANGUAGE_SWITCH,
            required=True,
            format_func=str.upper,
            on_change=_take_choice,
            label_visibility="collapsed",
        )
    with st.container(key="script-language"):
        _document(key="document", data={"language": now})
