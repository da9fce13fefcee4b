"""Explore, of a whole collection: the form that asks for its themes, the progress, the themes."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.exceptions import SubclustError
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.jobs import job_queue, start_job
from subclust.jobs.view import JobView
from subclust.labelled.corrections import CorrectionStore
from subclust.text.library import with_own_encoder
from subclust.themes import ThemesRequest, ThemeStore
from subclust.themes.corrected import corrections_as_pairs, enough_pairs
from subclust.themes.kept import themes_key
from subclust.themes.offers import OFFERS, too_many, why_not
from subclust.themes.request import KIND
from subclust.ui import state
from subclust.ui.components.data_folder import changes, draw_read_only
from subclust.ui.components.markup import draw_hidden_heading, draw_status
from subclust.ui.components.resources import library_label, library_names, shared_encoder
from subclust.ui.components.session import note_press, show_in_widget, was_pressed
from subclust.ui.components.themes import Shown, current, kept_themes, look_at, texts_of, themes_map
from subclust.ui.components.words import error_words, plain, with_current
from subclust.ui.explore.found_themes import draw_found, draw_themes_map
from subclust.ui.explore.unanswered import draw_no_library
from subclust.ui.i18n.language import N_, _, _n, number, said
from subclust.ui.jobs import EVERY, change_queue, current_views
from subclust.ui.starting import let_others_first

_MOST_THEMES = 60
"""That can be asked for on the page."""


FITS: dict[str, str] = {
    "aecl": N_("no labels, short passages"),
    "scl": N_("no labels, short or long passages"),
    "fcl": N_("a few labels"),
    "kmeans": N_("a first look, at once"),
    "tfidf-kmeans": N_("passages in a language that the encoder does not know"),
}
"""When each method fits, as on the command line."""

SAYS: dict[str, str] = {
    "aecl": N_("Learns from the passages alone which of them belong together."),
    "scl": N_("Learns from the passages and from the same passages with words left out."),
    "fcl": N_(
        "Learns from the passages that have a label, or from your corrections, and groups all "
        "others accordingly."
    ),
    "kmeans": N_("Not trained: splits the passages around centres of meaning."),
    "tfidf-kmeans": N_("Not trained: splits the passages by the words they share."),
}
"""What each does."""

_STAGES: dict[str, str] = {
    "waiting": N_("Waiting"),
    "reading": N_("Reading the passages"),
    "encoding": N_("Encoding other wordings of the passages"),
    "training": N_("Training"),
    "saving": N_("Naming the themes"),
}


def draw_themes() -> None:
    """Draw the page of themes."""
    st.title(_("Themes of a whole library"), anchor=False)
    try:
        settings = Settings.from_environment()
        shown = current()
        if not library_names(settings):
            draw_no_library(settings)
            return
        _draw_ask(settings, shown)
        if not shown.key:
            return
        themes = kept_themes(settings, shown.key)
        if themes is None:
            _draw_job(settings, shown)
            return
        groups = themes_map(settings, themes)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    left, right = st.columns([5, 7], gap="large")
    with left:
        draw_found(shown, themes, groups)
    with right, st.container(key="map-panel"):
        draw_hidden_heading(2, _("Map"), "map")
        draw_themes_map(shown, groups)
        if not themes.has_map:  # below the map, which would else be drawn anew in another place
            _draw_map_to_come(settings, shown)


def _draw_map_to_come(settings: Settings, shown: Shown) -> None:
    """Say that the map is being computed, and draw the page again when it is there."""
    if _job_of(settings, shown.key) is not None:
        st.fragment(_wait_for_map, run_every=EVERY)(settings, shown)
        return
    _rerun_with_map(settings, shown)
    told = _("This is only an overview. Find the themes again to have their map computed.")
    draw_status(told)


def _wait_for_map(settings: Settings, shown: Shown) -> None:
    let_others_first()
    _rerun_with_map(settings, shown)
    told = _("Computing this map. The overview is shown until it is ready.")
    draw_status(told)
    if _job_of(settings, shown.key) is None:
        st.rerun()


def _rerun_with_map(settings: Settings, shown: Shown) -> None:
    themes = ThemeStore(settings.themes_dir).find(shown.key)
    if themes is None or themes.has_map:
        st.rerun()


def _job_of(settings: Settings, key: str) -> JobView | None:
    """Return the job that finds themes, or waits to; None where there is none, or nobody knows."""
    with suppress(SubclustError):
        views = current_views(settings, (KIND,))
        return next((one for one in views if _is_of(one, key) and not one.has_ended), None)
    return None


def _draw_ask(settings: Settings, shown: Shown) -> None:
    """Draw the form, and why no themes can be found where none can."""
    names = with_current(library_names(settings), shown.library)
    show_in_widget("themes-library", shown.library)
    with st.container(horizontal=True, key="options", vertical_alignment="bottom"):
        st.selectbox(
            _("Library"),
            names,
            key="themes-library",
            format_func=library_label,
            on_change=lambda: look_at(
                library=st.session_state["themes-library"], key="", theme=None
            ),
            width=170,
        )
        written = st.text_input(
            _("Only passages such as"),
            key="themes-filter",
            placeholder="year=1990-2005",
            help=_(
                "Leave it empty for the whole library. Fields with their values, separated by "
                "semicolons: collection=theses; year=1990-2005; title~rivers."
            ),
            width=220,
        )
        method = st.selectbox(
            _("Method"),
            list(OFFERS),
            key="themes-method",
            format_func=_method_words,
            width=330,
        )
        asked = st.selectbox(
            _("Number of themes"),
            ["auto", *range(2, _MOST_THEMES + 1)],
            key="themes-number",
            format_func=lambda one: _("automatic") if one == "auto" else str(one),
            width=150,
        )
        place = st.empty()
    filters = tuple(part.strip() for part in written.split(";") if part.strip())
    try:
        pairs = _draw_corrections_choice(settings, shown.library, method)
    except SubclustError as error:
        pairs, st.session_state[state.THEMES_PROBLEM] = "", error_words(error)
    _draw_find(settings, ThemesRequest(shown.library, method, asked, filters, pairs), place)


def _draw_find(settings: Settings, request: ThemesRequest, place: DeltaGenerator) -> None:
    """Draw the button, in its place beside the form, and under it what it would do, or why not."""
    draw_read_only(
        "themes", _("This server shows themes that were found before. It cannot find new ones.")
    )
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
    if failed := st.session_state.pop(state.THEMES_PROBLEM, None):
        st.error(plain(failed))
    if sentence:
        st.info(plain(said(sentence)))
    else:
        told = _("{count} passages.").format(count=number(n_texts))
        minutes = _about_minutes(request.method, n_texts)
        st.caption(f"{told} {_(SAYS[request.method])} {minutes}")


def _problem(settings: Settings, request: ThemesRequest) -> tuple[str | None, int]:
    """Return why these themes cannot be found, None where they can, and the number of texts."""
    try:
        chosen = texts_of(settings, request.library, request.filters)
    except SubclustError as error:
        return error_words(error), 0
    if (found := chosen.found) is None:
        return too_many(chosen.n_texts), chosen.n_texts
    told = why_not(request.method, found.passages, request.n_themes, pairs=bool(request.pairs))
    return told or _pairs_problem(request.pairs, found.passages), len(found)


def _find(settings: Settings, request: ThemesRequest) -> None:
    """Show the themes if they are stored; otherwise have them found in the background."""
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
            # Two visitors may ask for the same themes; one job finds them for both.
            if not any(
                (job.kind, job.title) == (KIND, title) and queue.state(job) in ("queued", "running")
                for job in queue.store.jobs()
            ):
                start_job(settings, request.words(), kind=KIND, title=title)
    except (SubclustError, OSError) as error:
        st.session_state[state.THEMES_PROBLEM] = error_words(error)
        return
    look_at(key=key, theme=None)


def _draw_corrections_choice(settings: Settings, library: str, method: str) -> str:
    """Draw the choice of corrections that a method learns from; return the file of their pairs."""
    if not OFFERS[method].needs_labels:
        return ""
    saved = CorrectionStore(settings.corrections_dir).all()
    there = {one.name: one for one in saved if one.basis.library == library}
    if not there:
        return ""
    if not set(st.session_state.get(state.THEMES_CORRECTIONS, ())) <= set(there):
        st.session_state[state.THEMES_CORRECTIONS] = []
    names = st.multiselect(
        _("Learn from my corrections"),
        list(there),
        key=state.THEMES_CORRECTIONS,
        placeholder=_("None: from the labels of the passages"),
        help=_(
            "Passages that you assigned to one group belong together, those of different groups do "
            "not. All other passages are grouped accordingly."
        ),
        width=560,
    )
    if not names:
        return ""
    return str(corrections_as_pairs([there[name] for name in names], settings.themes_dir))


def _pairs_problem(path: str, passages: Sequence[Passage]) -> str | None:
    """Return why the chosen corrections cannot be learnt from, None where they can."""
    if not path or enough_pairs(Path(path), passages):
        return None
    return _(
        "The chosen corrections cover too few of these passages, or contradict each other. Choose "
        "others, or a method that needs no labels."
    )


def _draw_job(settings: Settings, shown: Shown) -> None:
    """Draw the progress; the themes follow as soon as they are found."""
    with st.container(key="themes-progress"):
        st.fragment(_draw_live, run_every=EVERY)(settings, shown)


def _draw_live(settings: Settings, shown: Shown) -> None:
    let_others_first()
    if ThemeStore(settings.themes_dir).find(shown.key) is not None:
        st.rerun()
    try:
        views = current_views(settings, (KIND,))
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    view = next((one for one in views if _is_of(one, shown.key)), None)
    if view is None:
        st.info(
            _("The themes of this address no longer exist. Find them again with the button above.")
        )
        return
    if view.has_ended:
        reason = view.job.error or _("It was stopped.")
        st.warning(_("The themes were not found. {reason}").format(reason=plain(reason)))
        return
    stage = _(_STAGES.get(view.job.stage, _STAGES["reading"]))
    st.progress(_share(view), text=f"{stage} …{_time_left(view)}")
    st.caption(_("You can close this page; the work continues."))
    _draw_stop(settings, view)


@changes("themes")
def _draw_stop(settings: Settings, view: JobView) -> None:
    st.button(
        _("Stop"),
        key="themes-stop",
        disabled=view.state == "cancelling",
        on_click=change_queue,
        args=(settings, lambda queue: queue.cancel(view.job.id)),
    )


def _is_of(view: JobView, key: str) -> bool:
    return view.job.title.endswith(f"/{key}")


def _share(view: JobView) -> float:
    """Return the share that is done: training is most of it."""
    begun = {"waiting": 0.0, "reading": 0.02, "encoding": 0.08, "saving": 0.9}
    if view.job.stage != "training":
        return begun.get(view.job.stage, 0.0)
    total = view.progress.total or 1
    return 0.2 + 0.7 * min(1.0, (view.progress.step or 0) / total)


def _time_left(view: JobView) -> str:
    eta = view.progress.eta
    if view.job.stage != "training" or eta is None:
        return ""
    minutes = max(1, round(eta / 60))
    return " " + _("about {minutes} min left").format(minutes=number(minutes))


def _method_words(name: str) -> str:
    return f"{OFFERS[name].label}: {_(FITS[name])}"


def _about_minutes(name: str, n_texts: int) -> str:
    """Return about how long a method takes."""
    minutes = OFFERS[name].minutes * n_texts / 10_000
    if not minutes:
        return _("It takes a minute at most. The map follows.")
    return _n(
        "It takes about {count} minute on an ordinary computer, in the background.",
        "It takes about {count} minutes on an ordinary computer, in the background.",
        max(1, round(minutes + 1)),
    )
