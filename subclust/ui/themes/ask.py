"""What is asked for: library, filter, method, number of themes; and the button."""

import html
from pathlib import Path

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.changes import may_change
from subclust.text.library import with_own_encoder
from subclust.themes import ThemesRequest, ThemeStore
from subclust.themes.kept import themes_key
from subclust.themes.offers import OFFERS, too_many, why_not
from subclust.themes.request import KIND
from subclust.ui.components.error_words import error_words
from subclust.ui.components.queue import job_queue
from subclust.ui.components.resources import library_label, library_names, shared_encoder
from subclust.ui.components.session import note_press, show_in_widget, was_pressed
from subclust.ui.components.themes_resources import texts_of
from subclust.ui.components.themes_state import Shown, look_at
from subclust.ui.i18n.language import _, number, said
from subclust.ui.themes.corrections import draw_corrections_choice, pairs_problem
from subclust.ui.themes.words import SAYS, about_minutes, method_words

MOST_THEMES = 60
"""That can be asked for on the page."""

_FAILED = "themes-not-started"


def draw_ask(settings: Settings, shown: Shown) -> None:
    """Draw the form, and why nothing can be found where nothing can."""
    names = library_names(settings)
    names = names if shown.library in names else [*names, shown.library]
    show_in_widget("themes-library", shown.library)
    with st.container(horizontal=True, key="options", vertical_alignment="bottom"):
        st.selectbox(
            _("Library"),
            names,
            key="themes-library",
            format_func=library_label,
            on_change=_other_library,
            width=170,
        )
        written = st.text_input(
            _("Only texts such as"),
            key="themes-filter",
            placeholder="year=1990-2005",
            help=_(
                "Leave it empty for the whole library. A field and its value, several divided by "
                "semicolons: collection=theses; year=1990-2005; title~rivers."
            ),
            width=220,
        )
        method = st.selectbox(
            _("Method"),
            list(OFFERS),
            key="themes-method",
            format_func=method_words,
            width=330,
        )
        asked = st.selectbox(
            _("Number of themes"),
            ["auto", *range(2, MOST_THEMES + 1)],
            key="themes-number",
            format_func=lambda one: _("automatic") if one == "auto" else str(one),
            width=150,
        )
        place = st.empty()
    filters = tuple(part.strip() for part in written.split(";") if part.strip())
    try:
        pairs = draw_corrections_choice(settings, shown.library, method)
    except SubclustError as error:
        pairs, st.session_state[_FAILED] = "", error_words(error)
    request = ThemesRequest(shown.library, method, asked, filters, pairs)
    if not may_change():
        told = _("Themes that were found before are shown here; new ones cannot be looked for.")
        st.html(f"<p class='sc-note'>{html.escape(told)}</p>")
    sentence, n_texts = _problem(settings, request)
    place.button(
        _("Find the themes"),
        key="themes-find",
        type="primary",
        disabled=sentence is not None,
        on_click=note_press,
        args=("themes-find",),
    )
    if was_pressed("themes-find") and sentence is None:
        _find(settings, request)
        st.rerun()
    if failed := st.session_state.pop(_FAILED, None):
        st.error(failed)
    if sentence:
        st.info(said(sentence))
    else:
        told = _("{count} texts.").format(count=number(n_texts))
        st.html(f"<p class='sc-note'>{told} {_(SAYS[method])} {about_minutes(method, n_texts)}</p>")


def _problem(settings: Settings, request: ThemesRequest) -> tuple[str | None, int]:
    """Return why these themes cannot be found, None where they can, and count the texts."""
    try:
        chosen = texts_of(settings, request.library, request.filters)
    except SubclustError as error:
        return error_words(error), 0
    if (found := chosen.found) is None:
        return too_many(chosen.n_texts), chosen.n_texts
    told = why_not(request.method, found.passages, request.n_themes, pairs=bool(request.pairs))
    return told or pairs_problem(request.pairs, found.passages), len(found)


def _find(settings: Settings, request: ThemesRequest) -> None:
    """Show the themes if they are kept; otherwise have them found in the background."""
    try:
        found = texts_of(settings, request.library, request.filters).found
        if found is None:  # texts were added since the form was drawn
            return
        encoder = shared_encoder(with_own_encoder(settings, request.library))
        said = Path(request.pairs).read_bytes() if request.pairs else b""
        key = themes_key(request, found.passages, encoder.revision, said)
        if ThemeStore(settings.themes_dir).find(key, named_by=settings.names) is None:
            queue = job_queue(settings)
            title = f"{request.library}/{key}"
            waiting = [
                job
                for job in queue.store.jobs()
                if (job.kind, job.title) == (KIND, title)
                and queue.state(job) in ("queued", "running")
            ]
            if not waiting:
                device = settings.resolve_device()
                queue.submit(request.words(), kind=KIND, title=title, device=device)
            queue.advance()
    except (SubclustError, OSError) as error:
        st.session_state[_FAILED] = error_words(error)
        return
    look_at(key=key, theme=None)


def _other_library() -> None:
    look_at(library=st.session_state["themes-library"], key="", theme=None)
