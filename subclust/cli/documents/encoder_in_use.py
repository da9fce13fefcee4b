"""Which encoder the settings name, for what is told of libraries."""

from subclust.core.exceptions import EncoderError
from subclust.core.settings import Settings
from subclust.text.encoders import identity_of


def encoder_in_use(settings: Settings) -> tuple[str, str] | None:
    """Return name and revision of the configured encoder; None where it cannot be had."""
    try:
        return identity_of(settings)
    except EncoderError:
        return None
