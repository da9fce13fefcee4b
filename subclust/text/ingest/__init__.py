"""From sources through the encoder into a library."""

from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.ingest.demo import DEMO_LIBRARY, build_demo
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport

__all__ = ["DEMO_LIBRARY", "IngestReport", "Progress", "build_demo", "ingest"]
