"""Names for new models."""

import re

from subclust.checkpoints import checked
from subclust.core.exceptions import SubclustError
from subclust.ui.components.error_words import error_words
from subclust.ui.i18n.language import _


def free_name(wanted: str, taken: list[str]) -> str:
    """Return a name for a model that none of a method has yet: "mine", "mine-2", "mine-3"."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", wanted).strip("-._")[:70] or "mine"
    numbers = iter(range(2, len(taken) + 3))
    name = stem
    while name in taken:
        name = f"{stem}-{next(numbers)}"
    return name


def name_problem(name: str, taken: list[str]) -> str | None:
    """Return why a model cannot have a name, None where it can."""
    try:
        checked(name.strip())
    except SubclustError as error:
        return error_words(error)
    if name.strip() in taken:
        told = _("There is a model named {name} already; choose another name.")
        return told.format(name=name.strip())
    return None
