"""Passage libraries on disk: schema, adding, searching. They take vectors and never make them."""

from dataclasses import replace

from subclust.core.settings import APPROXIMATE_BACKENDS, Settings
from subclust.text.library.folder import library_names
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.schema import FoundPassages

__all__ = ["FoundPassages", "PassageLibrary", "settings_of", "with_own_encoder"]


def with_own_encoder(settings: Settings, name: str) -> Settings:
    """Return the settings with the encoder whose vectors a library has.

    A library may have the vectors of another encoder than the one that new libraries get, since it
    can be embedded anew.

    Parameters
    ----------
    settings : Settings
    name : str
        Of a library; for one that is not there yet the settings stay as they are.

    Raises
    ------
    LibraryError
        If it is damaged, or was made by another version of Subclust.
    """
    if name not in library_names(settings.library_dir):
        return settings
    return settings_of(settings, PassageLibrary.open(settings.library_dir, name))


def settings_of(settings: Settings, library: PassageLibrary) -> Settings:
    """Return the settings with the encoder whose vectors an open library has.

    A back end that rounds is taken where the library's vectors are its own, and nowhere else.
    """
    backend = settings.encoder_backend
    if backend in APPROXIMATE_BACKENDS:
        backend = "auto"
    for name in APPROXIMATE_BACKENDS:
        if library.encoder_revision.endswith(f"-{name}"):
            backend = name
    return replace(settings, encoder=library.encoder_name, encoder_backend=backend)
