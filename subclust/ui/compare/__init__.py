"""The Compare page: several methods, or two questions, side by side."""
