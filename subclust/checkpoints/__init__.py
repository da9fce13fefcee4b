"""Trained models on disk: folders and tensors, whatever the method."""
