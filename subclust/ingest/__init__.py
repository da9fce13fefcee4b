"""From sources through the encoder into a library."""

from subclust.ingest.demo import DEMO_LIBRARY, build_demo
from subclust.ingest.local import Progress, ingest
from subclust.ingest.report import IngestReport

__all__ = ["DEMO_LIBRARY", "IngestReport", "Progress", "build_demo", "ingest"]
