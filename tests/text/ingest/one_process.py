"""What workers do, done in this process."""

from collections.abc import Callable, Iterator

from subclust.text.encoders import Encoder
from subclust.text.ingest.shares import BlockWriter, Share, SharedImport, read_shares


def shares_here(work: SharedImport, load: Callable[[], Encoder]) -> Iterator[Share]:
    """Do the shares of a work one after the other."""
    writer = BlockWriter(work, load)
    for file in range(len(work.files)):
        yield from map(writer.write, read_shares(work, file))
