"""Subclust: the passages that answer a query, grouped into named subtopics of that query.

Nothing is imported before it is used, so ``import subclust`` takes milliseconds.

>>> import subclust
>>> library = subclust.open_library("demo")
>>> answer = library.search("colonial taxes")
>>> frame = answer.to_frame()
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subclust.api.judging import judge as judge
    from subclust.api.libraries import Library as Library
    from subclust.api.libraries import import_files as import_files
    from subclust.api.libraries import open_library as open_library
    from subclust.api.remote import connect as connect
    from subclust.api.results import Answer as Answer
    from subclust.api.results import Grouping as Grouping
    from subclust.api.texts import group as group
    from subclust.api.training import train as train
    from subclust.core.exceptions import SubclustError as SubclustError
    from subclust.core.settings import Settings as Settings
    from subclust.methods import load_method as load_method

__version__ = "0.1.0"

_MODULES = {
    "Answer": "api.results",
    "Grouping": "api.results",
    "Library": "api.libraries",
    "Settings": "core.settings",
    "SubclustError": "core.exceptions",
    "connect": "api.remote",
    "group": "api.texts",
    "import_files": "api.libraries",
    "judge": "api.judging",
    "load_method": "methods",
    "open_library": "api.libraries",
    "train": "api.training",
}
"""Every public name, and its module below ``subclust``."""

__all__ = [*_MODULES]  # noqa: PLE0604  # all of them are strings


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__doc__", "__version__"]
