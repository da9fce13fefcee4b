"""The corrections that a visitor is making, one history a question, and the groups they make."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from subclust.core.access import may_change
from subclust.core.exceptions import CorrectionsError, DraftElsewhereError, SubclustError
from subclust.core.messages import Message
from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.core.settings import Settings
from subclust.grouping.clustering.base import MAX_PAIRWISE
from subclust.grouping.clustering.strength import passage_strengths
from subclust.grouping.similarity.cosine import CosineSimilarity
from subclust.labelled.corrections import (
    Corrected,
    CorrectionStore,
    Draft,
    DraftStore,
    Edit,
    History,
    Judge,
    Measure,
    Merge,
    Move,
    Rename,
    SavedCorrections,
    Separate,
    Split,
    replay,
)
from subclust.ui import state
from subclust.ui.components.view import View
from subclust.ui.components.words import error_words, in_visitors_language, n_passages
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, _n, language
from subclust.ui.sign_in import visitor

_MOST_KEPT = 6

Told = Callable[[], str]
"""Returns a sentence in the language that the page has when it is drawn; `str` returns none."""


@dataclass(frozen=True)
class Desk:
    """What a visitor has corrected of one question.

    Parameters
    ----------
    history : History
    said : Told
        One sentence on what was done last.
    refused : Told
        Why what was asked for last was not done; empty where it was.
    name : str
        Under which the corrections were saved or loaded; empty where they never were.
    revision : int or None
        Of what was saved or loaded under that name.
    kept : tuple of Edit
        What was saved or loaded.
    stamp : str
        Of the draft that holds this history; empty where none does.
    unkept : Told
        Why there is no draft though there should be; empty where all is well.
    """

    history: History = History()
    said: Told = str
    refused: Told = str
    name: str = ""
    revision: int | None = None
    kept: tuple[Edit, ...] = ()
    stamp: str = ""
    unkept: Told = str

    @property
    def is_saved(self) -> bool:
        """Whether nothing was done since it was saved, or ever."""
        return self.history.done == self.kept


def desk_of(view: View) -> Desk:
    """Return what the visitor has corrected of a view's question."""
    found: Desk = _desks().get(view.corrected(), Desk())
    return found


def corrected_answer(view: View, found: Answer) -> tuple[Answer, Corrected]:
    """Apply the visitor's corrections to an answer; done once for the same groups and edits."""
    edits = desk_of(view).history.done
    known: list[tuple[SubtopicMap, tuple[Edit, ...], str, Corrected]]
    known = st.session_state.setdefault(state.CORRECTED, [])
    key = (edits, language())
    # By identity: groups are cached per answer, and comparing hundreds of passages would be slow.
    same = (one[3] for one in known if one[0] is found.subtopics and one[1:3] == key)
    corrected = next(same, None)
    if corrected is None:
        made = replay(found.subtopics, edits, measure=_measure_of(found))
        corrected = replace(made, subtopics=in_visitors_language(made.subtopics))
        known.append((found.subtopics, *key, corrected))
        del known[:-_MOST_KEPT]
    return replace(found, subtopics=corrected.subtopics), corrected


def correct(view: View, now: SubtopicMap, make: Callable[[SubtopicMap], Edit]) -> Edit | None:
    """Make an edit of the groups as shown, and do it; note why where it cannot be done."""
    desk = desk_of(view)
    try:
        edit = make(now)
    except SubclustError as error:
        put_desk(view, replace(desk, said=str, refused=partial(error_words, error)))
        return None
    return edit if go_on(view, desk.history.do(edit), partial(_done, edit)) else None


def undo(view: View) -> None:
    """Take the last edit back."""
    history = desk_of(view).history
    if history.done:
        edit = history.done[-1]
        go_on(view, history.undo(), lambda: _("Undone: {what}").format(what=_done(edit)))


def redo(view: View) -> None:
    """Do again what was taken back last."""
    history = desk_of(view).history
    if history.undone:
        edit = history.undone[-1]
        go_on(view, history.redo(), lambda: _("Redone: {what}").format(what=_done(edit)))


def take_up(view: View, saved: SavedCorrections, said: Told) -> None:
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


def restore(settings: Settings, view: View) -> None:
    """Take up the draft of an earlier visit, or the saved corrections that the address names."""
    if view.corrected() not in _desks():
        open_saved(settings, view, N_("These are the groups as corrected in {name}."))


def open_saved(settings: Settings, view: View, said: str) -> None:
    """Open the corrections that a view names, and what the visitor did since in a draft.

    `said`, as it is in the catalogue, is shown where there is no draft; its ``{name}`` stands for
    their name.
    """
    try:
        draft = _drafts(settings).load(visitor(), _about(view, view.corrections))
        if draft is None and view.corrections:
            saved = CorrectionStore(settings.corrections_dir).load(view.corrections)
            take_up(view, saved, lambda: _(said).format(name=saved.name))
    except SubclustError as error:
        put_desk(view, Desk(refused=partial(error_words, error)))
        return
    if draft is not None:
        desk = Desk(
            draft.history,
            name=view.corrections,
            revision=draft.revision,
            kept=draft.kept,
            stamp=draft.stamp,
        )
        put_desk(view, desk if desk.is_saved else replace(desk, said=partial(_restored, desk)))


def discard_draft(view: View) -> None:
    """Go back to what was saved, or to the groups as they were made; *Redo* brings all back."""
    desk = desk_of(view)
    drop_draft(view)
    edits, kept = desk.history.done, desk.kept
    # If a saved correction was undone, what followed cannot be redone on top of the saved ones.
    added = edits[len(kept) :] if edits[: len(kept)] == kept else ()
    put_desk(
        view,
        replace(
            desk,
            history=History(kept, (*desk.history.undone, *reversed(added)) if added else ()),
            said=lambda: _("Draft discarded. Redo brings its corrections back."),
            refused=str,
            stamp="",
            unkept=str,
        ),
    )


def drop_draft(view: View) -> None:
    """Delete the draft of what is corrected now, if there is one."""
    with suppress(CorrectionsError):  # what stays is offered again, and goes after 30 days
        _drafts().discard(visitor(), _about(view, desk_of(view).name))


def say_of_desk(view: View, said: Told) -> None:
    """Show a sentence in place of the last correction."""
    put_desk(view, replace(desk_of(view), said=said, refused=str))


def put_desk(view: View, desk: Desk) -> None:
    """Keep what the visitor has corrected of a view's question."""
    _desks()[view.corrected()] = desk


def go_on(view: View, history: History, said: Told) -> bool:
    """Go on with a history and have it in the draft, before anybody sees it done.

    Returns
    -------
    bool
        False where another window has gone on meanwhile: then nothing is done.
    """
    desk = desk_of(view)
    changed = replace(desk, history=history, said=said, refused=str, unkept=str)
    if visitor() and may_change("corrections"):
        draft = Draft(history, desk.revision, desk.kept, desk.stamp)
        try:
            stamp = _drafts().keep(visitor(), _about(view, desk.name), draft)
            changed = replace(changed, stamp=stamp)
        except DraftElsewhereError:
            put_desk(view, replace(desk, said=str, refused=_elsewhere))
            return False
        except CorrectionsError as error:
            changed = replace(changed, unkept=partial(error_words, error))
    put_desk(view, changed)
    return True


def _elsewhere() -> str:
    return _("You edited these groups in another window. Reload this page to continue from there.")


def _restored(desk: Desk) -> str:
    return _("Your draft was restored: {corrections}, not saved yet.").format(
        corrections=n_corrections(len(desk.history.done))
    )


def _drafts(settings: Settings | None = None) -> DraftStore:
    return DraftStore((settings or Settings.from_environment()).corrections_dir / "drafts")


def _about(view: View, name: str) -> tuple[str, ...]:
    return (*view.corrected(), name)


def unmet_sentences(corrected: Corrected) -> list[Message]:
    """List what of the edits could not be done, each sentence once."""
    return list({str(one.told): one.told for one in corrected.unmet}.values())


def _desks() -> dict[tuple[str, ...], Desk]:
    desks: dict[tuple[str, ...], Desk] = st.session_state.setdefault(state.DESKS, {})
    return desks


def _measure_of(found: Answer) -> Measure | None:
    """Return what measures strengths on the scores that the answer's groups rest on.

    Where the method has no scores of pairs, they are cosines; of more passages than pairs can be
    scored of there is no measure.
    """
    passages = found.ranking.passages
    if len(passages) > MAX_PAIRWISE:
        return None
    rows = {passage.id: row for row, passage in enumerate(passages)}

    def measure(where: Mapping[str, int]) -> Mapping[str, float]:
        inside = [one for one, group in where.items() if group != OTHER_PASSAGES]
        if not inside:
            return {}
        embeddings, query = found.pipeline.encode(found.ranking, found.subtopics.query)
        similarity = getattr(found.pipeline.method.clusterer, "similarity", CosineSimilarity())
        scores = similarity.score_matrix(query, [one.text for one in passages], embeddings)
        place = np.array([rows[one] for one in inside])
        labels = np.array([where[one] for one in inside], dtype=np.int64)
        strengths = passage_strengths(scores[np.ix_(place, place)], labels)
        return dict(zip(inside, map(float, strengths), strict=True))

    return measure


def _done(edit: Edit) -> str:
    """Return what an edit has done."""
    match edit:
        case Move():
            sentence = _("Moved {passages} to “{group}”.")
            if edit.to.is_other:
                sentence = _("Sent {passages} to the other passages.")
            return sentence.format(passages=n_passages(len(edit.passages)), group=edit.to.name)
        case Separate():
            sentence = _("Grouped {passages} as “{group}”.")
            return sentence.format(passages=n_passages(len(edit.passages)), group=edit.name)
        case Merge():
            names = ", ".join(_quoted(group.name) for group in edit.groups)
            return _("Merged {groups} into “{group}”.").format(groups=names, group=edit.into.name)
        case Split():
            parts = ", ".join(map(_quoted, (edit.name, *(part.name for part in edit.parts))))
            return _("Split “{group}” into {parts}.").format(group=edit.group.name, parts=parts)
        case Rename():
            sentence = _("Renamed “{group}” to “{name}”.")
            return sentence.format(group=edit.group.name, name=edit.name)
        case Judge():
            sentence = {
                "accepted": _("Accepted {passages}."),
                "unsure": _("Marked {passages} as unsure."),
                "none": _("Removed the mark from {passages}."),
            }[edit.mark]
            return sentence.format(passages=n_passages(len(edit.passages)))


def _quoted(name: str) -> str:
    return _("“{text}”").format(text=name)


def n_corrections(count: int) -> str:
    """Write "1 correction", "12 corrections"."""
    return _n("{count} correction", "{count} corrections", count)
