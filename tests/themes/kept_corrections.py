"""Corrections of the library of short texts, saved without the app."""

from subclust.labelled.corrections import Basis, CorrectionStore, History
from subclust.labelled.corrections.saved import KeptGroup, KeptPassage


def keep(folder, name, groups, *, library="themed"):
    """Save that somebody has put texts, by number, into groups."""
    basis = Basis(f"question {name}", library, "r", "d", "kmeans", None, "", 0, len(groups), "0")
    kept = tuple(
        KeptGroup(
            number,
            f"group {number}",
            tuple(KeptPassage(f"t{text:04}", "title", "text", "placed") for text in texts),
        )
        for number, texts in enumerate(groups)
    )
    return CorrectionStore(folder).save(name, basis, History(), kept, known=None)
