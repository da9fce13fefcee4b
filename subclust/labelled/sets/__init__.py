"""Labelled sets that people upload: received, previewed, checked, kept in versions, exported."""

from subclust.labelled.sets.export import TEMPLATES, export_left_out, export_set, template
from subclust.labelled.sets.left_out import hindrance, why_not_without
from subclust.labelled.sets.preview import Preview
from subclust.labelled.sets.record import (
    SET_PREFIX,
    LabelledSet,
    set_reference,
    suggested_name,
)
from subclust.labelled.sets.store import LabelledSetStore
from subclust.labelled.sets.upload import Upload

__all__ = [
    "SET_PREFIX",
    "TEMPLATES",
    "LabelledSet",
    "LabelledSetStore",
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
