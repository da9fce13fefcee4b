"""Corrections of a grouping by hand: made, undone, applied again, kept, and learnt from."""

from subclust.labelled.corrections.contradictions import Contradiction, contradictions
from subclust.labelled.corrections.drafts import DRAFT_DAYS, Draft, DraftStore
from subclust.labelled.corrections.edits import (
    Edit,
    GroupRef,
    Judge,
    Mark,
    Merge,
    Move,
    Part,
    Rename,
    Separate,
    Split,
)
from subclust.labelled.corrections.history import History
from subclust.labelled.corrections.making import judge, merge, move, rename, separate, split
from subclust.labelled.corrections.names import free_name
from subclust.labelled.corrections.pair_files import pairs_as_csv, pairs_as_json_lines
from subclust.labelled.corrections.pairs import Pair, pairs_of, undisputed_pairs
from subclust.labelled.corrections.replay import Corrected, Judgement, Measure, Unmet, replay
from subclust.labelled.corrections.saved import Basis, SavedCorrections, data_version, kept_groups
from subclust.labelled.corrections.store import CorrectionStore, suggested_name
from subclust.labelled.corrections.told import Told
from subclust.labelled.corrections.training_set import (
    TrainingSet,
    as_csv,
    as_json_lines,
    training_set,
)

__all__ = [
    "DRAFT_DAYS",
    "Basis",
    "Contradiction",
    "Corrected",
    "CorrectionStore",
    "Draft",
    "DraftStore",
    "Edit",
    "GroupRef",
    "History",
    "Judge",
    "Judgement",
    "Mark",
    "Measure",
    "Merge",
    "Move",
    "Pair",
    "Part",
    "Rename",
    "SavedCorrections",
    "Separate",
    "Split",
    "Told",
    "TrainingSet",
    "Unmet",
    "as_csv",
    "as_json_lines",
    "contradictions",
    "data_version",
    "free_name",
    "judge",
    "kept_groups",
    "merge",
    "move",
    "pairs_as_csv",
    "pairs_as_json_lines",
    "pairs_of",
    "rename",
    "replay",
    "separate",
    "split",
    "suggested_name",
    "training_set",
    "undisputed_pairs",
]
