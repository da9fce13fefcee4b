"""Import a file as `python -m subclust import` does, with the tests' encoder and small batches."""

import sys
from pathlib import Path

from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.sources.opening import open_source

BATCH_SIZE = 20

if __name__ == "__main__":
    file, folder = Path(sys.argv[1]), Path(sys.argv[2])
    source, encoder = open_source(file), HashingEncoder(16)
    print("begins", flush=True)
    report = ingest(
        source,
        encoder,
        folder,
        "killed",
        batch_size=BATCH_SIZE,
        progress=lambda done, _: print(done, flush=True),
    )
    print(report, flush=True)
