"""Subclust: the passages that answer a query, grouped into named subtopics of that query."""

__version__ = "0.1.0"
