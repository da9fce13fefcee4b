"""What has to be seen to before something is deleted, renamed or replaced."""

from subclust.deleting.in_use import Use, check_unused, models_needed, uses, who_uses

__all__ = ["Use", "check_unused", "models_needed", "uses", "who_uses"]
