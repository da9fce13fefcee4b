"""Corrections of a grouping by hand."""
