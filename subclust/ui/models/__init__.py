"""The Models page: what is trained, in use, promoted, deleted."""
