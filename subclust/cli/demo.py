"""``python -m subclust demo``."""

import argparse
import sys
from collections.abc import Callable

from subclust.checkpoints import CheckpointStore
from subclust.cli.progress import progress_bar
from subclust.encoders import Encoder, load_encoder
from subclust.exceptions import CheckpointError
from subclust.ingest.demo import DEMO_LIBRARY, build_demo
from subclust.ingest.local import Progress
from subclust.library import PassageLibrary
from subclust.methods import load_method
from subclust.naming.vocabulary import vocabulary
from subclust.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare that ``demo`` has no arguments."""


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Build the demo library, unless it is there, and make it ready for the default method."""
    encoder = load_encoder(settings)
    report = build_demo(settings, encoder, progress_bar("Building the demo library"))
    prepare_for_default(settings, encoder, DEMO_LIBRARY)
    print(f"The demo library is ready: {report}.")


def prepare_for_default(
    settings: Settings,
    encoder: Encoder,
    library: str,
    told: Callable[[str], Progress] = progress_bar,
) -> None:
    """Encode all that a library's first query would otherwise wait for.

    That is the words of which names are made and, for the default method, the passages anew. What
    is there already is not encoded again; without a default method the passages are left alone.

    Parameters
    ----------
    settings : Settings
    encoder : Encoder
    library : str
    told : callable
        Given what is encoded, makes the function that is told how far that is.
    """
    found = PassageLibrary.open(settings.library_dir, library).passages()
    texts = [passage.text for passage in found.passages]
    encoder.encode(vocabulary(texts), progress=told("Encoding words for names"))
    try:
        method = load_method("default", CheckpointStore.of(settings), encoder)
    except CheckpointError as error:
        print(error, file=sys.stderr)
        return
    if method.encoder.revision == encoder.revision:
        return
    method.encoder.encode(texts, progress=told(f"Encoding for {method.card.label}"))
