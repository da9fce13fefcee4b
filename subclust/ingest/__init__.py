"""From sources through the encoder into a library."""

from subclust.ingest.demo import DEMO_LIBRARY, build_demo
from subclust.ingest.local import ingest
from subclust.ingest.report import IngestReport
from subclust.records.progress import OpenProgress as Progress

__all__ = ["DEMO_LIBRARY", "IngestReport", "Progress", "build_demo", "ingest"]
