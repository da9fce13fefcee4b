"""Trained models on disk: folders and tensors, whatever the method."""

from subclust.checkpoints.store import DEFAULT_METHOD, Checkpoint, CheckpointStore, checked

__all__ = ["DEFAULT_METHOD", "Checkpoint", "CheckpointStore", "checked"]
