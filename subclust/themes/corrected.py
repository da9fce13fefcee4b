"""What corrections say of the texts of a collection, for the method that learns from it."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from subclust.core.exceptions import InputError, TrainingError
from subclust.core.records import Passage
from subclust.core.storage.disk import write_whole
from subclust.labelled.corrections import SavedCorrections, undisputed_pairs
from subclust.labelled.corrections.learning import pairs_as_json_lines
from subclust.methods.scl.weak_labels import read_pairs

FOLDER = "pairs"
"""Of the files, beside the themes that were learned from them."""


def corrections_as_pairs(corrections: Sequence[SavedCorrections], themes_dir: Path) -> Path:
    """Write what corrections say of pairs of texts as a file that FCL reads.

    Parameters
    ----------
    corrections : sequence of SavedCorrections
    themes_dir : Path
        Of the kept themes.

    Returns
    -------
    Path
        Named after its content, so that the same corrections are the same request.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    content = pairs_as_json_lines(undisputed_pairs(corrections))
    path = themes_dir / FOLDER / f"{hashlib.sha256(content).hexdigest()[:16]}.jsonl"
    if path.is_file():
        return path
    try:
        write_whole(path, content, durable=False)
    except OSError as error:
        raise InputError(
            "The pairs in {path} cannot be written: {error}.", path=path, error=error
        ) from error
    return path


def enough_pairs(path: Path, passages: Sequence[Passage]) -> bool:
    """Return whether a file of pairs teaches anything about some texts and is consistent.

    Parameters
    ----------
    path : Path
        Of `corrections_as_pairs`.
    passages : sequence of Passage
        The texts whose themes are looked for.

    Returns
    -------
    bool
        False where no two of them are said to belong together, none not to, or what is said of
        several questions cannot be true of one grouping.
    """
    try:
        read_pairs(path, [passage.id for passage in passages])
    except TrainingError:
        return False
    return True
