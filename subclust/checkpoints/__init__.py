"""Trained models on disk: folders and tensors, whatever the method."""

from subclust.checkpoints.checkpoint import Checkpoint, checked, required
from subclust.checkpoints.store import DEFAULT_METHOD, CheckpointStore

__all__ = ["DEFAULT_METHOD", "Checkpoint", "CheckpointStore", "checked", "required"]
