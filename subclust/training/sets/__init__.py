"""Labelled sets that people upload: received, previewed, checked, kept in versions, exported."""

from subclust.training.sets.export import export_left_out, export_set
from subclust.training.sets.left_out import hindrance, why_not_without
from subclust.training.sets.names import SET_PREFIX, set_reference, suggested_name
from subclust.training.sets.preview import Preview
from subclust.training.sets.record import LabelledSet, LeftOutRow
from subclust.training.sets.store import LabelledSetStore
from subclust.training.sets.templates import TEMPLATES, template
from subclust.training.sets.upload import MOST_BYTES, Upload

__all__ = [
    "MOST_BYTES",
    "SET_PREFIX",
    "TEMPLATES",
    "LabelledSet",
    "LabelledSetStore",
    "LeftOutRow",
    "Preview",
    "Upload",
    "export_left_out",
    "export_set",
    "hindrance",
    "set_reference",
    "suggested_name",
    "template",
    "why_not_without",
]
