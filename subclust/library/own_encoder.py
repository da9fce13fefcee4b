"""The settings under which a library is searched and added to: with its own encoder."""

from dataclasses import replace

from subclust.library.folder import library_names
from subclust.library.passage_library import PassageLibrary
from subclust.settings import Settings


def with_own_encoder(settings: Settings, name: str) -> Settings:
    """Give the settings with the encoder whose vectors a library has.

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
    library = PassageLibrary.open(settings.library_dir, name)
    return replace(settings, encoder=library.encoder_name)
