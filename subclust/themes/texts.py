"""Which texts of a library themes are asked of; the others are not read whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from subclust.core.exceptions import InputError
from subclust.text.library import FoundPassages, PassageLibrary
from subclust.themes.offers import MOST
from subclust.themes.request import FIELDS, TextFilter


@dataclass(frozen=True)
class ChosenTexts:
    """The texts of a library that meet some filters.

    Parameters
    ----------
    n_texts : int
    found : FoundPassages or None
        In the order of their ids; None where they are more than themes are found in, which nobody
        reads then.
    """

    n_texts: int
    found: FoundPassages | None


def choose_texts(library: PassageLibrary, filters: Sequence[str]) -> ChosenTexts:
    """Read the texts that meet all filters.

    Parameters
    ----------
    library : PassageLibrary
    filters : sequence of str
        As `TextFilter.read` takes them; none for all texts.

    Raises
    ------
    InputError
        If a filter cannot be read, no text has its field, or none meets them all.
    """
    if not filters:
        n_texts = library.count()
        if n_texts > MOST:
            return ChosenTexts(n_texts, None)
        found = library.passages()
        # What is trained on them may want to write there; what a library gives is read only.
        return ChosenTexts(n_texts, replace(found, embeddings=found.embeddings.copy()))
    ids = _that_meet(library, [TextFilter.read(one) for one in filters])
    if not ids:
        raise InputError(
            "No passage of the library {library} matches {text}; use another filter, or none.",
            library=library.name,
            text=" and ".join(filters),
        )
    return ChosenTexts(len(ids), library.get(sorted(ids)) if len(ids) <= MOST else None)


def _that_meet(library: PassageLibrary, filters: Sequence[TextFilter]) -> list[str]:
    fields: set[str] = set(FIELDS)
    ids = []
    for passages in library.skim():
        for passage in passages:
            fields.update(passage.metadata)
            if all(one.meets(passage) for one in filters):
                ids.append(passage.id)
    for one in filters:
        if one.field not in fields:
            raise InputError(
                "No passage of the library has a field {field!r}; filter by one of {fields}.",
                field=one.field,
                fields=", ".join(sorted(fields)),
            )
    return ids
