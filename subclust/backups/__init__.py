"""All of the data and models folders as one zip file, and back."""

from subclust.backups.manifest import WholeManifest, read_whole_manifest
from subclust.backups.restoring import restore_everything
from subclust.backups.writing import WholeReport, back_up_everything

__all__ = [
    "WholeManifest",
    "WholeReport",
    "back_up_everything",
    "read_whole_manifest",
    "restore_everything",
]
