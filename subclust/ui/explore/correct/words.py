"""Corrections in words."""

from subclust.labelled.corrections import Edit, Judge, Merge, Move, Rename, Separate, Split
from subclust.ui.components.words import n_passages
from subclust.ui.i18n.language import _, _n


def done(edit: Edit) -> str:
    """Return what an edit has done."""
    match edit:
        case Move():
            sentence = _("Moved {passages} to “{group}”.")
            if edit.to.is_other:
                sentence = _("Sent {passages} to the other passages.")
            return sentence.format(passages=n_passages(len(edit.passages)), group=edit.to.name)
        case Separate():
            sentence = _("Made {passages} the group “{group}”.")
            return sentence.format(passages=n_passages(len(edit.passages)), group=edit.name)
        case Merge():
            names = ", ".join(f"“{group.name}”" for group in edit.groups)
            return _("Merged {groups} into “{group}”.").format(groups=names, group=edit.into.name)
        case Split():
            parts = ", ".join(f"“{name}”" for name in (edit.name, *(p.name for p in edit.parts)))
            return _("Split “{group}” into {parts}.").format(group=edit.group.name, parts=parts)
        case Rename():
            sentence = _("Gave “{group}” the name “{name}”.")
            return sentence.format(group=edit.group.name, name=edit.name)
        case Judge():
            sentence = {
                "accepted": _("Accepted {passages}."),
                "unsure": _("Marked {passages} as unsure."),
                "none": _("Removed the mark from {passages}."),
            }[edit.mark]
            return sentence.format(passages=n_passages(len(edit.passages)))


def n_corrections(count: int) -> str:
    """Write "1 correction", "12 corrections"."""
    return _n("{count} correction", "{count} corrections", count)


def judged(judgement: str | None) -> str:
    """Name what a person has said of a passage; nothing where nothing was said."""
    words = {"placed": _("placed"), "accepted": _("accepted"), "unsure": _("unsure")}
    return words.get(judgement or "", "")
