"""``python -m benchmarks blend``."""

import argparse

from benchmarks.distilling.blending import blended
from benchmarks.distilling.checkpoint import METHOD
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import tell
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.text.encoders import SentenceEncoder


def add_blend(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``blend``."""
    parser.add_argument("name", help="of the new checkpoint")
    parser.add_argument("one", help=f"checkpoint of {METHOD}, of whose layers a share is taken")
    parser.add_argument("other", help="the one whose layers are the rest, and whose network stays")
    parser.add_argument("--share", type=float, default=0.4, help="of the first (default .4)")


def run_blend(arguments: argparse.Namespace, settings: Settings) -> None:
    """Save a checkpoint whose layers lie between those of two others.

    Raises
    ------
    SubclustError
        If one of them cannot be had, or they do not fit each other.
    """
    store = CheckpointStore.of(settings)
    one, other = (store.load(METHOD, name) for name in (arguments.one, arguments.other))
    encoder = SentenceEncoder(
        str(other.card["encoder"]),
        max_seq_length=settings.max_seq_length,
        offline=settings.offline,
        unpacked=settings.encoders_dir,
    )
    weights = encoder.fresh_model().named_parameters()
    plain = {name: weight.detach().cpu().numpy() for name, weight in weights}
    made = blended(arguments.name, one, other, plain, arguments.share)
    store.save(made, replace=True)
    tell(Message("Saved {folder}.", folder=store.place(METHOD, made.name)))
