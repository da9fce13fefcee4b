"""Form 2: libraries are searched without the labels of structured abstracts.

Version 0.1.0 indexed ``BACKGROUND:``, ``METHODS:`` and the like as words of each abstract, so that
a question with such a word found them all.
"""

from collections.abc import Callable
from pathlib import Path

from subclust.core.exceptions import LibraryError
from subclust.core.messages import Message
from subclust.core.records.boilerplate import without_labels
from subclust.core.settings import Settings
from subclust.core.storage import StoragePath
from subclust.text.library import PassageLibrary
from subclust.text.library.backup import back_up
from subclust.text.library.search import scan

_AT_ONCE = 1000


def renew_searched_texts(settings: Settings, backups: Path, tell: Callable[[str], object]) -> None:
    """Have every library searched by the texts that it would be given today.

    A passage whose text is stored as today is left alone, so that this can be broken off anywhere
    and done again. Libraries in object storage, and damaged ones, stay as they are.
    """
    folder = settings.library_dir
    if isinstance(folder, StoragePath):
        return
    for name in PassageLibrary.names(folder):
        try:
            library = PassageLibrary.open(folder, name)
            ids = _outdated(library)
        except LibraryError:
            continue
        if ids:
            tell(
                Message(
                    "Bringing the library {name!r} up to date (passages: {n:,})",
                    name=name,
                    n=len(ids),
                )
            )
            backup = backups / f"{name}.zip"
            if not backup.exists():  # of the library before anything was changed
                backups.mkdir(exist_ok=True)
                back_up(folder, name, backup)
            for start in range(0, len(ids), _AT_ONCE):
                found = library.get(ids[start : start + _AT_ONCE])
                library.add(found.passages, found.embeddings)
            library.optimize()


def _outdated(library: PassageLibrary) -> list[str]:
    found: list[str] = []
    for batch in scan(library.table, ["id", "text", "searched_text"], batch_size=1024):
        columns = (batch.column(name).to_pylist() for name in ("id", "text", "searched_text"))
        found += [
            id_
            for id_, text, searched in zip(*columns, strict=True)
            # The searched text begins with the title, so only its end can be compared.
            if ":" in text and not searched.endswith(without_labels(text))
        ]
    return found
