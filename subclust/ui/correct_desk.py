"""The corrections that a visitor is making, one history a question, and the groups they give."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from subclust.curation import (
    Corrected,
    CorrectionStore,
    Edit,
    History,
    SavedCorrections,
    Told,
    replay,
)
from subclust.exceptions import SubclustError
from subclust.records import SubtopicMap
from subclust.settings import Settings
from subclust.ui.correct_measure import measure_of
from subclust.ui.correct_words import done
from subclust.ui.language import _, language
from subclust.ui.other_passages import in_visitors_language
from subclust.ui.search import Answer
from subclust.ui.view import View

_DESKS = "corrections"
_CORRECTED = "corrected answer"
_MOST_KEPT = 6


@dataclass(frozen=True)
class Desk:
    """What a visitor has corrected of one question.

    Parameters
    ----------
    history : History
    said : str
        One sentence on what was done last.
    refused : str
        Why what was asked for last was not done; empty where it was.
    name : str
        Under which the corrections were saved or loaded; empty where they never were.
    revision : int or None
        Of what was saved or loaded under that name.
    kept : tuple of Edit
        What was saved or loaded.
    """

    history: History = History()
    said: str = ""
    refused: str = ""
    name: str = ""
    revision: int | None = None
    kept: tuple[Edit, ...] = ()

    @property
    def is_saved(self) -> bool:
        """Whether nothing was done since it was saved, or ever."""
        return self.history.done == self.kept


def desk_of(view: View) -> Desk:
    """Give what the visitor has corrected of a view's question."""
    found: Desk = _desks().get(view.corrected(), Desk())
    return found


def corrected_answer(view: View, found: Answer) -> tuple[Answer, Corrected]:
    """Apply the visitor's corrections to an answer; done once for the same groups and edits."""
    edits = desk_of(view).history.done
    known: list[tuple[SubtopicMap, tuple[Edit, ...], str, Corrected]]
    known = st.session_state.setdefault(_CORRECTED, [])
    key = (edits, language())
    same = (one[3] for one in known if one[0] is found.subtopics and one[1:3] == key)
    corrected = next(same, None)
    if corrected is None:
        made = replay(found.subtopics, edits, measure=measure_of(found))
        corrected = replace(made, subtopics=in_visitors_language(made.subtopics))
        known.append((found.subtopics, *key, corrected))
        del known[:-_MOST_KEPT]
    return replace(found, subtopics=corrected.subtopics), corrected


def correct(view: View, now: SubtopicMap, make: Callable[[SubtopicMap], Edit]) -> Edit | None:
    """Make an edit of what is shown and do it; say why where it cannot be done.

    Parameters
    ----------
    view : View
    now : SubtopicMap
        The groups as they are shown.
    make : callable
        Makes the edit; it may raise a SubclustError.

    Returns
    -------
    Edit or None
        What was done.
    """
    desk = desk_of(view)
    try:
        edit = make(now)
    except SubclustError as error:
        put_desk(view, replace(desk, said="", refused=str(error)))
        return None
    put_desk(view, replace(desk, history=desk.history.do(edit), said=done(edit), refused=""))
    return edit


def restore(settings: Settings, view: View) -> None:
    """Take up the saved corrections that an address names, where the visitor has none yet."""
    if not view.corrections or view.corrected() in _desks():
        return
    try:
        saved = CorrectionStore(settings.corrections_dir).load(view.corrections)
    except SubclustError as error:
        put_desk(view, Desk(refused=str(error)))
    else:
        said = _("These are the groups as corrected in {name}.").format(name=saved.name)
        take_up(view, saved, said)


def undo(view: View) -> None:
    """Take the last edit back."""
    desk = desk_of(view)
    if desk.history.done:
        said = _("Undone: {what}").format(what=done(desk.history.done[-1]))
        put_desk(view, replace(desk, history=desk.history.undo(), said=said, refused=""))


def redo(view: View) -> None:
    """Do again what was taken back last."""
    desk = desk_of(view)
    if desk.history.undone:
        said = _("Done again: {what}").format(what=done(desk.history.undone[-1]))
        put_desk(view, replace(desk, history=desk.history.redo(), said=said, refused=""))


def take_up(view: View, saved: SavedCorrections, said: str) -> None:
    """Go on with what was saved; the history before is left."""
    put_desk(
        view,
        Desk(
            saved.history,
            said,
            name=saved.name,
            revision=saved.revision,
            kept=saved.history.done,
        ),
    )


def put_desk(view: View, desk: Desk) -> None:
    """Keep what the visitor has corrected of a view's question."""
    _desks()[view.corrected()] = desk


def unmet_sentences(corrected: Corrected) -> list[Told]:
    """List what of the edits could not be done, each sentence once."""
    return list({str(one.told): one.told for one in corrected.unmet}.values())


def _desks() -> dict[tuple[str, ...], Desk]:
    desks: dict[tuple[str, ...], Desk] = st.session_state.setdefault(_DESKS, {})
    return desks
