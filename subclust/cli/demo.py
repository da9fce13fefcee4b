"""``python -m subclust demo``."""

import argparse
import sys
from collections.abc import Callable

from subclust.api.libraries import prepare_search
from subclust.cli.progress import progress_bar
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.ingest.demo import DEMO_LIBRARY, build_demo


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
    """Encode what the first query would wait for, and say on standard error what is missing."""
    missing = prepare_search(settings, encoder, library, told)
    if missing is not None:
        print(missing, file=sys.stderr)
