"""The library whose passages and vectors a measurement starts from."""

from subclust.core.settings import Settings
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.library import PassageLibrary


def measured_library(settings: Settings, name: str) -> tuple[Encoder, PassageLibrary]:
    """Load the encoder of the settings, and open a library that was made with it.

    Raises
    ------
    EncoderError
        If the encoder cannot be had.
    LibraryError
        If there is no such library, or it was made with another encoder.
    """
    encoder = load_encoder(settings)
    library = PassageLibrary.open(settings.library_dir, name)
    library.check_encoder(encoder.name, encoder.revision)
    return encoder, library
